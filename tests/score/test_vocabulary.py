import tomllib
from pathlib import Path

import pytest

from generator.records import ScoreRules, VocabularyTask
from generator.score import grade

FILE = tomllib.loads((Path(__file__).parents[1] / "cases" / "vocabulary.toml").read_text())
CASES = FILE["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_grader_says_what_the_case_says(case: dict) -> None:
    word = FILE[case["of"]]
    task = VocabularyTask(
        id="t",
        category="c",
        access="public",
        prompt="Apa artinya?",
        word="x",
        word_language="jv",
        senses=tuple(word["senses"]),
        distractors=tuple(word["distractors"]),
    )
    mark = grade(task, case["answer"], (), ScoreRules(), None)
    assert mark.reason == case["reason"], f"{case['why']}: read as {mark.read!r}"
    known = case["reason"] == "match"
    assert (mark.score, mark.outcome) == ((100, "passed") if known else (0, "failed"))


def test_every_case_has_its_own_name_and_a_reason() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert all(case["why"] for case in CASES)
    assert {case["reason"] for case in CASES} == {
        "match", "does_not_know", "no_match", "too_long", "negated", "distractor", "alternatives",
    }  # fmt: skip
