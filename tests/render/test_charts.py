"""A chart shows its figures where they are, in the words of its language, safely, and always with the same bytes."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.publish.views import BoardView
from generator.records import Text
from generator.render.catalogue import Catalogue
from generator.render.charts import block_panel, discrimination, forest, heat_table, interval_plot
from generator.render.language import Language
from generator.render.svg import WIDTH, Labels, label
from tests.render import sample_views as sample

ROOT = Path(__file__).resolve().parents[2]
WORDS = {"withheld": "ditahan", "apart": "beda", "not_apart": "belum beda", "block": "Blok", "overall": "Semua"}
LABELS = Labels(key="c", title="Judul & <isi>", description="Uraian", axis="Skor (0–100)", words=WORDS)
Draw = Callable[[BoardView, Language], str]
CHARTS: dict[str, Draw] = {
    "interval": lambda board, language: interval_plot(board, language, LABELS),
    "forest": lambda board, language: forest(board, language, LABELS),
    "forest about one": lambda board, language: forest(board, language, LABELS, about="beta"),
    "heat": lambda board, language: heat_table(board, language, LABELS),
    "discrimination": lambda board, language: discrimination(board, language, LABELS),
    "blocks": lambda board, language: block_panel(sample.study(), language, LABELS),
}


def language(code: str) -> Language:
    return Language(code, Catalogue(messages={}, words={"id": {}, "en": {}}, sentences={}))


def root(svg: str) -> ET.Element:
    return ET.fromstring(re.sub(' xmlns="[^"]*"', "", svg, count=1))  # noqa: S314 - our own drawing


def texts(svg: str) -> list[str]:
    return [" ".join(element.itertext()) for element in root(svg).iter("text")]


def shifts(svg: str, tag: str) -> list[tuple[float, float]]:
    """Where elements of that kind in the first colour stand, and how far they reach to the right."""
    found = [each for each in root(svg).iter(tag) if "--pen" in f"{each.get('stroke')} {each.get('fill')}"]
    return [
        (float(re.findall(r"translate\(([-\d.]+)", each.get("transform") or "")[0]), float(each.get("x2", 0)))
        for each in found
    ]


@pytest.mark.parametrize("code", ["id", "en"])
@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_one_named_image_that_a_strict_page_can_hold(draw: Draw, code: str) -> None:
    svg = draw(sample.board(), language(code))
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
    paints = set(re.findall(r'(?:fill|stroke|color)="([^"]*)"', draw(sample.board(), language("id"))))
    roles = r"var\(--(pen|focus), currentColor\)|var\(--rule, transparent\)|var\(--paper, Canvas\)"
    allowed = f"none|transparent|currentColor|{roles}"
    assert not [paint for paint in paints if not re.fullmatch(allowed, paint)]
    assert any("--pen" in paint for paint in paints)


def test_an_interval_stands_where_its_figures_are() -> None:
    svg = interval_plot(sample.board(), language("id"), LABELS)
    scale = WIDTH / 100
    wanted = [(70.5 * scale, 20.75 * scale), (45 * scale, 30 * scale), (0, 7.4 * scale)]
    assert [pytest.approx(each, abs=0.1) for each in wanted] == shifts(svg, "line")
    assert [x for x, _ in shifts(svg, "path")] == pytest.approx([83.33 * scale, 60 * scale, 0], abs=0.1)


@pytest.mark.parametrize(("code", "number"), [("id", "83,3"), ("en", "83.3")])
def test_numbers_have_the_languages_form_and_rows_the_boards_order(code: str, number: str) -> None:
    shown = texts(interval_plot(sample.board(), language(code), LABELS))
    assert [text for text in shown if text in ("Alfa", "Beta", "Gama", "Delta")] == ["Alfa", "Beta", "Gama", "Delta"]
    assert number in shown
    assert "ditahan" in shown
    assert "Skor (0–100)" in shown


@pytest.mark.parametrize(("code", "tick"), [("id", "2.000"), ("en", "2,000")])
def test_thousands_on_an_axis_have_the_languages_form(code: str, tick: str) -> None:
    board = sample.board(pairs=(sample.pair("alfa", "beta", sample.figure(4000, -5000, 5000)),))
    assert {tick, f"−{tick}"} <= set(texts(forest(board, language(code), LABELS)))


def test_a_difference_seen_from_the_other_side_changes_its_sign_and_its_bounds() -> None:
    shown = texts(forest(sample.board(), language("id"), LABELS, about="beta"))
    assert {"Beta − Alfa", "−23,3", "Beta − Gama", "ditahan"} <= set(shown)
    assert "Alfa − Gama" not in shown
    both = texts(forest(sample.board(), language("id"), LABELS))
    assert {"Alfa − Beta", "+23,3", "Alfa − Gama", "Beta − Gama"} <= set(both)


@pytest.mark.parametrize(("p", "hollow"), [(Fraction(1, 20), 0), (Fraction(51, 1000), 1)])
def test_a_pair_not_told_apart_is_hollow(p: Fraction, hollow: int) -> None:
    pair = msgspec.structs.replace(sample.pair("alfa", "beta", sample.figure(5, 1, 9)), p_adjusted=sample.figure(p))
    svg = forest(sample.board(pairs=(pair,)), language("id"), LABELS)
    in_the_legend = 1
    assert svg.count("--paper") == hollow + in_the_legend


def test_the_heat_table_has_a_number_in_every_cell_and_names_its_columns_in_the_language() -> None:
    shown = texts(heat_table(sample.board(), language("en"), LABELS))
    assert shown.count("83.3") == shown.count("60.0") == shown.count("0.0") == 2
    assert shown.count("ditahan") == 2
    assert {"Knowledge", "Writing"} <= set(shown)


def test_the_block_panel_writes_counts_beside_every_mark() -> None:
    shown = texts(block_panel(sample.study(), language("id"), LABELS))
    counts = [text for text in shown if "/" in text]
    assert sorted(counts) == sorted(["4/5", "2/5", "5/5", "0/5", "9/10", "2/10"])
    assert {"Blok 1", "Blok 2", "Semua", "Alfa", "Beta"} <= set(shown)


def test_discrimination_shows_public_tasks_only_and_names_the_flat_ones() -> None:
    shown = texts(discrimination(sample.board(), language("id"), LABELS))
    assert [text for text in shown if text in ("p1", "p2", "h1", "h2")] == ["p1", "p2"]
    assert "50" in shown


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_nothing_to_show_is_still_an_image(draw: Draw) -> None:
    empty = sample.board(rows=(), unranked=(), pairs=(), discrimination=())
    withheld = sample.board(rows=(sample.row("alfa", sample.WITHHELD, None),), unranked=(), pairs=())
    for board in (empty, withheld):
        assert root(draw(board, language("id"))).get("role") == "img"


HOSTILE = "\x00\x1b[31m\ufffe\uffff\u202eevil\u2066<script>alert(1)</script>{{ 7*7 }}'\"\\ ]&\n\t\ud7ff\U0001fffe"


def test_a_hostile_name_neither_aborts_the_process_nor_becomes_markup() -> None:
    code = f"""
