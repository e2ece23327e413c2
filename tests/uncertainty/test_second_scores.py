"""Scores and judges: our functions against scipy, statsmodels, numpy, krippendorff and plain enumeration."""

from fractions import Fraction
from itertools import combinations, product

import krippendorff
import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats import inter_rater, multitest, weightstats

from generator.uncertainty.equivalence import tost_paired
from generator.uncertainty.items import cronbach_alpha, item_rest
from generator.uncertainty.judges import gwet_ac2, ordinal_alpha, quadratic_kappa
from generator.uncertainty.linear import inverse
from generator.uncertainty.macro import macro_mean, macro_t, price_bonett, weighted
from generator.uncertainty.multiple import benjamini_hochberg, holm
from generator.uncertainty.paired import paired_mean
from generator.uncertainty.pairs import compare_all
from generator.uncertainty.repeats import clustered_mean, clustered_share
from generator.uncertainty.severity import Rating, additive_severity, triangle_closures
from generator.uncertainty.signflip import sign_flip, sign_flip_steps

RNG_SEED = 20260907


def rng() -> np.random.Generator:
    return np.random.default_rng(RNG_SEED)


def as_fractions(values: np.ndarray, denominator: int = 1) -> list[Fraction]:
    return [Fraction(int(value), denominator) for value in values]


def test_paired_mean_is_the_t_test_of_scipy() -> None:
    for n in (2, 3, 12, 60):
        d = rng().integers(-100, 101, n)
        ours, theirs = paired_mean(as_fractions(d)), stats.ttest_1samp(d, 0)
        interval = theirs.confidence_interval()
        assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), rel=1e-10)
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_sign_flip_is_the_share_of_all_sign_patterns() -> None:
    source = rng()
    for n in range(1, 11):
        for high in (1, 3, 50):
            d = [int(value) for value in source.integers(-high, high + 1, n)]
            sums = [
                abs(sum(sign * value for sign, value in zip(signs, d, strict=True)))
                for signs in product((1, -1), repeat=n)
            ]
            assert sign_flip(d) == Fraction(sum(total >= abs(sum(d)) for total in sums), 2**n)


def test_sign_flip_does_not_depend_on_how_the_magnitudes_are_split() -> None:
    """Coarse and fine magnitudes mixed, more than 64 of them, and a common factor: against one plain polynomial."""
    source = rng()
    for n, steps in ((20, 7), (70, 1), (130, 3)):
        d = [int(k) * 24 * steps for k in source.integers(-8, 9, n)] + [int(k) for k in source.integers(-60, 61, 6)]
        ways = {0: 1}
        for value in d:
            longer: dict[int, int] = {}
            for total, count in ways.items():
                for moved in (total + value, total - value):
                    longer[moved] = longer.get(moved, 0) + count
            ways = longer
        far = sum(count for total, count in ways.items() if abs(total) >= abs(sum(d)))
        assert sign_flip_steps(d) == Fraction(far, 2 ** len(d))
        assert sign_flip([Fraction(value, 77) for value in d]) == sign_flip_steps(d)


def test_sign_flip_is_the_exact_permutation_test_of_scipy() -> None:
    d = rng().integers(-30, 40, 11).astype(float)
    theirs = stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert float(sign_flip(as_fractions(d))) == pytest.approx(theirs.pvalue, abs=1e-12)


def test_macro_t_of_two_categories_is_welch() -> None:
    """Mean of two means is half the difference of one and the negated other: Welch's two-sample test."""
    source = rng()
    x, y = source.integers(0, 101, 9), source.integers(0, 101, 14)
    ours, theirs = macro_t([as_fractions(x), as_fractions(y)]), stats.ttest_ind(x, -y, equal_var=False)
    interval = theirs.confidence_interval()
    assert ours.df == pytest.approx(theirs.df)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert (ours.low, ours.high) == pytest.approx((interval.low / 2, interval.high / 2))


def test_price_bonett_of_passed_and_failed_is_the_published_formula() -> None:
    """Price & Bonett for Σ p/C in its own notation: p̃ = (x + 2/C)/(n + 4/C), Σ p̃(1 − p̃)/(n + 4/C)."""
    passed, sizes = [10, 7, 9, 0, 3], [10, 8, 9, 5, 7]
    scores = [[100] * x + [0] * (n - x) for x, n in zip(passed, sizes, strict=True)]
    c = len(sizes)
    tilde = [(x + 2 / c) / (n + 4 / c) for x, n in zip(passed, sizes, strict=True)]
    error = np.sqrt(sum(p * (1 - p) / (n + 4 / c) for p, n in zip(tilde, sizes, strict=True))) / c
    middle, half = 100 * np.mean(tilde), 100 * stats.norm.ppf(0.975) * error
    assert price_bonett(scores) == pytest.approx((middle - half, middle + half), rel=1e-12)


