"""A chart shows its figures where they are, in the words of its language, safely, and always with the same bytes."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.publish.board_views import BoardView
from generator.records import Text, Withheld
from generator.render.catalogue import Catalogue
from generator.render.charts import block_panel, discrimination, forest, heat_table, interval_plot
from generator.render.language import Language
from generator.render.svg import WIDTH, Labels, label
from tests.render import sample

ROOT = Path(__file__).resolve().parents[2]
WORDS = {"withheld": "ditahan", "apart": "beda", "not_apart": "belum beda", "block": "Blok", "overall": "Semua"}
LABELS = Labels(key="c", title="Judul & <isi>", description="Uraian", axis="Skor (0–100)", words=WORDS)
WITHHELD = Withheld(slug="truncated", facts={"calls": 3})
replace = msgspec.structs.replace
_BOARD = sample.board()
BOARD = replace(
    _BOARD,
    unranked=tuple(
        replace(row, total=WITHHELD, categories=dict.fromkeys(row.categories, WITHHELD)) for row in _BOARD.unranked
    ),
    pairs=(*_BOARD.pairs[:2], replace(_BOARD.pairs[2], difference=WITHHELD)),
)
"""The sample board with a service, its categories and one difference withheld."""
STUDY = sample.study()
Draw = Callable[[BoardView, Language], str]
CHARTS: dict[str, Draw] = {
    "interval": lambda board, language: interval_plot(board, language, LABELS),
    "forest": lambda board, language: forest(board, language, LABELS),
    "forest about one": lambda board, language: forest(board, language, LABELS, about="layanan-b"),
    "heat": lambda board, language: heat_table(board, language, LABELS),
    "discrimination": lambda board, language: discrimination(board, language, LABELS),
    "blocks": lambda board, language: block_panel(STUDY, language, LABELS),
}


def language(code: str) -> Language:
    return Language(code, Catalogue(messages={}, words={"id": {}, "en": {}}, sentences={}))


def root(svg: str) -> ET.Element:
    return ET.fromstring(re.sub(' xmlns="[^"]*"', "", svg, count=1))  # noqa: S314 - our own drawing


def texts(svg: str) -> list[str]:
    return [" ".join(element.itertext()) for element in root(svg).iter("text")]


def shifts(svg: str, tag: str) -> list[tuple[float, float]]:
    """Where elements of that kind in the first colour stand, and how far they reach to the right."""
    found = [
        each
        for each in root(svg).iter(tag)
        if "--pen" in f"{each.get('stroke')} {each.get('fill')}" and each.get("transform")
    ]
    return [
        (float(re.findall(r"translate\(([-\d.]+)", each.get("transform") or "")[0]), float(each.get("x2", 0)))
        for each in found
    ]


@pytest.mark.parametrize("code", ["id", "en"])
@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_one_named_image_that_a_strict_page_can_hold(draw: Draw, code: str) -> None:
    svg = draw(BOARD, language(code))
    image = root(svg)
    title, description = list(image)[:2]
    assert (image.get("role"), image.get("aria-labelledby")) == ("img", "c-title c-desc")
    assert (title.tag, title.get("id"), title.text) == ("title", "c-title", "Judul & <isi>")
    assert (description.tag, description.get("id"), description.text) == ("desc", "c-desc", "Uraian")
    names = {(element.tag, name) for element in image.iter() for name in element.attrib if element is not image}
    assert not {name for _, name in names} & {"style", "class", "role", "href", "font-family"}
    assert not any(name.startswith(("on", "aria-", "{")) for _, name in names)
    assert {element.tag for element in image.iter()} <= {"svg", "title", "desc", "g", "path", "line", "text", "tspan"}


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_every_colour_is_the_pages(draw: Draw) -> None:
    paints = set(re.findall(r'(?:fill|stroke|color)="([^"]*)"', draw(BOARD, language("id"))))
    roles = r"var\(--(pen|focus), currentColor\)|var\(--rule, transparent\)|var\(--paper, Canvas\)"
    allowed = f"none|transparent|currentColor|{roles}"
    assert not [paint for paint in paints if not re.fullmatch(allowed, paint)]
    assert any("--pen" in paint for paint in paints)


def test_an_interval_stands_where_its_figures_are() -> None:
    svg = interval_plot(BOARD, language("id"), LABELS)
    scale = WIDTH / 100
    wanted = [(70.25 * scale, 29.25 * scale), (20 * scale, 42.5 * scale), (10 * scale, 48.75 * scale)]
    assert [pytest.approx(each, abs=0.1) for each in wanted] == shifts(svg, "line")
    assert [x for x, _ in shifts(svg, "path")] == pytest.approx([93.75 * scale, 41.67 * scale, 33.33 * scale], abs=0.1)


@pytest.mark.parametrize(("code", "number"), [("id", "41,7"), ("en", "41.7")])
def test_numbers_have_the_languages_form_and_rows_the_boards_order(code: str, number: str) -> None:
    shown = texts(interval_plot(BOARD, language(code), LABELS))
    assert [text for text in shown if "Layanan" in text] == ["Layanan A", "Layanan B", "Layanan C", "Layanan D"]
    assert {number, "ditahan", "Skor (0–100)"} <= set(shown)


@pytest.mark.parametrize(("code", "tick"), [("id", "2.000"), ("en", "2,000")])
def test_thousands_on_an_axis_have_the_languages_form(code: str, tick: str) -> None:
    board = replace(BOARD, pairs=(sample.pair("layanan-a", "layanan-b", 4980, Fraction(1)),))
    assert {tick, f"−{tick}"} <= set(texts(forest(board, language(code), LABELS)))


def test_a_difference_seen_from_the_other_side_changes_its_sign_and_its_bounds() -> None:
    board = replace(BOARD, pairs=(sample.pair("layanan-a", "layanan-b", 10, Fraction(1)), BOARD.pairs[2]))
    drawn = {about: forest(board, language("id"), LABELS, about=about) for about in ("layanan-a", "layanan-b")}
    assert {"Layanan A − Layanan B", "+10,0"} <= set(texts(drawn["layanan-a"]))
    assert {"Layanan B − Layanan A", "−10,0", "Layanan B − Layanan C", "ditahan"} <= set(texts(drawn["layanan-b"]))
    assert "Layanan B − Layanan C" not in texts(drawn["layanan-a"])
    scale = WIDTH / 60  # from −30 to 30 points
    assert shifts(drawn["layanan-a"], "line") == [pytest.approx((20 * scale, 40 * scale), abs=0.1)]
    assert shifts(drawn["layanan-b"], "line") == [pytest.approx((0, 40 * scale), abs=0.1)]


@pytest.mark.parametrize(("p", "hollow"), [(Fraction(1, 20), 0), (Fraction(51, 1000), 1)])
def test_a_pair_not_told_apart_is_hollow(p: Fraction, hollow: int) -> None:
    board = replace(BOARD, pairs=(sample.pair("layanan-a", "layanan-b", 5, p),))
    in_the_legend = 1
    assert forest(board, language("id"), LABELS).count("--paper") == hollow + in_the_legend


def test_the_heat_table_has_a_number_in_every_cell_and_names_its_columns_in_the_language() -> None:
    shown = texts(heat_table(BOARD, language("en"), LABELS))
    ranked = [["100.0", "100.0", "75.0"], ["50.0", "50.0", "25.0"], ["50.0", "25.0", "25.0"]]
    assert [text for text in shown if text[0].isdigit()] == [cell for row in ranked for cell in row]
    assert shown.count("ditahan") == len(BOARD.categories)
    assert {"Knowledge", "Instructions", "Writing"} <= set(shown)


def test_the_block_panel_writes_counts_beside_every_mark() -> None:
    shown = texts(block_panel(STUDY, language("id"), LABELS))
    assert sorted(text for text in shown if "/" in text) == sorted(["4/5", "2/5"] * 2 + ["16/20", "8/20"])
    assert {"Blok 1", "Blok 2", "Semua", "Layanan A", "Layanan B"} <= set(shown)


def test_a_block_in_which_nothing_passed_says_nought_whatever_was_written_before() -> None:
    assert language("id").digits(Decimal("0.0")) == "0,0"
    none_passed = replace(STUDY.blocks[0], passed=0)
    shown = texts(block_panel(replace(STUDY, blocks=(none_passed, *STUDY.blocks[1:])), language("id"), LABELS))
    assert "0/5" in shown


def test_discrimination_shows_public_tasks_only_and_the_flat_ones_at_nought() -> None:
    shown = texts(discrimination(BOARD, language("id"), LABELS))
    assert [text for text in shown if "-0" in text] == ["png-01", "ins-01", "mns-01"]
    points = shifts(discrimination(BOARD, language("id"), LABELS), "path")
    assert [x for x, _ in points] == pytest.approx([0, WIDTH - 80, WIDTH - 80])


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_nothing_to_show_is_still_an_image(draw: Draw) -> None:
    empty = replace(BOARD, rows=(), unranked=(), pairs=(), discrimination=())
    for board in (empty, replace(empty, unranked=BOARD.unranked), replace(empty, rows=BOARD.rows[:1])):
        assert root(draw(board, language("id"))).get("role") == "img"


HOSTILE = "\x00\x1b[31m\ufffe\uffff\u202eevil\u2066<script>alert(1)</script>{{ 7*7 }}'\"\\ ]&\n\t\ud7ff\U0001fffe"


def test_a_hostile_name_neither_aborts_the_process_nor_becomes_markup() -> None:
    code = f"""
