"""A service study: the contract as declared, then what happened, and the verdict that its design carries."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from generator.publish.board import latency
from generator.publish.breaches import breaches
from generator.publish.figures import figure, withheld
from generator.publish.scored import ScoredRun
from generator.publish.services import call_view, run_view, service_view, suite_view
from generator.publish.tasks import answer_view
from generator.publish.views import AnswerView, StudyBlock, StudyView
from generator.records import Call, Comparison, Figure, Measured, Recipe, Service
from generator.uncertainty.equivalence import equivalent_rates
from generator.uncertainty.fisher import fisher_exact
from generator.uncertainty.interval import Interval
from generator.uncertainty.planning import detectable_drop
from generator.uncertainty.proportion import newcombe_difference, wilson
from generator.uncertainty.sequential import e_process_2x2
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined


def study_view(scored: ScoredRun, comparison: Comparison, services: dict[str, Service]) -> StudyView:
    """The study of a scored run that declared a comparison."""
    names = list(scored.run.contract.services)
    calls = [call for call in scored.run.calls if call.attempt == 1]
    blocks = sorted({call.block_id for call in calls})
    tables = [_table(scored, calls, comparison, block) for block in blocks]
    whole = _table(scored, calls, comparison, None)
    broken = breaches(scored, comparison)
    p = _p_value(comparison, tables, whole)
    task = next((each for each in scored.suite.tasks if each.id == comparison.task), None)
    public = task if task and task.access == "public" else None
    equivalence = _equivalence(comparison, whole)
    return StudyView(
        run=run_view(scored.run, len(scored.marks)),
        suite=suite_view(scored.suite),
        comparison=comparison,
        services=tuple(service_view(services[name], scored.run.contract, calls) for name in names),
        task=public,
        blocks=tuple(_block(scored, calls, name, block) for block in blocks for name in names),
        overall=tuple(_block(scored, calls, name, "") for name in names),
        difference=_difference(whole, scored),
        p=p,
        test=comparison.primary.test if comparison.stop.rule == "fixed" else "e_process_2x2",
        odds_ratio=figure(mantel_haenszel(tables), None, _recipe("mantel_haenszel", whole.n, scored)),
        homogeneity=figure(zelen(tables), None, _recipe("zelen", whole.n, scored)),
        equivalence=equivalence,
        detectable=_detectable(whole, scored),
        breaches=broken,
        verdict=_verdict(bool(broken), p, comparison.primary.alpha, equivalence),
        answers=_answers(scored, calls, names, shown=public is not None),
        calls=tuple(call_view(call, scored) for call in scored.run.calls),
    )


def _of(calls: Sequence[Call], service: str, block: str | None) -> list[Call]:
    return [call for call in calls if call.service == service and block in (None, "", call.block_id)]


def _outcomes(scored: ScoredRun, calls: Sequence[Call]) -> Counter[str]:
    return Counter(scored.marks[call.service, call.task_id, call.repeat].outcome for call in calls)


def _table(scored: ScoredRun, calls: Sequence[Call], comparison: Comparison, block: str | None) -> Table:
    """Passed and not passed of the two compared services, over all their requests."""
    sides = [_of(calls, service, block) for service in comparison.primary.between]
    passed = [_outcomes(scored, side)["passed"] for side in sides]
    return Table(passed[0], len(sides[0]) - passed[0], passed[1], len(sides[1]) - passed[1])


def _block(scored: ScoredRun, calls: Sequence[Call], service: str, block: str) -> StudyBlock:
    own = _of(calls, service, block)
    outcomes = _outcomes(scored, own)
    marks = [scored.marks[call.service, call.task_id, call.repeat] for call in own]
    complete = outcomes["passed"] + outcomes["failed"]
    costs = [call.cost_usd for call in own]
    return StudyBlock(
        service=service,
        block=block,
        requests=len(own),
        passed=outcomes["passed"],
        failed=outcomes["failed"],
        technical=dict(sorted(Counter(mark.reason for mark in marks if mark.outcome == "technical").items())),
        all_rate=_rate(outcomes["passed"], len(own), scored),
        complete_rate=_rate(outcomes["passed"], complete, scored),
        latency=latency(own, scored.suite.sha256[:12]),
        cost_usd=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
        disputed=sum(call.failure_reason == "disputed" for call in own),
    )


def _rate(passed: int, n: int, scored: ScoredRun) -> Figure:
    """A pass rate in percent with its Wilson interval."""
    interval = wilson(passed, n)
    if isinstance(interval, Undefined):
        return withheld(interval)
    percent = Interval(100 * interval.low, 100 * interval.high)
    return figure(Fraction(100 * passed, n), percent, _recipe("wilson", n, scored))


def _difference(whole: Table, scored: ScoredRun) -> Figure:
    """First minus second rate in percentage points."""
    result = newcombe_difference(whole)
    if isinstance(result, Undefined):
        return withheld(result)
    return figure(
        result.point * 100,
        Interval(100 * result.low, 100 * result.high),
        _recipe("newcombe", whole.n, scored),
    )


def _p_value(comparison: Comparison, tables: Sequence[Table], whole: Table) -> Figure:
    """The declared test and no other: p, or for a sequential design 1/E."""
    p: Fraction | Undefined
    if comparison.stop.rule == "sequential":
        method, p = "e_process_2x2", e_process_2x2(tables).p
    elif comparison.primary.test == "stratified":
        method, p = "exact_conditional", exact_conditional(tables)
    else:
        method, p = "fisher", fisher_exact(whole)
    return figure(p, None, Recipe(method=method, n=whole.n, unit="requests"))


def _equivalence(comparison: Comparison, whole: Table) -> str:
    if comparison.equivalence_margin is None:
        return "not_declared"
    margin = Fraction(int(comparison.equivalence_margin.removesuffix("pp")), 100)
    result = equivalent_rates(whole, margin, comparison.primary.alpha)
    return "shown" if not isinstance(result, Undefined) and result.equivalent else "not_shown"


def _detectable(whole: Table, scored: ScoredRun) -> Figure:
    """The smallest drop from the first service's rate that this n finds with 80 % power, in percentage points."""
    if not whole.n_a or not whole.n_b:
        return withheld(Undefined("no_data", {"n": 0}))
    chance = whole.passed_a / whole.n_a
    second = detectable_drop(whole.n_a, whole.n_b, chance)
    point = second if isinstance(second, Undefined) else 100 * (chance - second)
    return figure(point, None, _recipe("detectable_fisher", whole.n, scored))


def _verdict(broken: bool, p: Figure, alpha: float, equivalence: str) -> str:
    """Which rule of sentences applies; a broken design carries no conclusion."""
    if broken or not isinstance(p, Measured):
        return "withheld"
    if p.point <= Fraction(str(alpha)):
        return "difference"
    return "equivalent" if equivalence == "shown" else "no_difference"


def _answers(scored: ScoredRun, calls: Sequence[Call], names: Sequence[str], *, shown: bool) -> tuple[AnswerView, ...]:
    """Every first submission, where the task is public."""
    if not shown:
        return ()
    order = sorted(calls, key=lambda call: (names.index(call.service), call.block_id, call.repeat))
    return tuple(answer_view(call, scored.marks[call.service, call.task_id, call.repeat], ()) for call in order)


def _recipe(method: str, n: int, scored: ScoredRun) -> Recipe:
    return Recipe(
        method=method,
        n=n,
        unit="requests",
        grader=scored.run.contract.grader,
        suite=scored.suite.sha256[:12],
    )
