"""OpenAI's GSM8K answers, graded again from their text: totals, verdicts and the paired table of two systems.

The data lie outside the project (licence MIT, github.com/openai/grade-school-math); without them nothing is checked.
"""

import json
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from generator.publish.board import board_view
from generator.publish.board_views import BoardView
from generator.records import Category, ExactTask, Measured, Suite, SuiteFile, TaskLock, Text
from generator.uncertainty.paired import mcnemar_exact
from tests.conftest import ROOT
from tests.publish.sample import contract, scored, service
from tests.sample_calls import call

DATA = ROOT.parent / "shared" / "data" / "gsm8k_openai" / "example_model_solutions.jsonl"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the answers are not at hand")

PUBLISHED = {"6b_finetuning": 286, "6b_verification": 515, "175b_finetuning": 458, "175b_verification": 742}
"""Right answers of 1319 by the flags in the file."""


@cache
def rows() -> tuple[dict[str, object], ...]:
    return tuple(json.loads(line) for line in DATA.read_text("utf-8").splitlines())


def final_answer(solution: str) -> str:
    """What stands after the last ``A:``, without thousands commas and dollar signs; empty where there is none."""
    _, found, answer = solution.rpartition("A:")
    return answer.replace(",", "").replace("$", "").strip() if found else ""


@cache
def board() -> BoardView:
    """All four systems over all questions, graded by our exact grader and aggregated as any run is."""
    tasks = tuple(
        ExactTask(
            id=f"q{k:04d}",
            category="arithmetic",
            access="public",
            prompt=str(row["question"]),
            references=(final_answer(str(row["ground_truth"])),),
        )
        for k, row in enumerate(rows(), 1)
    )
    file = SuiteFile(
        schema=1,
        id="gsm8k",
        version="1",
        language="en",
        title=Text(id="GSM8K", en="GSM8K"),
        licence="MIT",
        canary="c",
        category=(Category(id="arithmetic", name=Text(id="a", en="a")),),
    )
    lock = tuple(
        TaskLock(id=t.id, category="arithmetic", kind="exact", access="public", repeats=1, commitment="0" * 64)
        for t in tasks
    )
    of = Suite(file=file, tasks=tasks, lock=lock, sha256="5" * 64)
    names = {name: f"s-{name}" for name in PUBLISHED}
    calls = [
        call(
            service=names[name],
            task_id=task.id,
            call_id=f"{name}-{task.id}",
            output=final_answer(row[name]["solution"]) or "none",  # type: ignore[index]
            output_tokens=None,
        )
        for name in PUBLISHED
        for task, row in zip(tasks, rows(), strict=True)
    ]
    run = scored(calls, contract(of, list(names.values())), of)
    return board_view(run, {name: service(name) for name in names.values()})


def right(name: str) -> dict[str, bool]:
    row = next(row for row in (*board().rows, *board().unranked) if row.service.id == f"s-{name}")
    return {score.task_id: score.score == 100 for score in row.scores}


@pytest.mark.parametrize(("name", "count"), PUBLISHED.items())
def test_totals_come_out_as_published(name: str, count: int) -> None:
    assert sum(right(name).values()) == count
    row = next(row for row in board().rows if row.service.id == f"s-{name}")
    assert isinstance(row.total, Measured)
    assert row.total.point == Fraction(100 * count, 1319)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_single_verdict_agrees(name: str) -> None:
    flags = [row[name]["is_correct"] for row in rows()]  # type: ignore[index]
    assert list(right(name).values()) == flags


def test_answers_without_a_final_line_are_wrong() -> None:
    """SOURCE: 4, 1, 5 and 1 answers have no ``A:`` line."""
    without = {name: sum("A:" not in row[name]["solution"] for row in rows()) for name in PUBLISHED}  # type: ignore[index]
    assert list(without.values()) == [4, 1, 5, 1]


def test_the_paired_table_and_its_exact_test() -> None:
    """306 both right, 209 only 6b_verification, 152 only 175b_finetuning, 652 both wrong."""
    one, other = right("6b_verification"), right("175b_finetuning")
    table = Counter((one[task], other[task]) for task in one)
    assert [table[key] for key in ((True, True), (True, False), (False, True), (False, False))] == [306, 209, 152, 652]
    pair = next(each for each in board().pairs if (each.a, each.b) == ("s-6b_verification", "s-175b_finetuning"))
    assert (pair.won, pair.tied, pair.lost) == (209, 306 + 652, 152)
    assert isinstance(pair.p, Measured)
    assert pair.p.point == mcnemar_exact(209, 152), "for right and wrong, sign flipping is McNemar's exact test"
    assert isinstance(pair.difference, Measured)
    assert pair.difference.point == Fraction(100 * (209 - 152), 1319)
