"""Every figure carries its value, says it in the language of the page, and leads to its recipe."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import pytest

from generator.records import Measured, Recipe, Withheld
from generator.render.addresses import Addresses
from generator.render.content import Content
from generator.render.language import Language
from generator.render.sheet import Sheet
from tests.render import sample
from tests.render.sample_suite import measured


@pytest.fixture
def sheet(language: Language, content: Content) -> Sheet:
    addresses = Addresses(sample.site(), content)
    return Sheet(language, addresses.get("leaderboard", "contoh-v1"), addresses)


def value(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<data value="([^"]*)">([^<]*)</data>', html)


def own(sheet: Sheet, text: str) -> str:
    return text.replace(".", ",") if sheet.language.code == "id" else text


def test_a_figure_is_a_value_with_a_link_to_its_recipe(sheet: Sheet) -> None:
    html = sheet.figure(measured(Fraction(125, 3)))
    assert value(html) == [("41.7", own(sheet, "41.7"))]
    (note,) = sheet.notes
    assert f'href="#{note.anchor}"' in html
    assert note.recipe == measured(1).recipe
    assert not sheet.language.missing


def test_equal_recipes_share_a_note_and_others_do_not(sheet: Sheet) -> None:
    for figure in (measured(1), measured(2), measured(3, n=9), measured(4, method="wilson")):
        sheet.figure(figure)
    assert [note.anchor for note in sheet.notes] == ["note-1", "note-2", "note-3"]


@pytest.mark.parametrize("write", [Sheet.figure, Sheet.points, Sheet.percent, Sheet.chance])
def test_a_withheld_figure_is_its_reason_and_never_a_number(sheet: Sheet, write: object) -> None:
    html = write(sheet, Withheld(slug="truncated", facts={"calls": 3}))  # type: ignore[operator]
    assert {"id": "terpotong", "en": "cut off"}[sheet.language.code] in html
    assert value(html) == [("3", "3")]


def test_a_withheld_cell_leads_to_its_reason(sheet: Sheet) -> None:
    html = sheet.cell(Withheld(slug="no_data", facts={"n": 0}))
    assert value(html) == []
    assert sheet.notes[0].reason
    assert f"#{sheet.notes[0].anchor}" in html


def test_bounds_that_go_below_zero_are_joined_by_a_word(sheet: Sheet) -> None:
    html = sheet.interval(measured(1, -1.25, 3.5))
    assert value(html) == [("-1.2", "−" + own(sheet, "1.2")), ("3.5", own(sheet, "3.5"))]
    assert {"id": "sampai", "en": "to"}[sheet.language.code] in html
    assert "–" in sheet.interval(measured(1, 1.0, 3.5))
    assert sheet.interval(measured(1)) == ""


@pytest.mark.parametrize(
    ("p", "shown"), [(Fraction(2, 89), "0.0225"), (Fraction(1, 10**9), "0.0001"), (Fraction(1), "1.0000")]
)
def test_chances(sheet: Sheet, p: Fraction, shown: str) -> None:
    html = sheet.chance(p)
    assert value(html) == [(shown, own(sheet, shown))]
    assert ("&lt;" in html) == (p < Fraction(1, 10000))


@pytest.mark.parametrize(("amount", "shown"), [("0", "0.00"), ("0.0123", "0.0123"), ("6.854", "6.85"), ("0.1", "0.10")])
def test_money(sheet: Sheet, amount: str, shown: str) -> None:
    html = sheet.money(Decimal(amount))
    assert html.startswith("US$")
    assert value(html) == [(shown, own(sheet, shown))]


def test_shares(sheet: Sheet) -> None:
    assert value(sheet.percent(30, 1620)) == [("1.9", own(sheet, "1.9"))]
    assert sheet.percent(30, 1620).endswith("%")
    assert value(sheet.percent(measured(40))) == [("40.0", own(sheet, "40.0"))]
    assert "unknown" in sheet.percent(1, 0)


def test_milliseconds_become_seconds(sheet: Sheet) -> None:
    recipe = Recipe(method="median_order", n=6, unit="calls")
    figure = Measured(point=Fraction(2345), low=1200.0, high=4149.0, recipe=recipe)
    assert value(sheet.seconds(figure)) == [("2.3", own(sheet, "2.3"))]
    assert [v for v, _ in value(sheet.seconds_interval(figure))] == ["1.2", "4.1"]


def test_what_is_not_known_is_said(sheet: Sheet) -> None:
    for html in (sheet.number(None), sheet.money(None), sheet.date(None)):
        assert 'class="unknown"' in html
        assert value(html) == []


def test_a_moment_is_readable_by_machines(sheet: Sheet) -> None:
    html = sheet.moment(datetime(2026, 11, 30, 3, 45, tzinfo=UTC))
    assert 'datetime="2026-11-30T03:45+00:00"' in html


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("keterbatasan.md", True),
        ("limitations.md#scoring", True),
        ("page:leaderboard", True),
        ("page:nothing", False),
        ("lain.md", False),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https://example.org/", True),
        ("#here", True),
    ],
)
def test_links_of_prose(sheet: Sheet, target: str, found: bool) -> None:
    assert (sheet.page_link(target) is not None) == found
