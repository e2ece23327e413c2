import tomllib
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from generator.records import Check, ChecksTask, Contains, ScoreRules, Words
from generator.score import grade
from generator.score.checks import look

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "checks.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_check_says_what_the_case_says(case: dict) -> None:
    seen = look(msgspec.convert(case["check"], Check), case["answer"])
    assert seen.check == case["check"]["type"]
    assert seen.passed is case["passed"], f"{case['why']}: saw {seen.saw}, wanted {seen.wanted}"
    assert seen.saw == case.get("saw", seen.saw), case["why"]


def test_every_case_has_its_own_name_and_a_reason() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 100
    assert all(case["why"] for case in CASES)


def test_every_kind_of_check_has_a_case_that_passes_and_one_that_fails() -> None:
    said = {(case["check"]["type"], case["passed"]) for case in CASES}
    kinds = {kind.__struct_config__.tag for kind in Check.__args__}
    assert said == {(kind, passed) for kind in kinds for passed in (True, False)}


@pytest.mark.parametrize(
    ("answer", "score", "outcome"),
    [
        ("Saya membaca buku", Fraction(100), "passed"),
        ("buku", Fraction(200, 3), "failed"),
        ("kopi", Fraction(100, 3), "failed"),
    ],
)
def test_the_score_is_the_exact_share_of_checks_passed(answer: str, score: Fraction, outcome: str) -> None:
    checks = (Contains(text="buku"), Words(min=2), Words(max=9))
    task = ChecksTask(id="t", category="c", access="public", prompt="…", checks=checks)
    mark = grade(task, answer, (), ScoreRules(), None)
    assert (mark.score, mark.outcome, len(mark.saw)) == (score, outcome, 3)


@pytest.mark.parametrize(
    ("bounds", "wanted"),
    [({"equals": 5}, "5"), ({"min": 3}, "≥ 3"), ({"max": 5}, "≤ 5"), ({"min": 3, "max": 5}, "3–5")],
)
def test_what_is_wanted_needs_no_language(bounds: dict, wanted: str) -> None:
    assert look(Words(**bounds), "satu").wanted == wanted
