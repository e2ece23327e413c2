"""Where every page lives, in one place, so that page, link, twin and sitemap agree. Part of ``render``.

Pages are flat files below ``id/`` and ``en/``. Links are relative, so that the site works from a folder, offline and
under any base path.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, relpath

from generator.findings import Faults, Finding
from generator.publish.board_views import PAIRS_ON_A_PAGE, BoardView
from generator.publish.views import SiteView
from generator.records import Record
from generator.render.audits import SEGMENTS as AUDITS
from generator.render.audits import audit_kinds
from generator.render.catalogue import LANGUAGES
from generator.render.content import Content

SEGMENTS = {
    "leaderboard": {"id": "papan-peringkat", "en": "leaderboard"},
    "category": {"id": "kategori", "en": "category"},
    "model": {"id": "model", "en": "model"},
    "task": {"id": "tugas", "en": "task"},
    "compare": {"id": "bandingkan", "en": "compare"},
    "pairs": {"id": "bandingkan", "en": "compare"},
    "jury": {"id": "juri", "en": "jury"},
    "study": {"id": "studi", "en": "study"},
    "rerun": {"id": "uji-ulang", "en": "rerun"},
    "corrections": {"id": "koreksi", "en": "corrections"},
    "downloads": {"id": "unduhan", "en": "downloads"},
    **AUDITS,
}
"""Kind of page -> the part of its address that is a word of the language."""

HOME = "home"


class Address(Record, frozen=True, kw_only=True):
    """One page in both languages."""

    kind: str
    keys: tuple[str, ...]
    """What it is about: suite and service, run …"""
    paths: dict[str, str]
    """Language -> path from the root of the site."""


class Addresses:
    """Every page of the site. Iterates in a fixed order."""

    def __init__(self, site: SiteView, content: Content) -> None:
        """Take the views and the prose.

        Raises:
            Faults: when two pages would have one address.
        """
        self._all: dict[tuple[str, ...], Address] = {}
        self._main = site.main.suite.id
        self._files = {
            f"{name}.md": page.id for page in content.pages.values() for name in (page.path.id, page.path.en)
        }
        for kind, keys, paths in _entries(site, content):
            self._all[kind, *keys] = Address(kind=kind, keys=keys, paths=paths)
        _refuse_collisions(iter(self._all.values()))

    def __iter__(self) -> Iterator[Address]:
        """All pages."""
        return iter(self._all.values())

    def __contains__(self, key: tuple[str, ...]) -> bool:
        """Whether there is such a page."""
        return key in self._all

    def get(self, kind: str, *keys: str) -> Address:
        """The page of that kind about ``keys``.

        Raises:
            KeyError: when there is none.
        """
        return self._all[kind, *keys]

    def prose(self, file: str) -> str:
        """Id of the prose page that ``file`` is one language of; empty where there is none."""
        return self._files.get(file, "")

    def main(self, kind: str) -> Address | None:
        """The one page of that kind, or the one of the main suite; None where there is none."""
        return self._all.get((kind,)) or self._all.get((kind, self._main))


def relative(here: str, there: str) -> str:
    """The link from the page at ``here`` to the file at ``there``, both from the root of the site."""
    return _from_folder(dirname(here) or ".", there)


@lru_cache(maxsize=65536)
def _from_folder(folder: str, there: str) -> str:
    """Kept, since the pages of a folder link to much the same."""
    return relpath(there, folder)


def slug(text: str) -> str:
    """``text`` as a part of an address: small Latin letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "x"


Entry = tuple[str, tuple[str, ...], dict[str, str]]


def _entries(site: SiteView, content: Content) -> Iterator[Entry]:
    yield HOME, (), {code: f"{code}/index.html" for code in LANGUAGES}
    for board in site.boards:
        yield from _board(board)
    for study in site.studies:
        yield "study", (study.run.run_id,), _paths("", "study", study.run.run_id)
    if site.reruns:
        yield "rerun", (), _paths("", "rerun")
    for kind in (*audit_kinds(site), "corrections", "downloads"):
        yield kind, (), _paths("", kind)
    for page in content.pages.values():
        if page.id != HOME:
            yield page.id, (), {"id": f"id/{page.path.id}.html", "en": f"en/{page.path.en}.html"}


def _board(board: BoardView) -> Iterator[Entry]:
    suite = board.suite.id
    yield "leaderboard", (suite,), _paths(suite, "leaderboard")
    if len(board.rows) + len(board.unranked) > 1:
        yield "compare", (suite,), _paths(suite, "compare")
    if len(board.pairs) > PAIRS_ON_A_PAGE:
        for name in dict.fromkeys(pair.a for pair in board.pairs):
            yield "pairs", (suite, name), _paths(suite, "pairs", name)
    if board.jury:
        yield "jury", (suite,), _paths(suite, "jury")
    for category in board.categories:
        names = {"id": slug(category.name.id), "en": slug(category.name.en)}
        paths = {code: f"{code}/{suite}/{SEGMENTS['category'][code]}/{names[code]}.html" for code in LANGUAGES}
        yield "category", (suite, category.id), paths
    for row in (*board.rows, *board.unranked):
        yield "model", (suite, row.service.id), _paths(suite, "model", row.service.id)
    for view in board.tasks:
        yield "task", (suite, view.task.id), _paths(suite, "task", view.task.id)


def _paths(suite: str, kind: str, key: str = "") -> dict[str, str]:
    return {
        code: "/".join(part for part in (code, suite, SEGMENTS[kind][code], key) if part) + ".html"
        for code in LANGUAGES
    }


def _refuse_collisions(addresses: Iterator[Address]) -> None:
    seen: dict[str, Address] = {}
    found = []
    for address in addresses:
        for path in address.paths.values():
            if path in seen:
                what = f"{path} for {seen[path].kind} {seen[path].keys} and for {address.kind} {address.keys}"
                found.append(Finding("content/site.toml", 0, "", "address-taken-twice", what, "one page an address"))
            seen[path] = address
    if found:
        raise Faults(found)
