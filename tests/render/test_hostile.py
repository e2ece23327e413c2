"""What models, vendors and judges write goes through every page as text and nothing else."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lxml import html

from generator.publish.board_views import BoardView
from generator.publish.run_views import AnswerView, RunView, ServiceView, VerdictView
from generator.publish.study_views import StudyBlock
from generator.publish.views import SiteView
from generator.records import Saw, Source, Withheld
from generator.render import render
from generator.render.content import Content
from generator.render.visible import STRANGE, plain
from generator.verify import check_site, open_site
from tests.render import sample

LINE = "x" * 60_000
TEXTS = {
    "script": "<script>alert(1)</script>",
    "closing": "</pre></article></main></script><img src=x onerror=alert(1)>",
    "comment": "<!-- --><![CDATA[ ]]><?php ?>",
    "template": "{{ 7*7 }}{% for x in y %}{# #}{{ page }}",
    "bidi": "abc\u202egnp.exe\u202c\u2066x\u2069",
    "control": "\x00\x1b[31m\x07\x7f\r\x85",
    "noncharacter": "\ufffe\uffff\U0001fffe",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "link": "javascript:alert(1)",
    "entity": "&lt;b&gt; &amp;amp; &#x3c;",
    "markdown": "[x](javascript:alert(1)) ![x](https://example.org/x.png) <b>**b**</b>",
    "slot": "\ue0000\ue001 %(page)s {first}",
    "unicode": "\u2028\u2029 ꦗꦮ 👩\u200d🚀",
}
FIELDS: dict[type, tuple[str, ...]] = {
    AnswerView: ("output", "read", "finish_reason"),
    ServiceView: ("name", "vendor", "group", "requested_model", "returned_models", "fingerprints"),
    VerdictView: ("by", "vendor", "reason"),
    Saw: ("saw", "wanted"),
    Source: ("url",),
    RunView: ("place",),
    StudyBlock: ("block",),
}
"""Where text comes from outside; everything else is a slug, a hash or the publisher's own."""


def hostile(value: Any, text: str) -> Any:
    """``value`` with ``text`` in every field that holds what somebody else wrote."""
    if isinstance(value, msgspec.Struct):
        fields = {name: hostile(getattr(value, name), text) for name in value.__struct_fields__}
        for name in FIELDS.get(type(value), ()):
            fields[name] = (text,) if isinstance(fields[name], tuple) else text
        if isinstance(value, StudyBlock) and not value.block:
            fields["block"] = ""
        if isinstance(value, BoardView):
            fields["declared"] = value.declared
        return type(value)(**fields)
    if isinstance(value, tuple):
        return tuple(hostile(each, text) for each in value)
    if isinstance(value, dict):
        return {key: hostile(each, text) for key, each in value.items()}
    return value


def rendered(text: str, content: Content, templates: Path) -> dict[str, bytes]:
    site = sample.site()
    spoilt = {name: hostile(getattr(site, name), text) for name in ("main", "studies", "services")}
    return render(msgspec.structs.replace(site, **spoilt, boards=(spoilt["main"],)), content, templates)


ORDERS = {"forwards": "\n".join(TEXTS.values()), "backwards": "\n".join(reversed(TEXTS.values()))}
"""All of them at once, since drawing the charts of a site takes a second."""


@pytest.fixture(scope="module", params=ORDERS)
def spoilt(request: pytest.FixtureRequest, content: Content, templates: Path) -> tuple[str, dict[str, bytes]]:
    text = ORDERS[request.param]
    return text, rendered(text, content, templates)


def test_it_is_text_on_every_page(spoilt: tuple[str, dict[str, bytes]], sample_site: dict[str, bytes]) -> None:
    text, files = spoilt
    pages = {path: data.decode() for path, data in files.items() if path.endswith(".html")}
    assert pages.keys() == {path for path in sample_site if path.endswith(".html")}
    for path, page in pages.items():
        assert not STRANGE.search(page), path
        before, after = (html.document_fromstring(each) for each in (sample_site[path], page))
        for mark in ("script", "img", "iframe", "style", "link", "meta", "form", "input", "button"):
            assert len(after.findall(f".//{mark}")) == len(before.findall(f".//{mark}")), (path, mark)
        for element in after.iter():
            names = [str(name) for name in element.attrib]
            assert not [name for name in names if name.startswith("on") or name == "style"], path
            assert not re.match(r"\s*(javascript|data|vbscript):", str(element.get("href", "")), re.IGNORECASE)
    said = html.document_fromstring(pages["id/contoh-v1/tugas/png-01.html"]).xpath("//pre[contains(@class, 'said')]")
    shown = plain(text).replace("\r", "")
    assert shown in [each.text_content() for each in said]


def test_it_breaks_no_link_twin_or_figure(spoilt: tuple[str, dict[str, bytes]]) -> None:
    _, files = spoilt
    assert check_site(open_site(files)) == []


def test_a_very_long_line_is_there_whole(content: Content, templates: Path) -> None:
    site = sample.site(LINE)
    files = render(site, content, templates)
    assert LINE in files["en/contoh-v1/task/png-01.html"].decode()
    assert LINE in files["id/contoh-v1/model/layanan-a.html"].decode()


def test_facts_of_a_withheld_figure_are_text(content: Content, templates: Path) -> None:
    text = TEXTS["script"] + TEXTS["bidi"]
    breach = Withheld(slug="settings_changed", facts={"service": text, "settings": text})
    site: SiteView = sample.site()
    study = msgspec.structs.replace(site.studies[0], breaches=(breach,))
    files = render(msgspec.structs.replace(site, studies=(study,)), content, templates)
    page = files["id/studi/contoh-studi.html"].decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "\u202e" not in page
