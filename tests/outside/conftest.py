"""A whole small site, built from the fixture of stored results, and what a liar can do to it."""

import hashlib
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import generator.outside
import generator.verify
from generator.build import Places, finished_site
from tests.conftest import ROOT, silent

MINI = ROOT / "tests" / "fixtures" / "results-mini"


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The site of the fixture as a value."""
    content = tmp_path_factory.mktemp("content") / "content"
    shutil.copytree(ROOT / "content", content)
    settings = content / "site.toml"
    lines = settings.read_text("utf-8").splitlines()
    changed = ['main_run = "2026-01-05-mini"' if line.startswith("main_run") else line for line in lines]
    settings.write_text("\n".join(changed), "utf-8")
    places = Places(results=MINI, content=content, templates=ROOT / "site_templates", out=Path("unused"))
    return finished_site(places, silent)[0]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages that did not change are parsed once: an audit of a site with one changed file takes a tenth of the time."""
    monkeypatch.setattr(generator.verify, "read_page", lru_cache(maxsize=4096)(generator.verify.read_page))
    monkeypatch.setattr(generator.outside, "read_printed", lru_cache(maxsize=4096)(generator.outside.read_printed))
    return


def summed(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with a fresh ``SHA256SUMS``: a liar would see to that."""
    rest = {path: data for path, data in sorted(files.items()) if path != "SHA256SUMS"}
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in rest.items()]
    return {**rest, "SHA256SUMS": "".join(lines).encode()}
