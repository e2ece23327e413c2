"""What a reader may see: frozen, language-neutral views. Held-out material ends before this room.

A view holds identifiers, exact figures, moments and the publisher's bilingual texts. No sentence is
formed here and no number is rounded: that is a matter of language, and languages live in ``render``.
The only model output in a view is the answer to a public task.
"""

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from generator.publish.audit_views import AuditsView
from generator.publish.series_views import SeriesView
from generator.records import (
    Comparison,
    Correction,
    Design,
    Figure,
    Outcome,
    Price,
    Record,
    Run,
    Saw,
    Setting,
    Source,
    SourceCheck,
    Status,
    SuiteFile,
    Task,
    TaskLock,
    Text,
    Window,
    Withheld,
)


class RunView(Record, frozen=True, kw_only=True):
    """A run in numbers: what was asked of whom, when, with what."""

    run_id: str
    purpose: str
    suite: str
    suite_version: str
    suite_sha256: str
    grader: str
    place: str
    design: Design
    attempts: int
    timeout_s: int
    window: Window | None
    first_call: datetime
    last_call: datetime
    services: int
    calls: int
    """Attempts stored, failed ones included."""
    answers: int
    """(service, task, repeat) slots of the contract."""
    sealed: bool


class SuiteView(Record, frozen=True, kw_only=True):
    """A suite in numbers."""

    id: str
    version: str
    sha256: str
    language: str
    title: Text
    licence: str
    tasks: int
    public: int
    held_out: int
    exact: int
    checks: int
    rubric: int
    translation: int
    vocabulary: int
    sources: int
    """Sources named by all tasks at hand."""
    sources_checked: int
    held_out_at_hand: bool
    """False: figures resting on held-out tasks come from the score lock and say so."""
    incomplete_percent: int
    truncation: str
    rubric_text: Text | None
    lock: tuple[TaskLock, ...]
    """As stored, in the stored order: the published lock has the bytes that the suite hash covers."""


class ServiceView(Record, frozen=True, kw_only=True):
    """Who was asked, by which route."""

    id: str
    name: str
    vendor: str
    group: str
    requested_model: str
    returned_models: tuple[str, ...]
    """Every model name that came back, sorted; empty: the interface returns none."""
    fingerprints: tuple[str, ...]
    about: Text | None
    owned_by_us: bool
    sponsor: bool
    price: Price | None
    """The newest price that may be displayed; None where there is none or it is assumed."""
    settings: dict[str, Setting]
    sources: tuple[Source, ...]


class CategoryView(Record, frozen=True, kw_only=True):
    """One category of a board."""

    id: str
    name: Text
    tasks: int
    public: tuple[str, ...]
    """Ids of its public tasks."""


class TaskScoreView(Record, frozen=True, kw_only=True):
    """One service's score on one task; held-out tasks show no more than this."""

    task_id: str
    category: str
    kind: str
    access: str
    score: Fraction
    failed: bool
    reason: str
    """Slug of why it failed or how it was scored."""
    repeats: int
    identical: bool
    """More than one repeat, and all outputs the same: the repeats carry no further information."""
    recomputed: bool
    """False: taken from the score lock because the task is not at hand."""


class Rank(Record, frozen=True, kw_only=True):
    """A simultaneous 95 % set of ranks."""

    low: int
    high: int


class RowView(Record, frozen=True, kw_only=True):
    """One service on a board."""

    service: ServiceView
    total: Figure
    automatic: Figure
    """Macro-average over the categories' automatically graded tasks only."""
    judged: Figure
    """The same over the tasks judged by models."""
    categories: dict[str, Figure]
    rank: Rank | None
    """None where the service is not ranked."""
    unranked: Withheld | None
    """Why it is not ranked."""
    tasks: int
    failed: int
    technical: dict[str, int]
    """Technical failures of answers by reason slug."""
    answers: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: Decimal | None
    latency: Figure
    """Median milliseconds of first attempts, with an order-statistic interval."""
    scores: tuple[TaskScoreView, ...]
    """In suite order."""


class VerdictView(Record, frozen=True, kw_only=True):
    """One judge's verdict on a public answer."""

    by: str
    vendor: str | None
    role: str
    score: int | None
    status: str
    reason: str | None