from tests.render import sample_views as sample
from tests.render.test_charts import CHARTS, language
from generator.publish.views import CategoryView
from generator.records import Text
name = {HOSTILE!r}
total = sample.figure(5, 1, 9)
rows = (sample.row("alfa", total, None, name), sample.row("beta", total, None, name + "2"))
heads = tuple(CategoryView(id=c.id, name=Text(id=name, en=name), tasks=1, public=()) for c in sample.CATEGORIES)
board = sample.board(rows=rows, categories=heads, pairs=sample.board().pairs[:1])
for draw in CHARTS.values():
    print(draw(board, language("id")))
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
from tests.render import sample_views as sample
from tests.render.test_charts import CHARTS, language
drawn = [draw(sample.board(), language(code)) for draw in CHARTS.values() for code in ("id", "en")]
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
    names = {each.id: Text(id=f"Nama {each.id}", en=f"Name {each.id}") for each in sample.CATEGORIES}
    heads = tuple(msgspec.structs.replace(each, name=names[each.id]) for each in sample.CATEGORIES)
    shown = " ".join(texts(heat_table(sample.board(categories=heads), language("id"), LABELS)))
    assert "Nama" in shown
    assert "Name" not in shown


def test_a_heading_of_two_words_stands_clear_of_the_first_row() -> None:
    name = Text(id="Bahasa baku", en="Standard language")
    heads = (msgspec.structs.replace(sample.CATEGORIES[0], name=name), sample.CATEGORIES[1])
    image = root(heat_table(sample.board(categories=heads), language("id"), LABELS))
    (head,) = [each for each in image.iter("text") if "Bahasa" in "".join(each.itertext())]
    lines = [float(each.get("dy", 0)) for each in head.iter("tspan")]
    (top,) = re.findall(r"translate\([-\d.]+,([-\d.]+)\)", head.get("transform") or "")
    assert float(top) + sum(lines) < 0
