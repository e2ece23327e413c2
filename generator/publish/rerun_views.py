"""What a reader may see of a re-run check: every total twice. Views, language-neutral."""

from decimal import Decimal

from generator.publish.board_views import TaskScoreView
from generator.publish.run_views import CallView, Declared, RunView
from generator.records import Figure, Record


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
    scores: dict[str, tuple[TaskScoreView, ...]] = {}  # noqa: RUF012 - msgspec copies an empty default
    """Service -> its scores, in suite order: whoever has them can compare the two runs again."""
