"""Which places does the evidence leave open for each service?

A bare rank claims an order that noise may have made. A rank set claims only what the adjusted comparisons
carry: with Holm-adjusted p-values all sets hold together with 95 % confidence.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from generator.uncertainty.interval import level


class Compared(NamedTuple):
    """One comparison: the difference first minus second (only its sign matters) and its adjusted p."""

    difference: float | Fraction
    p: float | Fraction


class RankSet(NamedTuple):
    """Best and worst place that remain possible, from 1."""

    best: int
    worst: int


def rank_sets(
    services: Sequence[str], compared: Mapping[tuple[str, str], Compared], alpha: float = 0.05
) -> dict[str, RankSet]:
    """Rank set of every service: 1 + those clearly ahead of it, to M − those clearly behind it.

    "Clearly" means an adjusted p of at most ``alpha``. A pair that is missing from ``compared`` (its p was undefined)
    was not told apart. Simultaneous coverage 1 − alpha if the adjustment controls the family-wise error (Holm).
    Overlap of two intervals is not a test, and ranks must not be bootstrapped (inconsistent at near-ties).

    Source: Mogstad, Romano, Shaikh & Wilhelm, Review of Economic Studies 91 (2024) 476.

    Raises:
        ValueError: a comparison names a service that is not in the list, or alpha is not between 0 and 1.
    """
    ahead, behind = dict.fromkeys(services, 0), dict.fromkeys(services, 0)
    level(alpha)
    for (first, second), comparison in compared.items():
        if first not in ahead or second not in ahead:
            raise ValueError(f"comparison of {first!r} and {second!r}, which are not both among the services")
        if comparison.p > alpha or comparison.difference == 0:
            continue
        better, worse = (first, second) if comparison.difference > 0 else (second, first)
        ahead[worse] += 1
        behind[better] += 1
    return {name: RankSet(1 + ahead[name], len(services) - behind[name]) for name in services}
