"""The score lock: what counts as a change and what does not."""

from fractions import Fraction
from typing import Any

import pytest

from generator.aggregate import ServiceScore, TaskScore
from generator.audit.lock import changes, lock_findings, lock_lines
from generator.records import Mark, ScoreLock, TaskLock, Withheld

NONE = Withheld(slug="no_tasks")


def line(task: str = "t1", score: str = "100", **other: Any) -> ScoreLock:
    return ScoreLock(**({"service": "x", "task_id": task, "score": score, "failed": False, "grader": "g-1.0"} | other))


def scored(*tasks: TaskScore) -> ServiceScore:
    return ServiceScore(
        service="x", tasks=tasks, categories={}, total=NONE, automatic=NONE, judged=NONE, failed=0, complete=True
    )


def task(name: str, score: int | Fraction, reason: str = "match", marks: int = 1) -> TaskScore:
    lock = TaskLock(id=name, category="c", kind="exact", access="held_out", repeats=1, commitment="0" * 64)
    mark = Mark(outcome="passed", score=Fraction(score), reason=reason)
    return TaskScore(task=lock, score=Fraction(score), failed=False, reason=reason, marks=(mark,) * marks)


@pytest.mark.parametrize(
    ("new", "slugs"),
    [
        (line(), []),
        (line(score="200/2"), []),
        (line(grader="g-2.0"), []),
        (line(score="0"), ["score-changed"]),
        (line(score="299999999999999999999/3000000000000000000"), ["score-changed"]),
        (line(failed=True), ["score-changed"]),
    ],
    ids=["same", "same value", "other grader", "other score", "a hair's breadth", "now failed"],
)
def test_what_counts_as_a_change(new: ScoreLock, slugs: list[str]) -> None:
    assert [finding.slug for finding in lock_findings("r", [line()], [new])] == slugs


def test_a_finding_names_task_service_scores_graders_and_the_way_out() -> None:
    (found,) = lock_findings("r", [line("t0"), line(score="75")], [line("t0"), line(score="200/3", grader="g-1.1")])
    assert found.blocking
    assert str(found).startswith(
        "runs/r/scores.lock.jsonl:2: x.t1: score-changed: found 200/3 by g-1.1, expected 75 by g-1.0, as published; "
    )
    assert "rapor accept r --reason-id" in found.todo


def test_a_run_that_was_never_published_is_a_remark() -> None:
    (found,) = lock_findings("r", [], [line()])
    assert not found.blocking
    assert found.slug == "not-published-yet"


def test_a_lock_with_a_line_too_few_or_too_many_is_told() -> None:
    missing, surplus = changes([line("t1"), line("t3")], [line("t1"), line("t2")])
    assert (missing.task_id, missing.old, missing.line) == ("t2", None, 0)
    assert (surplus.task_id, surplus.new, surplus.line) == ("t3", None, 2)


def test_a_task_that_is_not_at_hand_keeps_its_published_line() -> None:
    published = [line("t1", "50"), line("t2", "25"), line("t3", "75")]
    now = [task("t1", 100), task("t2", 0, reason="not_at_hand"), task("t3", 75, marks=0)]
    lines = lock_lines([scored(*now)], "g-1.0", published)
    assert [each.score for each in lines] == ["100", "25", "75"]
    assert [change.task_id for change in changes(published, lines)] == ["t1"]


def test_a_line_keeps_the_correction_that_it_names_until_there_is_a_newer_one() -> None:
    published = [line("t1", correction="1" * 64), line("t2", correction="2" * 64), line("t3")]
    now = scored(task("t1", 100), task("t2", 0), task("t3", 100))
    lines = lock_lines([now], "g-1.0", published, {("x", "t2"): "3" * 64})
    assert [each.correction for each in lines] == ["1" * 64, "3" * 64, None]
    assert [change.task_id for change in changes(published, lines)] == ["t2"]
