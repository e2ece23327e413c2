"""Which tasks separate services, and do the tasks measure one thing?

A task that everybody solves (or nobody) carries no information about the order: its item-rest correlation does not
exist, which is not the same as 0. With some twenty services nothing finer, such as item response theory, can be fitted.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from generator.uncertainty.exact import Score, checked, variance
from generator.uncertainty.undefined import Undefined

Matrix = Sequence[Sequence[Score]]
"""One row of task scores a service, all rows equally long."""


def share_above(totals: Sequence[Score], bar: Score = 90) -> Fraction | Undefined:
    """Share of services with a total strictly above the bar: how near the suite is to its ceiling."""
    values = checked(totals)
    if not values:
        return Undefined("no_data", {"n": 0})
    return Fraction(sum(total > bar for total in values), len(values))


def constant_tasks(scores: Matrix) -> list[int]:
    """Places (from 0) of the tasks on which all services scored the same."""
    return [place for place, column in enumerate(_columns(scores)) if len(set(column)) == 1]


def item_rest(scores: Matrix) -> list[float | Undefined]:
    """For every task, Pearson's correlation of its score with the sum of the other tasks', over services.

    Leaving the task out of the sum keeps it from correlating with itself. Undefined for fewer than three services,
    for a constant task and for a constant rest.
    """
    columns = _columns(scores)
    totals = [sum(checked(row)) for row in scores]
    return [
        correlation(column, [total - value for total, value in zip(totals, column, strict=True)]) for column in columns
    ]


def cronbach_alpha(scores: Matrix) -> Fraction | Undefined:
    """Cronbach's alpha: k/(k − 1)·(1 − Σ task variances / variance of the totals), exact.

    A lower bound of reliability if task errors are uncorrelated; it may be negative.

    Source: Cronbach, Psychometrika 16 (1951) 297.
    """
    columns = _columns(scores)
    if len(scores) < 2 or len(columns) < 2:
        return Undefined("too_few", {"n": min(len(scores), len(columns)), "needed": 2})
    total = variance([sum(checked(row)) for row in scores])
    if total == 0:
        return Undefined("no_variation", {"n": len(scores)})
    k = len(columns)
    return Fraction(k, k - 1) * (1 - sum(map(variance, columns)) / total)


def _columns(scores: Matrix) -> list[tuple[Score, ...]]:
    """Task by task instead of service by service."""
    return list(zip(*(checked(row) for row in scores), strict=True))


def correlation(xs: Sequence[Score], ys: Sequence[Score]) -> float | Undefined:
    """Pearson's correlation of two equally long lists; undefined for fewer than three pairs and for a constant list."""
    n = len(xs)
    if n < 3:
        return Undefined("too_few", {"n": n, "needed": 3})
    x_variance, y_variance = variance(xs), variance(ys)
    if x_variance == 0 or y_variance == 0:
        return Undefined("no_variation", {"n": n})
    products = n * sum(x * y for x, y in zip(xs, ys, strict=True)) - sum(xs) * sum(ys)
    covariance = Fraction(products) / (n * (n - 1))
    return float(covariance) / sqrt(x_variance * y_variance)
