"""What a reader may see of one study repeated over time: views, language-neutral. Rates are in percentage points."""

from datetime import datetime

from generator.records import Figure, Record, Text


class SeriesPoint(Record, frozen=True, kw_only=True):
    """One run of the study."""

    run_id: str
    at: datetime
    """Its first call."""
    question: Text
    rates: dict[str, Figure]
    """Service -> first-pass rate over all requests."""
    relative: dict[str, Figure]
    """Compared service -> its rate minus that of the control service in the same run; empty without a control."""
    breaks: tuple[str, ...]
    """Why no line leads here: it is the ``first`` run, or ``suite``, ``task``, ``grader`` or ``settings`` changed, or a
    ``breach`` of the design."""


class SeriesChange(Record, frozen=True, kw_only=True):
    """One compared service from the first to the last run that a line joins."""

    service: str
    first: str
    last: str
    """Ids of the two runs."""
    absolute: Figure
    relative: Figure
    """The same beside the control service; withheld where there is none."""


class SeriesView(Record, frozen=True, kw_only=True):
    """All runs of one study, oldest first."""

    services: tuple[str, ...]
    """Ids: the two compared, then the control."""
    names: dict[str, str]
    """Their names."""
    between: tuple[str, str]
    control: str | None
    points: tuple[SeriesPoint, ...]
    changes: tuple[SeriesChange, ...]
    """Over the last unbroken stretch; empty where it is a single run, since one point is no trend."""
