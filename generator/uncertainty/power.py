"""What could a design have shown? The chance of a significant result, by adding up every outcome.

Approximations flatter small samples: for 80 % v 40 % with 20 a side the exact power of Fisher's test is 65 %, where
the usual formulas say 75 %. All tests reject where p is at most ``alpha``.
"""

from fractions import Fraction
from itertools import groupby
from math import comb, exp, log, log1p
from typing import NamedTuple

from generator.uncertainty.exact import counted
from generator.uncertainty.interval import level
from generator.uncertainty.tables import margin_weights
from generator.uncertainty.undefined import Undefined


class Rejections(NamedTuple):
    """Outcomes of two groups of sizes ``n_a`` and ``n_b`` with which Fisher's test rejects: (passed_a, passed_b)."""

    n_a: int
    n_b: int
    outcomes: tuple[tuple[int, int], ...]


def at_least_once(chance: float, n: int) -> float:
    """Probability 1 − (1 − chance)ⁿ that something happens at least once in n independent trials.

    Why one screenshot shows nothing: at 40 % passing, 20 trials almost surely contain a pass.
    """
    counted(n=n)
    if not 0 <= chance <= 1:
        raise ValueError(f"found a chance of {chance}, expected 0 to 1")
    return 1 - (1 - chance) ** n


def fisher_rejections(n_a: int, n_b: int, alpha: float = 0.05) -> Rejections:
    """All outcomes whose two-sided exact p is at most ``alpha``; computed once for a whole power curve."""
    counted(n_a=n_a, n_b=n_b)
    bar = Fraction(level(alpha))
    outcomes: list[tuple[int, int]] = []
    for passed in range(n_a + n_b + 1):
        weights = margin_weights(n_a, n_b, passed)
        allowed = bar * sum(weights.ways)
        running, limit = 0, -1
        for weight, same in groupby(sorted(weights.ways)):
            running += sum(same)
            if running > allowed:
                break
            limit = weight
        counts = [weights.low + k for k, way in enumerate(weights.ways) if way <= limit]
        outcomes.extend((count, passed - count) for count in counts)
    return Rejections(n_a, n_b, tuple(outcomes))


def fisher_power(rejections: Rejections, chance_a: float, chance_b: float) -> float:
    """Probability that Fisher's test rejects when the groups pass with these chances.

    Σ over the rejected outcomes of the product of two binomials. With equal chances it is the true size of the test.
    """
    first = binomial(rejections.n_a, chance_a)
    second = binomial(rejections.n_b, chance_b)
    return min(1.0, sum(first[a] * second[b] for a, b in rejections.outcomes))


def mcnemar_power(n: int, only_first: float, only_second: float, alpha: float = 0.05) -> float:
    """Probability that exact McNemar rejects over n tasks.

    Args:
        n: tasks, one answer each and side.
        only_first: chance that a task is passed by the first side only.
        only_second: chance that it is passed by the second only.
        alpha: two-sided level.
    """
    counted(n=n)
    level(alpha)
    if not (only_first >= 0 and only_second >= 0 and only_first + only_second <= 1):
        raise ValueError(f"found chances {only_first} and {only_second}, expected two shares of one whole")
    discordant = min(1.0, only_first + only_second)
    if discordant == 0:
        return 0.0
    share = only_first / discordant
    chances = binomial(n, discordant)
    return min(1.0, sum(chances[k] * sign_test_power(k, share, alpha) for k in range(n + 1)))


def sign_test_power(n: int, share: float, alpha: float = 0.05) -> float:
    """Probability that the sign test on n decisive pairs rejects when the first side wins this share of them."""
    split = smallest_winning_split(n, alpha)
    if isinstance(split, Undefined):
        return 0.0
    chances = binomial(n, share)
    return min(1.0, sum(chance for k, chance in enumerate(chances) if max(k, n - k) >= split))


def smallest_winning_split(n: int, alpha: float = 0.05) -> int | Undefined:
    """Wins the leading side needs of n decisive pairs for the sign test to reject: 8 of 9."""
    counted(n=n)
    bar = Fraction(level(alpha)) * 2**n
    tail, wins = 2, n  # outcomes at least as lopsided as n : 0, both ways
    if n == 0 or tail > bar:
        return Undefined("not_detectable", {"n": n})
    while (longer := tail + 2 * comb(n, wins - 1)) <= bar:
        tail, wins = longer, wins - 1
    return wins


def binomial(n: int, chance: float) -> list[float]:
    """Probabilities of 0 … n successes in n independent trials."""
    if not 0 <= chance <= 1:
        raise ValueError(f"found a chance of {chance}, expected 0 to 1")
    if chance in (0, 1):
        return [float(k == n * chance) for k in range(n + 1)]
    yes, no = log(chance), log1p(-chance)
    return [exp(log(comb(n, k)) + k * yes + (n - k) * no) for k in range(n + 1)]
