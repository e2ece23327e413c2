"""A re-run check: the same services over the same suite a second time, side by side."""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from generator.aggregate import ServiceScore
from generator.publish.figures import figure, withheld
from generator.publish.rerun_views import RerunPair, RerunView
from generator.publish.scored import ScoredRun, hidden_scores
from generator.publish.services import call_view, declared, run_view
from generator.publish.tasks import scores_by_service
from generator.records import Figure, Measured, Recipe, Rerun
from generator.uncertainty.interval import Interval
from generator.uncertainty.rerun import repeatability, rerun
from generator.uncertainty.undefined import Undefined


def rerun_view(second: ScoredRun, first: ScoredRun, contract: Rerun) -> RerunView:
    """The two runs compared, service by service in the order of the second contract."""
    totals = {score.service: score for score in first.services}
    both = [(totals[score.service], score) for score in second.services if score.service in totals]
    changed = _changed(first, second, [new.service for _, new in both])
    tolerance, hidden = None if changed else contract.tolerance, hidden_scores(second)
    noise, limit = _noise([] if changed else both, second)
    return RerunView(
        run=run_view(second.run, len(second.marks)),
        of=contract.of,
        tolerance=contract.tolerance,
        changed=changed,
        pairs=tuple(_pair(old, new, first, second, tolerance) for old, new in both),
        noise=noise,
        limit=limit,
        calls=tuple(call_view(call, second, hidden) for call in second.run.calls),
        declared=declared(second),
        scores={name: tuple(own.values()) for name, own in scores_by_service(second).items()},
    )


def two_decimals(total: Figure) -> Decimal | None:
    """A total as it is printed, so that the check uses the figures a reader sees; None where it is withheld."""
    if not isinstance(total, Measured):
        return None
    exact = Decimal(total.point.numerator) / Decimal(total.point.denominator)
    return exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)


def _changed(first: ScoredRun, second: ScoredRun, services: Sequence[str]) -> tuple[str, ...]:
    """What a re-run must keep and did not: a difference then has another cause than chance."""
    old, new = first.run.contract, second.run.contract
    kept = {
        "suite": old.suite.sha256 == new.suite.sha256 and first.tasks == second.tasks,
        "grader": old.grader == new.grader,
        "settings": all(old.params.get(name) == new.params.get(name) for name in services),
    }
    return tuple(what for what, same in kept.items() if not same)


def _noise(both: Sequence[tuple[ServiceScore, ServiceScore]], second: ScoredRun) -> tuple[Figure, Figure]:
    """Standard deviation of one run with its interval, and the limit of a difference, from all pairs of totals."""
    printed = [(two_decimals(old.total), two_decimals(new.total)) for old, new in both]
    pairs = [(before, after) for before, after in printed if before is not None and after is not None]
    result = repeatability(pairs)
    if isinstance(result, Undefined):
        return withheld(result), withheld(result)

    def recipe(method: str) -> Recipe:
        return Recipe(
            method=method,
            n=len(pairs),
            unit="pairs",
            grader=second.run.contract.grader,
            suite=second.suite.sha256[:12],
        )

    return (
        figure(result.standard_deviation, Interval(result.low, result.high), recipe("repeatability_sd")),
        figure(result.limit, None, recipe("repeatability_limit")),
    )


def _pair(
    old: ServiceScore, new: ServiceScore, first: ScoredRun, second: ScoredRun, tolerance: Decimal | None
) -> RerunPair:
    """One service twice; without a tolerance nothing is compared."""
    before, after = two_decimals(old.total), two_decimals(new.total)
    checked = None if before is None or after is None or tolerance is None else rerun(before, after, tolerance)
    scores = {task.task.id: task.score for task in old.tasks}
    slots = [slot for slot in second.last if slot[0] == new.service and slot in first.last]
    return RerunPair(
        service=new.service,
        first=old.total,
        second=new.total,
        difference=checked.difference if checked else None,
        within=checked.within if checked else None,
        changed_tasks=sum(task.task.id in scores and scores[task.task.id] != task.score for task in new.tasks),
        identical_answers=sum(first.last[slot].output_sha256 == second.last[slot].output_sha256 for slot in slots),
        answers=len(slots),
    )
