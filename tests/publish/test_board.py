"""Boards from stored calls: who is ranked, who is told apart, and the mistakes that benchmark tables make."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.publish.board import board_view
from generator.publish.board_views import BoardView, PairView, Rank, RowView
from generator.publish.independence import fingerprint
from generator.publish.pairs import groups
from generator.records import Figure, Measured, Recipe, Withheld
from generator.uncertainty.pairs import compare_all
from tests.publish.sample import Table, answered, board, contract, scored, service, suite

STRONG, MIDDLE, WEAK = [100] * 10, [100, 100, 100, 100, 100, 0, 0, 0, 0, 0], [0] * 10


def point(figure: Figure) -> Fraction:
    assert isinstance(figure, Measured), figure
    return figure.point


def rows(view: BoardView) -> dict[str, RowView]:
    return {row.service.id: row for row in (*view.rows, *view.unranked)}


def pair(view: BoardView, a: str, b: str) -> PairView:
    return next(each for each in view.pairs if (each.a, each.b) == (a, b))


THREE = {"weak": {"p": WEAK, "q": WEAK}, "strong": {"p": STRONG, "q": STRONG}, "middle": {"p": MIDDLE, "q": MIDDLE}}


def test_services_told_apart_have_ranks_of_their_own() -> None:
    view = board(THREE)
    assert [(row.service.id, row.rank) for row in view.rows] == [
        ("strong", Rank(low=1, high=1)),
        ("middle", Rank(low=2, high=2)),
        ("weak", Rank(low=3, high=3)),
    ]
    assert view.groups == (("strong",), ("middle",), ("weak",))
    assert [(each.a, each.b) for each in view.pairs] == [("strong", "middle"), ("strong", "weak"), ("middle", "weak")]


def test_services_not_told_apart_share_their_places_and_a_group() -> None:
    close = {"p": STRONG, "q": [100] * 9 + [0]}
    view = board({"a": close, "b": {"p": STRONG, "q": STRONG}, "weak": THREE["weak"]})
    assert {name: row.rank for name, row in rows(view).items()} == {
        "a": Rank(low=1, high=2),
        "b": Rank(low=1, high=2),
        "weak": Rank(low=3, high=3),
    }
    assert view.groups == (("b", "a"), ("weak",))


def made(a: str, b: str, p: Fraction) -> PairView:
    recipe = Recipe(method="holm", n=4, unit="tasks")
    figure = Measured(point=p, low=None, high=None, recipe=recipe)
    return PairView(a=a, b=b, difference=figure, p=figure, p_adjusted=figure, won=0, tied=0, lost=0, categories={})


def test_groups_may_overlap_and_hold_no_two_that_are_told_apart() -> None:
    """a-b and b-c open, a-c apart: b belongs to both groups, and no group holds a with c."""
    open_, apart = Fraction(1, 2), Fraction(1, 20)
    assert groups(["a", "b", "c"], [made("a", "b", open_), made("b", "c", open_), made("a", "c", apart)]) == [
        ["a", "b"],
        ["b", "c"],
    ]


@given(st.lists(st.lists(st.sampled_from([0, 50, 100]), min_size=6, max_size=6), min_size=2, max_size=5))
@settings(max_examples=25, deadline=None)
def test_whatever_the_scores_a_rank_set_holds_the_rank_and_groups_hold_everyone(scores: list[list[int]]) -> None:
    view = board({f"s{k}": {"p": each[:3], "q": each[3:]} for k, each in enumerate(scores)})
    for place, row in enumerate(view.rows, 1):
        assert row.rank is not None
        assert row.rank.low <= place <= row.rank.high
    assert {name for group in view.groups for name in group} == {row.service.id for row in view.rows}
    totals = [(-point(row.total), row.service.id) for row in view.rows]
    assert totals == sorted(totals), "the order is total falling, then id"


def test_a_pair_is_won_tied_and_lost_by_tasks_and_differs_by_category() -> None:
    view = board({"a": {"p": [100, 50, 0, 75], "q": [0, 100]}, "b": {"p": [50, 50, 25, 75], "q": [0, 0]}})
    both = pair(view, "a", "b")
    assert (both.won, both.tied, both.lost) == (2, 3, 1)
    assert point(both.categories["p"]) == Fraction(50 + 0 - 25 + 0, 4)
    assert point(both.categories["q"]) == 50
    assert point(both.difference) == (Fraction(25, 4) + 50) / 2
    exact = compare_all({"a": [[100, 50, 0, 75], [0, 100]], "b": [[50, 50, 25, 75], [0, 0]]})["a", "b"]
    assert (point(both.p), point(both.p_adjusted)) == (exact.p, exact.p), "one pair needs no adjustment"


def test_p_values_are_adjusted_over_all_pairs_of_the_board() -> None:
    """Holm (1979) by hand: the smallest times 3, the next times 2, the last times 1; never falling, at most 1."""
    view = board(THREE)
    raw, adjusted = (sorted(point(getattr(each, name)) for each in view.pairs) for name in ("p", "p_adjusted"))
    stepped = [min(Fraction(1), p * times) for p, times in zip(raw, (3, 2, 1), strict=True)]
    assert adjusted == [max(stepped[: k + 1]) for k in range(3)]
    assert raw[0] == Fraction(2, 2**20), "all twenty tasks point one way"


def test_too_many_failed_tasks_are_shown_and_not_ranked() -> None:
    """ns-id-methodology: more than 5 % failed; here 2 of 20."""
    broken = {"p": ["timeout", "error", *[100] * 8], "q": STRONG}
    view = board({"a": broken, "b": {"p": STRONG, "q": STRONG}})
    (row,) = view.unranked
    assert row.unranked == Withheld(slug="incomplete", facts={"failed": 2, "tasks": 20, "allowed_percent": 5})
    assert row.rank is None
    assert row.technical == {"error": 1, "timeout": 1}
    assert point(row.total) == 90, "failed tasks count as nought and stay in the mean"
    assert row.failed == 2


def test_one_failed_of_twenty_is_complete() -> None:
    view = board({"a": {"p": ["timeout", *[100] * 9], "q": STRONG}, "b": {"p": STRONG, "q": STRONG}})
    assert not view.unranked
    assert point(rows(view)["a"].total) == 95


def test_a_call_that_was_never_stored_is_not_a_shorter_denominator() -> None:
    view = board({"a": {"p": [None, 100, 100, 100]}, "b": {"p": STRONG[:4]}})
    assert point(rows(view)["a"].total) == 75
    assert rows(view)["a"].technical == {"no_call": 1}


def test_a_cut_answer_withholds_every_figure_of_its_service_and_only_of_that() -> None:
    of = suite({"p": 6})
    names = ["a", "b"]
    calls = [
        answered(100, service=name, task_id=f"p{k}", call_id=f"{name}{k}", finish_reason=reason)
        for name, k, reason in [
            (name, k, "length" if (name, k) == ("a", 1) else "stop") for name in names for k in range(1, 7)
        ]
    ]
    view = board_view(scored(calls, contract(of, names), of), {name: service(name) for name in names})
    (row,) = view.unranked
    reason = Withheld(slug="truncated", facts={"calls": 1})
    assert row.total == row.automatic == row.unranked == row.categories["p"] == reason
    assert not view.pairs
    assert view.rows[0].rank == Rank(low=1, high=1)
    assert all(score.score == reason for score in row.scores)
    told = [(score.reason, score.failed) for score in row.scores]
    assert told == [("truncated", True), *[("withheld", False)] * 5]
    hidden = [answer for task in view.tasks for answer in task.answers if answer.service == "a"]
    assert all(answer.score == reason for answer in hidden)
    assert [answer.outcome for answer in hidden] == ["technical", *[None] * 5]
    assert not any(answer.read or answer.saw for answer in hidden if answer.outcome is None)
    assert all(answer.output for answer in hidden), "what was said stays published"
    logged = {(call.qualified, call.failure_reason) for call in view.calls if call.service == "a"}
    assert logged == {(False, "truncated"), (None, None)}
    assert view.discrimination == (), "only b is left"


def test_an_incomplete_service_is_not_withheld() -> None:
    view = board({"a": {"p": ["timeout", *[100] * 5]}, "b": {"p": [50] * 6}})
    (row,) = view.unranked
    assert row.unranked == Withheld(slug="incomplete", facts={"failed": 1, "tasks": 6, "allowed_percent": 5})
    assert isinstance(row.total, Measured)
    assert [score.score for score in row.scores] == [0, *[100] * 5]
    assert view.pairs[0].difference != row.total
    assert {task.spread for task in view.discrimination} == {50}


# Traps


def test_perfect_scores_are_not_100_plus_minus_0() -> None:
    """Oracle macro_all_100: six categories of ten perfect tasks."""
    view = board({"a": dict.fromkeys("pqrstu", STRONG)})
    total = view.rows[0].total
    assert isinstance(total, Measured)
    assert (total.point, total.high) == (100, 100)
    assert total.low == pytest.approx(92.6122587400186, abs=1e-9)
    assert view.above_90 == 1


def test_one_service_has_rank_one_and_nobody_beside() -> None:
    view = board({"a": {"p": MIDDLE}})
    assert view.rows[0].rank == Rank(low=1, high=1)
    assert (view.pairs, view.groups) == ((), (("a",),))
    assert view.detectable == Withheld(slug="too_few", facts={"n": 1, "needed": 2})


def test_one_task_tells_nobody_apart() -> None:
    view = board({"a": {"p": [100]}, "b": {"p": [0]}})
    both = pair(view, "a", "b")
    assert point(both.difference) == 100
    assert isinstance(both.difference, Measured)
    assert both.difference.low is None, "no interval, not one of no width"
    assert point(both.p_adjusted) == 1
    assert [row.rank for row in view.rows] == [Rank(low=1, high=2)] * 2
    assert isinstance(view.detectable, Withheld)


def test_ties_everywhere_are_one_group_in_the_order_of_names() -> None:
    view = board({name: {"p": MIDDLE, "q": STRONG} for name in "cab"})
    assert [row.service.id for row in view.rows] == ["a", "b", "c"]
    assert view.groups == (("a", "b", "c"),)
    assert {(row.rank.low, row.rank.high) for row in view.rows if row.rank} == {(1, 3)}
    assert all(point(each.p) == 1 and each.tied == 20 for each in view.pairs)
    assert view.flat == 20
    assert all(isinstance(each.item_rest, Withheld) for each in view.discrimination)


def test_tasks_that_separate_nobody_are_counted_and_have_no_correlation() -> None:
    view = board({"a": {"p": [100, 0, 50]}, "b": {"p": [100, 100, 25]}, "c": {"p": [100, 0, 0]}})
    assert [each.spread for each in view.discrimination] == [0, 100, 50]
    assert view.flat == 1
    assert view.discrimination[0].item_rest == Withheld(slug="no_variation", facts={"n": 3})
    assert isinstance(view.discrimination[1].item_rest, Measured)


def test_identical_repeats_are_flagged_and_count_once() -> None:
    """Repeats at temperature 0 that give the same text carry no further information."""
    thrice: Table = {"a": {"p": [[100] * 3, [0] * 3, [100, 0, 100]]}, "b": {"p": [[100] * 3, [100, 50, 100], [0] * 3]}}
    view = board(thrice)
    assert {score.task_id: score.identical for score in rows(view)["a"].scores} == {"p1": True, "p2": True, "p3": False}
    assert (view.repeated, view.identical) == (6, 4)
    total = rows(view)["a"].total
    assert isinstance(total, Measured)
    assert total.recipe.n == 3
    assert (total.recipe.unit, total.point) == ("tasks", Fraction(100 + 0 + Fraction(200, 3), 3))


def test_ten_tasks_times_ten_repeats_are_ten_tasks() -> None:
    """Oracle repeats_10x10 in spirit: the interval must not shrink because the same tasks were asked again."""
    passed = [10, 10, 9, 9, 8, 8, 7, 6, 5, 3]
    other = [10, 9, 9, 8, 8, 6, 6, 5, 4, 2]
    tenfold = board(
        {
            "a": {"p": [[100] * k + [0] * (10 - k) for k in passed]},
            "b": {"p": [[100] * k + [0] * (10 - k) for k in other]},
        }
    )
    both = pair(tenfold, "a", "b")
    assert isinstance(both.difference, Measured)
    assert both.difference.recipe.n == 10
    assert both.won + both.tied + both.lost == 10
    assert both.difference.low is not None
    assert both.difference.high is not None
    expected = compare_all({"a": [[10 * k for k in passed]], "b": [[10 * k for k in other]]})["a", "b"]
    assert point(both.p) == expected.p
    assert expected.p >= Fraction(2, 2**10), "ten signs can be flipped, not a hundred"
    total = rows(tenfold)["a"].total
    assert isinstance(total, Measured)
    assert total.low is not None
    assert total.high is not None
    assert total.high - total.low > 30


def test_a_macro_total_weighs_categories_alike() -> None:
    """Oracle macro_vs_micro: a category of one task weighs as much as one of three."""
    view = board({"a": {"p": [100], "q": [0, 0, 100]}})
    assert point(view.rows[0].total) == Fraction(200, 3)


def test_cost_and_tokens_are_sums_of_what_is_known() -> None:
    row = rows(board({"a": {"p": [100, 100, "timeout"]}}))["a"]
    assert (row.input_tokens, row.output_tokens, row.cost_usd) == (30, 40, None)


def test_no_figure_of_a_board_is_nan_or_infinite() -> None:
    """Everything that may be undefined at once: one task, no variation, nothing passed, failures."""
    for table in (
        {"a": {"p": [0]}, "b": {"p": [0]}},
        {"a": {"p": ["timeout"]}, "b": {"p": ["timeout"]}},
        {"a": {"p": [100, 100]}, "b": {"p": [100, 100]}},
    ):
        view = board(table)  # type: ignore[arg-type]
        assert "nan" not in repr(view).lower()
        assert "inf" not in repr(view).lower().replace("info", "")
        assert fingerprint([view])


def test_what_is_detectable_is_what_the_adjusted_test_would_show() -> None:
    """Power by scipy's noncentral t at Holm's first step, for the median pair of three services over ten tasks."""
    from scipy import stats

    view = board({
        "a": {"p": [100, 50, 75, 0, 100, 25, 50, 100, 75, 50]}, "b": {"p": [50, 50, 75, 25, 75, 0, 50, 75, 50, 50]},
        "c": {"p": [0, 25, 50, 0, 50, 0, 25, 100, 0, 25]},
    })  # fmt: skip
    scores = {name: [float(task.score) for task in row.scores] for name, row in rows(view).items()}  # type: ignore[arg-type]
    spreads = sorted(
        float(stats.tstd([x - y for x, y in zip(scores[i], scores[j], strict=True)])) for i, j in ("ab", "ac", "bc")
    )
    assert isinstance(view.detectable, Measured)
    shift = float(view.detectable.point) / spreads[1] * 10**0.5
    critical = stats.t.ppf(1 - 0.05 / 3 / 2, 9)
    assert stats.nct.sf(critical, 9, shift) == pytest.approx(0.8, abs=1e-6)


def test_a_task_that_is_not_at_hand_has_no_score_rather_than_a_score_of_nought() -> None:
    of = suite({"p": 4})
    names = ["a", "b"]
    calls = [answered(100, service=name, task_id=f"p{k}", call_id=f"{name}{k}") for name in names for k in range(1, 5)]
    known = replace(of, tasks=of.tasks[:3])
    view = board_view(scored(calls, contract(of, names), known), {name: service(name) for name in names})
    (row, _) = view.unranked
    assert row.total == Withheld(slug="not_at_hand", facts={"tasks": 1})
    assert [score.score for score in row.scores] == [100, 100, 100, Withheld(slug="task_not_at_hand")]
    assert row.failed == 0
    assert [task.task_id for task in view.discrimination] == ["p1", "p2", "p3"]
