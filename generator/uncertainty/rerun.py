"""A total measured twice: is the difference within the tolerance, and what may be concluded from a few pairs?

Totals are decimal numbers as printed. In binary floats 348 pairs of two-decimal totals exactly 3.00 apart (4.15 and
1.15) would fail a tolerance of 3.
"""

from collections.abc import Sequence
from decimal import Decimal
from math import sqrt
from typing import NamedTuple

from generator.uncertainty.interval import level
from generator.uncertainty.student import t_quantile
from generator.uncertainty.undefined import Undefined


class Rerun(NamedTuple):
    """Second total minus first, and whether its size is at most the tolerance."""

    difference: Decimal
    within: bool


class Repeatability(NamedTuple):
    """Noise of one whole run, from pairs of runs.

    ``limit`` is the difference that two runs of one service should rarely (1 − confidence) exceed: t·√2·SD.
    """

    pairs: int
    standard_deviation: float
    low: float
    high: float
    limit: float


def rerun(first: Decimal, second: Decimal, tolerance: Decimal) -> Rerun:
    """Compare two totals in decimal arithmetic; a difference of exactly the tolerance is within it.

    Raises:
        TypeError: a number is not a ``Decimal``.
        ValueError: a number is NaN or infinite, or the tolerance is negative.
    """
    for number in (first, second, tolerance):
        _finite(number)
    if tolerance < 0:
        raise ValueError(f"found a tolerance of {tolerance}, expected 0 or more")
    difference = second - first
    return Rerun(difference, abs(difference) <= tolerance)


def repeatability(pairs: Sequence[tuple[Decimal, Decimal]], confidence: float = 0.95) -> Repeatability | Undefined:
    """Standard deviation of a run, √(Σd²/2k) with k degrees of freedom, its χ² interval and the repeatability limit.

    Assumes normal noise of the same size for all services. Noise of a score is smallest near 0 and 100, so pairs from
    the top of the table say nothing about its middle. Undefined where no pair differs.

    Source: ISO 5725-2:2019; Bland & Altman, Statistical Methods in Medical Research 8 (1999) 135.
    """
    for pair in pairs:
        for number in pair:
            _finite(number)
    k = len(pairs)
    if k == 0:
        return Undefined("no_data", {"n": 0})
    squares = float(sum(((b - a) ** 2 for a, b in pairs), Decimal(0)))
    if squares == 0:
        return Undefined("no_variation", {"n": k})
    from scipy.special import chdtri

    tail = (1 - level(confidence)) / 2
    deviation = sqrt(squares / (2 * k))
    low = sqrt(squares / 2 / float(chdtri(k, tail)))
    high = sqrt(squares / 2 / float(chdtri(k, 1 - tail)))
    return Repeatability(k, deviation, low, high, t_quantile(k, confidence) * sqrt(2) * deviation)


def _finite(number: Decimal) -> None:
    if not isinstance(number, Decimal):
        raise TypeError(f"found {number!r}, expected a Decimal")
    if not number.is_finite():
        raise ValueError(f"found {number}, expected a finite number")
