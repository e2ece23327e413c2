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
from generator.audit.calibration import without_judged
from generator.findings import Finding, shown
from generator.outside.published import AnswerRow, Board, ScoreRow, verdict
from generator.publish.board_views import PairView, Rank
from generator.publish.figures import Stamp
from generator.publish.pairs import pair_views, rank_views
from generator.publish.scored import ScoredRun, score_stored, truncated_services
from generator.records import Call, Measured, StoredRun, Suite, TaskLock, Withheld
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
    """Task -> highest minus lowest score, of those that are shown."""
    item_rest: dict[str, float | None]
    costs: dict[str, Decimal | None]

    @property
    def order(self) -> list[str]:
        """Services as pages list them."""
        return [*self.ranked, *self.unranked]

    @property
    def withheld(self) -> dict[str, int]:
        """Services without a total, since an audit withheld it -> how many of their answers were cut off."""
        cuts = [cut.service for cut in self.scored.cuts]
        return {name: cuts.count(name) for name in self.order if name not in self.compared}

    def score(self, service: str, task: str) -> Fraction | None:
        """A service's published score on a task that was asked; None where it is withheld."""
        return next(row.points for row in self.board.scores if (row.service, row.task_id) == (service, task))


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
    _compare_answers(board, scored, faults)
    locks = asked(run.contract, suite)
    if not _complete(board, locks, faults):
        return None
    return _aggregated(board, scored, locks, faults)


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
    """Published scores of public tasks against what their answers give."""
    public = {task.id for task in board.tasks}
    rows = {(row.service, row.task_id): row for row in board.scores}
    for service in scored.services:
        for made in service.tasks:
            row = rows.get((service.service, made.task.id))
            if made.task.id not in public or row is None:
                continue
            told = row.points is not None
            for name, said, right in (
                ("score", row.points, made.score if told else None),
                ("failed", row.failed, made.failed),
                ("reason", row.reason, made.reason if told or made.failed else "withheld"),
            ):
                if said != right:
                    place = f"{service.service} {made.task.id} {name}"
                    found, expected = str(said), f"{right} from the published answers"
                    faults.append(Finding(f"{board.folder}/scores.jsonl", 0, place, "not-recomputed", found, expected))


def _compare_answers(board: Board, scored: ScoredRun, faults: list[Finding]) -> None:
    """What is said of single answers against what they are; where the score is withheld, technical failures alone."""
    rows = {(row.service, row.task_id): row for row in board.scores}
    for answer in board.answers:
        row = rows.get((answer.service, answer.task_id))
        mark = scored.marks.get((answer.service, answer.task_id, answer.repeats[0]))
        if mark is None or row is None:
            continue
        said = (None if answer.score is None else Fraction(answer.score), answer.outcome, answer.reason)
        told = row.points is not None or mark.outcome == "technical"
        outcome, reason = (mark.outcome, mark.reason) if told else (None, "withheld")
        right = (None if row.points is None else mark.score, outcome, reason)
        if said != right:
            file, place = f"{board.folder}/answers-public.jsonl", f"{answer.service} {answer.task_id}"
            faults.append(Finding(file, 0, place, "not-recomputed", shown(said), shown(right)))


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
        if row.points is not None and not 0 <= row.points <= 100:
            faults.append(Finding(file, 0, f"{row.service} {row.task_id}", "wrong-value", shown(row.score), "0 to 100"))
        if row.points is not None and not 0 <= row.points <= 100:
            faults.append(Finding(file, 0, f"{row.service} {row.task_id}", "data-differ", str(row.score), "0 to 100"))
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


def _aggregated(board: Board, scored: ScoredRun, locks: Sequence[TaskLock], faults: list[Finding]) -> Recomputed:
    """Totals, ranks, pairs and what else is made of the published scores."""
    rows: dict[str, dict[str, ScoreRow]] = {}
    for row in board.scores:
        rows.setdefault(row.service, {})[row.task_id] = row
    services = {name: _service(name, rows[name], locks, scored) for name in board.declared.run.services}
    total = [name for name in services if isinstance(services[name].total, Measured)]
    ranked = sorted((n for n in total if services[n].complete), key=lambda n: _place(services[n]))
    apart = sorted((n for n in total if not services[n].complete), key=lambda n: _place(services[n]))
    _compare_flags(board, scored, ranked, faults)
    categories = [category.id for category in board.declared.suite.category]
    pairs = pair_views([services[name] for name in (*ranked, *apart)], categories, Stamp("", ""))
    among = [pair for pair in pairs if {pair.a, pair.b} <= set(ranked)]
    spreads, rest = _separation([*rows.values()], locks)
    return Recomputed(
        board=board,
        scored=scored,
        services=services,
        ranked=ranked,
        unranked=sorted(services.keys() - set(ranked)),
        compared=[*ranked, *apart],
        ranks=rank_views(ranked, among),
        pairs=pairs,
        spreads=spreads,
        item_rest=rest,
        costs={name: None if out_of_reach(board, name) else _cost(_calls_of(board, name)) for name in services},
    )


