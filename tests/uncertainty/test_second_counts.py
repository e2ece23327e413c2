"""Counts: our functions against scipy, statsmodels and plain enumeration."""

from fractions import Fraction
from itertools import product
from math import comb, inf, isnan, prod, sqrt

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats import contingency_tables, proportion

from generator.uncertainty.davidson import Bout, davidson
from generator.uncertainty.fisher import fisher_exact, odds_ratio
from generator.uncertainty.largesample import cochran_mantel_haenszel, homogeneity
from generator.uncertainty.paired import mcnemar_exact, sign_test, tango_interval
from generator.uncertainty.planning import detectable_paired
from generator.uncertainty.power import fisher_power, fisher_rejections, mcnemar_power, sign_test_power
from generator.uncertainty.proportion import newcombe_difference, wilson
from generator.uncertainty.quantile import median_ranks
from generator.uncertainty.sequential import beta_mixture_log_e, confidence_sequence, e_process_2x2
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined

RNG_SEED = 20260907


def random_blocks(count: int, size: int = 6) -> list[list[Table]]:
    """Studies of two to four blocks with a few calls a side, some of them without information."""
    rng = np.random.default_rng(RNG_SEED)
    studies = []
    for _ in range(count):
        blocks = []
        for _ in range(rng.integers(2, 5)):
            n_a, n_b = (int(n) for n in rng.integers(1, size, 2))
            a, b = int(rng.integers(0, n_a + 1)), int(rng.integers(0, n_b + 1))
            blocks.append(Table(a, n_a - a, b, n_b - b))
        studies.append(blocks)
    return studies


@pytest.mark.parametrize("n", [1, 2, 7, 20, 263])
def test_wilson_is_the_interval_of_scipy_and_statsmodels(n: int) -> None:
    for x in range(n + 1):
        ours = wilson(x, n)
        scipy_interval = stats.binomtest(x, n).proportion_ci(method="wilson")
        assert ours == pytest.approx((scipy_interval.low, scipy_interval.high), abs=1e-14)
        assert ours == pytest.approx(proportion.proportion_confint(x, n, method="wilson"), abs=1e-14)


def test_newcombe_is_the_interval_of_statsmodels() -> None:
    for x1, x2 in product(range(11), range(8)):
        ours = newcombe_difference(Table(x1, 10 - x1, x2, 7 - x2))
        theirs = proportion.confint_proportions_2indep(x1, 10, x2, 7, method="newcomb", compare="diff")
        assert (ours.low, ours.high) == pytest.approx(theirs, abs=1e-12)


def test_fisher_on_all_441_tables_of_20_v_20() -> None:
    for a, b in product(range(21), repeat=2):
        ours = fisher_exact(Table(a, 20 - a, b, 20 - b))
        assert float(ours) == pytest.approx(stats.fisher_exact([[a, 20 - a], [b, 20 - b]]).pvalue, abs=1e-14)


def test_fisher_in_floats_would_go_wrong_where_weights_tie() -> None:
    """Why weights are integers: adding float probabilities that are "not above" the observed one misses equal ones."""

    def naive(a: int, b: int) -> float:
        chances = stats.hypergeom(40, a + b, 20).pmf(np.arange(max(0, a + b - 20), min(20, a + b) + 1))
        observed = stats.hypergeom(40, a + b, 20).pmf(a)
        return float(chances[chances <= observed].sum())

    wrong = [
        (a, b)
        for a, b in product(range(21), repeat=2)
        if abs(naive(a, b) - float(fisher_exact(Table(a, 20 - a, b, 20 - b)))) > 1e-6
    ]
    assert len(wrong) > 441 / 6
    assert all(naive(a, b) < float(fisher_exact(Table(a, 20 - a, b, 20 - b))) for a, b in wrong)


