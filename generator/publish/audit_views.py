"""What a reader may see of the audits: frozen, language-neutral, without held-out material.

Shares are 0 to 1, scores 0 to 100, judges' scores on their own scale. Counts may include held-out tasks; texts
never come from them.
"""

from fractions import Fraction

from generator.records import Figure, Record, Text


class CutView(Record, frozen=True, kw_only=True):
    """One answer that was cut off, without its text."""

    service: str
    task_id: str
    repeat: int
    call_id: str
    sign: str
    output_tokens: int | None
    max_output_tokens: int | None


class CutServiceView(Record, frozen=True, kw_only=True):
    """The truncation guard on one service of one run."""

    service: str
    calls: int
    """Calls with an answer, which the guard looked at."""
    cut: int
    acknowledged: Text | None
    """The publisher's reason for publishing without its figures."""


class TruncationView(Record, frozen=True, kw_only=True):
    """The truncation guard on one run."""

    run_id: str
    suite: str
    policy: str
    """``withhold`` or ``count-as-failure``."""
    services: tuple[CutServiceView, ...]
    cuts: tuple[CutView, ...]
    """In stored order."""


class ExampleView(Record, frozen=True, kw_only=True):
    """One variant of a public task and what the grader made of it."""

    task_id: str
    key: str
    text: str
    score: Fraction
    fine: bool
    """Graded as it should be; without a pass mark: on the right side of every variant it was compared with."""


class TransformView(Record, frozen=True, kw_only=True):
    """One way of making variants, before one grader."""

    transform: str
    share: Figure
    """Graded as they should be, 0..1, with an interval clustered by source task."""
    variants: int
    tasks: int
    score: Fraction
    """Mean score of the variants."""
    examples: tuple[ExampleView, ...]
    """Public ones, those graded wrongly first."""


class GraderView(Record, frozen=True, kw_only=True):
    """One grader under test."""

    grader: str
    in_use: bool
    graded: bool
    """True: it has no pass mark, and shares tell how often right came out above wrong."""
    right: Figure
    """All certainly right variants together."""
    wrong: Figure
    still_right: tuple[TransformView, ...]
    certainly_wrong: tuple[TransformView, ...]


class StressView(Record, frozen=True, kw_only=True):
    """The grader stress test of one suite."""

    suite: str
    version: str
    """Name and version of the grader."""
    graders: tuple[GraderView, ...]
    untested: dict[str, int]
    """Kind of task without a key -> number of tasks at hand."""
    accept_percent: int | None
    """Threshold that the suite declares; None: none."""
    reject_percent: int | None
