"""A re-run check: the same services over the same suite a second time, side by side."""

from decimal import ROUND_HALF_EVEN, Decimal

from generator.aggregate import ServiceScore
from generator.publish.scored import ScoredRun
from generator.publish.services import call_view, run_view
from generator.publish.views import RerunPair, RerunView
from generator.records import Figure, Measured, Rerun


def rerun_view(second: ScoredRun, first: ScoredRun, declared: Rerun) -> RerunView:
    """The two runs compared, service by service in the order of the second contract."""
    totals = {score.service: score for score in first.services}
    return RerunView(
        run=run_view(second.run, len(second.marks)),
        of=declared.of,
        tolerance=declared.tolerance,
        pairs=tuple(
            _pair(totals[score.service], score, first, second, declared.tolerance)
            for score in second.services
            if score.service in totals
        ),
        calls=tuple(call_view(call, second) for call in second.run.calls),
    )


def two_decimals(total: Figure) -> Decimal | None:
    """A total as it is printed, so that the check uses the figures a reader sees; None where it is withheld."""
    if not isinstance(total, Measured):
        return None
    exact = Decimal(total.point.numerator) / Decimal(total.point.denominator)
    return exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)


def _pair(old: ServiceScore, new: ServiceScore, first: ScoredRun, second: ScoredRun, tolerance: Decimal) -> RerunPair:
    before, after = two_decimals(old.total), two_decimals(new.total)
    difference = None if before is None or after is None else after - before
    scores = {task.task.id: task.score for task in old.tasks}
    slots = [slot for slot in second.last if slot[0] == new.service and slot in first.last]
    return RerunPair(
        service=new.service,
        first=old.total,
        second=new.total,
        difference=difference,
        within=None if difference is None else abs(difference) <= tolerance,
        changed_tasks=sum(task.task.id in scores and scores[task.task.id] != task.score for task in new.tasks),
        identical_answers=sum(first.last[slot].output_sha256 == second.last[slot].output_sha256 for slot in slots),
        answers=len(slots),
    )
