"""A study over time: nothing is joined across a change, and one point is no trend."""

from datetime import timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from generator.publish.longitudinal import series_views
from generator.publish.series_views import SeriesView
from generator.publish.study_views import StudyView
from generator.records import Figure, Measured, Setting, Stop, Withheld
from generator.uncertainty.proportion import Difference, change, newcombe_difference, wilson
from generator.uncertainty.tables import Table
from tests.publish.sample import START, Counts, changed, comparison, passes, study, study_calls, suite

DECLARED = comparison(control="c")
TWO: Counts = {"a": passes([16], 20), "b": passes([8], 20), "c": passes([12], 20)}


def run(day: int, a: int = 16, b: int = 8, c: int = 12, declared: Any = DECLARED, **fields: Any) -> StudyView:
    """A run of 20 requests a service on some day; ``a``, ``b`` and the control ``c`` pass so many."""
    counts: Counts = {"a": passes([a], 20), "b": passes([b], 20), "c": passes([c], 20)}
    return study(counts, declared, run_id=f"r{day}", start=START + timedelta(days=day), **fields)


def point(figure: Figure) -> Fraction:
    assert isinstance(figure, Measured), figure
    return figure.point


def only(*studies: StudyView) -> SeriesView:
    (series,) = series_views(studies)
    return series


def test_one_run_is_one_point_and_no_trend() -> None:
    series = only(run(0))
    assert [each.breaks for each in series.points] == [("first",)]
    assert series.changes == ()
    assert series.services == ("a", "b", "c")


def test_runs_come_in_the_order_of_time_with_absolute_and_relative_rates() -> None:
    series = only(run(7, a=10, c=6), run(0))
    assert [each.run_id for each in series.points] == ["r0", "r7"]
    first, last = series.points
    assert [point(first.rates[name]) for name in "abc"] == [80, 40, 60]
    assert {name: point(figure) for name, figure in last.relative.items()} == {"a": 20, "b": 10}
    assert last.breaks == ()


def test_a_bad_day_for_all_is_not_a_change_of_one() -> None:
    """Absolute the service falls by 30 points; beside the control, which falls as much, it does not move."""
    series = only(run(0, a=16, c=16), run(7, a=10, c=10))
    fall = next(each for each in series.changes if each.service == "a")
    assert (point(fall.absolute), point(fall.relative)) == (-30, 0)
    assert (fall.first, fall.last) == ("r0", "r7")
    assert isinstance(fall.relative, Measured)
    assert fall.relative.low is not None
    assert fall.relative.high is not None
    assert fall.relative.low < -20 < 20 < fall.relative.high
    assert (fall.absolute.recipe.n, fall.relative.recipe.n) == (40, 80)  # type: ignore[union-attr]


def test_the_interval_of_a_change_holds_for_all_compared_services_together() -> None:
    """Two services: each interval at 97.5 %."""
    series = only(run(0), run(7, a=10))
    fall = series.changes[0]
    expected = newcombe_difference(Table(10, 10, 16, 4), 0.975)
    assert isinstance(expected, Difference)
    assert isinstance(fall.absolute, Measured)
    assert (fall.absolute.low, fall.absolute.high) == pytest.approx((100 * expected.low, 100 * expected.high))


@pytest.mark.parametrize(
    ("second", "reasons"),
    [
        ({"of": suite({"t": 1}, sha256="6" * 64)}, ("suite",)),
        ({"grader": "g-2"}, ("grader",)),
        ({"params": {"a": {"temperature": Setting(asked=1, applied=1)}}}, ("settings",)),
        ({"declared": comparison(control="c", stop=Stop(rule="fixed", n_per_service=30))}, ("breach",)),
        ({"grader": "g-2", "of": suite({"t": 1}, sha256="6" * 64)}, ("suite", "grader")),
    ],
)
def test_no_line_crosses_a_change_and_the_break_names_it(second: dict[str, Any], reasons: tuple[str, ...]) -> None:
    series = only(run(0), run(7, **second))
    assert series.points[1].breaks == reasons
    assert series.changes == ()


