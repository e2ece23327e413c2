"""The pages of the audits: where they live and what they are set with. Part of ``render``."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from jinja2 import Environment

from generator.publish.views import SiteView
from generator.render import conclusions
from generator.render.judging import judging_page

SEGMENTS = {
    "audits": {"id": "pemeriksaan", "en": "audits"},
    "truncation": {"id": "jawaban-terpotong", "en": "truncation"},
    "grader": {"id": "uji-penilai", "en": "grader"},
    "answer-key": {"id": "uji-kunci", "en": "answer-key"},
    "vocabulary": {"id": "kosakata", "en": "vocabulary"},
    "translation": {"id": "terjemahan", "en": "translation"},
}
"""Kind of page -> the part of its address that is a word of the language."""


def audit_kinds(site: SiteView) -> tuple[str, ...]:
    """The pages that this site has: words and translations only where a suite has such tasks."""
    audits = site.audits
    absent = {
        name for name, views in (("vocabulary", audits.vocabulary), ("translation", audits.translation)) if not views
    }
    return tuple(kind for kind in SEGMENTS if kind not in absent)


def audit_context(site: SiteView) -> dict[str, object]:
    """What every page of the audits is set with."""
    services = {service.id: service for service in site.services}
    duels = {duel.duel: conclusions.duel(duel, services) for duel in site.audits.duels}
    return {"audits": site.audits, "services": services, "duels": duels}


def sheet_path(duel: str) -> str:
    """Where the judging page of a duel lies, from the root of the site; it holds both languages."""
    return f"duel/{duel}.html"


def judging_pages(site: SiteView, envs: Mapping[str, Environment], templates: Path) -> Iterator[tuple[str, bytes]]:
    """The sheet of every duel whose key is still closed, to be taken away and judged."""
    for duel in site.audits.duels:
        if duel.state != "opened":
            page = judging_page(duel.duel, duel.question, duel.sheet, duel.sheet_sha256, envs, templates)
            yield sheet_path(duel.duel), page