def test_all_pairs_are_what_one_pair_at_a_time_gives() -> None:
    source = rng()
    sizes = (10, 7, 4)
    services = {
        name: [[Fraction(int(k) * 25, 3) for k in source.integers(0, 13, n)] for n in sizes]
        for name in ("a", "b", "c", "d")
    }
    compared = compare_all(services)
    assert list(compared) == list(combinations(services, 2))
    for (first, second), result in compared.items():
        categories = zip(services[first], services[second], strict=True)
        d = [[x - y for x, y in zip(*pair, strict=True)] for pair in categories]
        single = macro_t(d)
        assert result.difference == macro_mean(d) == sum(weighted(d))
        assert result.interval == pytest.approx((single.low, single.high), rel=1e-12)
        assert result.p == sign_flip(weighted(d))
        flat = [value for category in d for value in category]
        assert (result.won, result.lost) == (sum(v > 0 for v in flat), sum(v < 0 for v in flat))
        assert result.won + result.tied + result.lost == sum(sizes)


@pytest.mark.parametrize("sizes", [[5] * 10, [1, 2, 3, 4, 5, 10], [1, 1]])
def test_clustered_mean_is_the_clustered_regression_of_statsmodels(sizes: list[int]) -> None:
    source = rng()
    clusters = [[int(k) for k in source.integers(0, 101, n)] for n in sizes]
    groups = np.repeat(np.arange(len(sizes)), sizes)
    flat = np.concatenate(clusters).astype(float)
    fit = OLS(flat, np.ones(len(flat))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    ours = clustered_mean(clusters)
    assert float(ours.point) == pytest.approx(fit.params[0])
    assert ours.standard_error == pytest.approx(fit.bse[0], rel=1e-10)


def test_design_effect_is_the_ratio_of_the_two_variances() -> None:
    clusters = [[1, 1, 1, 0], [0, 0], [1, 1, 1, 1, 1], [0, 1, 0], [0, 0, 0, 0]]
    ours, mean = clustered_share(clusters), clustered_mean(clusters)
    p, n = float(ours.point), ours.runs
    assert float(ours.design_effect) == pytest.approx(mean.standard_error**2 / (p * (1 - p) / n))
    assert ours.n_effective == pytest.approx(n / float(ours.design_effect))


def test_adjusted_p_values_are_those_of_statsmodels() -> None:
    p = list(rng().random(50) ** 3)
    assert holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1])
    assert benjamini_hochberg(p) == pytest.approx(multitest.multipletests(p, method="fdr_bh")[1])
    exact = [Fraction(value) for value in p]
    assert [float(value) for value in holm(exact)] == pytest.approx(holm(p))
    assert [float(value) for value in benjamini_hochberg(exact)] == pytest.approx(benjamini_hochberg(p))


def test_tost_is_that_of_statsmodels() -> None:
    source = rng()
    x, y = source.integers(80, 100, 15), source.integers(81, 101, 15)
    ours = tost_paired(as_fractions(x - y), 4)
    theirs = weightstats.ttost_paired(x.astype(float), y.astype(float), -4, 4)
    assert (ours.p, ours.p_lower, ours.p_upper) == pytest.approx((theirs[0], theirs[1][1], theirs[2][1]), rel=1e-9)


def test_kappa_is_that_of_statsmodels() -> None:
    source = rng()
    first, second = source.integers(1, 6, 40), source.integers(2, 6, 40)
    table = np.zeros((5, 5))
    np.add.at(table, (first - 1, second - 1), 1)
    theirs = inter_rater.cohens_kappa(table, wt="quadratic", return_results=False)
    assert float(quadratic_kappa([(int(a), int(b)) for a, b in zip(first, second, strict=True)])) == pytest.approx(
        theirs
    )


