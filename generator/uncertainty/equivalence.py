"""May one say "equal within the margin"? Not finding a difference is not enough; this is the test that is.

The margin must be written down before the run. A difference that is not significant and an equivalence that is
not shown may well be true together: the data are then too few for either claim.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from generator.uncertainty.exact import Score, counted
from generator.uncertainty.interval import level
from generator.uncertainty.paired import paired_mean
from generator.uncertainty.proportion import newcombe_difference
from generator.uncertainty.student import t_tail
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined


class Tost(NamedTuple):
    """Two one-sided p-values: "not below −margin" and "not above +margin"; ``p`` is the larger, which decides."""

    p_lower: float
    p_upper: float
    p: float


class Equivalence(NamedTuple):
    """The interval that decides, and whether it lies inside the margin."""

    low: float
    high: float
    equivalent: bool


def tost_paired(differences: Sequence[Score], margin: Score) -> Tost | Undefined:
    """Two one-sided paired t-tests of a mean difference inside ±margin.

    t = (mean ∓ margin)/SE with n − 1 degrees of freedom; equivalent at level α where p ≤ α, which is the same as the
    (1 − 2α) t interval lying inside ±margin. Undefined where all differences are the same.

    Source: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987) 657.

    Raises:
        ValueError: the margin is not above 0.
    """
    if margin <= 0:
        raise ValueError(f"found a margin of {margin}, expected more than 0")
    mean = paired_mean(differences)
    if isinstance(mean, Undefined):
        return mean
    lower = t_tail(mean.df, float(mean.point + margin) / mean.standard_error)
    upper = t_tail(mean.df, float(margin - mean.point) / mean.standard_error)
    return Tost(lower, upper, max(lower, upper))


def equivalent_rates(table: Table, margin: Fraction, alpha: float = 0.05) -> Equivalence | Undefined:
    """Whether two independent pass rates are equivalent: the (1 − 2α) Newcombe interval lies strictly inside ±margin.

    Source: as ``newcombe_difference``; Walker & Nowacki, Journal of General Internal Medicine 26 (2011) 192.

    Raises:
        ValueError: the margin is not between 0 and 1, or alpha not between 0 and ½.
    """
    _checked_margin(margin)
    difference = newcombe_difference(table, 1 - 2 * level(alpha))
    if isinstance(difference, Undefined):
        return difference
    inside = -margin < difference.low and difference.high < margin
    return Equivalence(difference.low, difference.high, inside)


def smallest_equivalence_n(margin: Fraction, alpha: float = 0.05) -> int:
    """Trials each side needs before any result, even all passed on both, could show equivalence.

    With everything passed both Newcombe bounds are ±z²/(n + z²), so n is the first above z²(1 − margin)/margin:
    25 for ten points and 88 for three. 20 v 20 can never show ±10 points.
    """
    _checked_margin(margin)
    n = 1
    while not _perfect(n, margin, alpha):
        n *= 2
    low = n // 2
    while n - low > 1:
        middle = (low + n) // 2
        low, n = (low, middle) if _perfect(middle, margin, alpha) else (middle, n)
    return n


def _perfect(n: int, margin: Fraction, alpha: float) -> bool:
    """Whether n of n on both sides shows equivalence."""
    counted(n=n)
    result = equivalent_rates(Table(n, 0, n, 0), margin, alpha)
    return isinstance(result, Equivalence) and result.equivalent


def _checked_margin(margin: Fraction) -> None:
    if not 0 < margin < 1:
        raise ValueError(f"found a margin of {margin}, expected a fraction between 0 and 1")
