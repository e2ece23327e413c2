"""What many tests share: the default site, built once a process from the real stored answers."""

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from generator.build import Places, finished_site
from generator.deliver import deliver

# Speed belongs in benchmarks/: a busy machine must not fail a property.
settings.register_profile("rapor", deadline=None, derandomize=True)
settings.load_profile("rapor")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--accept`` takes what a page looks like now as what it should look like."""
    parser.addoption("--accept", action="store_true", help="accept the pictures of pages that look otherwise")


def places(out: Path, results: Path = ROOT / "results", content: Path = ROOT / "content") -> Places:
    """The default places, with what a test replaces."""
    return Places(results=results, content=content, templates=ROOT / "site_templates", out=out)


def silent(_: str) -> None:
    """Progress that nobody reads."""


@pytest.fixture(scope="session")
def site() -> dict[str, bytes]:
    """The default site as a value: path -> bytes."""
    files, _ = finished_site(places(Path("unused")), silent)
    return files


@pytest.fixture(scope="session")
def public(site: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default site on disk."""
    out = tmp_path_factory.mktemp("site") / "public"
    deliver(site, out)
    return out


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results, content and templates of a small site, made from the fixture of stored results."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copytree(ROOT / "tests" / "fixtures" / "results-mini", folder / "results")
    shutil.copytree(ROOT / "content", folder / "content")
    shutil.copytree(ROOT / "site_templates", folder / "site_templates")
    settings = folder / "content" / "site.toml"
    settings.write_text(
        re.sub(r"(?m)^main_run.*", 'main_run = "2026-01-05-mini"', settings.read_text("utf-8")), "utf-8"
    )
    return folder


@pytest.fixture
def results_copy(tmp_path: Path) -> Path:
    """A copy of the default results that a test may spoil."""
    copy = tmp_path / "results"
    shutil.copytree(ROOT / "results", copy)
    return copy


@pytest.fixture
def content_copy(tmp_path: Path) -> Path:
    """A copy of the default content that a test may spoil."""
    copy = tmp_path / "content"
    shutil.copytree(ROOT / "content", copy)
    return copy
