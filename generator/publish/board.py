"""One formal run over one suite as a board: who is ahead, by how much, and is that more than noise?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from generator.aggregate import ServiceScore
from generator.publish.board_views import (
    BoardView,
    CategoryView,
    Discrimination,
    PairView,
    Rank,
    RowView,
    TaskScoreView,
)
from generator.publish.figures import Stamp, figure, withheld
from generator.publish.jury import jury_view
from generator.publish.pairs import groups, pair_views, rank_views, strata
from generator.publish.scored import ScoredRun, hidden_scores, out_of_reach, technical_reason
from generator.publish.services import call_view, declared, run_view, service_view, suite_view
from generator.publish.tasks import scores_by_service, task_views
from generator.records import Call, Figure, Measured, Recipe, Service, Withheld
from generator.uncertainty.items import item_rest
from generator.uncertainty.planning import detectable_paired
from generator.uncertainty.quantile import median_interval
from generator.uncertainty.undefined import Undefined


def board_view(scored: ScoredRun, services: Mapping[str, Service]) -> BoardView:
    """The board of a scored run.

    Ranked services come first: total falling, ties by id. A service that is incomplete, or whose figures an audit
    withholds, is shown apart by id. Every two services with a total are compared, an incomplete one with its failures
    counted as the suite says; Holm adjusts over all these pairs, and only complete services have a rank.
    """
    suite, run = scored.suite, scored.run
    names = [category.id for category in suite.file.category]
    ranked, unranked = _ordered(scored.services)
    stamp = Stamp(suite.sha256[:12], run.contract.grader)
    measured = [*ranked, *sorted((each for each in unranked if isinstance(each.total, Measured)), key=_place)]
    pairs = pair_views(measured, names, stamp)
    placed = [each.service for each in ranked]
    among = [pair for pair in pairs if {pair.a, pair.b} <= set(placed)]
    ranks = rank_views(placed, among)
    task_scores, hidden = scores_by_service(scored), hidden_scores(scored)
    categories = _categories(scored)
    discrimination = _discrimination(list(task_scores.values()), stamp)

    def row(score: ServiceScore) -> RowView:
        return _row(scored, score, services[score.service], ranks.get(score.service), task_scores[score.service])

    order = [each.service for each in (*ranked, *unranked)]
    called = {(call.service, call.task_id) for call in run.calls}
    return BoardView(
        run=run_view(run, len(scored.marks)),
        suite=suite_view(suite),
        categories=tuple(categories.values()),
        rows=tuple(map(row, ranked)),
        unranked=tuple(map(row, unranked)),
        compared=tuple(each.service for each in measured),
        pairs=pairs,
        groups=tuple(tuple(group) for group in groups(placed, among)),
        detectable=_detectable(measured, names, pairs, stamp),
        above_90=sum(isinstance(each.total, Measured) and each.total.point > 90 for each in ranked),
        tasks=task_views(suite, categories, order, scored.last, scored.marks, scored.verdicts, task_scores),
        discrimination=discrimination,
        flat=sum(not item.spread for item in discrimination),
        repeated=sum(
            score.repeats > 1 and (score.recomputed or (service, task) in called)
            for service, by_task in task_scores.items()
            for task, score in by_task.items()
        ),
        identical=sum(score.identical for by_task in task_scores.values() for score in by_task.values()),
        jury=jury_view(scored),
        calls=tuple(call_view(call, scored, hidden) for call in run.calls),
        declared=declared(scored),
    )


def _ordered(scores: Sequence[ServiceScore]) -> tuple[list[ServiceScore], list[ServiceScore]]:
    """Ranked services by falling total, then the others by id."""
    ranked = [each for each in scores if each.complete and isinstance(each.total, Measured)]
    others = [each for each in scores if each not in ranked]
    return (
        sorted(ranked, key=_place),
        sorted(others, key=lambda each: each.service),
    )


def _place(score: ServiceScore) -> tuple[Fraction, str]:
    """Sorts by falling total, then by id."""
    return (-score.total.point if isinstance(score.total, Measured) else Fraction(1), score.service)


def _categories(scored: ScoredRun) -> dict[str, CategoryView]:
    return {
        category.id: CategoryView(
            id=category.id,
            name=category.name,
            tasks=sum(lock.category == category.id for lock in scored.tasks),
            public=tuple(lock.id for lock in scored.tasks if lock.category == category.id and lock.access == "public"),
        )
        for category in scored.suite.file.category
    }


def _row(
    scored: ScoredRun, score: ServiceScore, service: Service, rank: Rank | None, tasks: Mapping[str, TaskScoreView]
) -> RowView:
    calls = [call for call in scored.run.calls if call.service == service.id]
    marks = {slot: mark for slot, mark in scored.marks.items() if slot[0] == service.id}
    reasons = Counter(reason for slot in marks if (reason := technical_reason(scored, slot)))
    lost = out_of_reach(scored, service.id)
    known = [] if lost else calls
    return RowView(
        service=service_view(service, scored.run.contract, calls),
        total=score.total,
        automatic=score.automatic,
        judged=score.judged,
        categories=score.categories,
        rank=rank,
        unranked=None if rank else _why_unranked(score, scored.suite.file.score.incomplete_percent),
        tasks=len(score.tasks),
        failed=sum(task.failed for task in tasks.values()),
        technical=dict(sorted(reasons.items())),
        answers=len(marks),
        input_tokens=_sum([call.input_tokens for call in known]),
        output_tokens=_sum([call.output_tokens for call in known]),
        cost_usd=_cost(known),
        latency=Withheld(slug="calls_not_at_hand", facts={"tasks": lost})
        if lost
        else latency(calls, scored.suite.sha256[:12]),
        scores=tuple(tasks.values()),
    )


def _why_unranked(score: ServiceScore, percent: int) -> Withheld:
    if isinstance(score.total, Withheld):
        return score.total
    return Withheld(
        slug="incomplete", facts={"failed": score.failed, "tasks": len(score.tasks), "allowed_percent": percent}
    )


def _sum(values: Sequence[int | None]) -> int | None:
    """The sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _cost(calls: Sequence[Call]) -> Decimal | None:
    """What the calls cost; None where one of them has no known cost."""
    costs = [call.cost_usd for call in calls]
    return None if not costs or None in costs else sum((cost for cost in costs if cost is not None), Decimal(0))


