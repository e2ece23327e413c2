"""What is made of them: marks, figures and the reasons why a figure is missing."""

from fractions import Fraction
from typing import Literal

from generator.records.base import Record

Outcome = Literal["technical", "failed", "passed"]
"""The three outcomes, never merged: no complete answer, complete but failed, complete and passed."""


class Saw(Record, frozen=True, kw_only=True):
    """What one check saw in an answer."""

    check: str
    """Type of the check, such as ``list_items``."""
    passed: bool
    saw: str
    """What was there, in a form that needs no language: a count, a quoted piece, rhyme keys."""
    wanted: str


class Mark(Record, frozen=True, kw_only=True):
    """One answer, scored."""

    outcome: Outcome
    score: Fraction
    """0..100, exact."""
    reason: str
    """Slug: ``match``, ``no_match``, ``working_shown``, ``judged``, ``empty``, ``no_verdict``, a status …"""
    read: str = ""
    """The answer as the grader read it, after normalising."""
    saw: tuple[Saw, ...] = ()


class Recipe(Record, frozen=True, kw_only=True):
    """How a figure was made; it travels with the figure."""

    method: str
    """Slug of the method, explained on the methodology page."""
    n: int
    unit: Literal["tasks", "answers", "requests", "pairs", "calls", "services"]
    grader: str = ""
    suite: str = ""
    """First twelve hex digits of the suite hash."""
    locked: int = 0
    """Tasks it rests on whose scores were not recomputed in this build but taken as last published."""


class Measured(Record, frozen=True, tag="measured", kw_only=True):
    """A figure with its interval and its recipe."""

    point: Fraction
    low: float | None
    high: float | None
    """Bounds of the 95 % interval; both None where the figure is a plain count or share without one."""
    recipe: Recipe


class Withheld(Record, frozen=True, tag="withheld", kw_only=True):
    """No figure, and why."""

    slug: str
    facts: dict[str, int | str] = {}  # noqa: RUF012 - msgspec copies an empty default


Figure = Measured | Withheld
