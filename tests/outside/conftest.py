"""A whole small site, built from the fixture of stored results, and what a liar can do to it."""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

import generator.verify
from generator.build import Places, finished_site
from generator.outside import pages
from generator.outside.data import build_hash
from tests.conftest import silent


def small_places(sources: Path, base_url: str | None = None) -> Places:
    """Where the sources of the small site lie."""
    return Places(
        results=sources / "results",
        content=sources / "content",
        templates=sources / "site_templates",
        out=Path("unused"),
        base_url=base_url,
    )


@pytest.fixture(scope="session")
def small(sources: Path) -> dict[str, bytes]:
    """The small site as a value."""
    return finished_site(small_places(sources), silent)[0]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages that did not change are parsed once: an audit of a site with one changed file takes a tenth of the time."""
    monkeypatch.setattr(generator.verify, "read_page", lru_cache(maxsize=4096)(generator.verify.read_page))
    monkeypatch.setattr(pages, "read_printed", lru_cache(maxsize=4096)(pages.read_printed))
    return


def summed(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with a fresh ``SHA256SUMS``: a liar would see to that."""
    rest = {path: data for path, data in sorted(files.items()) if path != "SHA256SUMS"}
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in rest.items()]
    return {**rest, "SHA256SUMS": "".join(lines).encode()}


def with_data(files: dict[str, bytes], path: str, data: bytes) -> dict[str, bytes]:
    """The site with another file of data, and the hash of all data made right on every page."""
    assert data != files[path]
    forged = {**files, path: data}
    before, after = build_hash(files).encode(), build_hash(forged).encode()
    for name, page in forged.items():
        if name.endswith((".html", ".xml")):
            forged[name] = page.replace(before, after).replace(before[:12], after[:12])
    return summed(forged)


FIGURE = re.compile(r'<data value="([0-9.]+)">[^<]*</data>')


def with_lie(files: dict[str, bytes], path: str, start: int, end: int) -> dict[str, bytes] | None:
    """The site with 1 added to the first digit of the first figure between two places of an English page.

    Value and text are changed, on the page and on its twin, and every hash is made right again. None where there is
    no figure.
    """
    text = files[path].decode()
    match, twin = FIGURE.search(text, start, end), re.search(r'<a class="tongue" href="([^"]+)"', text)
    if match is None or twin is None:
        return None
    place, other = text[: match.start()].count("<data "), normpath(join(dirname(path), twin[1]))
    lies = {path: _lying(text, place, "en"), other: _lying(files[other].decode(), place, "id")}
    return summed({**files, **{name: page.encode() for name, page in lies.items()}})


def _lying(text: str, place: int, lang: str) -> str:
    """The page with 1 added to the first digit of its ``place``-th figure, in value and text."""
    match = list(re.finditer(r'<data value="([^"]*)">([^<]*)</data>', text))[place]
    digit = re.search(r"[0-9]", match[1])
    assert digit
    value = match[1][: digit.start()] + str((int(digit[0]) + 1) % 10) + match[1][digit.end() :]
    shown = value.replace(".", ",") if lang == "id" else value
    return f'{text[: match.start()]}<data value="{value}">{shown}</data>{text[match.end() :]}'
