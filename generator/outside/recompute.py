"""The figures of a board, computed again from what the site publishes. The wing ``outside``.

Scores of public tasks come from the published answers and verdicts; everything above a task comes from the published
scores of all tasks. Grading and statistics are the project's own, since they *are* the definition of a score;
rendering has no part in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from msgspec.structs import replace

from generator.aggregate import ServiceScore, TaskScore, asked, service_score
from generator.findings import Finding, shown
from generator.outside.published import AnswerRow, Board, ScoreRow, verdict
from generator.publish.board_views import PairView, Rank
from generator.publish.figures import Stamp
from generator.publish.pairs import pair_views, rank_views
from generator.publish.scored import ScoredRun, score_stored, truncated_services
from generator.records import Call, Measured, StoredRun, Suite, TaskLock
from generator.uncertainty.items import item_rest

Slot = tuple[str, str, int]


@dataclass
class Recomputed:
    """A board as it must be, given its data."""

    board: Board
    scored: ScoredRun
    """From the answers; sound for public tasks only."""
    services: dict[str, ServiceScore]
    """From the published scores."""
    ranked: list[str]
    unranked: list[str]
    compared: list[str]
    """Ranked services, then those that are incomplete: all that have a total."""
    ranks: dict[str, Rank]
    pairs: tuple[PairView, ...]
    spreads: dict[str, Fraction]
    """Task -> highest minus lowest score."""
    item_rest: dict[str, float | None]
    costs: dict[str, Decimal | None]

    @property
    def order(self) -> list[str]:
        """Services as pages list them."""
        return [*self.ranked, *self.unranked]

    @property
    def withheld(self) -> dict[str, int]:
        """Services whose figures an audit withheld -> how many of their answers were cut off.

        They are complete and yet without a rank, or have cut answers where the suite withholds for that.
        """
        cuts = [cut.service for cut in self.scored.cuts]
        return {name: cuts.count(name) for name in self.order if name not in self.compared}

    def score(self, service: str, task: str) -> Fraction:
        """A service's published score on a task that was asked."""
        return next(each.score for each in self.services[service].tasks if each.task.id == task)


def recompute(board: Board, faults: list[Finding]) -> Recomputed | None:
    """Every figure of a board; differences between its data files are added to ``faults``.

    Returns:
        None where the scores are not complete, so that nothing can be made of them.
    """
    suite = _suite(board)
    run = StoredRun(
        contract=board.declared.run,
        calls=tuple(_with_answers(board, faults)),
        verdicts=tuple(
            replace(verdict(row), min=suite.file.score.rubric.min, max=suite.file.score.rubric.max)
            for row in board.verdicts
        ),
        seal=None,
        score_lock=(),
    )
    scored = score_stored(run, suite, board.declared.vendors)
    _compare_public(board, scored, faults)
    locks = asked(run.contract, suite)
    if not _complete(board, locks, faults):
        return None
    return _aggregated(board, scored, locks)


def _suite(board: Board) -> Suite:
    file = board.declared.suite
    return Suite(file=file, tasks=tuple(board.tasks), lock=tuple(board.lock), sha256=board.declared.run.suite.sha256)


def _with_answers(board: Board, faults: list[Finding]) -> Iterator[Call]:
    """The calls, each deciding call of a public task with its published answer."""
    answers: dict[tuple[str, str, int, int], AnswerRow] = {}
    for row in board.answers:
        for repeat in row.repeats:
            answers[row.service, row.task_id, repeat, row.attempt] = row
    attempts: dict[Slot, int] = {}
    for call in board.calls:
        slot = (call.service, call.task_id, call.repeat)
        attempts[slot] = max(attempts.get(slot, 0), call.attempt)
    by_slot = {(service, task, repeat): row for (service, task, repeat, _), row in answers.items()}
    public = {task.id for task in board.tasks}
    for call in board.calls:
        slot = (call.service, call.task_id, call.repeat)
        answer = by_slot.get(slot) if call.attempt == attempts[slot] else None
        if call.task_id in public and call.attempt == attempts[slot]:
            if answer is None:
                faults.append(_missing_answer(board, call))
            else:
                _compare_call(board, call, answer, faults)
        output = answer.output if answer else None
        sha256 = answer.output_sha256 if answer else None
        yield replace(call, output=output, output_sha256=sha256, qualified=None)


def _missing_answer(board: Board, call: Call) -> Finding:
    what = f"no answer for call {call.call_id}"
    return Finding(f"{board.folder}/answers-public.jsonl", 0, call.task_id, "missing-answer", what, "its answer")


def _compare_call(board: Board, call: Call, answer: AnswerRow, faults: list[Finding]) -> None:
    """Call log and answers say the same of the answer that stands for its repeats."""
    if call.repeat != answer.repeats[0]:
        return
    for name in ("call_id", "attempt", "output_tokens", "latency_ms"):
        logged, said = getattr(call, name), getattr(answer, name)
        if logged != said:
            place = f"{call.service} {call.task_id} {name}"
            found = f"{shown(said)} in answers-public.jsonl"
            faults.append(Finding(f"{board.folder}/calls.csv", 0, place, "data-differ", found, shown(logged)))


