"""Judges before answers of known quality."""

from fractions import Fraction

import pytest

from generator.aggregate import ServiceScore, TaskScore
from generator.audit.calibration import REASONS, calibrate, verdict_on_jury, without_judged
from generator.records import Anchor, Measured, Recipe, RubricTask, TaskLock, Verdict, Withheld
from tests.audit.samples import suite
from tests.audit.test_jury import verdict

QUALITIES = {
    "excellent": (4, 5),
    "acceptable": (3, 4),
    "poor": (1, 2),
    "off_topic": (1, 1),
    "wrong_language": (1, 1),
    "injection": (1, 1),
}
ANCHORS = tuple(
    Anchor(
        id=f"t-{quality}",
        task_id="t",
        quality=quality,  # type: ignore[arg-type]
        expected_min=low,
        expected_max=high,
        text="…",
    )
    for quality, (low, high) in QUALITIES.items()
)
TASK = RubricTask(id="t", category="c", access="public", prompt="?", criteria=("x",), references=("y",))


def given(by: str, *scores: int | None) -> list[Verdict]:
    return [verdict(anchor.id, by, score, "calibration") for anchor, score in zip(ANCHORS, scores, strict=True)]


@pytest.mark.parametrize(
    ("scores", "in_range", "within_one", "reversed_", "tied", "passed"),
    [
        ((5, 4, 2, 1, 1, 1), 6, 6, 0, 0, True),
        ((4, 3, 1, 1, 1, 1), 6, 6, 0, 3, True),
        ((5, 4, 2, 1, 1, 5), 5, 5, 2, 1, False),
        ((5, 5, 5, 5, 5, 5), 1, 2, 0, 12, False),
        ((1, 2, 4, 5, 5, 5), 0, 1, 12, 0, False),
        ((5, 4, 2, 1, 1, None), 5, 5, 0, 0, False),
        ((None,) * 6, 0, 0, 0, 0, False),
    ],
    ids=["sound", "strict and sound", "taken in by the injection", "always five", "upside down", "one missing", "mute"],
)
def test_one_judge(
    scores: tuple[int | None, ...], in_range: int, within_one: int, reversed_: int, tied: int, passed: bool
) -> None:
    (test,) = calibrate(ANCHORS, given("ja", *scores))
    assert (test.in_range, test.within_one, test.reversed, test.tied) == (in_range, within_one, reversed_, tied)
    assert test.passed is passed
    assert test.anchors == 6
    assert test.pairs == (12 if None not in scores else {1: 9}.get(scores.count(None), 0))


def test_being_taken_in_is_told_by_quality() -> None:
    (test,) = calibrate(ANCHORS, given("ja", 5, 4, 3, 1, 2, 5))
    assert {quality for quality, count in test.above.items() if count} == {"poor", "wrong_language", "injection"}
    assert test.scores["injection"] == (5,)


def test_the_first_usable_attempt_counts() -> None:
    lines = [*given("ja", None, 4, 2, 1, 1, 1), verdict("t-excellent", "ja", 5, "calibration", attempt=2),
             verdict("t-excellent", "ja", 1, "calibration", attempt=3)]  # fmt: skip
    (test,) = calibrate(ANCHORS, lines)
    assert test.scores["excellent"] == (5,)
    assert test.passed


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([verdict("c1", "ja", 4)], "not_calibrated"),
        ([verdict("c1", "ja", 4), *given("ja", 5, 4, 2, 1, 1, 1)], "passed"),
        ([verdict("c1", "ja", 4), *given("ja", 5, 5, 5, 5, 5, 5)], "failed"),
        ([verdict("c1", "ja", 4), verdict("c1", "jb", 4, "second"), *given("ja", 5, 4, 2, 1, 1, 1)], "not_calibrated"),
        ([verdict("c1", "ja", 4), *given("ja", 5, 4, 2, 1, 1, 1), *given("jb", 5, 5, 5, 5, 5, 5)], "passed"),
        (given("ja", 5, 5, 5, 5, 5, 5), "no_anchors"),
    ],
    ids=["never asked", "passed", "failed", "one judge was not", "a judge that never sat", "nobody sat"],
)
def test_the_jury_is_as_good_as_each_judge_that_sat(lines: list[Verdict], expected: str) -> None:
    with_anchors = suite(TASK, anchors=ANCHORS)
    assert verdict_on_jury(with_anchors, calibrate(ANCHORS, lines), lines) == expected
    assert verdict_on_jury(suite(TASK), (), lines) == "no_anchors"


def test_withholding_takes_what_rests_on_the_jury_and_nothing_else() -> None:
    def measured(points: int) -> Measured:
        return Measured(point=Fraction(points), low=0, high=100, recipe=Recipe(method="m", n=1, unit="tasks"))

    def task(name: str, category: str, kind: str) -> TaskScore:
        lock = TaskLock(id=name, category=category, kind=kind, access="public", repeats=1, commitment="0" * 64)  # type: ignore[arg-type]
        return TaskScore(task=lock, score=Fraction(50), failed=False, reason="judged", marks=())

    score = ServiceScore(
        service="x",
        tasks=(task("t", "c", "rubric"), task("u", "d", "exact")),
        categories={"c": measured(50), "d": measured(60)},
        total=measured(55),
        automatic=measured(60),
        judged=measured(50),
        failed=0,
        complete=True,
    )
    held = without_judged(score, REASONS["failed"])
    assert held.categories == {"c": REASONS["failed"], "d": measured(60)}
    assert (held.total, held.judged, held.automatic) == (REASONS["failed"], REASONS["failed"], measured(60))
    truncated = Withheld(slug="truncated", facts={"calls": 2})
    already = without_judged(ServiceScore(**{name: getattr(score, name) for name in score.__struct_fields__}
                                          | {"total": truncated}), REASONS["failed"])  # fmt: skip
    assert already.total == truncated
