"""Every pair of services over the same tasks: 4,950 exact comparisons of 100 services in a second or two.

What ``macro_t`` and ``sign_flip`` do for one pair, done for all: scores are laid on one integer grid first, so
that a pair costs a few integer sums, one t quantile and one exact count.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm, sqrt
from typing import NamedTuple

from generator.uncertainty.exact import checked, on_grid
from generator.uncertainty.interval import Interval
from generator.uncertainty.macro import Categories
from generator.uncertainty.signflip import sign_flip_steps
from generator.uncertainty.student import t_quantile
from generator.uncertainty.undefined import Undefined


class PairedMacro(NamedTuple):
    """First service minus second, in points of the macro-average.

    ``interval`` is the t interval of ``macro_t``; ``p`` the exact sign-flip p with every task weighted as in the
    macro-average; tasks are won, tied and lost by the first.
    """

    difference: Fraction
    interval: Interval | Undefined
    p: Fraction | Undefined
    won: int
    tied: int
    lost: int


def compare_all(services: Mapping[str, Categories], confidence: float = 0.95) -> dict[tuple[str, str], PairedMacro]:
    """Paired macro difference of every two services, in the order of the mapping.

    Args:
        services: task scores by category; all services have the same categories with the same tasks in the same order.
        confidence: coverage of each interval, not of all together (adjust the p-values for that: ``multiple``).

    Raises:
        ValueError: two services differ in their number of categories or tasks, or a category is empty.
    """
    shapes = {tuple(len(scores) for scores in categories) for categories in services.values()}
    if len(shapes) > 1:
        raise ValueError(f"found services with {sorted(shapes)} tasks a category, expected the same tasks for all")
    if not services:
        return {}
    sizes = shapes.pop()
    if not sizes or 0 in sizes:
        raise ValueError(f"found {sizes} tasks a category, expected at least one in each")
    rows, steps = on_grid([checked(s for scores in categories for s in scores) for categories in services.values()])
    by_service = dict(zip(services, rows, strict=True))
    frame = _Frame(sizes, steps, confidence)
    return {
        (first, second): frame.compare(by_service[first], by_service[second])
        for first, second in combinations(services, 2)
    }


class _Frame:
    """What all pairs of one suite share: category sizes, grid and weights."""

    def __init__(self, sizes: Sequence[int], steps: int, confidence: float) -> None:
        common = lcm(*sizes)
        self.sizes = sizes
        self.steps = steps
        self.confidence = confidence
        self.weights = [common // n for n in sizes for _ in range(n)]
        self.unit = common * len(sizes) * steps  # weighted steps in one point of the macro-average
        ends = [sum(sizes[: k + 1]) for k in range(len(sizes))]
        self.slices = [slice(end - n, end) for end, n in zip(ends, sizes, strict=True)]

    def compare(self, first: Sequence[int], second: Sequence[int]) -> PairedMacro:
        """One pair, from scores in steps of the grid."""
        differences = [a - b for a, b in zip(first, second, strict=True)]
        flips = [d * weight for d, weight in zip(differences, self.weights, strict=True)]
        point = Fraction(sum(flips), self.unit)
        won, lost = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
        tied = len(differences) - won - lost
        interval = self._interval(float(point), differences)
        return PairedMacro(point, interval, sign_flip_steps(flips), won, tied, lost)

    def _interval(self, point: float, differences: Sequence[int]) -> Interval | Undefined:
        """The t interval with Welch–Satterthwaite df, from integer sums."""
        if min(self.sizes) < 2:
            return Undefined("too_few", {"n": min(self.sizes), "needed": 2})
        parts = []
        for n, where in zip(self.sizes, self.slices, strict=True):
            category = differences[where]
            squares = n * sum(d * d for d in category) - sum(category) ** 2
            parts.append(squares / (n * n * (n - 1) * self.steps**2))
        total = sum(parts)
        if total == 0:
            return Undefined("no_variation", {"n": len(differences)})
        df = total**2 / sum(part**2 / (n - 1) for part, n in zip(parts, self.sizes, strict=True))
        half = t_quantile(df, self.confidence) * sqrt(total) / len(self.sizes)
        return Interval(point - half, point + half)
