"""The inverse of a small matrix, exact where its entries are fractions."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

N = TypeVar("N", float, Fraction)


def inverse(matrix: Sequence[Sequence[N]]) -> list[list[N]]:
    """Inverse by Gauss–Jordan elimination with row pivoting; meant for a handful of rows.

    Raises:
        ZeroDivisionError: the matrix is singular.
    """
    size = len(matrix)
    one: N = type(matrix[0][0])(1)
    rows: list[list[N]] = [list(row) for row in matrix]
    for i, row in enumerate(rows):
        row.extend(one * (i == j) for j in range(size))
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [value / lead for value in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor:
                rows[i] = [value - factor * other for value, other in zip(rows[i], rows[column], strict=True)]
    return [row[size:] for row in rows]
