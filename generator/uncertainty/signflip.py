"""Is a paired difference more than chance? The exact sign-flip permutation test, by counting.

If two services were interchangeable, each task's difference could as well have had the other sign. The p-value
is the share of all 2ⁿ sign patterns whose sum is as far from 0 as the observed one. No sampling, no seed.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import gcd
from struct import unpack

from generator.uncertainty.exact import Score, checked, on_grid
from generator.uncertainty.undefined import Undefined

WORK_BUDGET = 1 << 35
"""What one p-value may cost: half a second and 150 MB. 60 tasks scored in thousandths of a point fit."""
MOST_ENUMERATED = 12
"""Magnitudes of which all subsets may be listed."""
SMOOTH = (2 * 3 * 5 * 7 * 11 * 13) ** 6
"""Contains the small primes that shares of checks, repeats and category sizes bring into a grid."""


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
    reach. So p is twice the number of subsets that sum to at most the reach, over 2ⁿ. Most magnitudes lie on a
    coarse grid, where their subset sums are counted; the few that need a finer one are enumerated.
    """
    total = abs(sum(differences))
    if total == 0:
        return Fraction(1)
    sizes = [abs(value) for value in differences if value]
    reach = (sum(sizes) - total) // 2
    coarse, fine, unit = _split(sizes, reach)
    work = (reach // unit + 1) * ((len(coarse) + 1) ** 2 + (1 << 14))  # bit operations, and room to read them
    if work > budget:
        return Undefined("too_large", {"work": work, "budget": budget})
    at_most = _cumulative([size // unit for size in coarse], reach // unit)
    sums = {0: 1}
    for size in fine:
        for value, count in list(sums.items()):
            sums[value + size] = sums.get(value + size, 0) + count
    one_tail = sum(count * at_most[(reach - value) // unit] for value, count in sums.items() if value <= reach)
    return Fraction(2 * one_tail, 1 << len(sizes))


def _split(sizes: Sequence[int], reach: int) -> tuple[list[int], list[int], int]:
    """Magnitudes to count on a coarse grid, those to enumerate, and the step of the coarse grid.

    Ordered by how coarse they are (their part made of small primes), every cut is priced: subset sums on the grid of
    the first part (an addition for each magnitude and slot, and ten to read a slot) against the subsets of the
    second (each worth twenty additions). Prices decide speed only.
    """
    ordered = sorted(sizes, key=lambda size: gcd(size, SMOOTH), reverse=True)
    cuts = []
    for kept, unit in enumerate(accumulate(ordered, gcd), start=1):
        left = len(ordered) - kept
        if left <= MOST_ENUMERATED:
            cuts.append((reach // unit * (kept + 10) + (20 << left), kept, unit))
    _, kept, unit = min(cuts)
    return ordered[:kept], ordered[kept:], unit


def _cumulative(sizes: Sequence[int], reach: int) -> list[int]:
    """For every whole number 0..reach, how many subsets of the sizes sum to at most it.

    The numbers of subsets by sum are the coefficients of Π(1 + x^size). The polynomial is held in one integer, with a
    slot of whole bytes for each power of x, so that multiplying by (1 + x^size) is one shift and one addition.
    Powers beyond the reach are cut off.
    """
    octets = 8 if len(sizes) < 64 else len(sizes) // 8 + 1
    kept = (1 << 8 * octets * (reach + 1)) - 1
    subsets, degree = 1, 0
    for size in sorted(sizes):
        if size > reach:
            break
        subsets += subsets << 8 * octets * size
        degree += size
        if degree > reach:
            subsets &= kept
            degree = reach
    slots = subsets.to_bytes(octets * (reach + 1), "little")
    if octets == 8:  # the usual case, ten times as fast
        return list(accumulate(unpack(f"<{reach + 1}Q", slots)))
    return list(accumulate(int.from_bytes(slots[k : k + octets], "little") for k in range(0, len(slots), octets)))
