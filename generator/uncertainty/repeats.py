"""How many tasks are ten runs of one task worth? Repeats measure steadiness, not more tasks.

A cluster is the runs of one task. Answers within a cluster resemble each other, so 10 tasks asked 10 times are
not 100 independent answers; they may be worth little more than 10.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from generator.uncertainty.exact import Score, checked
from generator.uncertainty.proportion import wilson_effective
from generator.uncertainty.undefined import Undefined


class ClusteredMean(NamedTuple):
    """Mean over all runs with its cluster-robust standard error; use t with ``df`` = clusters − 1."""

    point: Fraction
    standard_error: float
    df: int


class ClusteredShare(NamedTuple):
    """A pass rate over repeats, with the interval that its effective number of trials allows.

    ``design_effect`` is the variance against that of independent runs, at least 1; where no run failed (or none
    passed) it cannot be measured and every task counts once.
    """

    point: Fraction
    runs: int
    tasks: int
    design_effect: Fraction | Undefined
    n_effective: float
    low: float
    high: float


def clustered_mean(clusters: Sequence[Sequence[Score]]) -> ClusteredMean | Undefined:
    """Mean over runs with CR1 cluster-robust standard error.

    √(G/(G−1) · Σ_g (Σ_i (y_gi − ȳ))²) / n for G tasks and n runs in all. With equally many runs a task this is
    sd(task means)/√G exactly. Miller's (2024) clustered formula leaves out G/(G − 1) and is smaller by 5 % at
    G = 10. Assumes independent tasks; nothing is assumed within them.

    Source: Liang & Zeger, Biometrika 73 (1986) 13; statsmodels ``cov_type="cluster"``.
    """
    runs = [checked(cluster) for cluster in clusters if cluster]
    if len(runs) < 2:
        return Undefined("too_few", {"n": len(runs), "needed": 2}) if runs else Undefined("no_data", {"n": 0})
    n = sum(map(len, runs))
    point = Fraction(sum(sum(values) for values in runs)) / n
    return ClusteredMean(point, sqrt(_clustered_variance(runs, point, n)), len(runs) - 1)


def clustered_share(clusters: Sequence[Sequence[int]], confidence: float = 0.95) -> ClusteredShare | Undefined:
    """Pass rate over repeats with a Wilson interval on the effective number of trials.

    Design effect = CR1 variance / (p(1 − p)/n), held at 1 or more so that chance never makes repeats worth more
    than independent tasks; n_eff = n / design effect. Identical repeats (temperature 0) shrink n to the number of
    tasks.

    Args:
        clusters: for each task its runs, 1 passed and 0 not; a failed call is a 0.
        confidence: two-sided coverage.

    Source: Kish, Survey Sampling (1965) § 5.4 and 8.2; Wilson as in ``proportion``.

    Raises:
        ValueError: a run is neither 0 nor 1.
    """
    runs = [cluster for cluster in clusters if cluster]
    if any(value not in (0, 1) for cluster in runs for value in cluster):
        raise ValueError("found a run that is neither 0 nor 1")
    if len(runs) < 2:
        return Undefined("too_few", {"n": len(runs), "needed": 2}) if runs else Undefined("no_data", {"n": 0})
    n = sum(map(len, runs))
    point = Fraction(sum(map(sum, runs)), n)
    effect: Fraction | Undefined = Undefined("no_variation", {"n": n})
    n_effective = float(len(runs))
    if 0 < point < 1:
        effect = max(Fraction(1), _clustered_variance(runs, point, n) / (point * (1 - point) / n))
        n_effective = float(n / effect)
    return ClusteredShare(point, n, len(runs), effect, n_effective, *wilson_effective(point, n_effective, confidence))


def _clustered_variance(runs: Sequence[Sequence[Score]], point: Fraction, n: int) -> Fraction:
    """CR1 variance of the mean over n runs in at least two clusters."""
    squares = sum(((sum(values) - len(values) * point) ** 2 for values in runs), Fraction(0))
    return Fraction(len(runs), len(runs) - 1) * squares / n**2