def test_conditional_odds_ratio_is_that_of_scipy() -> None:
    for a, b in product(range(9), range(7)):
        ours = odds_ratio([Table(a, 8 - a, b, 6 - b)])
        theirs = stats.contingency.odds_ratio([[a, 8 - a], [b, 6 - b]], kind="conditional")
        if isnan(theirs.statistic):
            assert ours == Undefined("no_information", {"blocks": 1})
            continue
        interval = theirs.confidence_interval()
        expected = [theirs.statistic, interval.low, interval.high]
        found = [inf if isinstance(value, Undefined) else value for value in ours]
        assert found == pytest.approx(expected, rel=1e-9)


def test_exact_block_test_is_the_sum_over_all_fillings() -> None:
    for blocks in random_blocks(60):
        fillings = enumerated(blocks)
        observed = sum(table.passed_a for table in blocks)
        by_total: dict[int, int] = {}
        for counts, weight in fillings:
            by_total[sum(counts)] = by_total.get(sum(counts), 0) + weight
        extreme = sum(weight for weight in by_total.values() if weight <= by_total[observed])
        assert exact_conditional(blocks) == Fraction(extreme, sum(by_total.values()))


def test_zelen_is_the_sum_over_all_fillings_with_the_same_total() -> None:
    compared = 0
    for blocks in random_blocks(60):
        if sum(table.informative for table in blocks) < 2:
            assert isinstance(zelen(blocks), Undefined)
            continue
        observed = tuple(table.passed_a for table in blocks)
        same = [(counts, weight) for counts, weight in enumerated(blocks) if sum(counts) == sum(observed)]
        if len(same) == 1:
            assert zelen(blocks) == Undefined("one_filling", {"blocks": sum(table.informative for table in blocks)})
            continue
        bar = dict(same)[observed]
        assert zelen(blocks) == Fraction(sum(w for _, w in same if w <= bar), sum(w for _, w in same))
        compared += 1
    assert compared > 30


def enumerated(blocks: list[Table]) -> list[tuple[tuple[int, ...], int]]:
    """Every way to fill the blocks within their margins, with the number of ways that lead to it."""
    ranges = [range(max(0, t.passed - t.n_b), min(t.n_a, t.passed) + 1) for t in blocks]
    return [
        (counts, prod(comb(t.n_a, a) * comb(t.n_b, t.passed - a) for t, a in zip(blocks, counts, strict=True)))
        for counts in product(*ranges)
    ]


def test_large_sample_twins_are_those_of_statsmodels() -> None:
    compared = 0
    for blocks in random_blocks(80, size=12):
        speaking = [t for t in blocks if t.informative]
        ratio = mantel_haenszel(speaking)
        if len(speaking) < 2 or isinstance(ratio, Undefined) or ratio in (0, 1):
            continue  # at a ratio of exactly 1 statsmodels divides 0 by 0
        arrays = [np.array([[t.passed_a, t.failed_a], [t.passed_b, t.failed_b]]) for t in speaking]
        theirs = contingency_tables.StratifiedTable([array.astype(float) for array in arrays])
        plain = theirs.test_null_odds(correction=False)
        ours = cochran_mantel_haenszel(blocks, continuity=False)
        assert (ours.statistic, ours.p) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-9)
        assert float(ratio) == pytest.approx(theirs.oddsratio_pooled, rel=1e-12)
        for result, adjust in zip(homogeneity(blocks), (False, True), strict=True):
            equal = theirs.test_equal_odds(adjust=adjust)
            assert (result.statistic, result.p) == pytest.approx((equal.statistic, equal.pvalue), rel=1e-6, abs=1e-9)
        compared += 1
    assert compared > 30


def test_sign_test_is_the_binomial_test() -> None:
    for wins, losses in product(range(16), repeat=2):
        if wins + losses:
            assert float(sign_test(wins, losses)) == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
            table = [[5, wins], [losses, 3]]
            theirs = contingency_tables.mcnemar(table, exact=True).pvalue
            assert float(mcnemar_exact(wins, losses)) == pytest.approx(theirs)


