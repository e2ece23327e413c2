"""A service study: the contract as declared, then what happened, and the verdict that its design carries."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from generator.aggregate import mark, technical
from generator.publish.board import latency
from generator.publish.breaches import breaches
from generator.publish.designs import MakeRecipe, analyse, pass_rate, verdict
from generator.publish.run_views import AnswerView
from generator.publish.scored import ScoredRun
from generator.publish.services import call_view, declared, run_view, service_view, suite_view
from generator.publish.study_views import StudyBlock, StudyView
from generator.publish.tasks import answer_view
from generator.records import Call, Comparison, Mark, Recipe, Service
from generator.uncertainty.tables import Table


def study_view(scored: ScoredRun, comparison: Comparison, services: Mapping[str, Service]) -> StudyView:
    """The study of a scored run that declared a comparison."""
    names = list(scored.run.contract.services)
    calls = first_submissions(scored, comparison)
    marks = first_marks(scored, calls)
    blocks = blocks_in_time(calls)
    sequential = comparison.stop.rule == "sequential"
    recipe, complete = recipes(scored), recipes(scored, "answers")
    tables = [count(calls, marks, comparison.primary.between, block) for block in blocks]
    found = analyse(comparison, tables, recipe)
    broken = breaches(scored, comparison)
    task = next((each for each in scored.suite.tasks if each.id == comparison.task), None)
    public = task if task and task.access == "public" else None

    def part(name: str, block: str) -> StudyBlock:
        own = [call for call in calls if call.service == name and block in ("", call.block_id)]
        return _block(name, block, own, marks, (recipe, complete), sequential=sequential)

    return StudyView(
        run=run_view(scored.run, len(scored.marks)),
        suite=suite_view(scored.suite),
        comparison=comparison,
        services=tuple(service_view(services[name], scored.run.contract, calls) for name in names),
        task=public,
        blocks=tuple(part(name, block) for block in blocks for name in names),
        overall=tuple(part(name, "") for name in names),
        difference=found.difference,
        p=found.p,
        test=found.test,
        odds_ratio=found.odds_ratio,
        homogeneity=found.homogeneity,
        equivalence=found.equivalence,
        detectable=found.detectable,
        breaches=broken,
        verdict=verdict(found, comparison.primary.alpha, kept=not broken),
        answers=_answers(calls, marks, names) if public else (),
        calls=tuple(call_view(call, scored) for call in scored.run.calls),
        declared=declared(scored),
    )


def first_submissions(scored: ScoredRun, comparison: Comparison) -> list[Call]:
    """The calls that count: first attempts at the fixed task, in stored order."""
    return [call for call in scored.run.calls if call.attempt == 1 and call.task_id == comparison.task]


def first_marks(scored: ScoredRun, calls: Sequence[Call]) -> dict[str, Mark]:
    """Call id -> mark of that very call; a later attempt at the same request changes nothing.

    Where a person judged a complete answer, their word stands in the place of the grader's.
    """
    tasks = {task.id: task for task in scored.suite.tasks}
    cut = frozenset(each.call_id for each in scored.cuts)
    rules = scored.suite.file.score
    marks: dict[str, Mark] = {}
    for call in calls:
        task = tasks.get(call.task_id)
        verdicts = [verdict for verdict in scored.run.verdicts if verdict.subject == call.call_id]
        own = mark(task, call, verdicts, scored.suite, cut) if task else technical("not_at_hand", rules)
        if call.qualified is not None and own.outcome != "technical":
            points = Fraction(rules.exact.right if call.qualified else rules.exact.wrong)
            own = Mark(outcome="passed" if call.qualified else "failed", score=points, reason="by_person")
        marks[call.call_id] = own
    return marks


def blocks_in_time(calls: Sequence[Call]) -> list[str]:
    """Names of the blocks in the order in which they began: an e-process must not read block 10 before block 2."""
    begun: dict[str, Call] = {}
    for call in sorted(calls, key=lambda call: (call.started_at, call.block_id)):
        begun.setdefault(call.block_id, call)
    return list(begun)


def count(
    calls: Sequence[Call], marks: Mapping[str, Mark], between: tuple[str, str], block: str | None = None
) -> Table:
    """Passed and not passed of two services over all their requests, in one block or in all."""
    sides = [[c for c in calls if c.service == service and block in (None, c.block_id)] for service in between]
    passed = [sum(marks[call.call_id].outcome == "passed" for call in side) for side in sides]
    return Table(passed[0], len(sides[0]) - passed[0], passed[1], len(sides[1]) - passed[1])


def recipes(scored: ScoredRun, unit: Literal["requests", "answers"] = "requests") -> MakeRecipe:
    """Recipes over requests or complete answers, with the grader and the suite of a study."""

    def make(method: str, n: int) -> Recipe:
        return Recipe(method=method, n=n, unit=unit, grader=scored.run.contract.grader, suite=scored.suite.sha256[:12])

    return make


def _block(
    service: str,
    block: str,
    own: Sequence[Call],
    marks: Mapping[str, Mark],
    recipes: tuple[MakeRecipe, MakeRecipe],
    *,
    sequential: bool,
) -> StudyBlock:
    over_all, over_complete = recipes
    made = [marks[call.call_id] for call in own]
    outcomes = Counter(each.outcome for each in made)
    complete = outcomes["passed"] + outcomes["failed"]
    costs = [call.cost_usd for call in own]
    return StudyBlock(
        service=service,
        block=block,
        requests=len(own),
        passed=outcomes["passed"],
        failed=outcomes["failed"],
        technical=dict(sorted(Counter(each.reason for each in made if each.outcome == "technical").items())),
        all_rate=pass_rate(outcomes["passed"], len(own), over_all, sequential=sequential),
        complete_rate=pass_rate(outcomes["passed"], complete, over_complete, sequential=sequential),
        latency=latency(own, over_all("", 0).suite),
        cost_usd=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
        distinct=len({call.output for call in own if marks[call.call_id].outcome != "technical"}),
        disputed=sum(call.failure_reason == "disputed" for call in own),
    )


def _answers(calls: Sequence[Call], marks: Mapping[str, Mark], names: Sequence[str]) -> tuple[AnswerView, ...]:
    """Every first submission to a public task, service by service, in the order of time."""
    order = sorted(calls, key=lambda call: (names.index(call.service), call.started_at, call.repeat))
    return tuple(answer_view(call, marks[call.call_id], ()) for call in order)
