"""Whatever goes in, what comes out is a finite number, an exact one, or a reason; and some laws always hold."""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.uncertainty.davidson import Bout, davidson
from generator.uncertainty.duel import davidson_pair, duel
from generator.uncertainty.equivalence import equivalent_rates, smallest_equivalence_n, tost_paired
from generator.uncertainty.fisher import fisher_exact, odds_ratio
from generator.uncertainty.items import constant_tasks, cronbach_alpha, item_rest, share_above
from generator.uncertainty.judges import agreement, gwet_ac2, ordinal_alpha, quadratic_kappa
from generator.uncertainty.largesample import cochran_mantel_haenszel, homogeneity
from generator.uncertainty.macro import macro_mean, macro_t, price_bonett
from generator.uncertainty.multiple import benjamini_hochberg, holm
from generator.uncertainty.paired import mcnemar_exact, paired_mean, tango_interval
from generator.uncertainty.pairs import compare_all
from generator.uncertainty.planning import Noise, detectable_drop, detectable_paired, miller_detectable, miller_n
from generator.uncertainty.power import (
    at_least_once,
    fisher_power,
    fisher_rejections,
    mcnemar_power,
    sign_test_power,
    smallest_winning_split,
)
from generator.uncertainty.proportion import newcombe_difference, wilson
from generator.uncertainty.quantile import median_interval
from generator.uncertainty.ranks import Compared, rank_sets
from generator.uncertainty.repeats import clustered_mean, clustered_share
from generator.uncertainty.rerun import repeatability, rerun
from generator.uncertainty.sequential import beta_mixture_log_e, confidence_sequence, e_process_2x2, running_p
from generator.uncertainty.severity import Rating, additive_severity, triangle_closures
from generator.uncertainty.signflip import sign_flip
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import REASONS, Undefined

UNHURRIED = settings(deadline=None)
"""The first call of a test may import scipy."""
COUNTS = st.one_of(st.integers(0, 6), st.integers(0, 60))
TABLES = st.builds(Table, COUNTS, COUNTS, COUNTS, COUNTS)
SMALL = st.integers(0, 5)
BLOCKS = st.lists(st.builds(Table, SMALL, SMALL, SMALL, SMALL), max_size=4)
LEVELS = st.one_of(st.sampled_from([1e-9, 0.05, 0.5, 0.95, 1 - 1e-9]), st.floats(1e-9, 1 - 1e-9))
CHANCES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
SCORES = st.one_of(st.sampled_from([0, 100]), st.integers(0, 100), st.fractions(0, 100, max_denominator=12))
CATEGORIES = st.lists(st.lists(SCORES, max_size=8), max_size=4)
DIFFERENCES = st.lists(st.one_of(st.just(0), st.fractions(-100, 100, max_denominator=12)), max_size=12)
RATINGS = st.integers(1, 5)


def values(result: Any) -> Iterator[Any]:
    """Everything inside a result, however nested."""
    if isinstance(result, Undefined):
        assert result.slug in REASONS
        yield from result.facts.values()
    elif isinstance(result, dict):
        for part in result.values():
            yield from values(part)
    elif isinstance(result, tuple | list):
        for part in result:
            yield from values(part)
    else:
        yield result


def sound(*results: Any) -> None:
    """No None, no NaN, no infinity, anywhere."""
    for value in values(list(results)):
        assert isinstance(value, bool | int | float | Fraction | Decimal | str), repr(value)
        assert not isinstance(value, float) or math.isfinite(value), repr(value)


def share(value: Any) -> bool:
    return 0 <= value <= 1


@UNHURRIED
@given(COUNTS, COUNTS, LEVELS)
def test_proportions(passed: int, failed: int, confidence: float) -> None:
    n = passed + failed
    interval = wilson(passed, n, confidence)
    sound(interval)
    if not isinstance(interval, Undefined):
        assert 0 <= interval.low <= passed / n <= interval.high <= 1
        assert interval.low < interval.high or confidence < 0.5
    sequence = confidence_sequence(passed, failed, confidence)
    sound(sequence, median_interval(list(range(n)), confidence))
    assert 0 <= sequence.low <= sequence.high <= 1


@UNHURRIED
@given(TABLES, LEVELS)
def test_two_groups(table: Table, confidence: float) -> None:
    difference, p, ratio = newcombe_difference(table, confidence), fisher_exact(table), odds_ratio([table], confidence)
    sound(difference, p, ratio, equivalent_rates(table, Fraction(1, 10)))
    if not isinstance(difference, Undefined):
        assert -1 <= difference.low <= difference.point <= difference.high <= 1
        assert share(p)
    mirrored = Table(table.passed_b, table.failed_b, table.passed_a, table.failed_a)
    assert fisher_exact(mirrored) == p