@pytest.mark.parametrize(("b", "c", "n"), [(5, 4, 20), (9, 2, 60), (1, 0, 10), (0, 0, 10), (10, 0, 10), (3, 7, 12)])
def test_tango_bounds_are_where_the_score_test_just_rejects(b: int, c: int, n: int) -> None:
    """Score test at a bound, with the restricted likelihood maximised numerically instead of in closed form."""

    def score(delta: float) -> float:
        def loss(share: float) -> float:  # share: only the second passed
            chances = (share + delta, share, 1 - 2 * share - delta)
            return -sum(k * np.log(max(p, 1e-300)) for k, p in zip((b, c, n - b - c), chances, strict=True))

        bounds = (max(0.0, -delta), (1 - delta) / 2)
        share = optimize.minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x
        return (b - c - n * delta) / sqrt(n * (2 * share + delta - delta**2))

    for bound in tango_interval(b, c, n):
        if abs(bound) < 1:
            assert abs(score(bound)) == pytest.approx(stats.norm.ppf(0.975), rel=1e-4)


def test_fisher_power_is_the_sum_over_scipy_p_values() -> None:
    first, second = stats.binom(12, 0.9).pmf(range(13)), stats.binom(9, 0.3).pmf(range(10))
    expected = sum(
        first[a] * second[b]
        for a, b in product(range(13), range(10))
        if stats.fisher_exact([[a, 12 - a], [b, 9 - b]]).pvalue <= 0.05 + 1e-12
    )
    assert fisher_power(fisher_rejections(12, 9), 0.9, 0.3) == pytest.approx(expected, abs=1e-12)


def test_mcnemar_power_is_the_sum_over_the_trinomial() -> None:
    n, only_first, only_second = 25, 0.3, 0.05
    trinomial = stats.multinomial(n, [only_first, only_second, 1 - only_first - only_second])
    expected = sum(
        trinomial.pmf([b, c, n - b - c])
        for b, c in product(range(n + 1), repeat=2)
        if b + c <= n and mcnemar_exact(b, c) <= 0.05
    )
    assert mcnemar_power(n, only_first, only_second) == pytest.approx(expected, abs=1e-12)


def test_sign_test_power_is_the_sum_over_the_binomial() -> None:
    for n in (5, 9, 30):
        expected = sum(stats.binom(n, 0.7).pmf(k) for k in range(n + 1) if sign_test(k, n - k) <= 0.05)
        assert sign_test_power(n, 0.7) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [2, 5, 12, 60, 1000])
def test_detectable_difference_is_that_of_statsmodels(n: int) -> None:
    from statsmodels.stats.power import TTestPower

    theirs = TTestPower().power(detectable_paired(n), n, 0.05)
    assert float(theirs) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("n", [6, 7, 20, 41, 100])
def test_median_ranks_are_binomial_quantiles(n: int) -> None:
    (low, high), coverage = median_ranks(n)
    cumulative = stats.binom(n, 0.5).cdf
    assert cumulative(low - 1) <= 0.025 < cumulative(low)
    assert high == n + 1 - low
    assert float(coverage) == pytest.approx(1 - 2 * cumulative(low - 1))


@pytest.mark.parametrize(("n", "baseline"), [(1, 0.5), (10, 0.8), (30, 0.07)])
def test_the_mixture_is_a_fair_bet_under_the_baseline(n: int, baseline: float) -> None:
    """An e-value has mean 1 under the hypothesis it is evidence against: summed over all outcomes."""
    chances = stats.binom(n, baseline).pmf(range(n + 1))
    fair = sum(chances[s] * np.exp(beta_mixture_log_e(s, n - s, baseline)) for s in range(n + 1))
    assert fair == pytest.approx(1, abs=1e-10)


def test_the_confidence_sequence_holds_what_the_mixture_has_not_refuted() -> None:
    for s, f in [(16, 4), (0, 20), (5, 4), (80, 20), (1, 0)]:
        low, high = confidence_sequence(s, f)
        for baseline in np.linspace(0.0011, 0.9987, 500):
            refuted = beta_mixture_log_e(s, f, float(baseline)) >= np.log(20)
            assert refuted == (not low < baseline < high)


