"""What a reader may see of the audits: frozen, language-neutral, without held-out material.

Shares are 0 to 1, scores 0 to 100, judges' scores on their own scale. Counts may include held-out tasks; texts
never come from them.
"""

from decimal import Decimal
from fractions import Fraction

from generator.publish.probe_views import DuelView, TranslationView, VocabularyView
from generator.records import Figure, Record, Text


class CutView(Record, frozen=True, kw_only=True):
    """One answer that was cut off, without its text."""

    service: str
    task_id: str
    repeat: int
    call_id: str
    sign: str
    output_tokens: int | None
    max_output_tokens: int | None


class CutServiceView(Record, frozen=True, kw_only=True):
    """The truncation guard on one service of one run."""

    service: str
    calls: int
    """Calls with an answer, which the guard looked at."""
    cut: int
    acknowledged: Text | None
    """The publisher's reason for publishing without its figures."""


class TruncationView(Record, frozen=True, kw_only=True):
    """The truncation guard on one run."""

    run_id: str
    suite: str
    policy: str
    """``withhold`` or ``count-as-failure``."""
    services: tuple[CutServiceView, ...]
    cuts: tuple[CutView, ...]
    """In stored order."""


class ExampleView(Record, frozen=True, kw_only=True):
    """One variant of a public task and what the grader made of it."""

    task_id: str
    key: str
    text: str
    score: Fraction
    fine: bool
    """Graded as it should be; without a pass mark: on the right side of every variant it was compared with."""


class TransformView(Record, frozen=True, kw_only=True):
    """One way of making variants, before one grader."""

    transform: str
    share: Figure
    """Graded as they should be, 0..1, with an interval clustered by source task."""
    variants: int
    tasks: int
    score: Fraction
    """Mean score of the variants."""
    examples: tuple[ExampleView, ...]
    """Public ones, those graded wrongly first."""


class GraderView(Record, frozen=True, kw_only=True):
    """One grader under test."""

    grader: str
    in_use: bool
    graded: bool
    """True: it has no pass mark, and shares tell how often right came out above wrong."""
    right: Figure
    """All certainly right variants together."""
    wrong: Figure
    refused_right: int | None
    """How many right variants it refuses; None where it has no pass mark."""
    accepted_wrong: int | None
    still_right: tuple[TransformView, ...]
    certainly_wrong: tuple[TransformView, ...]


class StressView(Record, frozen=True, kw_only=True):
    """The grader stress test of one suite."""

    suite: str
    version: str
    """Name and version of the grader."""
    graders: tuple[GraderView, ...]
    untested: dict[str, int]
    """Kind of task without a key -> number of tasks at hand."""
    accept_percent: int | None
    """Threshold that the suite declares; None: none."""
    reject_percent: int | None


class AgreementView(Record, frozen=True, kw_only=True):
    """Two judges on the answers they share; or the first and the second seat, where ``judges`` is empty."""

    judges: tuple[str, ...]
    n: int
    exact: Figure
    """Share scored alike, interval clustered by task."""
    within_one: Figure
    mean_difference: Figure
    """First minus second, in points of the judges' scale."""
    kappa: Figure
    """Quadratic weights."""
    alpha: Figure
    """Krippendorff's, ordinal."""
    ac2: Figure
    """Gwet's, quadratic weights over the whole declared scale."""


class JudgeView(Record, frozen=True, kw_only=True):
    """One judge in one run."""

    judge: str
    vendor: str
    verdicts: int
    """Lines, repeated attempts included."""
    unusable: dict[str, int]
    """Lines without a usable score, by status."""
    answers: int
    """Answers it gave a usable score."""
    met: dict[str, int]
    """Vendor of the answers -> how many of them it gave a usable score; every vendor with judged answers is there."""
    mean: Figure
    """Raw mean score: answers differ, so it is no measure of severity."""
    severity: Figure
    """Effect in the additive fit, zero in sum over the judges; above 0 is lenient."""
    place: Figure
    """Correlation of its scores with how late it saw an answer, within tasks."""
    length: Figure
    """Correlation of its scores with the length of the answer, within tasks."""
    cost_usd: Decimal | None


class VendorView(Record, frozen=True, kw_only=True):
    """What the severity of its panels does to one vendor's scores, against the default pair."""

    vendor: str
    answers: int
    judged: Figure
    """Points on a judged score of 0..100; an estimate."""
    total: Figure
    """Points on the total."""


class ClosureView(Record, frozen=True, kw_only=True):
    """Round trip over three judges: 0 if severity does not depend on whose answers are judged."""

    judges: tuple[str, str, str]
    gap: Fraction
    shared: tuple[int, int, int]


class CalibratedJudgeView(Record, frozen=True, kw_only=True):
    """One judge before the anchor answers."""

    judge: str
    sat: bool
    """It also judged answers of this run."""
    anchors: int
    scored: int
    in_range: Figure
    within_one: Figure
    pairs: int
    reversed: int
    tied: int
    scores: dict[str, tuple[int, ...]]
    """Quality -> scores given."""
    above: dict[str, int]
    """Quality -> scores above what a sound judge may give."""
    passed: bool


class CalibrationView(Record, frozen=True, kw_only=True):
    """The jury before answers of known quality."""

    outcome: str
    """``no_anchors``, ``not_calibrated``, ``passed`` or ``failed``."""
    policy: str
    """``warn`` or ``withhold``."""
    anchors: int
    in_range_percent: int
    """The rule: least share of scores in the expected range."""
    reversed_percent: int
    """The rule: most pairs in the wrong order."""
    judges: tuple[CalibratedJudgeView, ...]


class JuryAuditView(Record, frozen=True, kw_only=True):
    """Everything about the jury of one run."""

    run_id: str
    suite: str
    scale_min: int
    scale_max: int
    default_pair: tuple[str, ...]
    answers: int
    """Distinct answers judged."""
    paired: int
    """Those with a usable score in both seats."""
    disagreed: int
    """Of these, further apart than the rule allows."""
    third_asked: int
    gap: int
    """The rule: more points apart than this, and a third judge is asked."""
    judges: tuple[JudgeView, ...]
    agreement: tuple[AgreementView, ...]
    """The two seats first, then every two judges that share an answer."""
    vendors: tuple[VendorView, ...]
    closures: tuple[ClosureView, ...]
    calibration: CalibrationView


class IndependenceView(Record, frozen=True, kw_only=True):
    """The same scores twice: as declared, and with every ownership and sponsorship flag the other way round."""

    declared: str
    """SHA-256 of every score, figure, order and rank set."""
    flipped: str
    services: int


class AuditsView(Record, frozen=True, kw_only=True):
    """All audits of a site."""

    truncation: tuple[TruncationView, ...]
    """One a published run."""
    stress: tuple[StressView, ...]
    """One a suite with a published run."""
    juries: tuple[JuryAuditView, ...]
    duels: tuple[DuelView, ...]
    vocabulary: tuple[VocabularyView, ...]
    translation: tuple[TranslationView, ...]
    independence: IndependenceView
