"""Do judges agree? Read in this order: how many, exactly alike, within one, mean difference; coefficients last.

At the ceiling one coefficient alone misleads: the same twenty pairs can give a weighted kappa of 0.60, an alpha of
0.77 and an AC2 of 0.96, because they disagree on how much agreement luck would bring. A coefficient assumes
that judges rated independently of each other.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from generator.uncertainty.undefined import Undefined

Pairs = Sequence[tuple[int, int]]
"""For each answer the scores of the first and the second judge."""


class Agreement(NamedTuple):
    """Plain agreement of two judges; ``mean_difference`` is first minus second."""

    n: int
    exact: Fraction
    within_one: Fraction
    mean_difference: Fraction


def agreement(pairs: Pairs) -> Agreement | Undefined:
    """Shares of answers scored alike and at most one apart, and the mean difference."""
    n = len(pairs)
    if n == 0:
        return Undefined("no_data", {"n": 0})
    gaps = [first - second for first, second in pairs]
    return Agreement(
        n,
        Fraction(sum(gap == 0 for gap in gaps), n),
        Fraction(sum(abs(gap) <= 1 for gap in gaps), n),
        Fraction(sum(gaps), n),
    )


def quadratic_kappa(pairs: Pairs) -> Fraction | Undefined:
    """Cohen's kappa with quadratic weights, exact.

    1 − Σ(i − j)²/n / Σ_i Σ_j a_i b_j (i − j)²/n²: mean squared gap against the one of independent judges with the same
    habits. Scores that nobody gave do not change it. Undefined where both judges gave one and the same score only.

    Source: Cohen, Psychological Bulletin 70 (1968) 213.
    """
    n = len(pairs)
    if n == 0:
        return Undefined("no_data", {"n": 0})
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    by_chance = sum(count * other * (a - b) ** 2 for a, count in first.items() for b, other in second.items())
    if by_chance == 0:
        return Undefined("no_variation", {"n": n})
    return 1 - Fraction(n * sum((a - b) ** 2 for a, b in pairs), by_chance)


def ordinal_alpha(units: Sequence[Sequence[int]]) -> Fraction | Undefined:
    """Krippendorff's alpha for ordered scores, any number of judges, missing scores allowed, exact.

    1 − D_o/D_e over all pairs of scores within an answer; the distance of c and k is (Σ_{g=c..k} n_g − (n_c + n_k)/2)²,
    n_g being how often g was given in answers with at least two scores.

    Args:
        units: for each answer the scores it received; a missing score is simply not in the list.

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
    """
    rated = [Counter(unit) for unit in units if len(unit) >= 2]
    given = sum(rated, Counter[int]())
    n = given.total()
    if n == 0:
        return Undefined("no_data", {"n": 0})
    if len(given) < 2:
        return Undefined("no_variation", {"n": n})
    observed, expected = Fraction(0), Fraction(0)
    for low, high in combinations(sorted(given), 2):
        between = sum(count for score, count in given.items() if low <= score <= high)
        distance = (between - Fraction(given[low] + given[high], 2)) ** 2
        observed += distance * sum(Fraction(unit[low] * unit[high], unit.total() - 1) for unit in rated)
        expected += distance * given[low] * given[high]
    return 1 - (n - 1) * observed / expected


def gwet_ac2(units: Sequence[Sequence[int]], scale: Sequence[int]) -> Fraction | Undefined:
    """Gwet's AC2 with quadratic weights, any number of judges, missing scores allowed, exact.

    (p_a − p_e)/(1 − p_e), weights w = 1 − (i − j)²/(max − min)². p_a: mean over answers with two or more scores of the
    weighted share of agreeing pairs. p_e = Σw/(q(q − 1)) · Σπ(1 − π), π being the mean share of each score.
    It depends on the declared scale: with the unused score 1 left out of 1..5 the same data give 0.932 for 0.962.

    Args:
        units: for each answer the scores it received.
        scale: every score that could be given, used or not; at least two.

    Source: Gwet, Handbook of Inter-Rater Reliability, 4th ed. (2014), ch. 3 and 5.

    Raises:
        ValueError: a score is not on the scale, or the scale has fewer than two scores.
    """
    steps = sorted(set(scale))
    if len(steps) < 2:
        raise ValueError(f"found the scale {list(scale)}, expected at least two scores")
    rated = [Counter(unit) for unit in units if unit]
    strange = {score for unit in rated for score in unit} - set(steps)
    if strange:
        raise ValueError(f"found scores {sorted(strange)}, expected only {steps}")
    several = [unit for unit in rated if unit.total() >= 2]
    if not several:
        return Undefined("no_data", {"n": 0})
    span = (steps[-1] - steps[0]) ** 2

    def weight(a: int, b: int) -> Fraction:
        return 1 - Fraction((a - b) ** 2, span)

    agreed = Fraction(0)
    for unit in several:
        total = unit.total()
        alike = sum(count * (sum(weight(a, b) * unit[b] for b in unit) - 1) for a, count in unit.items())
        agreed += Fraction(alike) / (total * (total - 1) * len(several))
    shares = [sum((Fraction(unit[step], unit.total()) for unit in rated), Fraction(0)) / len(rated) for step in steps]
    weights = sum((weight(a, b) for a in steps for b in steps), Fraction(0))
    luck = weights * sum(share * (1 - share) for share in shares) / (len(steps) * (len(steps) - 1))
    return (agreed - luck) / (1 - luck)
