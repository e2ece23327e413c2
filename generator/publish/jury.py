"""The jury in numbers."""

from decimal import Decimal

from generator.audit.calibration import calibrate, verdict_on_jury
from generator.publish.board_views import JuryView
from generator.publish.scored import ScoredRun
from generator.records import Verdict
from generator.score.judged import conflicts


def jury_view(scored: ScoredRun) -> JuryView | None:
    """The jury of a run, counted per answer; None where the suite has no judged task."""
    rules = scored.suite.file.jury
    judged = {lock.id for lock in scored.tasks if lock.kind == "rubric"}
    if rules is None or not judged:
        return None
    lines = [line for line in scored.run.verdicts if line.role != "calibration"]
    calls = [call for (_, task, _), call in scored.last.items() if task in judged]
    panels = {call.call_id: scored.verdicts.get(call.call_id, ()) for call in calls}
    usable = {call_id: [line for line in panel if line.score is not None] for call_id, panel in panels.items()}
    gaps = {call_id: _gap(panel) for call_id, panel in usable.items()}
    disagreed = {call_id for call_id, gap in gaps.items() if gap is not None and gap > rules.third_if_gap_over}
    third = {call_id for call_id, panel in panels.items() if any(line.role == "third" for line in panel)}
    return JuryView(
        judges=tuple(sorted({(line.by, line.vendor or "") for line in lines})),
        answers=sum(gap is not None for gap in gaps.values()),
        distinct=len({(call.task_id, call.output_sha256) for call in calls if gaps.get(call.call_id) is not None}),
        verdicts=len(lines),
        unusable=sum(line.score is None for line in lines),
        disagreed=len(disagreed),
        third=len(third),
        without_third=len(disagreed - third),
        conflicts=len(_conflicts(scored)),
        calibration=verdict_on_jury(
            scored.suite, calibrate(scored.suite.anchors, scored.run.verdicts), scored.run.verdicts
        ),
        cost_usd=_cost(lines),
    )


def _gap(panel: list[Verdict]) -> int | None:
    """Points between the first two judges; None where one of them gave no usable verdict."""
    scores = {line.role: line.score for line in panel if line.score is not None}
    if "first" not in scores or "second" not in scores:
        return None
    return abs(scores["first"] - scores["second"])


def _conflicts(scored: ScoredRun) -> list[tuple[str, str]]:
    return conflicts(scored.run.calls, scored.run.verdicts, scored.vendors)


def _cost(lines: list[Verdict]) -> Decimal | None:
    costs = [line.cost_usd for line in lines]
    return None if not costs or None in costs else sum((cost for cost in costs if cost is not None), Decimal(0))
