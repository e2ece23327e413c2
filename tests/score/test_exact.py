import tomllib
from pathlib import Path

import pytest

from generator.score.exact import accepts

FILE = tomllib.loads((Path(__file__).parents[1] / "cases" / "exact.toml").read_text())
CASES = FILE["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_grader_says_what_the_case_says(case: dict) -> None:
    reading = accepts(
        case["answer"], case["references"], case.get("normalise", FILE["usual"]), case.get("question", "")
    )
    assert reading.right is case["right"], f"{case['why']}: read as {reading.read!r}"
    assert reading.reason == case.get("reason", reading.reason), case["why"]
    assert (reading.reason == "match") is reading.right


def test_every_case_has_its_own_name_and_a_reason() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 120
    assert all(case["why"] for case in CASES)
