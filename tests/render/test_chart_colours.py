"""The colours of the charts, by computation: contrast on both grounds, distance under colour-vision deficiencies."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from generator.render.charts import HEAT_RANGE

STYLES = Path(__file__).resolve().parents[2] / "site_templates/assets/rapor.css"
SCHEMES = ("light", "dark")
MARKS = ("pen", "focus", "ink")
"""Colours that tell services apart in one chart; a third service is drawn in the ink."""
HEAT = max(HEAT_RANGE)
"""Strongest opacity of a heat cell, behind its number."""
DEFICIENCIES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Linear RGB. Machado, Oliveira & Fernandes, IEEE TVCG 15 (2009) 1291, severity 1.0."""
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.072175), (0.0193339, 0.119192, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)

Colour = tuple[float, ...]


def palette(scheme: str) -> dict[str, Colour]:
    """Colour roles of the stylesheet in one scheme, as sRGB 0..1."""
    css = STYLES.read_text("utf-8")
    light, dark = css.split("prefers-color-scheme: dark", 1)
    found = re.findall(r"--(\w+): #([0-9a-f]{6});", light if scheme == "light" else dark)
    return {name: tuple(byte / 255 for byte in bytes.fromhex(value)) for name, value in found}


def linear(colour: Colour) -> Colour:
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)


def times(matrix: tuple[Colour, ...], vector: Colour) -> Colour:
    return tuple(sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)


def contrast(one: Colour, two: Colour) -> float:
    """WCAG 2.2 contrast ratio."""
    low, high = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(x), strict=True)) for x in (one, two))
    return (high + 0.05) / (low + 0.05)


def lab(light: Colour) -> Colour:
    """CIE L*a*b* of linear RGB."""
    ratios = [value / white for value, white in zip(times(XYZ, light), WHITE, strict=True)]
    x, y, z = (r ** (1 / 3) if r > 216 / 24389 else (24389 / 27 * r + 16) / 116 for r in ratios)
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def seen(colour: Colour, deficiency: str) -> Colour:
    return lab(tuple(min(1.0, max(0.0, c)) for c in times(DEFICIENCIES[deficiency], linear(colour))))


def distance(one: Colour, two: Colour) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5


@pytest.mark.parametrize(
    ("one", "two", "ratio"),
    [((0, 0, 0), (1, 1, 1), 21.0), ((0x76 / 255,) * 3, (1, 1, 1), 4.54), ((1, 0, 0), (1, 1, 1), 4.0)],
)
def test_the_computation_gives_published_contrasts(one: Colour, two: Colour, ratio: float) -> None:
    assert contrast(one, two) == pytest.approx(ratio, abs=0.005)


def test_the_computation_knows_that_red_and_green_merge() -> None:
    red, green = (0.8, 0.2, 0.1), (0.45, 0.45, 0.1)
    assert (
        distance(seen(red, "deuteranopia"), seen(green, "deuteranopia"))
        < 25
        < distance(seen(red, "none"), seen(green, "none"))
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_marks_and_text_stand_out_from_the_ground(scheme: str) -> None:
    colours = palette(scheme)
    assert {"paper", "rule", *MARKS} <= set(colours)
    for mark in MARKS:
        assert contrast(colours[mark], colours["paper"]) >= 3, mark
    assert contrast(colours["ink"], colours["paper"]) >= 7


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_services_can_be_told_apart(scheme: str, deficiency: str) -> None:
    colours = palette(scheme)
    for one, two in combinations(MARKS, 2):
        assert distance(seen(colours[one], deficiency), seen(colours[two], deficiency)) >= 25, (one, two)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_number_in_the_strongest_heat_cell_is_readable(scheme: str) -> None:
    colours = palette(scheme)
    cell = tuple(
        HEAT * mark + (1 - HEAT) * ground for mark, ground in zip(colours["pen"], colours["paper"], strict=True)
    )
    assert contrast(colours["ink"], cell) >= 4.5