class AnswerView(Record, frozen=True, kw_only=True):
    """One answer to a public task. ``output`` is hostile text."""

    service: str
    repeat: int
    repeats_same: tuple[int, ...]
    """Further repeats with exactly this output."""
    attempt: int
    call_id: str
    output: str
    output_sha256: str | None
    outcome: Outcome
    reason: str
    score: Fraction
    read: str
    saw: tuple[Saw, ...]
    verdicts: tuple[VerdictView, ...]
    finish_reason: str | None
    output_tokens: int | None
    latency_ms: int | None
    disputed: bool = False
    """A person doubted it when judging; how it counts follows the rule that the contract declares."""


class TaskView(Record, frozen=True, kw_only=True):
    """A public task with every answer it got."""

    task: Task
    category: CategoryView
    answers: tuple[AnswerView, ...]
    """Sorted by board order, then repeat; identical repeats folded."""
    scores: dict[str, TaskScoreView]
    """Per service."""


PAIRS_ON_A_PAGE = 60
"""Pairs that one page shows in full, those of eleven services; more are shown on a page for each service."""


class PairView(Record, frozen=True, kw_only=True):
    """Two services over the same tasks."""

    a: str
    b: str
    difference: Figure
    """Total of a minus total of b, in points, with a paired interval."""
    p: Figure
    """Exact sign-flip p-value."""
    p_adjusted: Figure
    """Holm over all pairs of the board that have a p-value."""
    won: int
    tied: int
    lost: int
    """Tasks on which a scored more, the same, less."""
    categories: dict[str, Figure]


class Discrimination(Record, frozen=True, kw_only=True):
    """How one task separates the services."""

    task_id: str
    access: str
    spread: Fraction
    """Highest minus lowest score; 0: the task separates nobody."""
    item_rest: Figure


class JuryView(Record, frozen=True, kw_only=True):
    """The jury in numbers; a fuller audit is a page of its own."""

    judges: tuple[tuple[str, str], ...]
    """(service id, vendor)."""
    answers: int
    """Answers with a usable panel."""
    distinct: int
    """Distinct texts among them: identical answers are judged once."""
    verdicts: int
    unusable: int
    disagreed: int
    """Answers on which the first two judges lay further apart than the rule allows."""
    third: int
    """Answers a third judge was asked for."""
    without_third: int
    """Answers that lacked an eligible third judge."""
    conflicts: int
    """Answers judged by a judge of the same vendor; more than 0 stops the build."""
    calibration: str
    """How the jury did on answers of known quality: ``passed``, ``failed``, ``not_calibrated`` or ``no_anchors``."""
    cost_usd: Decimal | None


class CallView(Record, frozen=True, kw_only=True):
    """One stored attempt without what was said in it: the call log's fourteen columns, then its numbers.

    Neither the output nor its hash is here: the hash of a short answer to a held-out task can be guessed.
    """

    run_id: str
    block_id: str
    service: str
    service_group: str
    requested_model: str
    returned_model: str | None
    started_at: datetime
    request_hash: str
    status: Status
    finish_reason: str | None
    latency_ms: int | None
    qualified: bool | None
    """Derived on this build, except where a person judged the call; None: not known."""
    failure_reason: str | None
    """Derived likewise."""
    artifact_path: str | None
    call_id: str
    task_id: str
    repeat: int
    attempt: int
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    max_output_tokens: int | None
    cost_usd: Decimal | None
    system_fingerprint: str | None


class Declared(Record, frozen=True, kw_only=True):
    """What was declared before the first call: whoever has it and the answers can score them again."""

    suite: SuiteFile
    """Its rules; the canary is empty."""
    run: Run
    vendors: dict[str, str]
    """Service id -> vendor, judges included: the jury rules read it."""