def latency(calls: Sequence[Call], suite: str) -> Figure:
    """Median milliseconds of complete first attempts, with its order-statistic interval."""
    times = [c.latency_ms for c in calls if c.attempt == 1 and c.status == "ok" and c.latency_ms is not None]
    result = median_interval(times)
    recipe = Recipe(method="median_order", n=len(times), unit="calls", suite=suite)
    if isinstance(result, Undefined):
        return withheld(result)
    return figure(result.point, result.interval, recipe)


def _detectable(
    measured: Sequence[ServiceScore], names: Sequence[str], pairs: Sequence[PairView], stamp: Stamp
) -> Figure:
    """The difference of totals that this suite shows with 80 % power, at the typical spread of paired differences.

    The level is 5 % over the number of pairs, Holm's first and strictest step.

    The spread is the median over all pairs of the standard deviation of task differences; with fewer than two
    services with a total there is none.
    """
    flat = {each.service: [s for stratum in strata(each, names) for s in stratum] for each in measured}
    spreads = []
    for pair in pairs:
        differences = [a - b for a, b in zip(flat[pair.a], flat[pair.b], strict=True)]
        centre = sum(differences, Fraction(0)) / len(differences)
        spreads.append(float(sum((d - centre) ** 2 for d in differences) / max(1, len(differences) - 1)) ** 0.5)
    if not spreads:
        return Withheld(slug="too_few", facts={"n": len(measured), "needed": 2})
    spread = sorted(spreads)[len(spreads) // 2]
    n = len(next(iter(flat.values())))
    deviations = detectable_paired(n, alpha=0.05 / len(pairs))
    points = deviations if isinstance(deviations, Undefined) else deviations * spread
    locked = sum(not each.marks for each in measured[0].tasks)
    recipe = Recipe(
        method="detectable_paired", n=n, unit="tasks", grader=stamp.grader, suite=stamp.suite, locked=locked
    )
    return figure(points, None, recipe)


def _discrimination(services: Sequence[Mapping[str, TaskScoreView]], stamp: Stamp) -> tuple[Discrimination, ...]:
    """Per task: how far apart the services are on it, and whether it agrees with the rest of the suite.

    Only services with a score that is shown, and of those only tasks on which all of them have one; one service
    alone cannot be told apart from anything.
    """
    shown = [own for own in services if any(isinstance(task.score, Fraction) for task in own.values())]
    tasks = shown[0].values() if len(shown) > 1 else ()
    kept = [task for task in tasks if all(isinstance(own[task.task_id].score, Fraction) for own in shown)]
    table = [[score for task in kept if isinstance(score := own[task.task_id].score, Fraction)] for own in shown]
    locked = sum(not task.recomputed for task in kept)
    recipe = Recipe(
        method="item_rest", n=len(shown), unit="services", grader=stamp.grader, suite=stamp.suite, locked=locked
    )
    columns = zip(kept, item_rest(table), zip(*table, strict=True), strict=True)
    return tuple(
        Discrimination(
            task_id=task.task_id,
            access=task.access,
            spread=max(scores) - min(scores),
            item_rest=figure(rest, None, recipe),
        )
        for task, rest, scores in columns
    )