from tests.render.test_charts import BOARD, CHARTS, language, replace
from generator.records import Text
name = {HOSTILE!r}
rows = tuple(replace(row, service=replace(row.service, name=name)) for row in BOARD.rows)
heads = tuple(replace(each, name=Text(id=name, en=name)) for each in BOARD.categories)
for draw in CHARTS.values():
    print(draw(replace(BOARD, rows=rows, categories=heads), language("id")))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "<script" not in done.stdout
    assert "\u202e" not in done.stdout


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_a_label_is_one_short_line_of_plain_latin(text: str) -> None:
    shown = label(text, "id-1")
    assert len(shown) <= 40
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]", shown)
    assert not re.search(r"[\u0370-\u1cff\u3040-\uabff]", shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Qwen2.5 é", "Qwen2.5 é"), ("a\nb\tc", "a b c"), ("ꦗꦮ", "id-1"), ("x" * 50, "x" * 39 + "…"), ("", "")],
)
def test_labels(text: str, shown: str) -> None:
    assert label(text, "id-1") == shown


DRAW_ALL = """
from hashlib import sha256
from tests.render.test_charts import BOARD, CHARTS, language
drawn = [draw(BOARD, language(code)) for draw in CHARTS.values() for code in ("id", "en")]
print(sha256("".join(drawn).encode()).hexdigest())
"""


