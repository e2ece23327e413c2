"""Public tasks with the answers they got. The only place where an answer enters a view."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from generator.aggregate import Slot, TaskScore
from generator.publish.board_views import CategoryView, TaskScoreView, TaskView
from generator.publish.run_views import AnswerView, VerdictView
from generator.publish.scored import NOT_AT_HAND, ScoredRun, why_hidden
from generator.records import Call, Mark, Suite, Verdict, Withheld


def task_score_view(score: TaskScore, outputs: Sequence[str | None], hidden: Withheld | None) -> TaskScoreView:
    """One score by id; ``outputs`` are the texts of its repeats, only compared, never shown.

    Why it is ``hidden`` stands in the place of the score, and nothing beside it tells what the score was.
    """
    failed = score.failed and score.reason != NOT_AT_HAND
    return TaskScoreView(
        task_id=score.task.id,
        category=score.task.category,
        kind=score.task.kind,
        access=score.task.access,
        score=hidden or score.score,
        failed=failed,
        reason=score.reason if failed or not hidden else "withheld",
        repeats=score.task.repeats,
        identical=len(outputs) > 1 and len(set(outputs)) == 1 and outputs[0] is not None,
        recomputed=bool(score.marks),
    )


def task_views(
    suite: Suite,
    categories: Mapping[str, CategoryView],
    services: Sequence[str],
    last: Mapping[Slot, Call],
    marks: Mapping[Slot, Mark],
    verdicts: Mapping[str, Sequence[Verdict]],
    scores: Mapping[str, Mapping[str, TaskScoreView]],
) -> tuple[TaskView, ...]:
    """Every public task that was asked, with every answer, in suite order.

    Args:
        suite: held-out tasks in it are passed over here and nowhere else.
        categories: by id.
        services: ids in the order of the board.
        last: deciding attempt per slot.
        marks: mark per slot.
        verdicts: per call id, shared verdicts of identical answers included.
        scores: service id -> task id -> score.
    """
    slots: dict[tuple[str, str], list[Slot]] = defaultdict(list)
    for slot in sorted(last):
        slots[slot[0], slot[1]].append(slot)
    return tuple(
        TaskView(
            task=task,
            category=categories[task.category],
            answers=tuple(
                answer
                for service in services
                for answer in folded(
                    [
                        answer_view(
                            last[s],
                            marks[s],
                            verdicts.get(last[s].call_id, ()),
                            _hidden(scores[service][task.id]),
                        )
                        for s in slots[service, task.id]
                    ]
                )
            ),
            scores={name: by_task[task.id] for name, by_task in scores.items() if task.id in by_task},
        )
        for task in suite.tasks
        if task.access == "public" and any(task.id in by_task for by_task in scores.values())
    )


def _hidden(score: TaskScoreView) -> Withheld | None:
    return score.score if isinstance(score.score, Withheld) else None


def answer_view(call: Call, mark: Mark, verdicts: Sequence[Verdict], hidden: Withheld | None = None) -> AnswerView:
    """One answer to a public task, with its mark and its verdicts; only as it came where its score is ``hidden``."""
    told = mark if not hidden or mark.outcome == "technical" else None
    return AnswerView(
        service=call.service,
        repeat=call.repeat,
        repeats_same=(),
        attempt=call.attempt,
        call_id=call.call_id,
        output=call.output or "",
        output_sha256=call.output_sha256,
        outcome=told.outcome if told else None,
        reason=told.reason if told else "withheld",
        score=hidden or mark.score,
        read=told.read if told else "",
        saw=told.saw if told else (),
        verdicts=tuple(
            VerdictView(
                by=verdict.by,
                vendor=verdict.vendor,
                role=verdict.role,
                score=verdict.score,
                status=verdict.status,
                reason=verdict.reason,
            )
            for verdict in verdicts
        ),
        finish_reason=call.finish_reason,
        output_tokens=call.output_tokens,
        latency_ms=call.latency_ms,
        disputed=call.failure_reason == "disputed",
    )


def folded(answers: Sequence[AnswerView]) -> list[AnswerView]:
    """Repeats with the same text, mark and verdicts as one view that names the others in ``repeats_same``."""
    kept: list[AnswerView] = []
    for answer in answers:
        for index, other in enumerate(kept):
            if (answer.output, answer.outcome, answer.reason, answer.score) == (
                other.output,
                other.outcome,
                other.reason,
                other.score,
            ):
                kept[index] = _with_repeat(other, answer.repeat)
                break
        else:
            kept.append(answer)
    return kept


def _with_repeat(answer: AnswerView, repeat: int) -> AnswerView:
    return msgspec.structs.replace(answer, repeats_same=(*answer.repeats_same, repeat))


def scores_by_service(scored: ScoredRun) -> dict[str, dict[str, TaskScoreView]]:
    """Service id -> task id -> score view."""
    last = scored.last

    def outputs(service: str, score: TaskScore) -> list[str | None]:
        slots = [(service, score.task.id, n) for n in range(1, score.task.repeats + 1)]
        return [last[slot].output if slot in last else None for slot in slots]

    return {
        each.service: {
            score.task.id: task_score_view(score, outputs(each.service, score), why_hidden(scored, each.service, score))
            for score in each.tasks
        }
        for each in scored.services
    }
