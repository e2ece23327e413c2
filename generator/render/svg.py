"""A chart description -> one static SVG that a strict page can hold. Part of ``render``; the only user of vl-convert.

The drawing inherits font and colours from the page: text is ``currentColor``, marks are colour roles of the
stylesheet, so that light, dark and print need one file. The root is one image with a title and a description;
what vl-convert says about single marks is in English only and goes. Beside every chart stands its data table.
"""

import re
import unicodedata
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

from markupsafe import Markup

from generator.records import Record
from generator.render.language import Language
from generator.render.visible import plain

INK = "currentColor"
MARK = "var(--pen, currentColor)"
OTHER = "var(--focus, currentColor)"
"""The second hue of the stylesheet; tests compute that it stays apart from the first for every kind of sight."""
GRID = "var(--rule, transparent)"
GROUND = "var(--paper, Canvas)"
"""What a hollow mark is filled with: the ground it stands on."""
WIDTH = 400
"""Of the plot in pixels: as wide as a phone, so that text keeps its size there."""

_SEPARATORS = {"id": (",", "."), "en": (".", ",")}
_NOISE = re.compile(r"^(aria-.*|role|class|pointer-events|font-family|version|.*xlink.*)$")


class Labels(Record, frozen=True, kw_only=True):
    """The words of one chart in the language of the page."""

    key: str
    """Unique on the page, small letters and dashes: ids are made of it."""
    title: str
    description: str
    """What a reader who does not see the chart should know; the numbers are in the table beside it."""
    axis: str = ""
    """What the scale shows, with its unit."""
    words: dict[str, str] = {}  # noqa: RUF012 - msgspec copies an empty default
    """Further words, by the name that the chart gives them."""


def altair() -> ModuleType:
    """The module, loaded when the first chart is drawn and not before."""
    import altair as alt

    return alt


def label(text: str, otherwise: str = "", limit: int = 40) -> str:
    """``text`` as a chart may show it: one line of Latin letters, at most ``limit`` characters.

    A control character or non-character would abort the whole process inside vl-convert, and letters of other
    scripts are as wide as the fonts of the machine make them; a text that has any becomes ``otherwise``.
    """
    line = " ".join(plain(text).split())
    if not all(_is_latin(character) for character in line):
        line = otherwise or "".join(character if _is_latin(character) else "?" for character in line)
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def _is_latin(character: str) -> bool:
    if character.isalpha():
        return unicodedata.name(character, "").startswith("LATIN ")
    return unicodedata.category(character)[0] in "NPSZ" and ord(character) < 0x3000


def svg(chart: Any, language: Language, labels: Labels) -> Markup:
    """The chart as an ``<svg>`` element, the same bytes wherever and whenever it is drawn.

    Args:
        chart: an altair chart with its data inside.
        language: for the separators of numbers on the axes.
        labels: for the accessible name and description.
    """
    import vl_convert

    decimal, thousands = _SEPARATORS[language.code]
    drawn = vl_convert.vegalite_to_svg(
        chart.to_dict(validate=False),  # validating our own descriptions would cost as much again
        config=_CONFIG,
        format_locale={"decimal": decimal, "thousands": thousands, "grouping": [3], "currency": ["", ""]},
        allowed_base_urls=[],
    )
    root = ET.fromstring(drawn)  # noqa: S314 - written by vl-convert from our own description
    _clean(root)
    _named(root, labels)
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - the serialiser has escaped every text


_CONFIG = {
    "background": None,
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": GRID,
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelPadding": 6,
    },
    "text": {"color": INK, "fontSize": 12},
    "legend": {
        "labelColor": INK,
        "labelFontSize": 12,
        "title": None,
        "orient": "top",
        "labelLimit": 0,
        "columnPadding": 24,
    },
}


def _clean(parent: ET.Element) -> None:
    """Drop namespaces, words about marks, classes that could meet those of the page, and what shows nothing."""
    parent.tag = parent.tag.rpartition("}")[2]
    for name in [name for name in parent.attrib if _NOISE.match(name.rpartition("}")[2])]:
        del parent.attrib[name]
    for name, usual in (("opacity", "1"), ("stroke-width", "1")):
        if parent.get(name) == usual:
            del parent.attrib[name]
    for child in list(parent):
        _clean(child)
        if _shows_nothing(child):
            parent.remove(child)


def _shows_nothing(element: ET.Element) -> bool:
    if element.tag == "g":
        return not len(element)
    if element.tag == "path":
        return element.get("display") == "none" or not {"fill", "stroke"} & set(element.attrib)
    return False


def _named(root: ET.Element, labels: Labels) -> None:
    """Make the root one image with a name; its size becomes the box it scales in."""
    size = root.attrib["viewBox"]
    root.attrib.clear()
    title, description = f"{labels.key}-title", f"{labels.key}-desc"
    for name, value in (
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("role", "img"),
        ("aria-labelledby", f"{title} {description}"),
        ("viewBox", size),
        ("width", size.split()[2]),
        ("height", size.split()[3]),
        ("overflow", "visible"),  # a reader's font may be a little wider than the one measured here
    ):
        root.set(name, value)
    for place, (tag, key, text) in enumerate(
        (("title", title, labels.title), ("desc", description, labels.description))
    ):
        element = ET.Element(tag, {"id": key})
        element.text = plain(text)
        root.insert(place, element)
