import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from generator.records import JuryRules, RubricScale, RubricTask, ScoreRules, Verdict, Withheld
from generator.score import grade
from generator.score.judged import panel

from .verdicts import verdict

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "panel.toml").read_text())["case"]
TASK = RubricTask(id="t1", category="c", access="public", prompt="…", criteria=("…",), references=("…",))
JURY = JuryRules(pair=("judge-a", "judge-b"), third=("judge-c",))


def verdicts(case: dict) -> list[Verdict]:
    return [
        verdict(by=f"judge of {role}", role=role, score=None if case[role] == "unusable" else case[role])
        for role in ("first", "second", "third")
        if role in case
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_panel_is_worth_what_the_case_says(case: dict) -> None:
    jury = JuryRules(
        pair=("a", "b"),
        third_if_gap_over=case.get("gap", 1),
        without_third=case.get("without_third", "failed"),
    )
    mark = grade(TASK, "jawaban", verdicts(case), ScoreRules(), jury)
    if case["points"] == "none":
        assert (mark.outcome, mark.reason, mark.score) == ("technical", "no_verdict", 0), case["why"]
    else:
        assert (mark.outcome, mark.reason, mark.score) == ("passed", "judged", Fraction(case["points"])), case["why"]


def test_the_order_of_the_lines_does_not_matter() -> None:
    lines = verdicts({"first": 2, "second": 5, "third": 4})
    assert panel(lines, JURY) == panel(lines[::-1], JURY) == 4


def test_a_retry_replaces_an_unusable_verdict_and_the_earliest_usable_one_counts() -> None:
    lines = [
        verdict(by="judge-a", score=None),
        verdict(by="judge-a", score=5, attempt=3),
        verdict(by="judge-a", score=3, attempt=2),
        verdict(by="judge-b", role="second", score=3),
    ]
    assert panel(lines, JURY) == 3


@pytest.mark.parametrize("score", [-1, 0, 6, 100])
def test_a_score_outside_its_scale_is_no_verdict(score: int) -> None:
    lines = [verdict(score=score), verdict(by="judge-b", role="second", score=4)]
    assert panel(lines, JURY) == Withheld(slug="no_verdict", facts={"usable": 1})


def test_a_score_that_came_with_an_error_is_no_verdict() -> None:
    lines = [verdict(score=4, status="error"), verdict(by="judge-b", role="second", score=4)]
    assert isinstance(panel(lines, JURY), Withheld)


def test_a_verdict_on_another_scale_than_the_suites_is_no_verdict() -> None:
    lines = [verdict(score=4, max=10), verdict(by="judge-b", role="second", score=4)]
    assert grade(TASK, "jawaban", lines, ScoreRules(), JURY).reason == "no_verdict"


@pytest.mark.parametrize("role", ["human", "calibration"])
def test_verdicts_outside_the_panel_do_not_count(role: str) -> None:
    lines = [verdict(score=4), verdict(by="judge-b", role="second", score=4), verdict(by="x", role=role, score=1)]
    assert panel(lines, JURY) == 4


def test_a_judged_task_without_jury_rules_has_no_verdict() -> None:
    lines = [verdict(score=4), verdict(by="judge-b", role="second", score=4)]
    assert grade(TASK, "jawaban", lines, ScoreRules(), None).reason == "no_verdict"


def test_points_follow_the_suites_scale() -> None:
    rules = ScoreRules(rubric=RubricScale(min=0, max=10))
    lines = [verdict(score=7, min=0, max=10), verdict(by="judge-b", role="second", score=8, min=0, max=10)]
    assert grade(TASK, "jawaban", lines, rules, JURY).score == 75


def test_a_scale_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="min is not less than max"):
        RubricScale(min=5, max=5)