def test_no_line_crosses_a_change_of_task() -> None:
    of = suite({"t": 2})
    calls = [msgspec.structs.replace(each, task_id="t2") for each in study_calls(TWO, START + timedelta(days=7))]
    other = study(TWO, comparison(task="t2", control="c"), calls, run_id="r7", start=START + timedelta(days=7), of=of)
    assert only(run(0, of=of), other).points[1].breaks == ("task",)


def test_a_requested_model_of_another_name_is_another_setting() -> None:
    first, second = run(0), run(7)
    renamed = tuple(msgspec.structs.replace(each, requested_model="m2") for each in second.services)
    assert only(first, msgspec.structs.replace(second, services=renamed)).points[1].breaks == ("settings",)


def test_a_change_is_taken_over_the_last_unbroken_stretch_only() -> None:
    new = {"grader": "g-2"}
    series = only(run(0, a=20), run(7, a=18, **new), run(14, a=12, **new), run(21, a=10, **new))
    assert [each.breaks for each in series.points] == [("first",), ("grader",), (), ()]
    assert [(each.first, each.last, point(each.absolute)) for each in series.changes if each.service == "a"] == [
        ("r7", "r21", -40)
    ]


def test_without_a_control_nothing_is_relative() -> None:
    free = comparison()
    series = only(run(0, declared=free), run(7, declared=free))
    assert series.points[0].relative == {}
    assert {each.relative.slug for each in series.changes if isinstance(each.relative, Withheld)} == {"no_control"}


def test_other_pairs_and_other_controls_are_other_series() -> None:
    studies = [run(0), run(7, declared=comparison(control="b")), run(14, declared=comparison(between=("a", "c")))]
    assert len(series_views(studies)) == 3


def test_a_sequential_run_makes_all_its_intervals_valid_at_any_time() -> None:
    declared = comparison(control="c", stop=Stop(rule="sequential", method="e_process_2x2"))
    series = only(run(0, declared=declared), run(7, declared=declared))
    relative = series.points[0].relative["a"]
    assert isinstance(relative, Measured)
    assert relative.recipe.method == "sequence_difference"


def test_a_broken_run_stands_alone_on_both_sides() -> None:
    broken = run(7, calls=changed(study_calls(TWO, START + timedelta(days=7)), 0, max_output_tokens=1))
    series = only(run(0), broken, run(14))
    assert [each.breaks for each in series.points] == [("first",), ("breach",), ("breach",)]


@pytest.mark.parametrize("n", [20, 50])
def test_the_difference_of_differences_is_newcombes_where_one_side_is_certain(n: int) -> None:
    """Second implementation: with an earlier difference known exactly, the bounds are those of the later one."""
    later = newcombe_difference(Table(n // 2, n - n // 2, n // 4, n - n // 4))
    assert isinstance(later, Difference)
    known = Difference(Fraction(1, 10), 0.1, 0.1)
    found = change(later, known)
    assert (found.low, found.high) == pytest.approx((later.low - 0.1, later.high - 0.1))


def test_two_differences_subtract_their_bounds_in_squares() -> None:
    """Newcombe's own construction, applied to two rates instead of two differences, is the same function."""
    both = newcombe_difference(Table(16, 4, 8, 12))
    sides = [Difference(Fraction(k, 20), *wilson(k, 20)) for k in (16, 8)]  # type: ignore[misc]
    assert change(*sides) == pytest.approx(both)


def test_changes_add_up_along_a_line() -> None:
    runs = [run(7 * k, a=20 - 3 * k) for k in range(4)]
    steps = [only(*two).changes[0] for two in pairwise(runs)]
    assert sum(point(step.absolute) for step in steps) == point(only(*runs).changes[0].absolute) == -45
