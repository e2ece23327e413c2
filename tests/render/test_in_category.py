"""What is said of one category: designs of intervals × the sentence they carry."""

import itertools

import msgspec
import pytest

from generator.publish.board_views import BoardView
from generator.records import Figure, Withheld
from generator.render import in_category
from tests.render import sample
from tests.render.sample_suite import measured

replace = msgspec.structs.replace
NONE = Withheld(slug="no_data", facts={"n": 0})

DIFFERENCES: dict[str, tuple[Figure, bool]] = {
    "all above zero": (measured(9, 0.1, 20.0), True),
    "all below zero": (measured(-9, -20.0, -0.1), True),
    "touches zero": (measured(9, 0.0, 20.0), False),
    "holds zero": (measured(9, -2.0, 20.0), False),
    "no interval": (measured(9), False),
    "withheld": (NONE, False),
}
"""Difference within the category -> whether its interval leaves out zero."""


def with_means(points: list[int]) -> BoardView:
    view = sample.board()
    names = [each.id for each in view.categories]
    rows = tuple(
        replace(row, categories=dict.fromkeys(names, measured(mean)))
        for row, mean in zip(view.rows, points, strict=True)
    )
    return replace(view, rows=rows, unranked=())


def test_the_highest_is_among_all_services_and_ties_are_shared() -> None:
    view = sample.board()
    found = [
        (each.category.id, [one.id for one in each.services], each.mean.point) for each in in_category.highest(view)
    ]
    assert found == [
        ("pengetahuan", ["layanan-a"], 100), ("instruksi", ["layanan-a"], 100), ("menulis", ["layanan-a"], 75),
    ]  # fmt: skip
    assert [each.judged for each in in_category.highest(view)] == [0, 0, 1]
    tied = in_category.highest(with_means([7, 7, 7]))
    assert [one.id for one in tied[0].services] == ["layanan-a", "layanan-b", "layanan-c"]


def test_an_unranked_service_can_be_the_highest() -> None:
    view = with_means([7, 5, 9])
    view = replace(view, rows=view.rows[:2], unranked=view.rows[2:])
    found = in_category.category(view, view.categories[0])
    assert [one.id for one in found[0].slots["services"]] == ["layanan-c"]  # type: ignore[union-attr]
    assert [row.service.id for row in in_category.ordered(view, view.categories[0])] == [
        "layanan-c", "layanan-a", "layanan-b",
    ]  # fmt: skip


def test_nothing_scored_and_nothing_measured_are_said_apart() -> None:
    scoreless = with_means([0, 0, 0])
    assert [(each.services, each.mean.point) for each in in_category.highest(scoreless)] == [((), 0)] * 3
    slugs = [each.slug for each in in_category.category(scoreless, scoreless.categories[0])]
    assert slugs == ["category_nobody", "board_not_shown"]
    nothing = replace(
        scoreless, rows=tuple(replace(r, categories=dict.fromkeys(r.categories, NONE)) for r in scoreless.rows)
    )
    assert in_category.highest(nothing) == ()
    assert [each.slug for each in in_category.category(nothing, nothing.categories[0])] == ["category_withheld"]


def test_a_tie_at_the_top_sets_nobody_apart() -> None:
    view = with_means([7, 7, 3])
    slugs = [each.slug for each in in_category.category(view, view.categories[0])]
    assert slugs == ["category_tied", "board_not_shown"]


@pytest.mark.parametrize("outcome", list(itertools.product(DIFFERENCES, repeat=2)), ids=" and ".join)
def test_apart_is_said_of_those_whose_interval_leaves_out_zero(outcome: tuple[str, str]) -> None:
    view = with_means([9, 5, 4])
    about = view.categories[0]
    pairs = tuple(
        replace(pair, categories={about.id: DIFFERENCES[name][0]})
        for pair, name in zip(view.pairs, outcome, strict=False)
    )
    assert [(pair.a, pair.b) for pair in pairs] == [("layanan-a", "layanan-b"), ("layanan-a", "layanan-c")]
    found = in_category.category(replace(view, pairs=pairs), about)
    said = {each.slug: [one.id for one in each.slots["others"]] for each in found if "others" in each.slots}  # type: ignore[union-attr]
    apart = [other for other, name in zip(("layanan-b", "layanan-c"), outcome, strict=True) if DIFFERENCES[name][1]]
    beside = [other for other in ("layanan-b", "layanan-c") if other not in apart]
    assert said.get("category_apart", []) == apart
    assert said.get("category_beside", []) == beside
