"""Geometry of the small drawings inside tables: where a mark stands on a scale. Part of ``render``; knows no language.

The drawing itself is a template's; here are only positions, as percentages of the width, and classes.
"""

from decimal import Decimal
from fractions import Fraction

from generator.records import Figure, Measured, Record, Withheld
from generator.render.language import rounded

STEPS = 10


class Bar(Record, frozen=True, kw_only=True):
    """Positions in percent of the width."""

    point: Decimal
    low: Decimal | None
    high: Decimal | None


def bar(figure: Figure, least: int = 0, most: int = 100) -> Bar | None:
    """Where a figure and its interval stand on a scale from ``least`` to ``most``; None where it is withheld."""
    if not isinstance(figure, Measured):
        return None

    def place(value: Fraction) -> Decimal:
        share = (value - least) / Fraction(most - least)
        return rounded(min(max(share, Fraction(0)), Fraction(1)) * 100, 2)

    bounded = figure.low is not None and figure.high is not None
    return Bar(
        point=place(figure.point),
        low=place(Fraction(figure.low)) if bounded and figure.low is not None else None,
        high=place(Fraction(figure.high)) if bounded and figure.high is not None else None,
    )


def heat(score: Figure | Fraction) -> str:
    """Class of a cell for a score of 0 to 100: ``heat-0`` to ``heat-9``; ``heat-none`` where it is withheld."""
    if isinstance(score, Withheld):
        return "heat-none"
    point = score.point if isinstance(score, Measured) else score
    return f"heat-{min(STEPS - 1, int(point * STEPS / 100))}"


def opposite(figure: Figure) -> Figure:
    """The same difference seen from the other side: sign turned, bounds exchanged."""
    if not isinstance(figure, Measured):
        return figure
    return Measured(
        point=-figure.point,
        low=None if figure.high is None else -figure.high,
        high=None if figure.low is None else -figure.low,
        recipe=figure.recipe,
    )
