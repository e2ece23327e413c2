"""A stored run with everything that was made of it: the one value that the pages' views are cut from."""

from collections.abc import Mapping, Sequence

from generator.aggregate import ServiceScore, Slot, TaskScore, asked, last_attempts, mark, score_run, technical
from generator.audit.acknowledge import TRUNCATED
from generator.audit.calibration import withheld_jury, without_judged
from generator.audit.truncation import Cut, cut_answers
from generator.records import (
    Call,
    Mark,
    Record,
    Results,
    Run,
    ScoreLock,
    StoredRun,
    Suite,
    Task,
    TaskLock,
    Verdict,
    Withheld,
)
from generator.score.judged import shared_verdicts

NOT_AT_HAND = "not_at_hand"
"""Slug of a task that could not be scored because it is held out and not here."""
OUT_OF_SIGHT = "cut_out_of_sight"
"""Slug of a service whose cut answers are acknowledged and not here."""


class ScoredRun(Record, frozen=True, kw_only=True):
    """A run, scored and audited. It still holds held-out material; views must not."""

    run: StoredRun
    suite: Suite
    vendors: dict[str, str]
    """Service id -> vendor, for the jury rules."""
    tasks: tuple[TaskLock, ...]
    """Those the contract asks, with its repeats, in suite order."""
    last: dict[Slot, Call]
    """Deciding attempt per slot; a slot without a call is absent."""
    marks: dict[Slot, Mark]
    """One per promised slot."""
    verdicts: dict[str, tuple[Verdict, ...]]
    """Per call id, verdicts shared by identical answers included."""
    cuts: tuple[Cut, ...]
    withheld: dict[str, Withheld]
    """Services whose figures a blocking finding withholds."""
    jury: Withheld | None
    """Why nothing that judges scored is shown."""
    services: tuple[ServiceScore, ...]


def score_stored(run: StoredRun, suite: Suite, vendors: Mapping[str, str], first: StoredRun | None = None) -> ScoredRun:
    """Score every slot that the contract promises.

    An answer is judged once: one without verdicts of its own takes those of an identical answer to the same task,
    in this run or in the run that it repeats.

    Args:
        run: as read.
        suite: the suite it was made with.
        vendors: service id -> vendor; only the jury rules see it.
        first: the run that a re-run repeats, with the same suite.
    """
    contract = run.contract
    tasks = {task.id: task for task in suite.tasks}
    locks = asked(contract, suite)
    last = last_attempts(run.calls)
    cuts = cut_answers(run.calls)
    cut_ids = frozenset(cut.call_id for cut in cuts)
    judged_before = first if first and first.contract.suite == contract.suite else None
    verdicts = _verdicts(last, run, judged_before, vendors)
    marks: dict[Slot, Mark] = {}
    for service in contract.services:
        for lock in locks:
            for repeat in range(1, lock.repeats + 1):
                slot = (service, lock.id, repeat)
                call = last.get(slot)
                of_call = verdicts.get(call.call_id, ()) if call else ()
                task = tasks.get(lock.id)
                marks[slot] = (
                    mark(task, call, of_call, suite, cut_ids) if task else technical(NOT_AT_HAND, suite.file.score)
                )
    published = {(line.service, line.task_id): line for line in run.score_lock if line.task_id not in tasks}
    withheld = (
        unscored_services(contract, locks, tasks, published)
        | cut_out_of_sight(contract, suite, locks, last)
        | truncated_services(cuts, suite)
    )
    scores = score_run(contract, suite, marks, withheld, published)
    jury = withheld_jury(suite, run.verdicts)
    if jury:
        scores = tuple(without_judged(score, jury) for score in scores)
    return ScoredRun(
        run=run,
        suite=suite,
        vendors=dict(vendors),
        tasks=locks,
        last=last,
        marks=marks,
        verdicts={call_id: tuple(lines) for call_id, lines in verdicts.items()},
        cuts=cuts,
        withheld=withheld,
        jury=jury,
        services=scores,
    )


