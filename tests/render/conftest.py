"""The sample site, rendered once a process."""

from pathlib import Path

import pytest

from generator.render import render
from generator.render.content import Content, load_content
from generator.render.language import Language
from tests.conftest import ROOT
from tests.render import sample


@pytest.fixture(scope="session")
def content() -> Content:
    return load_content(ROOT / "content")


@pytest.fixture(scope="session")
def templates() -> Path:
    return ROOT / "site_templates"


@pytest.fixture(scope="session")
def sample_site(content: Content, templates: Path) -> dict[str, bytes]:
    return render(sample.site(), content, templates)


@pytest.fixture(params=["id", "en"])
def language(request: pytest.FixtureRequest, content: Content) -> Language:
    return Language(request.param, content.catalogue)