def test_alpha_with_missing_scores_is_that_of_krippendorff() -> None:
    source = rng()
    for raters in (2, 3, 5):
        scores = source.integers(1, 6, (raters, 30)).astype(float)
        scores[source.random(scores.shape) < 0.3] = np.nan
        theirs = krippendorff.alpha(reliability_data=scores, level_of_measurement="ordinal")
        units = [[int(score) for score in column if not np.isnan(score)] for column in scores.T]
        assert float(ordinal_alpha(units)) == pytest.approx(theirs, abs=1e-12)


def test_ac2_of_two_judges_is_the_weighted_table_formula() -> None:
    source = rng()
    first, second = source.integers(1, 6, 30), source.integers(2, 6, 30)
    weights = 1 - (np.subtract.outer(np.arange(5), np.arange(5)) / 4) ** 2
    table = np.zeros((5, 5))
    np.add.at(table, (first - 1, second - 1), 1 / 30)
    share = (table.sum(axis=0) + table.sum(axis=1)) / 2
    luck = weights.sum() / 20 * (share * (1 - share)).sum()
    expected = ((weights * table).sum() - luck) / (1 - luck)
    pairs = [(int(a), int(b)) for a, b in zip(first, second, strict=True)]
    assert float(gwet_ac2(pairs, range(1, 6))) == pytest.approx(expected, abs=1e-12)


def test_severity_is_the_least_squares_fit_of_numpy() -> None:
    source = rng()
    judges = ["a", "b", "c", "d"]
    for _ in range(5):
        ratings = [
            Rating(answer, judge, int(source.integers(1, 6)))
            for answer in range(25)
            for judge in source.choice(judges, int(source.integers(1, 4)), replace=False)
        ]
        design = np.zeros((len(ratings) + 1, 25 + 4))
        for row, rating in enumerate(ratings):
            design[row, rating.answer] = design[row, 25 + judges.index(rating.judge)] = 1
        design[-1, 25:] = 1  # the effects sum to 0
        target = np.array([*(float(rating.score) for rating in ratings), 0.0])
        fit, *_ = np.linalg.lstsq(design, target, rcond=None)
        ours = additive_severity(ratings)
        assert [float(ours.effects[judge]) for judge in judges] == pytest.approx(fit[25:], abs=1e-10)
        residual = target - design @ fit
        variance = residual @ residual / ours.residual_df
        assert float(ours.residual_variance) == pytest.approx(variance)
        covariance = variance * np.linalg.inv(design.T @ design)
        reduced = np.sqrt(np.diag(covariance)[25:] - variance / 16)
        assert [ours.standard_error[judge] for judge in judges] == pytest.approx(reduced)


def test_triangles_close_when_effects_are_purely_additive() -> None:
    lenient = {"a": 2, "b": 0, "c": -1}
    seen_by = [("a", "b"), ("b", "c"), ("a", "c"), ("a", "b", "c")]
    ratings = [Rating(n, judge, n + lenient[judge]) for n, judges in enumerate(seen_by) for judge in judges]
    (closure,) = triangle_closures(ratings)
    assert closure.gap == 0
    assert closure.shared == (2, 2, 2)
    crossed = [r._replace(score=r.score + 3) if (r.answer, r.judge) == (2, "a") else r for r in ratings]
    assert triangle_closures(crossed)[0].gap == Fraction(-3, 2)


def test_item_rest_and_alpha_are_those_of_numpy() -> None:
    scores = rng().integers(0, 101, (9, 6))
    rows = [as_fractions(row) for row in scores]
    for place, found in enumerate(item_rest(rows)):
        rest = scores.sum(axis=1) - scores[:, place]
        assert found == pytest.approx(np.corrcoef(scores[:, place], rest)[0, 1])
    covariance = np.cov(scores.T)
    expected = 6 / 5 * (1 - np.trace(covariance) / covariance.sum())
    assert float(cronbach_alpha(rows)) == pytest.approx(expected)


def test_inverse_is_that_of_numpy_and_exact_for_fractions() -> None:
    matrix = rng().integers(-9, 10, (5, 5))
    exact = [[Fraction(int(value)) for value in row] for row in matrix]
    assert np.array(inverse(matrix.astype(float).tolist())) == pytest.approx(np.linalg.inv(matrix))
    back = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*inverse(exact), strict=True)]
        for row in exact
    ]
    assert back == [[int(i == j) for j in range(5)] for i in range(5)]
    with pytest.raises(ZeroDivisionError):
        inverse([[1.0, 2.0], [2.0, 4.0]])
