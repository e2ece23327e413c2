"""Repeats, tasks, categories, total: exact, and nothing falls out of a denominator."""

from fractions import Fraction
from statistics import median

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.aggregate import ServiceScore, is_complete, last_attempts, score_run, task_score, technical
from generator.records import (
    Category,
    Design,
    Mark,
    Measured,
    Run,
    ScoreRules,
    Suite,
    SuiteFile,
    SuiteRef,
    TaskLock,
    Text,
    Withheld,
)

ZERO = "0" * 64
RULES = ScoreRules()


def lock(name: str, category: str = "a", kind: str = "exact", repeats: int = 1) -> TaskLock:
    return TaskLock(id=name, category=category, kind=kind, access="public", repeats=repeats, commitment=ZERO)  # type: ignore[arg-type]


def suite(*locks: TaskLock) -> Suite:
    names = list(dict.fromkeys(each.category for each in locks))
    file = SuiteFile(
        schema=1,
        id="s",
        version="1",
        language="id",
        title=Text(id="s", en="s"),
        licence="CC-BY-4.0",
        canary="c",
        category=tuple(Category(id=name, name=Text(id=name, en=name)) for name in names),
    )
    return Suite(file=file, tasks=(), lock=locks, sha256=ZERO)


def contract(*services: str) -> Run:
    return Run(
        schema=1,
        run_id="r",
        purpose="formal",
        suite=SuiteRef(id="s", version="1", sha256=ZERO),
        services=services,
        grader="g-1",
        place="here",
        design=Design(seed=1),
        params={},
    )


def scored(points: int | Fraction) -> Mark:
    return Mark(outcome="passed" if points else "failed", score=Fraction(points), reason="match")


FAILED = technical("timeout", RULES)


def run(table: dict[str, list[int]], withheld: dict[str, Withheld] | None = None) -> ServiceScore:
    """One service over tasks named by category, with one score each."""
    locks = [lock(f"{name}{k}", name) for name, scores in table.items() for k in range(len(scores))]
    marks = {
        ("x", f"{name}{k}", 1): scored(points) for name, scores in table.items() for k, points in enumerate(scores)
    }
    (result,) = score_run(contract("x"), suite(*locks), marks, withheld or {})
    return result


def test_total_weighs_categories_not_tasks() -> None:
    """statistics.md, macro_vs_micro: a category of one task weighs as much as one of three."""
    result = run({"a": [100], "b": [0, 0, 100]})
    assert isinstance(result.total, Measured)
    assert result.total.point == (Fraction(100) + Fraction(100, 3)) / 2


def test_a_slot_without_a_call_is_a_failure_not_a_gap() -> None:
    (result,) = score_run(contract("x"), suite(lock("t1"), lock("t2")), {("x", "t1", 1): scored(100)}, {})
    assert isinstance(result.total, Measured)
    assert result.total.point == 50
    assert [task.reason for task in result.tasks] == ["match", "no_call"]
    assert (result.failed, result.complete) == (1, False)


@pytest.mark.parametrize(("failed", "complete"), [(0, True), (3, True), (4, False), (60, False)])
def test_more_than_five_percent_failed_is_incomplete(failed: int, complete: bool) -> None:
    """ns-id-methodology: more than 3 of 60."""
    assert is_complete(failed, 60, RULES) is complete


@pytest.mark.parametrize(
    ("kind", "marks", "score", "failed"),
    [
        ("rubric", [scored(0), scored(75), scored(100)], 75, False),
        ("rubric", [scored(50), FAILED, scored(100)], 50, False),
        ("rubric", [FAILED, FAILED, scored(100)], 0, True),
        ("exact", [scored(100), scored(0)], 50, False),
        ("exact", [FAILED], 0, True),
        ("exact", [scored(100), FAILED], 50, False),
    ],
)
def test_repeats_become_one_score(kind: str, marks: list[Mark], score: int, failed: bool) -> None:
    result = task_score(lock("t", kind=kind, repeats=len(marks)), marks)
    assert (result.score, result.failed) == (score, failed)


def test_withheld_service_has_no_figure_at_all() -> None:
    reason = Withheld(slug="truncated", facts={"calls": 3})
    result = run({"a": [100, 0]}, {"x": reason})
    assert [result.total, result.automatic, result.judged, result.categories["a"]] == [reason] * 4


def test_the_ceiling_keeps_a_width() -> None:
    """The bootstrap would say 100 ± 0; statistics.md 1.6 gives 92.6122587400186 for six categories of ten."""
    result = run({name: [100] * 10 for name in "abcdef"})
    assert isinstance(result.total, Measured)
    assert result.total.low == pytest.approx(92.6122587400186, abs=1e-9)
    assert result.total.high == 100


def test_one_task_is_enough_for_a_figure_and_says_little() -> None:
    result = run({"a": [100]})
    assert isinstance(result.total, Measured)
    assert result.total.low is not None
    assert result.total.low < 50


scores = st.lists(st.integers(0, 100), min_size=1, max_size=8)


@given(st.dictionaries(st.sampled_from("abcdef"), scores, min_size=1))
def test_total_is_the_exact_mean_of_means_in_any_order(table: dict[str, list[int]]) -> None:
    result = run(table)
    backwards = run({name: values[::-1] for name, values in reversed(table.items())})
    expected = sum(Fraction(sum(values), len(values)) for values in table.values()) / len(table)
    assert isinstance(result.total, Measured)
    assert isinstance(backwards.total, Measured)
    assert result.total.point == backwards.total.point == expected
    assert result.total.low is not None
    assert result.total.high is not None
    assert 0 <= result.total.low <= result.total.high <= 100


@given(st.lists(st.integers(0, 100), min_size=1, max_size=5))
def test_median_of_repeats_ignores_their_order(points: list[int]) -> None:
    marks = [scored(each) for each in points]
    one = task_score(lock("t", kind="rubric", repeats=len(marks)), marks)
    other = task_score(lock("t", kind="rubric", repeats=len(marks)), marks[::-1])
    assert one.score == other.score == Fraction(median(map(Fraction, points)))


@given(st.permutations(["x", "y", "z"]))
def test_names_decide_nothing(names: list[str]) -> None:
    """Whatever a service is called and wherever it stands in the contract, its marks decide its score."""
    marks = {(name, "t1", 1): scored(index * 50) for index, name in enumerate(names)}
    results = score_run(contract(*names), suite(lock("t1")), marks, {})
    totals = [each.total.point for each in results if isinstance(each.total, Measured)]
    assert totals == [0, 50, 100]


def test_the_last_attempt_decides() -> None:
    from tests.sample_calls import call

    first, second = call(attempt=1, status="timeout"), call(attempt=2)
    assert last_attempts([second, first]) == last_attempts([first, second])
    assert last_attempts([first, second])[first.service, first.task_id, first.repeat] is second
    assert msgspec.structs.asdict(second)["attempt"] == 2
