"""How sure is a pass rate, and how sure is the difference of two?

Both assume independent trials with a stable chance of passing. Repeats of one task are not independent: see
``repeats``. The same tasks on both sides are not two independent groups: see ``paired``.
"""

from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from generator.uncertainty.exact import counted
from generator.uncertainty.interval import Interval, normal_quantile
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined


class Difference(NamedTuple):
    """A difference of two proportions, first minus second, with its interval on −1..1."""

    point: Fraction
    low: float
    high: float


def wilson(passed: int, n: int, confidence: float = 0.95) -> Interval | Undefined:
    """Wilson score interval of a proportion.

    centre (p + z²/2n) / (1 + z²/n), half width z·√(p(1−p)/n + z²/4n²) / (1 + z²/n), within 0..1, without
    continuity correction. Approximate (coverage near the nominal level), not the "exact" interval of Clopper
    and Pearson, and never of zero width: 20 of 20 gives 0.839 to 1.

    Source: E. B. Wilson, JASA 22 (1927) 209; Newcombe, Statistics in Medicine 17 (1998) 857, method 3.

    Raises:
        ValueError: more passed than tried, or a negative count.
    """
    counted(passed=passed, n=n)
    if passed > n:
        raise ValueError(f"{passed} passed of {n}")
    if n == 0:
        return Undefined("no_data", {"n": 0})
    return wilson_effective(Fraction(passed, n), n, confidence)


def wilson_effective(share: Fraction, n: float, confidence: float = 0.95) -> Interval:
    """Wilson interval of a share that is worth ``n`` independent trials, ``n`` not necessarily whole.

    Args:
        share: 0..1, exact.
        n: trials, or effective trials, above 0.
        confidence: two-sided coverage.
    """
    if not 0 <= share <= 1 or not n > 0:
        raise ValueError(f"found share {share} of {n}, expected 0..1 of more than 0")
    z2n = normal_quantile(confidence) ** 2 / n
    p = float(share)
    centre = (p + z2n / 2) / (1 + z2n)
    half = sqrt(p * (1 - p) * z2n + z2n * z2n / 4) / (1 + z2n)
    # At 0 and 1 the bound is exact; arithmetic would leave 0.9999999999999999.
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Interval(low, high)


def newcombe_difference(table: Table, confidence: float = 0.95) -> Difference | Undefined:
    """Difference of two independent proportions with Newcombe's hybrid score interval.

    d − √((p₁−l₁)² + (u₂−p₂)²) to d + √((u₁−p₁)² + (p₂−l₂)²), where l and u are the Wilson bounds.

    Source: Newcombe, Statistics in Medicine 17 (1998) 873, method 10.
    """
    first = wilson(table.passed_a, table.n_a, confidence)
    second = wilson(table.passed_b, table.n_b, confidence)
    if isinstance(first, Undefined) or isinstance(second, Undefined):
        return Undefined("no_data", {"n": min(table.n_a, table.n_b)})
    p1, p2 = table.passed_a / table.n_a, table.passed_b / table.n_b
    point = Fraction(table.passed_a, table.n_a) - Fraction(table.passed_b, table.n_b)
    low = float(point) - sqrt((p1 - first.low) ** 2 + (second.high - p2) ** 2)
    high = float(point) + sqrt((first.high - p1) ** 2 + (p2 - second.low) ** 2)
    return Difference(point, max(-1.0, low), min(1.0, high))


def change(later: Difference, earlier: Difference) -> Difference:
    """How much an independent difference changed, later minus earlier, on −2..2.

    c − √((d₁−l₁)² + (u₂−d₂)²) to c + √((u₁−d₁)² + (d₂−l₂)²): the bounds of two estimates combined in squares, as in
    ``newcombe_difference``. With a control service in both differences it is a difference of differences.

    Source: Zou & Donner, Statistics in Medicine 27 (2008) 1693 (method of variance estimates recovery).
    """
    point = later.point - earlier.point
    one, other = float(later.point), float(earlier.point)
    low = float(point) - sqrt((one - later.low) ** 2 + (earlier.high - other) ** 2)
    high = float(point) + sqrt((later.high - one) ** 2 + (other - earlier.low) ** 2)
    return Difference(point, max(-2.0, low), min(2.0, high))
