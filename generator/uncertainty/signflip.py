"""Is a paired difference more than chance? The exact sign-flip permutation test, by counting.

If two services were interchangeable, each task's difference could as well have had the other sign. The p-value
is the share of all 2ⁿ sign patterns whose sum is as far from 0 as the observed one. No sampling, no seed.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from generator.uncertainty.exact import Score, checked, on_grid
from generator.uncertainty.undefined import Undefined

WORK_BUDGET = 1 << 36
"""Bit operations one p-value may cost, about ten seconds; 60 tasks scored in steps of a hundredth need 2²⁶."""


def sign_flip(differences: Sequence[Score]) -> Fraction | Undefined:
    """Two-sided exact sign-flip p of differences (already weighted, if they carry weights).

    Assumes that under the null hypothesis each difference is symmetric about 0, independently of the others.
    Differences of 0 change nothing. For differences of ±1 this is the sign test. Nothing but zeros gives 1.

    Source: R. A. Fisher, The Design of Experiments (1935) § 21 (Darwin's maize: 1726 of 32768).
    """
    values = checked(differences)
    if not values:
        return Undefined("no_data", {"n": 0})
    return sign_flip_steps(on_grid([values])[0][0])


def sign_flip_steps(differences: Sequence[int], budget: int = WORK_BUDGET) -> Fraction | Undefined:
    """The same for differences that are already integers on a common grid.

    Σ±|dᵢ| is at least |Σdᵢ| exactly where the magnitudes with a minus sum to at most (Σ|dᵢ| − |Σdᵢ|)/2, the
    reach. The number of subsets with each sum is a coefficient of Π(1 + x^|dᵢ|). The polynomial is held in one
    integer with a slot of ``width`` bits per power of x, so that multiplying by (1 + x^d) is one shift and one
    addition, and adding up all slots is taking the remainder modulo 2^width − 1. Powers beyond the reach are cut off.
    """
    total = abs(sum(differences))
    sizes = sorted(abs(value) for value in differences if value)
    if total == 0:
        return Fraction(1)
    unit = gcd(*sizes)
    reach = (sum(sizes) - total) // (2 * unit)
    width = len(sizes) + 1
    work = (reach + 1) * width * len(sizes)
    if work > budget:
        return Undefined("too_large", {"work": work, "budget": budget})
    kept = (1 << (reach + 1) * width) - 1
    subsets, degree = 1, 0
    for size in sizes:
        steps = size // unit
        if steps > reach:
            break
        subsets += subsets << steps * width
        degree += steps
        if degree > reach:
            subsets &= kept
            degree = reach
    one_tail = subsets % ((1 << width) - 1)
    return Fraction(2 * one_tail, 1 << len(sizes))
