"""What a reader may see: frozen, language-neutral views. Held-out material ends before this room.

A view holds identifiers, exact figures, moments and the publisher's bilingual texts. No sentence is
formed here and no number is rounded: that is a matter of language, and languages live in ``render``.
This is the whole site; each kind of page has its views in a module of its own beside this one.
"""

from datetime import date, datetime

from generator.publish.audit_views import AuditsView
from generator.publish.board_views import BoardView
from generator.publish.rerun_views import RerunView
from generator.publish.reveal_views import RevealView
from generator.publish.run_views import ServiceView
from generator.publish.series_views import SeriesView
from generator.publish.study_views import StudyView
from generator.records import Correction, Record, SourceCheck


class DownloadView(Record, frozen=True, kw_only=True):
    """One file that can be taken away; its hash is computed when it is rendered."""

    path: str
    slug: str
    """Names its description in the catalogues."""
    licence: str


class CorrectedScore(Record, frozen=True, kw_only=True):
    """A score as its lock holds it, which was published with another value before: the end of its corrections."""

    run_id: str
    service: str
    task_id: str
    score: str
    failed: bool
    grader: str
    correction: str
    """Hash of the newest line of the corrections about it."""


class SiteView(Record, frozen=True, kw_only=True):
    """The whole site, ready to be put into words."""

    main: BoardView
    boards: tuple[BoardView, ...]
    """All boards, the main one first."""
    studies: tuple[StudyView, ...]
    series: tuple[SeriesView, ...]
    """Studies over time; a study that was run once is a series of one."""
    reruns: tuple[RerunView, ...]
    corrections: tuple[Correction, ...]
    """As stored; each names the hash of the one before."""
    source_checks: dict[str, SourceCheck]
    """Address -> the newest look at it; an address that is not here was never opened by the program."""
    audits: AuditsView
    services: tuple[ServiceView, ...]
    built_for: datetime
    """The newest moment in the data: the date of the site, since no clock decides a byte of it."""
    newest_price_check: date | None
    reveals: tuple[RevealView, ...] = ()
    """Retired tasks, by suite; none as long as every held-out task is held out."""
    corrected: tuple[CorrectedScore, ...] = ()
    """Every score with a correction, by run."""
