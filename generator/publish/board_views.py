"""What a reader may see of a board: its categories, rows, pairs, public tasks and jury. Views, language-neutral."""

from decimal import Decimal
from fractions import Fraction

from generator.publish.run_views import AnswerView, CallView, Declared, RunView, ServiceView, SuiteView
from generator.records import Figure, Record, Task, Text, Withheld


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
    score: Fraction | Withheld
    failed: bool
    reason: str
    """Slug of why it failed or how it was scored; ``withheld`` where its score is and no failure is to be told."""
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
