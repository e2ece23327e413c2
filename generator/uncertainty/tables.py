"""Passed and failed, on two sides: the 2×2 table, and the weights of all tables with its margins."""

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

from generator.uncertainty.exact import counted


@dataclass(frozen=True, slots=True)
class Table:
    """Counts of two independent groups, or of one block of them.

    Raises ``ValueError`` for a negative count and ``TypeError`` for one that is not an int.
    """

    passed_a: int
    failed_a: int
    passed_b: int
    failed_b: int

    def __post_init__(self) -> None:
        """Refuse what cannot be a count."""
        counted(passed_a=self.passed_a, failed_a=self.failed_a, passed_b=self.passed_b, failed_b=self.failed_b)

    @property
    def n_a(self) -> int:
        """Size of the first group."""
        return self.passed_a + self.failed_a

    @property
    def n_b(self) -> int:
        """Size of the second group."""
        return self.passed_b + self.failed_b

    @property
    def n(self) -> int:
        """Size of both groups."""
        return self.n_a + self.n_b

    @property
    def passed(self) -> int:
        """Passed in both groups."""
        return self.passed_a + self.passed_b

    @property
    def informative(self) -> bool:
        """Whether the margins leave more than one table: both groups tried, not all passed, not all failed."""
        return 0 < self.n_a < self.n and 0 < self.passed < self.n


class Weights(NamedTuple):
    """How many ways lead to each count of passes in the first group, all margins fixed.

    ``ways[k]`` belongs to ``low + k`` passes; the probabilities under equal chances are ``ways[k] / sum(ways)``.
    """

    low: int
    ways: list[int]


def conditional_weights(table: Table) -> Weights:
    """Weights of all tables with the margins of this one."""
    return margin_weights(table.n_a, table.n_b, table.passed)


def margin_weights(n_a: int, n_b: int, passed: int) -> Weights:
    """Hypergeometric weights C(n_a, a)·C(n_b, passed − a) for every a that the margins allow."""
    low, high = max(0, passed - n_b), min(n_a, passed)
    return Weights(low, [comb(n_a, a) * comb(n_b, passed - a) for a in range(low, high + 1)])


def product_weights(tables: list[Table]) -> Weights:
    """Weights of the total of passes in the first groups of several blocks: the blocks' weights, convolved."""
    low, total = 0, [1]
    for table in tables:
        block = conditional_weights(table)
        low += block.low
        longer = [0] * (len(total) + len(block.ways) - 1)
        for i, left in enumerate(total):
            for j, right in enumerate(block.ways):
                longer[i + j] += left * right
        total = longer
    return Weights(low, total)
