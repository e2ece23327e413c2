"""``content/`` -> Content: site.toml, prose pairs and catalogues, read strictly. Part of ``render``, its only reader.

A page is a pair of Markdown files, one a language, with TOML front matter between ``+++`` lines. A page without its
twin, or twins that differ in the number of headings or literal numbers, is a fault.
"""

import re
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from generator.findings import Faults, Finding, shown
from generator.records import Record, Slug, Text
from generator.render.catalogue import LANGUAGES, Catalogue, read_catalogue

FENCE = "+++\n"
HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WEB = r"^$|^https?://[^\s/]+(/[^\s]*)?$"
Doi = Annotated[str, Meta(pattern=r"^10\.[0-9]{4,9}/[!-~]+\Z", description="a DOI such as 10.5281/zenodo.123")]
"""Source: https://www.crossref.org/blog/dois-and-matching-regular-expressions/."""


class PageFile(Record, frozen=True, kw_only=True):
    """``[[page]]`` of site.toml: one prose page, by the slug of its file in each language."""

    id: Slug
    path: Text


class SiteFile(Record, frozen=True, kw_only=True):
    """``site.toml``: who publishes what, where."""

    schema: Annotated[int, Meta(ge=1, le=1)]
    name: Annotated[str, Meta(min_length=1)]
    main_run: Slug
    """The formal run that the home page shows."""
    base_url: Annotated[str, Meta(pattern=WEB)] = ""
    """Where the site will be served; empty: unknown, and no absolute address is invented."""
    source_url: Annotated[str, Meta(pattern=WEB)] = ""
    """The repository; empty: none is named."""
    issues_url: Annotated[str, Meta(pattern=WEB)] = ""
    """Where an error in a task can be reported; empty: nowhere is named."""
    tagline: Text
    doi: dict[Slug, Doi] = {}  # noqa: RUF012 - msgspec copies an empty default
    """Run -> the DOI that an archive gave to its data; not in the contract, which is sealed before there is one."""
    page: tuple[PageFile, ...]


class Front(Record, frozen=True, kw_only=True):
    """Front matter of a prose page."""

    title: Annotated[str, Meta(min_length=1)]
    description: Annotated[str, Meta(min_length=1)]


class Prose(Record, frozen=True, kw_only=True):
    """One prose page in one language, not yet set."""

    file: str
    """``content/id/metodologi.md``, for findings."""
    front: Front
    body: str
    first_line: int
    """Line of the file on which the body begins."""


class ProsePage(Record, frozen=True, kw_only=True):
    """A pair."""

    id: str
    path: Text
    texts: dict[str, Prose]
    """Language -> prose."""


class Content(Record, frozen=True, kw_only=True):
    """Everything in ``content/``."""

    site: SiteFile
    pages: dict[str, ProsePage]
    catalogue: Catalogue


def load_content(folder: Path) -> Content:
    """Read ``content/``.

    Raises:
        Faults: every missing twin, differing twin, untranslated string and unreadable file at once.
    """
    found: list[Finding] = []
    catalogue = read_catalogue(folder, found)
    site = _site(folder / "site.toml", found)
    pages = {page.id: _pair(folder, page, found) for page in site.page} if site else {}
    if site:
        _strays(folder, site, found)
    if found or site is None:
        raise Faults(found)
    return Content(site=site, pages={k: v for k, v in pages.items() if v}, catalogue=catalogue)


def _site(path: Path, found: list[Finding]) -> SiteFile | None:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=SiteFile)
    except (OSError, ValueError) as error:
        found.append(_finding("site.toml", "bad-site-file", str(error), "the fields of site.toml", limit=200))
        return None


def _strays(folder: Path, site: SiteFile, found: list[Finding]) -> None:
    """A Markdown file that no ``[[page]]`` names would silently not be published."""
    for code in LANGUAGES:
        named = {f"{getattr(page.path, code)}.md" for page in site.page}
        strays = (path.name for path in sorted((folder / code).glob("*.md")) if path.name not in named)
        seen, expected = "no [[page]] names it", "an entry in site.toml"
        found += [_finding(f"{code}/{name}", "unknown-page", seen, expected) for name in strays]


def _pair(folder: Path, page: PageFile, found: list[Finding]) -> ProsePage | None:
    texts = {code: _prose(folder, code, getattr(page.path, code), found) for code in LANGUAGES}
    one, two = texts["id"], texts["en"]
    if one is None or two is None:
        return None
    for what, pattern in (("headings", HEADING), ("literal-numbers", NUMBER)):
        seen, other = (pattern.findall(EXPRESSION.sub(" ", each.body)) for each in (one, two))
        if len(seen) != len(other):
            found.append(
                Finding(
                    file=two.file, line=0, field="", slug=f"twins-differ-in-{what}",
                    found=shown(f"{len(other)}: {' '.join(other)}", 160),
                    expected=shown(f"{len(seen)} as in {one.file}: {' '.join(seen)}", 160),
                    todo="let both say the same; a figure from the data is written {{ … }}",
                )
            )  # fmt: skip
    return ProsePage(id=page.id, path=page.path, texts={"id": one, "en": two})


def _prose(folder: Path, code: str, slug: str, found: list[Finding]) -> Prose | None:
    name = f"{code}/{slug}.md"
    try:
        text = (folder / name).read_text("utf-8")
    except FileNotFoundError:
        found.append(_finding(name, "missing-twin", "no file", "the twin that site.toml names"))
        return None
    except (OSError, ValueError) as error:
        found.append(_finding(name, "unreadable-page", str(error), "Markdown in UTF-8"))
        return None
    parts = text.split(FENCE, 2)
    if len(parts) != 3 or parts[0]:
        found.append(_finding(name, "no-front-matter", shown(text[:40]), "+++, title and description, +++"))
        return None
    try:
        front = msgspec.toml.decode(parts[1], type=Front)
    except ValueError as error:
        found.append(_finding(name, "bad-front-matter", str(error), "title and description"))
        return None
    line = parts[1].count("\n") + 3
    return Prose(file=f"content/{name}", front=front, body=parts[2], first_line=line)


def _finding(name: str, slug: str, seen: str, expected: str, limit: int = 80) -> Finding:
    return Finding(file=f"content/{name}", line=0, field="", slug=slug, found=shown(seen, limit), expected=expected)
