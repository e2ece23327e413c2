"""Results of the statistics room as figures with a recipe: an undefined result becomes a withheld figure."""

from fractions import Fraction
from typing import NamedTuple

from generator.records import Figure, Measured, Recipe, Withheld
from generator.uncertainty.interval import Interval
from generator.uncertainty.undefined import Undefined


class Stamp(NamedTuple):
    """What the recipes of all figures of one run have in common: first digits of the suite hash, and the grader."""

    suite: str
    grader: str


def withheld(reason: Undefined) -> Withheld:
    """An undefined result, as a figure that is not there."""
    return Withheld(slug=reason.slug, facts=dict(reason.facts))


def figure(point: Fraction | float | Undefined, interval: Interval | Undefined | None, recipe: Recipe) -> Figure:
    """A point with its interval.

    Args:
        point: exact where the method allows; a float is taken at its exact value.
        interval: None for a plain count or p-value; an undefined one leaves the point without bounds.
        recipe: how it was made.
    """
    if isinstance(point, Undefined):
        return withheld(point)
    bounds = interval if isinstance(interval, Interval) else None
    return Measured(
        point=Fraction(point),
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        recipe=recipe,
    )
