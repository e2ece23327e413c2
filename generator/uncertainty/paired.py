"""The same tasks on both sides: differences task by task.

Pairing removes what makes a task easy or hard for everybody, so it sees smaller differences than two separate
samples would. One number a task: repeats are averaged before they come here.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

from generator.uncertainty.exact import Score, checked, counted, mean, variance
from generator.uncertainty.interval import Interval, normal_quantile
from generator.uncertainty.solve import crossing
from generator.uncertainty.student import t_quantile, t_tail
from generator.uncertainty.undefined import Undefined


class PairedMean(NamedTuple):
    """A mean difference with its standard error, t interval and two-sided t-test p."""

    point: Fraction
    standard_error: float
    df: int
    low: float
    high: float
    p: float


def sign_test(wins: int, losses: int) -> Fraction:
    """Exact two-sided p of wins against losses, ties left out.

    2·P(X ≤ min(wins, losses)) for X binomial(wins + losses, ½), at most 1; no win and no loss gives 1: nothing
    speaks against equal chances. Assumes independent pairs.

    Source: Arbuthnott 1710; Conover, Practical Nonparametric Statistics § 3.4.
    """
    counted(wins=wins, losses=losses)
    n = wins + losses
    tail = sum(comb(n, k) for k in range(min(wins, losses) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n))


def mcnemar_exact(only_first: int, only_second: int) -> Fraction:
    """Exact McNemar p: the sign test on the tasks that only one of the two passed.

    Tasks that both passed or both failed say nothing about the difference. 6 v 0 is the smallest unanimous split
    below 0.05. Assumes one independent answer per task and service.

    Source: McNemar, Psychometrika 12 (1947) 153.
    """
    return sign_test(only_first, only_second)


def tango_interval(only_first: int, only_second: int, n: int, confidence: float = 0.95) -> Interval | Undefined:
    """Score interval of the difference of two pass rates over the same n tasks, on −1..1.

    The set of δ with |b − c − nδ| ≤ z·√(n(2q + δ(1 − δ))), where q is the restricted estimate of the share that
    only the second passed: (√(B² − 4AC) − B)/2A with A = 2n, B = −b − c + (2n − b + c)δ, C = −cδ(1 − δ). It has
    a positive width even where no task differs.

    Source: Tango, Statistics in Medicine 17 (1998) 891.

    Raises:
        ValueError: more discordant tasks than tasks.
    """
    counted(only_first=only_first, only_second=only_second, n=n)
    if only_first + only_second > n:
        raise ValueError(f"{only_first} + {only_second} discordant tasks of {n}")
    if n == 0:
        return Undefined("no_data", {"n": 0})
    z = normal_quantile(confidence)
    low = _tango_low(only_first, only_second, n, z)
    return Interval(low, -_tango_low(only_second, only_first, n, z))


def _tango_low(b: int, c: int, n: int, z: float) -> float:
    """Lower bound for b tasks passed by the first only, c by the second only."""

    def excess(delta: float) -> float:
        half = (-b - c + (2 * n - b + c) * delta) / 2
        root = half * half + 2 * n * c * delta * (1 - delta)
        share = (sqrt(max(0.0, root)) - half) / (2 * n)
        return b - c - n * delta - z * sqrt(max(0.0, n * (2 * share + delta * (1 - delta))))

    # Where the estimate has no variance (no task differs, or all do) the excess is 0 at the estimate as well.
    if c == n:
        return -1.0
    if b == n:
        return (n - z * z) / (n + z * z)
    if b == c == 0:
        return -z * z / (n + z * z)
    return crossing(excess, -1.0, (b - c) / n)


def paired_mean(differences: Sequence[Score], confidence: float = 0.95) -> PairedMean | Undefined:
    """Mean difference over tasks, with the t interval.

    SE = sd(d)/√n, t with n − 1 degrees of freedom. With several runs a task, d is the difference of the task's
    means and sd(d) already contains the noise within tasks. Assumes tasks drawn independently from those one
    wants to speak about, and a mean that is roughly normal.

    Source: Student 1908; E. Miller, "Adding Error Bars to Evals" (2024), § 4.
    """
    values = checked(differences)
    n = len(values)
    if n < 2:
        return Undefined("too_few", {"n": n, "needed": 2}) if n else Undefined("no_data", {"n": 0})
    spread = variance(values)
    if spread == 0:
        return Undefined("no_variation", {"n": n})
    point, error = mean(values), sqrt(spread / n)
    half = t_quantile(n - 1, confidence) * error
    p = 2 * t_tail(n - 1, abs(float(point)) / error)
    return PairedMean(point, error, n - 1, float(point) - half, float(point) + half, p)