def test_the_same_views_give_the_same_bytes_in_any_surroundings() -> None:
    surroundings = [
        {"TZ": "Asia/Jayapura", "LANG": "C", "PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "LANG": "id_ID.UTF-8", "PYTHONHASHSEED": "4242"},
    ]
    drawn = {
        subprocess.run(
            [sys.executable, "-c", DRAW_ALL], cwd=ROOT, env=os.environ | each, check=True, capture_output=True
        ).stdout
        for each in surroundings
    }
    assert len(drawn) == 1


def test_nothing_heavy_is_loaded_before_the_first_chart() -> None:
    code = "import sys, generator.render.charts; print({'altair', 'vl_convert', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_a_name_in_both_languages_follows_the_page() -> None:
    names = {each.id: Text(id=f"Nama {each.id}", en=f"Name {each.id}") for each in BOARD.categories}
    heads = tuple(replace(each, name=names[each.id]) for each in BOARD.categories)
    shown = " ".join(texts(heat_table(replace(BOARD, categories=heads), language("id"), LABELS)))
    assert "Nama" in shown
    assert "Name" not in shown


def test_a_heading_of_two_words_stands_clear_of_the_first_row() -> None:
    name = Text(id="Bahasa baku", en="Standard language")
    heads = (replace(BOARD.categories[0], name=name), *BOARD.categories[1:])
    image = root(heat_table(replace(BOARD, categories=heads), language("id"), LABELS))
    (head,) = [each for each in image.iter("text") if "Bahasa" in "".join(each.itertext())]
    lines = [float(each.get("dy", 0)) for each in head.iter("tspan")]
    (top,) = re.findall(r"translate\([-\d.]+,([-\d.]+)\)", head.get("transform") or "")
    assert float(top) + sum(lines) < 0
