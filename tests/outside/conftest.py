"""A whole small site, built from the fixture of stored results, and what a liar can do to it."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import generator.verify
from generator.build import Places, finished_site
from generator.outside import pages
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
