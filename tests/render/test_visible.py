"""What a browser would obey is shown as what it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.visible import STRANGE, plain, visible

CASES = [
    ("\x1b[31m", "␛[31m"),
    ("\x00", "␀"),
    ("\x7f", "␡"),
    ("a\r\nb", "a␍\nb"),
    ("\u202eevil", "[U+202E]evil"),
    ("\u2066x\u2069", "[U+2066]x[U+2069]"),
    ("\ufffe", "[U+FFFE]"),
    ("\U0001ffff", "[U+1FFFF]"),
    ("\ud800", "[U+D800]"),
    ("\u200b", "[U+200B]"),
    ("\ue000", "[U+E000]"),
    ("\U000e0041", "[U+E0041]"),
    ("\x85", "[U+0085]"),
]
KEPT = ["ꦗꦮ", "👩\u200d🚀", "é", "tab\tend", "two\nlines", "العربية", "“…”", "한국어", "\u00a0"]


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_strange_characters_are_named(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert visible(text).striptags().replace(" ", "") == shown.replace("\n", "").replace(" ", "")
    assert 'class="strange"' in visible(text)


@pytest.mark.parametrize("text", KEPT)
def test_plain_text_stays(text: str) -> None:
    assert plain(text) == text
    assert visible(text) == text


@given(st.text(st.characters(codec=None, exclude_categories=[])))
def test_nothing_strange_is_left_and_no_markup_is_let_through(text: str) -> None:
    shown = visible(text)
    assert not STRANGE.search(str(shown))
    assert "<" not in str(shown).replace('<span class="strange">', "").replace("</span>", "")
    assert not STRANGE.search(plain(text))
