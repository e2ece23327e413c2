"""Exact arithmetic on scores: fractions in, integers on a common grid out.

Scores are integers or fractions, never floats: a float would bring NaN, ties decided by the last bit, and
a grid with 2**52 steps.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

Score = int | Fraction
"""One exact number, such as a task score 0..100 or a difference of two of them."""


def checked(values: Iterable[Score]) -> list[Score]:
    """The values, if all are exact.

    Raises:
        TypeError: one is a float, a bool, None or anything else that is not an int or a Fraction.
    """
    found = list(values)
    for value in found:
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise TypeError(f"found {value!r}, expected an int or a Fraction")
    return found


def counted(**counts: int) -> None:
    """Nothing, if all named counts are integers ≥ 0.

    Raises:
        TypeError: a count is not an int.
        ValueError: a count is negative.
    """
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"{name}: found {count!r}, expected an int")
        if count < 0:
            raise ValueError(f"{name}: found {count}, expected 0 or more")


def mean(values: Sequence[Score]) -> Fraction:
    """Exact arithmetic mean of at least one value."""
    return Fraction(sum(values)) / len(values)


def variance(values: Sequence[Score]) -> Fraction:
    """Exact sample variance of at least two values: Σ(x − mean)² / (n − 1)."""
    n = len(values)
    return Fraction(n * sum(value * value for value in values) - sum(values) ** 2) / (n * (n - 1))


def on_grid(rows: Sequence[Sequence[Score]]) -> tuple[list[list[int]], int]:
    """The rows as integers, and the grid: how many integer steps make one unit.

    ``on_grid([[1, Fraction(1, 3)], [Fraction(1, 2)]])`` is ``([[6, 2], [3]], 6)``.
    """
    steps = lcm(1, *(value.denominator for row in rows for value in row))
    return [[value.numerator * (steps // value.denominator) for value in row] for row in rows], steps