def _compare_public(board: Board, scored: ScoredRun, faults: list[Finding]) -> None:
    """Published scores of public tasks, and of single answers, against what their answers give."""
    public = {task.id for task in board.tasks}
    rows = {(row.service, row.task_id): row for row in board.scores}
    for service in scored.services:
        for made in service.tasks:
            row = rows.get((service.service, made.task.id))
            if made.task.id not in public or row is None:
                continue
            for name, said, right in (
                ("score", row.points, made.score),
                ("failed", row.failed, made.failed),
                ("reason", row.reason, made.reason),
            ):
                if said != right:
                    place = f"{service.service} {made.task.id} {name}"
                    found, expected = str(said), f"{right} from the published answers"
                    faults.append(Finding(f"{board.folder}/scores.jsonl", 0, place, "not-recomputed", found, expected))
    for answer in board.answers:
        mark = scored.marks.get((answer.service, answer.task_id, answer.repeats[0]))
        if mark and (Fraction(answer.score), answer.outcome, answer.reason) != (mark.score, mark.outcome, mark.reason):
            place, found = f"{answer.service} {answer.task_id}", f"{answer.score} {answer.outcome} {answer.reason}"
            expected = f"{mark.score} {mark.outcome} {mark.reason}"
            file = f"{board.folder}/answers-public.jsonl"
            faults.append(Finding(file, 0, place, "not-recomputed", found, expected))


def _complete(board: Board, locks: Sequence[TaskLock], faults: list[Finding]) -> bool:
    """Every service has one score for every task that was asked, as the lock describes it."""
    before, file = len(faults), f"{board.folder}/scores.jsonl"
    by_id = {lock.id: lock for lock in locks}
    seen: set[tuple[str, str]] = set()
    for row in board.scores:
        lock = by_id.get(row.task_id)
        said = (row.category, row.kind, row.access, row.repeats)
        if lock is None or said != (lock.category, lock.kind, lock.access, lock.repeats):
            faults.append(Finding(file, 0, f"{row.service} {row.task_id}", "data-differ", shown(said), shown(lock)))
        if (row.service, row.task_id) in seen:
            faults.append(Finding(file, 0, f"{row.service} {row.task_id}", "data-differ", "two lines", "one"))
        seen.add((row.service, row.task_id))
        if (row.run_id, row.grader) != (board.declared.run.run_id, board.declared.run.grader):
            faults.append(Finding(file, 0, row.service, "data-differ", f"{row.run_id} {row.grader}", "those declared"))
    wanted = {(service, lock.id) for service in board.declared.run.services for lock in locks}
    for service, task in sorted(wanted ^ seen):
        is_there = (service, task) in seen
        found, expected = ("a line", "none") if is_there else ("no line", "one")
        faults.append(Finding(file, 0, f"{service} {task}", "data-differ", found, expected))
    return len(faults) == before


def _aggregated(board: Board, scored: ScoredRun, locks: Sequence[TaskLock]) -> Recomputed:
    """Totals, ranks, pairs and what else is made of the published scores."""
    rows: dict[str, dict[str, ScoreRow]] = {}
    for row in board.scores:
        rows.setdefault(row.service, {})[row.task_id] = row
    services = {
        name: service_score(
            name, [_task_score(rows[name][lock.id], lock) for lock in locks], scored.suite, board.declared.run.grader
        )
        for name in board.declared.run.services
    }
    shown = {name for name, by_task in rows.items() if any(row.ranked for row in by_task.values())}
    ranked = sorted((n for n in services if services[n].complete and n in shown), key=lambda n: _place(services[n]))
    cut = truncated_services(scored.cuts, scored.suite)
    apart = [n for n in services if not services[n].complete and n not in cut]
    compared = [*ranked, *sorted(apart, key=lambda n: _place(services[n]))]
    categories = [category.id for category in board.declared.suite.category]
    pairs = pair_views([services[name] for name in compared], categories, Stamp("", ""))
    among = [pair for pair in pairs if {pair.a, pair.b} <= set(ranked)]
    table = [[task.score for task in each.tasks] for each in services.values()]
    rest = item_rest(table)
    return Recomputed(
        board=board,
        scored=scored,
        services=services,
        ranked=ranked,
        unranked=sorted(services.keys() - set(ranked)),
        compared=compared,
        ranks=rank_views(ranked, among),
        pairs=pairs,
        spreads={lock.id: max(col) - min(col) for lock, col in zip(locks, zip(*table, strict=True), strict=True)},
        item_rest={lock.id: r if isinstance(r, float) else None for lock, r in zip(locks, rest, strict=True)},
        costs={name: _cost([call for call in board.calls if call.service == name]) for name in services},
    )


def _task_score(row: ScoreRow, lock: TaskLock) -> TaskScore:
    return TaskScore(task=lock, score=row.points, failed=row.failed, reason=row.reason, marks=())


def _place(score: ServiceScore) -> tuple[Fraction, str]:
    """Sorts by falling total, then by id."""
    return (-score.total.point if isinstance(score.total, Measured) else Fraction(1), score.service)


def _cost(calls: Sequence[Call]) -> Decimal | None:
    """The sum of all costs; None where one of them is not known."""
    costs = [call.cost_usd for call in calls]
    return None if not costs or None in costs else sum((cost for cost in costs if cost is not None), Decimal(0))


def by_answer(scored: ScoredRun, answers: Sequence[AnswerRow]) -> Mapping[tuple[str, str], list[Fraction]]:
    """(service, task) -> score of each published answer, in their published order."""
    found: dict[tuple[str, str], list[Fraction]] = {}
    for answer in answers:
        mark = scored.marks.get((answer.service, answer.task_id, answer.repeats[0]))
        if mark:
            found.setdefault((answer.service, answer.task_id), []).append(mark.score)
    return found
