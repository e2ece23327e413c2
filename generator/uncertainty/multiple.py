"""Many comparisons at once: adjusted p-values.

Holm for claims ("A is ahead of B"): the chance of even one false claim stays below the level. Benjamini–Hochberg
for screening ("worth a second look"): the expected share of false ones does. Both take defined p-values only;
an undefined comparison would otherwise count as one that was made. ``separated`` parts the two, so that a page
can say how many could not be made.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from generator.uncertainty.undefined import Undefined

P = TypeVar("P", float, Fraction)
"""A p-value, exact where it can be; adjusted values are of the same type."""
K = TypeVar("K")


def separated(p_values: Mapping[K, P | Undefined]) -> tuple[dict[K, P], dict[K, Undefined]]:
    """The defined p-values, and the comparisons that have none."""
    defined = {key: p for key, p in p_values.items() if not isinstance(p, Undefined)}
    missing = {key: p for key, p in p_values.items() if isinstance(p, Undefined)}
    return defined, missing


def holm(p_values: Sequence[P]) -> list[P]:
    """Holm's step-down adjusted p-values, in the order given.

    The k-th smallest of m becomes the largest of (m − j + 1)·p₍ⱼ₎ for j ≤ k, at most 1. Valid under any dependence.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979) 65.

    Raises:
        ValueError: a p-value is not between 0 and 1 (NaN is not).
    """
    order = _ascending(p_values)
    m = len(order)
    adjusted, running = list(p_values), None
    for rank, index in enumerate(order):
        scaled = min(p_values[index] * (m - rank), type(p_values[index])(1))
        running = scaled if running is None else max(running, scaled)
        adjusted[index] = running
    return adjusted


def benjamini_hochberg(p_values: Sequence[P]) -> list[P]:
    """Benjamini–Hochberg step-up adjusted p-values (false discovery rate), in the order given.

    The k-th smallest of m becomes the smallest of m·p₍ⱼ₎/j for j ≥ k, at most 1. Valid for independent or
    positively dependent comparisons.

    Source: Benjamini & Hochberg, JRSS B 57 (1995) 289.

    Raises:
        ValueError: a p-value is not between 0 and 1 (NaN is not).
    """
    order = _ascending(p_values)
    m = len(order)
    adjusted, running = list(p_values), None
    for rank, index in reversed(list(enumerate(order, start=1))):
        scaled = min(p_values[index] * m / rank, type(p_values[index])(1))
        running = scaled if running is None else min(running, scaled)
        adjusted[index] = running
    return adjusted


def _ascending(p_values: Sequence[P]) -> list[int]:
    """Indices from smallest to largest p-value."""
    for p in p_values:
        if not 0 <= p <= 1:
            raise ValueError(f"found p = {p}, expected 0 to 1")
    return sorted(range(len(p_values)), key=p_values.__getitem__)
