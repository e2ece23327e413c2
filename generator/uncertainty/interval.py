"""An interval, and the normal quantile most of them are built with."""

from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """Two bounds, both finite, ``low <= high``, on the scale of the figure they belong to."""

    low: float
    high: float


def normal_quantile(confidence: float) -> float:
    """The z such that a standard normal lies within ±z with this probability: 1.96 for 0.95.

    Raises:
        ValueError: confidence is not strictly between 0 and 1.
    """
    return NormalDist().inv_cdf((1 + level(confidence)) / 2)


def normal_below(probability: float) -> float:
    """The z that a standard normal stays below with this probability: 0.84 for 0.8."""
    return NormalDist().inv_cdf(level(probability))


def level(probability: float) -> float:
    """The probability itself, if it is one that a confidence level or an error rate may have.

    Raises:
        ValueError: it is not between a trillionth and one minus a trillionth (NaN is not); nearer to the ends
            quantiles leave the floats.
    """
    if not 1e-12 <= probability <= 1 - 1e-12:
        raise ValueError(f"found {probability}, expected a number strictly between 0 and 1")
    return probability