@UNHURRIED
@given(BLOCKS)
def test_blocks(blocks: list[Table]) -> None:
    pooled, agreed = exact_conditional(blocks), zelen(blocks)
    sound(pooled, agreed, mantel_haenszel(blocks), homogeneity(blocks), odds_ratio(blocks), e_process_2x2(blocks))
    for continuity in (False, True):
        sound(cochran_mantel_haenszel(blocks, continuity=continuity))
    assert isinstance(pooled, Undefined) or share(pooled)
    assert isinstance(agreed, Undefined) or share(agreed)
    assert zelen(blocks[::-1]) == agreed
    if len(blocks) == 1:
        assert pooled == fisher_exact(blocks[0])


@UNHURRIED
@given(COUNTS, COUNTS, COUNTS, LEVELS)
def test_discordant_tasks_and_ballots(b: int, c: int, same: int, confidence: float) -> None:
    interval = tango_interval(b, c, b + c + same, confidence)
    sound(interval, duel(b, c, same, confidence), davidson_pair(b, c, same))
    assert share(mcnemar_exact(b, c))
    if not isinstance(interval, Undefined):
        assert -1 <= interval.low <= (b - c) / (b + c + same) <= interval.high <= 1
        assert interval.low < interval.high or confidence < 0.5


@UNHURRIED
@given(CATEGORIES, LEVELS)
def test_macro_averages(categories: list[list[Fraction]], confidence: float) -> None:
    mean, interval, student = macro_mean(categories), price_bonett(categories, 100, confidence), macro_t(categories)
    sound(mean, interval, student, clustered_mean(categories), paired_mean([s for row in categories for s in row]))
    assert isinstance(mean, Undefined) == isinstance(interval, Undefined)
    if not isinstance(interval, Undefined):
        assert 0 <= mean <= 100
        assert 0 <= interval.low <= interval.high <= 100
        assert interval.low < interval.high or confidence < 0.5
        assert macro_mean([category[::-1] for category in categories[::-1]]) == mean


@UNHURRIED
@given(st.lists(st.lists(st.integers(0, 1), max_size=6), max_size=5), st.booleans())
def test_repeats(clusters: list[list[int]], identical: bool) -> None:
    result = clustered_share([[row[0]] * len(row) if row else [] for row in clusters] if identical else clusters)
    sound(result)
    if not isinstance(result, Undefined):
        assert 0 <= result.low <= result.point <= result.high <= 1
        assert 0 < result.n_effective <= result.runs


@UNHURRIED
@given(DIFFERENCES, LEVELS)
def test_differences(d: list[Fraction], confidence: float) -> None:
    p = sign_flip(d)
    sound(p, paired_mean(d, confidence), tost_paired(d, 3))
    if not isinstance(p, Undefined):
        assert share(p)
        assert p >= Fraction(min(2, 2 ** len(d)), 2 ** len(d))
        assert sign_flip([-value for value in d[::-1]]) == p
        assert sign_flip([value * Fraction(7, 3) for value in d]) == p
        assert sign_flip([*d, 0]) == p


@UNHURRIED
@given(st.lists(st.lists(SCORES, min_size=4, max_size=4), min_size=1, max_size=4))
def test_pairs_and_ranks(rows: list[list[Fraction]]) -> None:
    services = {str(k): [row[:3], row[3:]] for k, row in enumerate(rows)}
    compared = compare_all(services)
    sound(list(compared.values()))
    adjusted = holm([result.p for result in compared.values()])
    tests = {pair: Compared(r.difference, p) for (pair, r), p in zip(compared.items(), adjusted, strict=True)}
    places = rank_sets(list(services), tests, 0.5)
    assert all(1 <= place.best <= place.worst <= len(services) for place in places.values())
    turned = compare_all(dict(reversed(services.items())))
    for (first, second), result in compared.items():
        other = turned[second, first]
        assert (other.difference, other.p, other.won) == (-result.difference, result.p, result.lost)


@UNHURRIED
@given(st.lists(st.fractions(0, 1) | st.just(Fraction(0)), max_size=12))
def test_adjusted_p_values(p: list[Fraction]) -> None:
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p)
        assert all(before <= after <= 1 for before, after in zip(p, adjusted, strict=True))
        order = sorted(range(len(p)), key=p.__getitem__)
        assert sorted(adjusted) == [adjusted[k] for k in order]
    assert all(a >= b for a, b in zip(holm(p), benjamini_hochberg(p), strict=True))


