"""One bisection, used wherever a bound is the place where a monotone function crosses zero."""

from collections.abc import Callable
from math import isnan


def crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a monotone function changes sign between two points.

    Bisection until the two sides are neighbouring floats, so the answer does not depend on a tolerance. A point
    at which the function is exactly 0 is returned as it is; ``low`` wins where both ends are.

    Args:
        function: finite on [low, high], of opposite signs (or zero) at its ends.
        low: left end.
        high: right end.

    Raises:
        ValueError: both ends have the same sign, or the function is NaN somewhere.
    """
    left, right = function(low), function(high)
    if left == 0:
        return low
    if right == 0:
        return high
    if not (left < 0 < right or right < 0 < left):
        raise ValueError(f"no change of sign between {low} and {high}: {left} and {right}")
    while low < (middle := low + (high - low) / 2) < high:
        value = function(middle)
        if value == 0:
            return middle
        if isnan(value):
            raise ValueError(f"the function is NaN at {middle}")
        if (value > 0) == (left > 0):
            low = middle
        else:
            high = middle
    return low + (high - low) / 2
