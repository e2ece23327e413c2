"""Repeats -> tasks -> categories -> total: the room between one answer and a table. Pure.

Every slot that the contract promises has a mark, also where no call was stored: a missing answer is a
technical failure with a reason, never a shorter denominator. Means are exact fractions; nothing is rounded here.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import median

from generator.records import (
    Call,
    Figure,
    Kind,
    Mark,
    Measured,
    Recipe,
    Record,
    Run,
    ScoreLock,
    ScoreRules,
    Suite,
    Task,
    TaskLock,
    Verdict,
    Withheld,
)
from generator.score import grade
from generator.uncertainty.macro import price_bonett
from generator.uncertainty.undefined import Undefined

Slot = tuple[str, str, int]
"""(service, task, repeat)."""

CHECK_KINDS: tuple[Kind, ...] = ("exact", "checks", "vocabulary", "translation")
"""Graded by a program; the rest is judged by models."""


class TaskScore(Record, frozen=True, kw_only=True):
    """One service's score on one task."""

    task: TaskLock
    score: Fraction
    """0..100."""
    failed: bool
    reason: str
    marks: tuple[Mark, ...]
    """One per repeat, in order; empty where the score comes from the lock."""


class ServiceScore(Record, frozen=True, kw_only=True):
    """One service over a whole suite."""

    service: str
    tasks: tuple[TaskScore, ...]
    categories: dict[str, Figure]
    total: Figure
    automatic: Figure
    judged: Figure
    failed: int
    complete: bool
    """False: more failed tasks than the suite allows; shown, not ranked."""


def asked(contract: Run, suite: Suite) -> tuple[TaskLock, ...]:
    """The tasks a contract asks, in suite order, with the repeats it asks them for."""
    wanted = None if contract.tasks is None else set(contract.tasks)
    return tuple(
        TaskLock(
            id=lock.id,
            category=lock.category,
            kind=lock.kind,
            access=lock.access,
            repeats=contract.repeats or lock.repeats,
            commitment=lock.commitment,
        )
        for lock in suite.lock
        if wanted is None or lock.id in wanted
    )


def last_attempts(calls: Sequence[Call]) -> dict[Slot, Call]:
    """The attempt that decides each slot: the highest numbered one."""
    last: dict[Slot, Call] = {}
    for call in calls:
        slot = (call.service, call.task_id, call.repeat)
        if slot not in last or call.attempt > last[slot].attempt:
            last[slot] = call
    return last


def mark(task: Task, call: Call | None, verdicts: Sequence[Verdict], suite: Suite, cut: frozenset[str]) -> Mark:
    """One slot, scored.

    Args:
        task: the task that was asked.
        call: its deciding attempt, None where none is stored.
        verdicts: the verdicts on this answer.
        suite: for its rules.
        cut: ids of calls whose answer was cut off, as the truncation guard found them.

    Returns:
        A technical mark with the suite's score for failure where there is no complete answer, else the grader's.
    """
    rules = suite.file.score
    if call is None:
        return technical("no_call", rules)
    if call.status != "ok":
        return technical(call.failure_reason or call.status, rules)
    if call.call_id in cut:
        return technical("truncated", rules)
    return grade(task, call.output or "", verdicts, rules, suite.file.jury)


def technical(reason: str, rules: ScoreRules) -> Mark:
    """The mark of a slot without a complete answer."""
    return Mark(outcome="technical", score=Fraction(rules.failed), reason=reason)


def task_score(lock: TaskLock, marks: Sequence[Mark]) -> TaskScore:
    """The repeats of one task as one score.

    Judged tasks take the median of their repeats, all others the mean; a failed repeat counts with the score of a
    failure. The task itself counts as failed when more than half of its repeats are technical failures.
    """
    scores = [each.score for each in marks]
    failures = [each.reason for each in marks if each.outcome == "technical"]
    failed = 2 * len(failures) > len(marks)
    score = median(scores) if lock.kind == "rubric" else sum(scores, Fraction(0)) / len(scores)
    first = marks[0]
    reason = failures[0] if failed else next(each.reason for each in (first, *marks) if each.outcome != "technical")
    return TaskScore(task=lock, score=Fraction(score), failed=failed, reason=reason, marks=tuple(marks))