@settings(UNHURRIED, max_examples=60)
@given(st.integers(0, 25), st.integers(0, 25), CHANCES, CHANCES, LEVELS, LEVELS)
def test_power(n_a: int, n_b: int, chance_a: float, chance_b: float, power: float, alpha: float) -> None:
    rejections = fisher_rejections(n_a, n_b, alpha)
    found = fisher_power(rejections, chance_a, chance_b)
    sound(found, detectable_drop(n_a, n_b, chance_a, power, alpha), smallest_winning_split(n_a, alpha))
    assert share(found)
    assert share(sign_test_power(n_a, chance_a, alpha))
    assert share(at_least_once(chance_a, n_a))
    assert share(mcnemar_power(n_a, chance_a / 2, chance_b / 2, alpha))
    assert fisher_power(rejections, chance_a, chance_a) <= alpha + 1e-9


@settings(UNHURRIED, max_examples=60)
@given(st.integers(0, 2000), st.floats(-5, 5), LEVELS, LEVELS, st.floats(0.01, 100))
def test_planning(n: int, omega: float, power: float, alpha: float, difference: float) -> None:
    noise = Noise(omega, 0.25, 0.25, 3, 1)
    sound(miller_n(difference, noise, power, alpha), miller_detectable(n, noise, power, alpha))
    sound(detectable_paired(n, power, alpha))


@settings(UNHURRIED, max_examples=60)
@given(st.fractions(Fraction(1, 500), Fraction(99, 100)), st.floats(1e-6, 0.49))
def test_smallest_equivalence(margin: Fraction, alpha: float) -> None:
    n = smallest_equivalence_n(margin, alpha)
    assert equivalent_rates(Table(n, 0, n, 0), margin, alpha).equivalent
    assert n == 1 or not equivalent_rates(Table(n - 1, 0, n - 1, 0), margin, alpha).equivalent


@UNHURRIED
@given(COUNTS, COUNTS, LEVELS, st.lists(st.booleans(), max_size=30))
def test_evidence_that_grows(passed: int, failed: int, baseline: float, outcomes: list[bool]) -> None:
    sound(beta_mixture_log_e(passed, failed, baseline))
    running = running_p(outcomes, baseline)
    sound(running)
    assert all(share(p) for p in running)


@UNHURRIED
@given(st.lists(st.tuples(RATINGS, RATINGS), max_size=12))
def test_two_judges(pairs: list[tuple[int, int]]) -> None:
    results = [quadratic_kappa(pairs), ordinal_alpha(pairs), gwet_ac2(pairs, range(1, 6))]
    sound(agreement(pairs), results)
    assert all(isinstance(r, Undefined) or r <= 1 for r in results)
    if pairs and all(a == b for a, b in pairs):
        assert all(isinstance(r, Undefined) or r == 1 for r in results)


@UNHURRIED
@given(st.lists(st.lists(RATINGS, max_size=4), max_size=8))
def test_many_judges(units: list[list[int]]) -> None:
    sound(ordinal_alpha(units), gwet_ac2(units, range(1, 6)))


@UNHURRIED
@given(st.dictionaries(st.tuples(st.integers(0, 6), st.sampled_from("abcd")), RATINGS, max_size=20))
def test_severity(scores: dict[tuple[int, str], int]) -> None:
    ratings = [Rating(answer, judge, score) for (answer, judge), score in scores.items()]
    result = additive_severity(ratings)
    sound(result, [closure.gap for closure in triangle_closures(ratings)])
    if not isinstance(result, Undefined):
        assert sum(result.effects.values()) == 0
        shifted = [rating._replace(score=rating.score + rating.answer) for rating in ratings]
        assert additive_severity(shifted).effects == result.effects


@settings(UNHURRIED, max_examples=60)
@given(st.lists(st.builds(Bout, st.just("a"), st.sampled_from("bc"), SMALL, SMALL, SMALL), max_size=4))
def test_strengths(bouts: list[Bout]) -> None:
    sound(davidson(bouts), davidson([bout._replace(first="b", second="c") for bout in bouts]))


@UNHURRIED
@given(st.lists(st.lists(SCORES, min_size=3, max_size=3), max_size=5))
def test_items(scores: list[list[Fraction]]) -> None:
    sound(item_rest(scores), cronbach_alpha(scores), constant_tasks(scores), share_above([sum(row) for row in scores]))


CENTS = st.integers(0, 10000).map(lambda cents: Decimal(cents) / 100)


@UNHURRIED
@given(st.lists(st.tuples(CENTS, CENTS), max_size=5), CENTS, LEVELS)
def test_reruns(pairs: list[tuple[Decimal, Decimal]], tolerance: Decimal, confidence: float) -> None:
    sound(repeatability(pairs, confidence), [rerun(*pair, tolerance) for pair in pairs])
    for first, second in pairs:
        exact = abs(Fraction(second) - Fraction(first)) <= Fraction(tolerance)
        assert rerun(first, second, tolerance).within == exact
