"""Contrast of text in every colour role, in both schemes, by computation."""

import re

import pytest

from tests.render.test_chart_colours import SCHEMES, STYLES, Colour, contrast

TEXT = ("ink", "quiet", "pen", "mark", "right")
GROUNDS = ("paper", "sheet")


def roles(scheme: str) -> dict[str, Colour]:
    """Every custom property of the stylesheet that is a colour."""
    light, dark = STYLES.read_text("utf-8").split("prefers-color-scheme: dark", 1)
    found = re.findall(r"--([\w-]+): #([0-9a-f]{6});", light if scheme == "light" else dark.split("/* the page */")[0])
    return {name: tuple(byte / 255 for byte in bytes.fromhex(value)) for name, value in found}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", TEXT)
def test_text_stands_out_from_its_ground(scheme: str, ground: str, text: str) -> None:
    assert contrast(roles(scheme)[text], roles(scheme)[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("step", range(10))
def test_a_number_stands_out_from_its_shade(scheme: str, step: int) -> None:
    assert contrast(roles(scheme)["ink"], roles(scheme)[f"heat-{step}"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_shades_grow_evenly_away_from_the_paper(scheme: str) -> None:
    steps = [contrast(roles(scheme)[f"heat-{step}"], roles(scheme)["paper"]) for step in range(10)]
    assert steps == sorted(steps)
    assert steps[9] > 1.6


@pytest.mark.parametrize("scheme", SCHEMES)
def test_marks_and_edges_of_controls_are_seen(scheme: str) -> None:
    for name in ("pen", "focus", "rule-firm"):
        assert contrast(roles(scheme)[name], roles(scheme)["paper"]) >= 3, name
    assert contrast(roles(scheme)["ink"], roles(scheme)["pen-soft"]) >= 4.5
    assert contrast(roles(scheme)["quiet"], roles(scheme)["rule"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_both_schemes_have_every_role(scheme: str) -> None:
    assert roles(scheme).keys() == roles("light").keys()