def _separation(
    services: Sequence[Mapping[str, ScoreRow]], locks: Sequence[TaskLock]
) -> tuple[dict[str, Fraction], dict[str, float | None]]:
    """Spread and item-rest correlation of each task on which all services with scores have one; of one alone: none."""
    shown = [rows for rows in services if any(row.points is not None for row in rows.values())]
    columns = {lock.id: [points for rows in shown if (points := rows[lock.id].points) is not None] for lock in locks}
    kept = {task: column for task, column in columns.items() if len(column) == len(shown) > 1}
    rest = item_rest(list(zip(*kept.values(), strict=True)))
    return (
        {task: max(column) - min(column) for task, column in kept.items()},
        {task: each if isinstance(each, float) else None for task, each in zip(kept, rest, strict=True)},
    )


def _service(name: str, rows: Mapping[str, ScoreRow], locks: Sequence[TaskLock], scored: ScoredRun) -> ServiceScore:
    """All figures of one service from its published scores; what rests on one that is withheld is withheld too."""
    hidden = [lock.kind for lock in locks if rows[lock.id].points is None]
    reason = Withheld(slug="withheld")
    judged = set(hidden) == {"rubric"}
    tasks = [
        TaskScore(task=lock, score=row.points or Fraction(0), failed=row.failed, reason=row.reason, marks=())
        for lock in locks
        if (row := rows[lock.id])
    ]
    grader = scored.run.contract.grader
    score = service_score(name, tasks, scored.suite, grader, reason if hidden and not judged else None)
    return without_judged(score, reason) if judged else score


def _compare_flags(board: Board, scored: ScoredRun, ranked: Sequence[str], faults: list[Finding]) -> None:
    """Who has a rank is marked so; a service with cut answers shows no score where the suite withholds for that."""
    cut = truncated_services(scored.cuts, scored.suite)
    file = f"{board.folder}/scores.jsonl"
    for row in board.scores:
        place = f"{row.service} {row.task_id}"
        if row.ranked != (row.service in ranked):
            faults.append(Finding(file, 0, place, "data-differ", f"ranked: {row.ranked}", str(not row.ranked)))
        if (row.points is None) != (row.withheld is not None):
            faults.append(Finding(file, 0, place, "data-differ", f"{row.score}, {row.withheld}", "a score or a reason"))
        if row.service in cut and row.points is not None:
            faults.append(Finding(file, 0, place, "not-withheld", "a score", "none: its answers were cut off"))


def _place(score: ServiceScore) -> tuple[Fraction, str]:
    """Sorts by falling total, then by id."""
    return (-score.total.point if isinstance(score.total, Measured) else Fraction(1), score.service)


def out_of_reach(board: Board, service: str) -> int:
    """Tasks of which neither a score was recomputed nor a call published: what the service did there is not known."""
    called = {call.task_id for call in _calls_of(board, service)}
    return sum(row.service == service and not row.recomputed and row.task_id not in called for row in board.scores)


def _calls_of(board: Board, service: str) -> list[Call]:
    return [call for call in board.calls if call.service == service]


def _cost(calls: Sequence[Call]) -> Decimal | None:
    """The sum of all costs; None where one of them is not known."""
    costs = [call.cost_usd for call in calls]
    return None if not costs or None in costs else sum((cost for cost in costs if cost is not None), Decimal(0))


def by_answer(scored: ScoredRun, answers: Sequence[AnswerRow]) -> Mapping[tuple[str, str], list[Fraction]]:
    """(service, task) -> score of each published answer in their published order; none where they are withheld."""
    found: dict[tuple[str, str], list[Fraction]] = {}
    for answer in answers:
        mark = scored.marks.get((answer.service, answer.task_id, answer.repeats[0]))
        if mark and answer.score is not None:
            found.setdefault((answer.service, answer.task_id), []).append(mark.score)
    return found