def as_published(line: ScoreLock, lock: TaskLock) -> TaskScore:
    """A score that was not recomputed: it has no marks, and pages say so."""
    return TaskScore(task=lock, score=Fraction(line.score), failed=line.failed, reason="as_published", marks=())


def is_complete(failed: int, tasks: int, rules: ScoreRules) -> bool:
    """Whether a service may be ranked: not strictly more failed tasks than the suite allows, in integers."""
    return failed * 100 <= rules.incomplete_percent * tasks


def macro(
    tasks: Sequence[TaskScore], categories: Sequence[str], recipe: Recipe, withheld: Withheld | None = None
) -> Figure:
    """Mean of the category means, with the stratified Price-Bonett interval of ``statistics`` on tasks.

    Categories without a task among ``tasks`` are left out, so that the same function serves the total, one
    category, and the automatic and judged parts.
    """
    if withheld:
        return withheld
    strata = [[each.score for each in tasks if each.task.category == name] for name in categories]
    strata = [stratum for stratum in strata if stratum]
    if not strata:
        return Withheld(slug="no_tasks")
    point = sum((sum(s, Fraction(0)) / len(s) for s in strata), Fraction(0)) / len(strata)
    interval = price_bonett(strata)
    if isinstance(interval, Undefined):
        return Withheld(slug=interval.slug, facts=dict(interval.facts))
    return Measured(point=point, low=interval.low, high=interval.high, recipe=recipe)


def service_score(
    service: str,
    tasks: Sequence[TaskScore],
    suite: Suite,
    grader: str,
    withheld: Withheld | None = None,
) -> ServiceScore:
    """All figures of one service.

    Args:
        service: its id; it decides nothing.
        tasks: its task scores in suite order.
        suite: for categories, rules and hash.
        grader: name and version of the grader, for the recipes.
        withheld: a blocking audit finding, which then stands in the place of every figure.
    """
    names = [category.id for category in suite.file.category]

    def figure(part: Sequence[TaskScore], only: Sequence[str], method: str) -> Figure:
        locked = sum(not each.marks for each in part)
        recipe = Recipe(method=method, n=len(part), unit="tasks", grader=grader, suite=suite.sha256[:12], locked=locked)
        return macro(part, only, recipe, withheld)

    failed = sum(each.failed for each in tasks)
    return ServiceScore(
        service=service,
        tasks=tuple(tasks),
        categories={
            name: figure([t for t in tasks if t.task.category == name], [name], "category_mean") for name in names
        },
        total=figure(tasks, names, "macro_mean"),
        automatic=figure([t for t in tasks if t.task.kind in CHECK_KINDS], names, "macro_mean_automatic"),
        judged=figure([t for t in tasks if t.task.kind not in CHECK_KINDS], names, "macro_mean_judged"),
        failed=failed,
        complete=is_complete(failed, len(tasks), suite.file.score),
    )


def score_run(
    contract: Run,
    suite: Suite,
    marks: Mapping[Slot, Mark],
    withheld: Mapping[str, Withheld],
    published: Mapping[tuple[str, str], ScoreLock] | None = None,
) -> tuple[ServiceScore, ...]:
    """Every service of a run, in the order of the contract; a slot without a mark is a technical failure.

    Args:
        contract: whom and what was asked.
        suite: for tasks and rules.
        marks: per slot.
        withheld: services whose figures a blocking finding withholds.
        published: (service, task) -> the score as last published, of tasks that are not at hand and cannot be scored.
    """
    missing = technical("no_call", suite.file.score)

    def score(service: str, lock: TaskLock) -> TaskScore:
        if published and (line := published.get((service, lock.id))):
            return as_published(line, lock)
        return task_score(lock, [marks.get((service, lock.id, n), missing) for n in range(1, lock.repeats + 1)])

    return tuple(
        service_score(
            service,
            [score(service, lock) for lock in asked(contract, suite)],
            suite,
            contract.grader,
            withheld.get(service),
        )
        for service in contract.services
    )
