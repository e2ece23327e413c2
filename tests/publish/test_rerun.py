"""Re-run checks: decimal arithmetic, what else must not change, and what two pairs support."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from generator.publish.rerun import rerun_view, two_decimals
from generator.publish.rerun_views import RerunView
from generator.publish.scored import ScoredRun
from generator.records import Figure, Measured, Recipe, Rerun, Setting, Withheld
from tests.publish.sample import Table, rerun, scored_table, suite

BASE: Table = {name: {"p": [100] * 4} for name in ("luna", "haiku")}
RECIPE = Recipe(method="macro_mean", n=60, unit="tasks")


def with_totals(run: ScoredRun, totals: dict[str, str]) -> ScoredRun:
    """The run as if its services had these totals."""
    return msgspec.structs.replace(
        run,
        services=tuple(
            msgspec.structs.replace(
                score,
                total=Measured(point=Fraction(Decimal(totals[score.service])), low=None, high=None, recipe=RECIPE),
            )
            for score in run.services
        ),
    )


def check(first: dict[str, str], second: dict[str, str], tolerance: str = "3.00") -> RerunView:
    one, other = (scored_table(dict.fromkeys(first, BASE["luna"]), run_id=name) for name in ("r", "r2"))
    return rerun_view(with_totals(other, second), with_totals(one, first), Rerun(of="r", tolerance=Decimal(tolerance)))


def point(figure: Figure) -> Fraction:
    assert isinstance(figure, Measured), figure
    return figure.point


def test_the_published_re_run_comes_out_as_published() -> None:
    """ns-id-methodology: 97.4 then 96.99, and 93.19 then 93.3; oracle rerun_check: SD 0.2122 on 2 df, limit 1.29."""
    view = check({"luna": "97.4", "haiku": "93.19"}, {"luna": "96.99", "haiku": "93.3"})
    assert [(pair.difference, pair.within) for pair in view.pairs] == [
        (Decimal("-0.41"), True),
        (Decimal("0.11"), True),
    ]
    assert float(point(view.noise)) == pytest.approx(0.2122, abs=5e-5)
    assert isinstance(view.noise, Measured)
    assert (view.noise.low, view.noise.high) == pytest.approx((0.11, 1.33), abs=0.01)
    assert float(point(view.limit)) == pytest.approx(1.29, abs=0.005)
    assert (view.noise.recipe.n, view.noise.recipe.unit) == (2, "pairs")


@pytest.mark.parametrize(
    ("first", "second", "within"),
    [
        ("1.15", "4.15", True),
        ("4.15", "1.15", True),
        ("1.15", "4.16", False),
        ("4.16", "1.15", False),
        ("0", "3", True),
    ],
)
def test_totals_exactly_3_apart_are_within_3(first: str, second: str, within: bool) -> None:
    """In binary floats 4.15 − 1.15 is more than 3, as it is for 348 pairs of two-decimal totals."""
    view = check({"a": first}, {"a": second})
    assert view.pairs[0].within is within


def test_the_totals_are_compared_as_they_are_printed() -> None:
    """Exact thirds differ by more than their two decimals say; a reader can only check the latter."""
    assert two_decimals(Measured(point=Fraction(200, 3), low=None, high=None, recipe=RECIPE)) == Decimal("66.67")
    assert two_decimals(Measured(point=Fraction(1, 200), low=None, high=None, recipe=RECIPE)) == Decimal("0.00")
    assert two_decimals(Measured(point=Fraction(3, 200), low=None, high=None, recipe=RECIPE)) == Decimal("0.02")
    assert two_decimals(Withheld(slug="truncated")) is None


def test_changed_tasks_and_identical_answers_are_counted() -> None:
    view = rerun({"a": {"p": [100, 100, 0, 50]}}, {"a": {"p": [100, 75, 0, 50]}})
    (pair,) = view.pairs
    assert (pair.changed_tasks, pair.identical_answers, pair.answers) == (1, 3, 4)
    assert pair.difference == Decimal("-6.25")
    assert pair.within is False


def test_pairs_that_do_not_differ_have_no_noise_rather_than_noise_of_nought() -> None:
    view = rerun(BASE, BASE)
    assert view.noise == view.limit == Withheld(slug="no_variation", facts={"n": 2})
    assert all(pair.within for pair in view.pairs)


def test_a_withheld_total_has_no_difference_and_no_verdict() -> None:
    one, other = scored_table(BASE), scored_table(BASE, run_id="r2")
    gone = Withheld(slug="truncated", facts={"calls": 1})
    cut = msgspec.structs.replace(
        other, services=(msgspec.structs.replace(other.services[0], total=gone), *other.services[1:])
    )
    view = rerun_view(cut, one, Rerun(of="r", tolerance=Decimal(3)))
    assert [(pair.difference, pair.within) for pair in view.pairs] == [(None, None), (Decimal("0.00"), True)]


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"grader": "g-2"}, ("grader",)),
        ({"params": {"luna": {"temperature": Setting(asked=1, applied=1)}}}, ("settings",)),
        ({"of": suite({"p": 4}, sha256="6" * 64)}, ("suite",)),
        ({"of": suite({"p": 4}, sha256="6" * 64), "grader": "g-2"}, ("suite", "grader")),
    ],
)
def test_nothing_is_concluded_where_more_than_the_answers_changed(
    fields: dict[str, Any], changed: tuple[str, ...]
) -> None:
    view = rerun(BASE, BASE, **fields)
    assert view.changed == changed
    assert all(pair.within is None and pair.difference is None for pair in view.pairs)
    assert isinstance(view.noise, Withheld)


def test_only_services_of_both_runs_are_compared() -> None:
    view = rerun(BASE, {"luna": BASE["luna"], "new": BASE["luna"]})
    assert [pair.service for pair in view.pairs] == ["luna"]
