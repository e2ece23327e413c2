"""Do two independent groups pass equally often? Fisher's exact test and the odds ratio that goes with it.

Everything is conditional on the margins: what remains random is how the passes fall on the two groups. The
p-value is the chance of a table as improbable as this one or more, if both groups passed equally often. It is
not the probability that they do, and says nothing about a cause.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, log
from typing import NamedTuple

from generator.uncertainty.interval import level
from generator.uncertainty.solve import crossing
from generator.uncertainty.tables import Table, Weights, conditional_weights, product_weights
from generator.uncertainty.undefined import Undefined


class OddsRatio(NamedTuple):
    """Odds of passing in the first group over odds in the second.

    ``low`` may be 0; ``high`` and ``point`` are ``Undefined("unbounded")`` where no finite value fits best.
    """

    point: float | Undefined
    low: float
    high: float | Undefined


def fisher_exact(table: Table) -> Fraction | Undefined:
    """Two-sided p of Fisher's exact test.

    Σ of the hypergeometric weights that are not above the observed one, over Σ of all. Weights are integers,
    so equal weights are equal; comparing floats goes wrong for a fifth of the 441 tables of 20 v 20. Where all
    passed or all failed p = 1.

    Source: R. A. Fisher, JRSS 98 (1935) 39; two-sided by probability order as in R ``fisher.test`` and scipy.
    """
    if table.n_a == 0 or table.n_b == 0:
        return Undefined("no_data", {"n": 0})
    return as_improbable(conditional_weights(table), table.passed_a)


def as_improbable(weights: Weights, observed: int) -> Fraction:
    """Probability of a count whose weight is not above that of the observed count."""
    bar = weights.ways[observed - weights.low]
    return Fraction(sum(way for way in weights.ways if way <= bar), sum(weights.ways))


def odds_ratio(tables: Sequence[Table], confidence: float = 0.95) -> OddsRatio | Undefined:
    """Conditional maximum-likelihood odds ratio, common to one table or several blocks, with exact interval.

    Given the margins, passes in the first group have weights w(a)·ψᵃ (noncentral hypergeometric; blocks are
    convolved). The point is the ψ whose mean is the observed count; the bounds are the ψ at which the observed
    count or more, or less, has probability (1 − confidence)/2. It differs from the sample ratio ad/bc (5.71 v
    6 for 16/20 and 8/20). Assumes one common ratio in all blocks: print homogeneity beside it.

    Source: Cornfield, Proc. 3rd Berkeley Symposium 4 (1956) 135; R ``fisher.test``, ``mantelhaen.test(exact=TRUE)``.
    """
    tail = (1 - level(confidence)) / 2
    speaking = [table for table in tables if table.informative]
    if not speaking:
        return Undefined("no_information", {"blocks": len(tables)})
    weights = product_weights(speaking)
    observed = sum(table.passed_a for table in speaking) - weights.low
    logs = [log(way) for way in weights.ways]
    last = len(logs) - 1
    unbounded = Undefined("unbounded")

    def solve(excess: Callable[[Sequence[float]], float]) -> float:
        return exp(_crossing_log(lambda log_psi: excess(_tilted(logs, log_psi))))

    if observed == 0:
        point: float | Undefined = 0.0
    elif observed == last:
        point = unbounded
    else:
        point = solve(lambda chances: sum(k * chance for k, chance in enumerate(chances)) - observed)
    low = 0.0 if observed == 0 else solve(lambda chances: sum(chances[observed:]) - tail)
    high = unbounded if observed == last else solve(lambda chances: tail - sum(chances[: observed + 1]))
    return OddsRatio(point, low, high)


def _tilted(logs: Sequence[float], log_psi: float) -> list[float]:
    """Probabilities proportional to exp(logs[k] + k·log_psi), without overflow."""
    exponents = [value + k * log_psi for k, value in enumerate(logs)]
    top = max(exponents)
    raw = [exp(value - top) for value in exponents]
    total = sum(raw)
    return [value / total for value in raw]


def _crossing_log(increasing: Callable[[float], float]) -> float:
    """Root of an increasing function of log ψ, in a bracket widened until it holds the root."""
    reach = 8.0
    while increasing(-reach) > 0 or increasing(reach) < 0:
        reach *= 2
    return crossing(increasing, -reach, reach)
