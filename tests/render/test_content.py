"""Content is read strictly: each way of spoiling it is named, and all of them at once."""

import shutil
from pathlib import Path

import pytest

from generator.findings import Faults
from generator.render.content import load_content
from tests.conftest import ROOT

SPOILS = {
    "missing-twin": ("en/methodology.md", None, None),
    "twins-differ-in-headings": ("en/methodology.md", "## What is measured", "What is measured"),
    "twins-differ-in-literal-numbers": ("en/methodology.md", "## What is measured", "## What is measured in 2031"),
    "no-front-matter": ("id/metodologi.md", "+++", "---"),
    "bad-front-matter": ("id/metodologi.md", "description = ", "desc = "),
    "unknown-page": ("id/lain.md", None, "+++\ntitle = 'x'\ndescription = 'x'\n+++\n"),
    "bad-site-file": ("site.toml", "schema = 1", "schema = 2"),
    "untranslated": ("locale/id/messages.po", 'msgstr "Langsung ke isi"', 'msgstr ""'),
    "placeholders": ("locale/id/messages.po", "di halaman %(page)s.", "di halaman itu."),
    "unreadable-catalogue": ("locale/id/messages.po", 'msgid "Skip to content"', 'rubbish "Skip to content"'),
    "unreadable-toml": ("locale/en/words.toml", "[unit]", "[unit"),
    "slots-differ": ("sentences.toml", "with a total of {total} out", "with a total out"),
    "bad-slot": ("sentences.toml", "{breaches}.", "{breaches!r}."),
}


def spoil(folder: Path, name: str, old: str | None, new: str | None) -> None:
    path = folder / name
    if new is None:
        path.unlink()
    elif old is None:
        path.write_text(new, "utf-8")
    else:
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content", tmp_path / "content"))


@pytest.mark.parametrize("slug", SPOILS)
def test_a_fault_is_named_with_its_file(slug: str, folder: Path) -> None:
    spoil(folder, *SPOILS[slug])
    with pytest.raises(Faults) as caught:
        load_content(folder)
    found = {(finding.slug, finding.file) for finding in caught.value.findings}
    assert slug in {each[0] for each in found}
    assert all(file.startswith("content/") for _, file in found)
    if slug not in {"bad-site-file", "unreadable-toml"}:
        assert (slug, f"content/{SPOILS[slug][0]}") in found


def test_words_of_one_language_only_are_untranslated(folder: Path) -> None:
    spoil(folder, "locale/en/words.toml", 'truncated = "cut off at the token cap"\n', "")
    with pytest.raises(Faults, match=r"locale/en/words\.toml: untranslated: found no reason\.truncated"):
        load_content(folder)


def test_all_faults_come_together(folder: Path) -> None:
    several = ("missing-twin", "untranslated", "slots-differ", "unknown-page")
    for slug in several:
        spoil(folder, *SPOILS[slug])
    with pytest.raises(Faults) as caught:
        load_content(folder)
    assert set(several) <= {finding.slug for finding in caught.value.findings}


def test_a_number_from_the_data_is_not_a_literal_number(folder: Path) -> None:
    for name in ("id/metodologi.md", "en/methodology.md"):
        path = folder / name
        extra = "{{ main.suite.tasks | number(2) }}" if name.startswith("id") else ""
        path.write_text(path.read_text("utf-8") + f"\nx {extra}\n", "utf-8")
    load_content(folder)