def why_hidden(scored: ScoredRun, service: str, score: TaskScore) -> Withheld | None:
    """Why the score on a single task is not shown; None where it is.

    What takes away a service's total takes away the scores it is made of: who could add them up would have it. An
    incomplete service is not withheld: its failures count, its scores are shown, and it has no rank.
    """
    if score.reason == NOT_AT_HAND:
        return Withheld(slug="task_not_at_hand")
    reason = scored.withheld.get(service)
    if reason and reason.slug != NOT_AT_HAND:
        return reason
    return scored.jury if score.task.kind == "rubric" else None


def technical_reason(scored: ScoredRun, slot: Slot) -> str | None:
    """Why a slot has no complete answer; None where it has one, or where neither its task nor its call is at hand."""
    mark, call = scored.marks[slot], scored.last.get(slot)
    if mark.reason != NOT_AT_HAND:
        return mark.reason if mark.outcome == "technical" else None
    if call is None:
        return None
    if call.status != "ok":
        return call.failure_reason or call.status
    return "truncated" if any(cut.call_id == call.call_id for cut in scored.cuts) else None


def out_of_reach(scored: ScoredRun, service: str) -> int:
    """How many tasks are not at hand, nor what the service did there: its costs, times and tokens are not known."""
    there = {task.id for task in scored.suite.tasks}
    there |= {call.task_id for call in scored.run.calls if call.service == service}
    return sum(lock.id not in there for lock in scored.tasks)


def hidden_scores(scored: ScoredRun) -> frozenset[tuple[str, str]]:
    """(service, task) of every score that is not shown."""
    return frozenset(
        (each.service, score.task.id)
        for each in scored.services
        for score in each.tasks
        if why_hidden(scored, each.service, score)
    )


def scored_run(results: Results, name: str) -> ScoredRun:
    """The run ``name`` of ``results``, scored; a re-run beside the run that it repeats."""
    run = results.runs[name]
    vendors = {each: service.vendor for each, service in results.services.items()}
    declared = run.contract.rerun
    first = results.runs.get(declared.of) if declared else None
    return score_stored(run, results.suites[run.contract.suite.id], vendors, first)


def _verdicts(
    last: Mapping[Slot, Call], run: StoredRun, first: StoredRun | None, vendors: Mapping[str, str]
) -> dict[str, tuple[Verdict, ...]]:
    """Verdicts per deciding call of ``run``, those of identical answers in it and in ``first`` included."""
    calls, lines = list(last.values()), list(run.verdicts)
    if first:
        calls += last_attempts(first.calls).values()
        lines += first.verdicts
    shared = shared_verdicts(calls, lines, vendors)
    return {call.call_id: shared[call.call_id] for call in last.values()}


def unscored_services(
    contract: Run, locks: Sequence[TaskLock], tasks: Mapping[str, Task], published: Mapping[tuple[str, str], ScoreLock]
) -> dict[str, Withheld]:
    """Services with a task that is neither at hand nor ever published: a total without it would be another total."""
    counts = {
        service: sum(lock.id not in tasks and (service, lock.id) not in published for lock in locks)
        for service in contract.services
    }
    return {service: Withheld(slug=NOT_AT_HAND, facts={"tasks": n}) for service, n in counts.items() if n}


def truncated_services(cuts: tuple[Cut, ...], suite: Suite) -> dict[str, Withheld]:
    """Services whose figures are withheld because answers were cut off, where the suite says so."""
    if suite.file.score.truncation != "withhold":
        return {}
    counts: dict[str, int] = {}
    for cut in cuts:
        counts[cut.service] = counts.get(cut.service, 0) + 1
    return {service: Withheld(slug="truncated", facts={"calls": count}) for service, count in counts.items()}


def cut_out_of_sight(
    contract: Run, suite: Suite, locks: Sequence[TaskLock], last: Mapping[Slot, Call]
) -> dict[str, Withheld]:
    """Services whose contract acknowledges cut answers, and whose calls are not all here: the cut ones may be away.

    Without this, a build that sees less would show figures that one that sees everything withholds.
    """
    if suite.file.score.truncation != "withhold":
        return {}
    told = {each.service for each in contract.acknowledged if each.slug == TRUNCATED}
    return {
        service: Withheld(slug=OUT_OF_SIGHT)
        for service in contract.services
        if told & {service, None} and any((service, lock.id, 1) not in last for lock in locks)
    }