@pytest.mark.parametrize("chance", [Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
def test_no_block_of_the_e_process_gains_on_average_if_nothing_differs(chance: Fraction) -> None:
    """Whatever came before, the expected factor of the next block is at most 1: summed over all its outcomes."""
    for earlier in ([], [Table(5, 0, 1, 4)], [Table(4, 1, 2, 1), Table(0, 3, 5, 0)]):
        before = e_process_2x2(earlier).values[-1] if earlier else Fraction(1)
        expected = Fraction(0)
        for a, b in product(range(6), range(4)):
            after = e_process_2x2([*earlier, Table(a, 5 - a, b, 3 - b)]).values[-1]
            ways = comb(5, a) * comb(3, b)
            expected += ways * chance ** (a + b) * (1 - chance) ** (8 - a - b) * after
        assert expected <= before


def test_davidson_is_the_maximum_that_scipy_finds() -> None:
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(10):
        sides = ["a", "b", "c", "d"]
        counts = {(i, j): rng.integers(1, 9, 3) for i in range(4) for j in range(i)}
        bouts = [Bout(sides[i], sides[j], *(int(k) for k in row)) for (i, j), row in counts.items()]
        ours = davidson(bouts)

        def loss(x: np.ndarray, counts: dict[tuple[int, int], np.ndarray] = counts) -> float:
            strength, total = np.array([*x[:4]]), 0.0
            for (i, j), row in counts.items():
                logits = np.array([strength[i], strength[j], (strength[i] + strength[j]) / 2 + x[4]])
                total -= row @ (logits - np.logaddexp.reduce(logits))
            return float(total + strength[1] ** 2)  # "b" is named first as the opponent; fix the free constant

        theirs = optimize.minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-8})
        first = bouts[0].first
        shift = theirs.x[sides.index(first)]
        expected = {name: theirs.x[k] - shift for k, name in enumerate(sides)}
        assert ours.log_strength == pytest.approx(expected, abs=1e-4)
        assert ours.log_nu == pytest.approx(theirs.x[4], abs=1e-4)


def test_davidson_knows_when_there_is_no_finite_maximum() -> None:
    """Against linear programming: a direction along which no observed outcome loses exists or does not."""
    rng = np.random.default_rng(RNG_SEED)
    seen = {True: 0, False: 0}
    for _ in range(300):
        sides = [str(k) for k in range(int(rng.integers(2, 5)))]
        bouts = [
            Bout(i, j, *(int(k) for k in rng.integers(0, 2, 3) * rng.integers(0, 2, 3)))
            for i, j in product(sides, repeat=2)
            if i < j
        ]
        if not any(bout.ties for bout in bouts):
            continue
        finite = not isinstance(davidson(bouts), Undefined)
        assert finite == (not recession(bouts, len(sides)))
        seen[finite] += 1
    assert min(seen.values()) > 20


def recession(bouts: list[Bout], size: int) -> bool:
    """Whether some direction other than a common shift never lowers the likelihood."""
    rows = []
    for bout in bouts:
        features = np.zeros((3, size + 1))
        i, j = int(bout.first), int(bout.second)
        features[0, i] = features[1, j] = features[2, size] = 1
        features[2, i] = features[2, j] = 0.5
        counts = (bout.first_wins, bout.second_wins, bout.ties)
        rows += [features[k] - features[m] for k in range(3) if counts[k] for m in range(3) if m != k]
    matrix = np.array(rows)
    free = np.linalg.matrix_rank(matrix) < size  # a direction that changes no observed contrast at all
    gain = optimize.linprog(
        -matrix.sum(axis=0), A_ub=-matrix, b_ub=np.zeros(len(matrix)), bounds=[(-1, 1)] * (size + 1)
    )
    return free or -gain.fun > 1e-9
