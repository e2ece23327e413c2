"""Prose pages: figures from the data, strict names, safe text, links that exist."""

import pytest

from generator.findings import Finding
from generator.records import Text
from generator.render.addresses import Addresses
from generator.render.content import Content, Front, Prose, ProsePage
from generator.render.language import Language
from generator.render.prose import SetProse, Setter, anchors
from generator.render.sheet import Sheet
from tests.render import sample


def page(own: str, english: str = "") -> ProsePage:
    texts = {
        code: Prose(
            file=f"content/{code}/x.md", front=Front(title="x", description="x"), body=body or own, first_line=5
        )
        for code, body in (("id", own), ("en", english))
    }
    return ProsePage(id="x", path=Text(id="x", en="x"), texts=texts)


def set_page(source: ProsePage, content: Content, code: str = "id") -> tuple[SetProse, list[Finding], Sheet]:
    site = sample.site()
    addresses = Addresses(site, content)
    sheet = Sheet(Language(code, content.catalogue), addresses.get("methodology"), addresses)
    found: list[Finding] = []
    return Setter({"site": site, "main": site.main}).set(source, sheet, found), found, sheet


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("{{ main.suite.tasks | number }} tugas", '<p><data value="4">4</data> tugas</p>'),
        ("**{{ main.suite.id }}**", "<p><strong>contoh-v1</strong></p>"),
        ("{{ main.run.last_call | date }}", '<p><time datetime="2026-11-30">30 November 2026</time></p>'),
        ('{{ main.rows | map(attribute="service.name") | list }}', "<p>Layanan A, Layanan B, dan Layanan C</p>"),
        ('{{ "<b>" }} *{{ "**x**" }}*', "<p>&lt;b&gt; <em>**x**</em></p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[batas](keterbatasan.md)", '<p><a href="keterbatasan.html">batas</a></p>'),
        ("[papan](page:leaderboard#totals)", '<p><a href="contoh-v1/papan-peringkat.html#totals">papan</a></p>'),
        ("{% if main.jury %}ada{% endif %}", "<p>ada</p>"),
    ],
)
def test_a_page_is_set(source: str, html: str, content: Content) -> None:
    prose, found, _ = set_page(page(source), content)
    assert not found
    assert str(prose.lead).strip() == html


def test_a_figure_in_prose_leads_to_its_recipe(content: Content) -> None:
    prose, _, sheet = set_page(page("{{ main.detectable | points }}"), content)
    assert f'href="#{sheet.notes[0].anchor}"' in prose.lead


@pytest.mark.parametrize(
    ("source", "slug", "line"),
    [
        ("satu\n\n{{ main.suite.taskz }}", "bad-expression", 7),
        ("{{ nobody }}", "bad-expression", 5),
        ("satu\n{{ main.suite.tasks | nofilter }}", "bad-expression", 6),
        ("{{ main.suite.__class__.__mro__ }}", "bad-expression", 5),
        ("{{ main.suite.tasks", "bad-expression", 5),
        ("a\n\n[x](tidak-ada.md)", "unknown-link", 7),
        ("[x](javascript:alert(1))", "", 0),
        ("![x](https://example.org/x.png)", "", 0),
        ("[x]({{ main.suite.id }})", "unknown-link", 5),
        ("[x](https://example.org/{{ main.suite.id }})", "expression-in-address", 0),
        ("a\ue0000\ue001", "private-character", 0),
    ],
)
def test_a_fault_names_file_and_line(source: str, slug: str, line: int, content: Content) -> None:
    prose, found, _ = set_page(page(source), content)
    assert [(each.slug, each.line) for each in found][:1] == ([(slug, line)] if slug else [])
    assert "javascript" not in prose.lead or "href" not in prose.lead
    assert "<img" not in prose.lead


def test_sections_keep_their_anchors_in_both_languages(content: Content) -> None:
    source = page("mulai\n\n## Satu\n\n### Dua\n\n## Satu", "start\n\n## One thing\n\n### Two\n\n## One thing")
    assert anchors(source) == ["one-thing", "two", "one-thing-2"]
    for code in ("id", "en"):
        prose, _, _ = set_page(source, content, code)
        assert [section.anchor for section in prose.sections] == ["one-thing", "one-thing-2"]
        assert 'id="two"' in prose.body
        assert "<h2" not in prose.lead


def test_every_prose_page_of_the_site_is_set_without_a_fault(content: Content) -> None:
    for source in content.pages.values():
        for code in ("id", "en"):
            assert not set_page(source, content, code)[1]
