"""Mistakes that benchmark tables make, each shown not to happen here."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from generator.uncertainty.duel import duel
from generator.uncertainty.equivalence import equivalent_rates, tost_paired
from generator.uncertainty.fisher import fisher_exact, odds_ratio
from generator.uncertainty.items import constant_tasks, cronbach_alpha, item_rest
from generator.uncertainty.judges import gwet_ac2, ordinal_alpha, quadratic_kappa
from generator.uncertainty.largesample import homogeneity
from generator.uncertainty.macro import macro_mean, macro_t, price_bonett
from generator.uncertainty.multiple import benjamini_hochberg, holm, separated
from generator.uncertainty.paired import mcnemar_exact, paired_mean, sign_test, tango_interval
from generator.uncertainty.pairs import compare_all
from generator.uncertainty.proportion import newcombe_difference, wilson
from generator.uncertainty.ranks import Compared, RankSet, rank_sets
from generator.uncertainty.repeats import clustered_mean, clustered_share
from generator.uncertainty.rerun import rerun
from generator.uncertainty.sequential import beta_mixture_log_e, e_process_2x2, running_p
from generator.uncertainty.severity import Rating, additive_severity
from generator.uncertainty.signflip import sign_flip
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined

ALL_PASS, ALL_FAIL = Table(5, 0, 5, 0), Table(0, 5, 0, 5)


def test_perfect_scores_are_not_100_plus_minus_0() -> None:
    """Resampling sixty perfect scores gives 100 every time; the interval must still say what sixty tasks can carry."""
    perfect = [[100] * 10] * 6
    source = np.random.default_rng(1)
    resampled = {float(source.choice(category, 10).mean()) for category in perfect for _ in range(50)}
    assert resampled == {100}
    low, high = price_bonett(perfect)
    assert low < 93
    assert high == 100
    assert macro_t(perfect) == Undefined("no_variation", {"n": 60})


def test_20_of_20_and_0_of_20_have_a_width_and_an_exact_end() -> None:
    assert wilson(20, 20) == pytest.approx((0.8388748, 1.0), abs=1e-6)
    assert wilson(20, 20).high == 1
    assert wilson(0, 20).low == 0
    assert newcombe_difference(Table(20, 0, 20, 0)).low < 0 < newcombe_difference(Table(20, 0, 20, 0)).high
    assert newcombe_difference(Table(10, 0, 0, 10)).high == 1
    assert fisher_exact(Table(20, 0, 20, 0)) == 1
    assert odds_ratio([Table(20, 0, 20, 0)]) == Undefined("no_information", {"blocks": 1})
    assert isinstance(odds_ratio([Table(20, 0, 0, 20)]).point, Undefined)
    assert odds_ratio([Table(0, 20, 20, 0)]).point == 0


def test_20_v_20_cannot_show_equivalence_within_ten_points() -> None:
    assert not equivalent_rates(Table(20, 0, 20, 0), Fraction(1, 10)).equivalent
    assert equivalent_rates(Table(25, 0, 25, 0), Fraction(1, 10)).equivalent


def test_blocks_in_which_all_pass_change_nothing_and_break_nothing() -> None:
    blocks = [Table(5, 0, 1, 4), Table(4, 1, 2, 3), Table(2, 3, 1, 4)]
    padded = [ALL_PASS, *blocks, ALL_FAIL]
    assert exact_conditional(padded) == exact_conditional(blocks)
    assert zelen(padded) == zelen(blocks)
    assert homogeneity(padded) == homogeneity(blocks)
    assert homogeneity(padded).breslow_day.df == 2
    assert mantel_haenszel(padded) == mantel_haenszel(blocks)
    assert exact_conditional([ALL_PASS, ALL_FAIL]) == 1
    assert zelen([ALL_PASS, ALL_FAIL]) == Undefined("one_block", {"blocks": 0})
    assert mantel_haenszel([ALL_PASS, ALL_FAIL]) == Undefined("no_information", {"blocks": 2})
    assert e_process_2x2([ALL_PASS] * 4).p == 1


def test_a_reversed_block_hides_from_the_pooled_p_but_not_from_homogeneity() -> None:
    steady = [Table(a, 5 - a, b, 5 - b) for a, b in [(5, 1), (4, 2), (4, 3), (3, 2)]]
    reversed_last = [Table(a, 5 - a, b, 5 - b) for a, b in [(5, 0), (5, 1), (5, 2), (1, 5)]]
    assert exact_conditional(steady) == exact_conditional(reversed_last)
    assert zelen(steady) > Fraction(1, 2)
    assert zelen(reversed_last) < Fraction(1, 1000)


def test_one_task_has_no_interval() -> None:
    assert paired_mean([Fraction(7)]) == Undefined("too_few", {"n": 1, "needed": 2})
    assert macro_t([[50], [70, 80]]) == Undefined("too_few", {"n": 1, "needed": 2})
    assert clustered_mean([[0, 1, 1]]) == Undefined("too_few", {"n": 1, "needed": 2})
    assert clustered_share([[0, 1, 1]]) == Undefined("too_few", {"n": 1, "needed": 2})
    assert sign_flip([7]) == 1
    low, high = price_bonett([[100]])
    assert 0 <= low < 100 <= high
    (result,) = compare_all({"a": [[100]], "b": [[0]]}).values()
    assert (result.difference, result.p, result.interval) == (100, 1, Undefined("too_few", {"n": 1, "needed": 2}))


def test_one_service_has_rank_one_and_no_pairs() -> None:
    assert compare_all({"a": [[100, 50]]}) == {}
    assert compare_all({}) == {}
    assert rank_sets(["a"], {}) == {"a": RankSet(1, 1)}
    assert holm([]) == benjamini_hochberg([]) == []
    assert cronbach_alpha([[100, 50]]) == Undefined("too_few", {"n": 1, "needed": 2})
    assert all(isinstance(value, Undefined) for value in item_rest([[100, 50]]))


def test_ties_everywhere_separate_nobody() -> None:
    services = {name: [[100, 0, 50], [25, 75, 100]] for name in "abcd"}
    compared = compare_all(services)
    assert all((r.p, r.won, r.tied, r.lost, r.difference) == (1, 0, 6, 0, 0) for r in compared.values())
    assert all(r.interval == Undefined("no_variation", {"n": 6}) for r in compared.values())
    adjusted = holm([r.p for r in compared.values()])
    places = rank_sets(list(services), {k: Compared(0, p) for k, p in zip(compared, adjusted, strict=True)})
    assert set(places.values()) == {RankSet(1, 4)}
    assert mcnemar_exact(0, 0) == sign_test(0, 0) == 1
    low, high = tango_interval(0, 0, 20)
    assert low == -high < 0
    ballots = duel(0, 0, 11)
    assert ballots.decisive == Undefined("no_data", {"n": 0})
    assert ballots.strength == Undefined("no_information", {"n": 11})
    assert ballots.tie_rate.point == 1


def test_equal_differences_are_not_a_certainty() -> None:
    """Twelve tasks each 5 points better: a t interval would be "5 ± 0" and its p 0."""
    assert paired_mean([5] * 12) == Undefined("no_variation", {"n": 12})
    assert tost_paired([0] * 12, 3) == Undefined("no_variation", {"n": 12})
    assert sign_flip([5] * 12) == Fraction(2, 2**12)


def test_ties_in_a_duel_are_not_split_half_and_half() -> None:
    with_ties, without = duel(9, 1, 10), duel(9, 1, 0)
    assert with_ties.p == without.p == sign_test(9, 1)
    assert with_ties.p < Fraction(1, 20) < sign_test(14, 6)
    assert with_ties.net_preference.point == without.net_preference.point / 2


def test_a_failed_task_is_a_zero_and_cannot_be_left_out() -> None:
    assert macro_mean([[100, 100, 0, 0]]) == 50
    for absent in (None, math.nan, "", 66.7):
        with pytest.raises(TypeError):
            macro_mean([[100, 100, absent, 0]])
    with pytest.raises(ValueError, match="same tasks"):
        compare_all({"a": [[100, 100]], "b": [[100]]})
    assert macro_mean([[100], []]) == Undefined("no_data", {"empty_categories": 1})


def test_macro_is_not_micro() -> None:
    scores = [[100, 0], [100] * 8]
    assert macro_mean(scores) == 75
    assert Fraction(sum(map(sum, scores)), 10) == 90


def test_identical_repeats_at_temperature_0_count_once() -> None:
    tasks = [1, 1, 1, 0, 1, 0, 1, 1, 1, 1]
    repeated = clustered_share([[task] * 10 for task in tasks])
    assert repeated.runs == 100
    assert repeated.n_effective <= 10
    assert repeated.design_effect >= 10
    once = wilson(sum(tasks), len(tasks))
    assert repeated.low <= once.low
    assert repeated.high >= once.high
    perfect = clustered_share([[1] * 10] * 10)
    assert (perfect.low, perfect.high) == wilson(10, 10)
    assert isinstance(perfect.design_effect, Undefined)


def test_10_tasks_times_10_repeats_are_not_100_tasks() -> None:
    passed = [10, 10, 9, 9, 8, 8, 7, 6, 5, 3]
    runs = [[1] * k + [0] * (10 - k) for k in passed]
    honest, naive = clustered_share(runs), wilson(75, 100)
    assert honest.n_effective < 40
    assert honest.high - honest.low > 1.5 * (naive.high - naive.low)
    per_task = paired_mean([Fraction(k, 10) for k in passed])
    assert clustered_mean(runs).standard_error == pytest.approx(per_task.standard_error, rel=1e-12)


def test_repeats_never_count_for_more_than_they_are() -> None:
    """Runs that differ within tasks more than by chance would give a design effect below 1; it is held at 1."""
    alternating = clustered_share([[0, 1, 0, 1]] * 6)
    assert alternating.design_effect == 1
    assert alternating.n_effective == 24


def test_totals_exactly_3_apart_are_within_3() -> None:
    assert 4.15 - 1.15 > 3
    assert rerun(Decimal("1.15"), Decimal("4.15"), Decimal(3)).within
    assert not rerun(Decimal("1.15"), Decimal("4.16"), Decimal(3)).within
    assert rerun(Decimal("97.4"), Decimal("96.99"), Decimal(3)) == (Decimal("-0.41"), True)


def test_nan_is_refused_wherever_a_number_comes_in() -> None:
    nan = math.nan
    scores = [nan, Fraction(1)]
    for refuse in (
        lambda: paired_mean(scores),
        lambda: sign_flip(scores),
        lambda: price_bonett([scores]),
        lambda: macro_t([scores]),
        lambda: compare_all({"a": [scores], "b": [scores]}),
        lambda: clustered_mean([scores, scores]),
        lambda: item_rest([scores] * 4),
        lambda: additive_severity([Rating(1, "a", nan), Rating(1, "b", 3)]),
        lambda: holm([0.01, nan]),
        lambda: benjamini_hochberg([0.01, nan]),
        lambda: wilson(nan, 20),
        lambda: wilson(16, 20, nan),
        lambda: Table(nan, 1, 1, 1),
        lambda: beta_mixture_log_e(1, 1, nan),
        lambda: running_p([True], nan),
        lambda: rerun(Decimal("NaN"), Decimal(1), Decimal(3)),
        lambda: rank_sets(["a", "b"], {}, nan),
    ):
        with pytest.raises((TypeError, ValueError)):
            refuse()


def test_an_undefined_comparison_does_not_count_as_one_that_was_made() -> None:
    given = {"ab": 0.01, "ac": Undefined("no_data"), "bc": 0.03}
    defined, missing = separated(given)
    assert dict(zip(defined, holm(list(defined.values())), strict=True)) == {"ab": 0.02, "bc": 0.03}
    assert missing == {"ac": Undefined("no_data")}


def test_constant_ratings_have_no_kappa_and_no_alpha_but_agree() -> None:
    pairs = [(5, 5)] * 20
    assert quadratic_kappa(pairs) == Undefined("no_variation", {"n": 20})
    assert ordinal_alpha(pairs) == Undefined("no_variation", {"n": 40})
    assert gwet_ac2(pairs, range(1, 6)) == 1


def test_a_constant_task_has_no_correlation_rather_than_a_correlation_of_0() -> None:
    scores = [[100, 0, 50], [100, 100, 70], [100, 50, 10]]
    assert constant_tasks(scores) == [0]
    assert item_rest(scores)[0] == Undefined("no_variation", {"n": 3})


def test_unlinked_judges_cannot_be_compared() -> None:
    ratings = [Rating(1, "a", 5), Rating(1, "b", 4), Rating(2, "c", 3), Rating(2, "d", 3)]
    assert additive_severity(ratings) == Undefined("not_connected", {"judges": 4})
    with pytest.raises(ValueError, match="twice"):
        additive_severity([Rating(1, "a", 5), Rating(1, "a", 4), Rating(1, "b", 4)])


def test_more_passed_than_tried_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="17 passed of 16"):
        wilson(17, 16)
    with pytest.raises(ValueError, match="-1"):
        Table(-1, 1, 1, 1)
    with pytest.raises(ValueError, match="discordant"):
        tango_interval(3, 3, 5)


def test_a_running_p_never_rises() -> None:
    outcomes = np.random.default_rng(3).random(60) < 0.4
    values = running_p([bool(outcome) for outcome in outcomes], 0.8)
    assert all(later <= earlier <= 1 for earlier, later in pairwise(values))
    assert values[-1] < 0.05


def test_blocks_that_could_not_disagree_are_not_said_to_agree() -> None:
    """One service failed every request: the passes can be spread over the blocks in one way, whose chance is 1."""
    blocks = [Table(4, 1, 0, 5), Table(2, 3, 0, 5), Table(2, 3, 0, 5), Table(2, 3, 0, 5)]
    assert zelen(blocks) == Undefined("one_filling", {"blocks": 4})
