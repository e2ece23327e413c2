"""What stands beside single answers, and what the calls of a service come to. The wing ``outside``."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from generator.aggregate import last_attempts
from generator.outside.expected import Check, facts, money
from generator.outside.printed import Cells, Comparison, Printed, written
from generator.outside.published import AnswerRow, VerdictRow
from generator.outside.recompute import Recomputed, out_of_reach
from generator.publish.board import latency
from generator.records import Call, Figure, Measured, Withheld

NO_ANSWER = frozenset({"empty", "no_verdict", "truncated"})
"""Why an answer counts as none although its call ended well, as the call log says of held-out tasks too."""


def beside_answers(
    answers: Iterable[AnswerRow], verdicts: Sequence[VerdictRow], repeats: Mapping[str, int]
) -> dict[str, list[str]]:
    """Every number beside answers, by name, in the order of the answers; no verdicts where the score is withheld.

    Args:
        answers: those of a page, in its order.
        verdicts: of all answers.
        repeats: task -> how often it was asked; whose answer it was stands where that is more than once.
    """
    found: dict[str, list[str]] = {"repeat": [], "verdict": [], "tokens": [], "milliseconds": [], "attempt": []}
    by_call: dict[str, list[VerdictRow]] = {}
    for verdict in verdicts:
        by_call.setdefault(verdict.call_id, []).append(verdict)
    for answer in answers:
        if repeats.get(answer.task_id, 1) > 1 or len(answer.repeats) > 1:
            found["repeat"] += map(str, answer.repeats)
        said = by_call.get(answer.call_id, ()) if answer.outcome else ()
        found["verdict"] += [str(each.score) for each in said if each.score is not None]
        found["tokens"] += [str(answer.output_tokens)] if answer.output_tokens is not None else []
        found["milliseconds"] += [str(answer.latency_ms)] if answer.latency_ms is not None else []
        found["attempt"].append(str(answer.attempt))
    return found


def in_seconds(figure: Figure) -> list[str]:
    """A time in milliseconds as printed: seconds."""
    return [written(figure.point / 1000, 1)] if isinstance(figure, Measured) else []


def seconds_bounds(figure: Figure) -> list[str]:
    """Its interval in seconds; nothing where it has none."""
    if not isinstance(figure, Measured) or figure.low is None or figure.high is None:
        return []
    return [written(Fraction(bound) / 1000, 1) for bound in (figure.low, figure.high)]


def why(figure: Figure) -> list[str]:
    """The numbers in the reason that stands in its place."""
    return [str(fact) for fact in figure.facts.values()] if isinstance(figure, Withheld) else []


def use(made: Recomputed, service: str) -> Cells:
    """Failures, speed, tokens and cost of one service, from its calls."""
    calls = [call for call in made.board.calls if call.service == service]
    score = made.services[service]
    lost = out_of_reach(made.board, service)
    known = [] if lost else calls
    tokens = {
        "input": [call.input_tokens for call in known if call.input_tokens is not None],
        "output": [call.output_tokens for call in known if call.output_tokens is not None],
    }
    median = Withheld(slug="calls_not_at_hand", facts={"tasks": lost}) if lost else latency(calls, "")
    return {
        "asked": [str(sum(task.task.repeats for task in score.tasks))],
        "failed": [str(score.failed), str(len(score.tasks))],
        "technical": [str(count) for _, count in sorted(Counter(_failures(made, service, calls)).items())],
        "latency": [*in_seconds(median), *seconds_bounds(median), *why(median)],
        "cost": money(made.costs[service]),
        **{name: [str(sum(counts))] if counts else [] for name, counts in tokens.items()},
    }


def _failures(made: Recomputed, service: str, calls: Sequence[Call]) -> Iterator[str]:
    """The reason of every slot without a complete answer, as the marks of public tasks and the call log say."""
    last = last_attempts(calls)
    cut = {each.call_id for each in made.scored.cuts}
    recomputed = {(row.service, row.task_id) for row in made.board.scores if row.recomputed}
    for task in made.services[service].tasks:
        for repeat in range(1, task.task.repeats + 1):
            call = last.get((service, task.task.id, repeat))
            if call is None:
                yield from ["no_call"] if (service, task.task.id) in recomputed else []
            elif call.status != "ok":
                yield call.failure_reason or call.status
            elif call.call_id in cut:
                yield "truncated"
            elif call.failure_reason in NO_ANSWER:
                yield str(call.failure_reason)


def model(compare: Comparison, page: Printed, made: Recomputed, key: str) -> None:
    """A service's failures, speed and cost, and what stands beside its answers."""
    facts(compare, page, use(made, key))
    _beside(compare, page, made, [(key, task.id) for task in made.board.tasks])


def task(compare: Comparison, page: Printed, made: Recomputed, key: str) -> None:
    """What stands beside all answers to one task."""
    _beside(compare, page, made, [(name, key) for name in made.order])


def _beside(compare: Comparison, page: Printed, made: Recomputed, order: Iterable[tuple[str, str]]) -> None:
    rows: dict[tuple[str, str], list[AnswerRow]] = {}
    for row in made.board.answers:
        rows.setdefault((row.service, row.task_id), []).append(row)
    answers = [row for key in order for row in rows.get(key, ())]
    repeats = {each.id: each.repeats for each in made.board.tasks}
    facts(compare, page, beside_answers(answers, made.board.verdicts, repeats))


def leaderboard(compare: Comparison, page: Printed, made: Recomputed, _: str) -> None:
    """The suite and the run in numbers."""
    tasks = made.services[made.order[0]].tasks
    rows = made.board.scores
    called = {(call.service, call.task_id) for call in made.board.calls}
    totals = [made.services[name].total for name in made.ranked]
    repeats = Counter(each.task.repeats for each in tasks)
    above = sum(isinstance(total, Measured) and total.point > 90 for total in totals)
    counts = {
        "tasks": [len(made.board.lock)],
        "public": [sum(lock.access == "public" for lock in made.board.lock)],
        "repeats": [number for times in sorted(repeats) for number in (repeats[times], times)],
        "answers": [len(made.services) * sum(each.task.repeats for each in tasks)],
        "repeated": [sum(row.repeats > 1 and (row.recomputed or (row.service, row.task_id) in called) for row in rows)],
        "identical": [sum(row.identical for row in rows)],
        "above-90": [above, len(totals)],
    }
    facts(compare, page, {name: list(map(str, numbers)) for name, numbers in counts.items()})


BESIDE: dict[str, Check] = {"leaderboard": leaderboard, "model": model, "task": task}
"""Kind of a page -> the check of what stands on it outside its tables."""
