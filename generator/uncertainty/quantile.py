"""The median of a sample, with an interval that assumes no distribution."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from generator.uncertainty.exact import Score, checked, counted
from generator.uncertainty.interval import Interval, level
from generator.uncertainty.undefined import Undefined


class Median(NamedTuple):
    """A median between two order statistics.

    ``ranks`` are their places from 1; ``coverage`` is the exact probability that they enclose the true median.
    """

    point: Fraction
    interval: Interval
    ranks: tuple[int, int]
    coverage: Fraction


def median_ranks(n: int, confidence: float = 0.95) -> tuple[tuple[int, int], Fraction] | Undefined:
    """Places l and n + 1 − l of the narrowest symmetric interval, and its coverage.

    The largest l with P(X < l) ≤ (1 − confidence)/2, X binomial(n, ½); coverage 1 − 2P(X < l). 6th and 15th of 20:
    95.86 %. Fewer than six observations cannot reach 95 %.

    Source: Conover, Practical Nonparametric Statistics § 3.2; David & Nagaraja, Order Statistics § 7.1.
    """
    counted(n=n)
    tail = Fraction(1 - level(confidence)) / 2 * 2**n
    below, place = 0, 0
    while place < n and below + comb(n, place) <= tail:
        below += comb(n, place)
        place += 1
    if place == 0:
        return Undefined("too_few", {"n": n, "needed": _smallest(confidence)}) if n else Undefined("no_data", {"n": 0})
    return (place, n + 1 - place), 1 - Fraction(2 * below, 2**n)


def median_interval(values: Sequence[Score], confidence: float = 0.95) -> Median | Undefined:
    """Sample median with its order-statistic interval.

    Assumes independent draws from one distribution, of whatever shape; ties only make the coverage larger.
    """
    ordered = sorted(checked(values))
    n = len(ordered)
    ranks = median_ranks(n, confidence)
    if isinstance(ranks, Undefined):
        return ranks
    (low, high), coverage = ranks
    point = Fraction(ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    interval = Interval(float(ordered[low - 1]), float(ordered[high - 1]))
    return Median(point, interval, (low, high), coverage)


def _smallest(confidence: float) -> int:
    """Observations needed before the smallest and the largest enclose the median with this confidence."""
    n = 1
    while Fraction(2, 2**n) > 1 - Fraction(confidence):
        n += 1
    return n