class BoardView(Record, frozen=True, kw_only=True):
    """Everything about one formal run over one suite."""

    run: RunView
    suite: SuiteView
    categories: tuple[CategoryView, ...]
    rows: tuple[RowView, ...]
    """Ranked services: total falling, then id."""
    unranked: tuple[RowView, ...]
    """Services shown but not ranked, by id."""
    compared: tuple[str, ...]
    """Services with a total, ranked or not: by falling total, ranked ones first."""
    pairs: tuple[PairView, ...]
    """Every two of them."""
    groups: tuple[tuple[str, ...], ...]
    """Ranked services that cannot be told apart, as maximal runs in board order."""
    detectable: Figure
    """Smallest difference of totals that this suite would show with 80 % power, in points."""
    above_90: int
    """Ranked services with a total above 90."""
    tasks: tuple[TaskView, ...]
    """Public tasks in suite order."""
    discrimination: tuple[Discrimination, ...]
    flat: int
    """Tasks of the suite on which every service scored the same: they separate nobody."""
    repeated: int
    """Task scores, over all services, that rest on more than one repeat."""
    identical: int
    """How many of those had the same answer in every repeat."""
    jury: JuryView | None
    calls: tuple[CallView, ...]
    """All stored attempts, in stored order."""
    declared: Declared


class StudyBlock(Record, frozen=True, kw_only=True):
    """One service in one block, or overall where ``block`` is empty."""

    service: str
    block: str
    requests: int
    passed: int
    failed: int
    technical: dict[str, int]
    all_rate: Figure
    """Passed over all requests (primary), Wilson."""
    complete_rate: Figure
    """Passed over complete answers, Wilson."""
    latency: Figure
    cost_usd: Decimal | None
    distinct: int
    """Different texts among the complete answers: where it is 1, the requests may not be independent."""
    disputed: int


class StudyView(Record, frozen=True, kw_only=True):
    """A service study: the contract as declared, then what happened."""

    run: RunView
    suite: SuiteView
    comparison: Comparison
    services: tuple[ServiceView, ...]
    task: Task | None
    """The fixed task, where it is public."""
    blocks: tuple[StudyBlock, ...]
    overall: tuple[StudyBlock, ...]
    difference: Figure
    """First-pass rate of the first minus the second service, percentage points, Newcombe."""
    p: Figure
    test: str
    odds_ratio: Figure
    homogeneity: Figure
    equivalence: str
    """Slug: ``not_declared``, ``shown``, ``not_shown``."""
    detectable: Figure
    breaches: tuple[Withheld, ...]
    """Ways in which the declared design was not kept; any of them withholds the verdict."""
    verdict: str
    """Slug of the sentence rule: ``difference``, ``no_difference``, ``equivalent``, ``withheld``."""
    answers: tuple[AnswerView, ...]
    calls: tuple[CallView, ...]
    declared: Declared


class RerunPair(Record, frozen=True, kw_only=True):
    """A service's total, twice."""

    service: str
    first: Figure
    second: Figure
    difference: Decimal | None
    """Second minus first, from totals rounded to two decimals; None where one of them is withheld."""
    within: bool | None
    changed_tasks: int
    """Tasks whose score differs."""
    identical_answers: int
    answers: int


class RerunView(Record, frozen=True, kw_only=True):
    """A re-run check."""

    run: RunView
    of: str
    tolerance: Decimal
    changed: tuple[str, ...]
    """What else differs between the runs: ``suite``, ``grader`` or ``settings``; any of it withholds the verdicts."""
    pairs: tuple[RerunPair, ...]
    noise: Figure
    """Standard deviation of a total within one service, from the pairs of totals as printed."""
    limit: Figure
    """Two runs of one service should rarely differ by more."""
    calls: tuple[CallView, ...]
    declared: Declared


class DownloadView(Record, frozen=True, kw_only=True):
    """One file that can be taken away; its hash is computed when it is rendered."""

    path: str
    slug: str
    """Names its description in the catalogues."""
    licence: str


class SiteView(Record, frozen=True, kw_only=True):
    """The whole site, ready to be put into words."""

    main: BoardView
    boards: tuple[BoardView, ...]
    """All boards, the main one first."""
    studies: tuple[StudyView, ...]
    series: tuple[SeriesView, ...]
    """Studies over time; a study that was run once is a series of one."""
    reruns: tuple[RerunView, ...]
    corrections: tuple[Correction, ...]
    source_checks: dict[str, SourceCheck]
    """Address -> the newest look at it; an address that is not here was never opened by the program."""
    audits: AuditsView
    services: tuple[ServiceView, ...]
    built_for: datetime
    """The newest moment in the data: the date of the site, since no clock decides a byte of it."""
    newest_price_check: date | None
