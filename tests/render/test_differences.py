"""An answer held against its reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.differences import MOST_WORDS, against_reference

CASES = [
    ("Aku pergi ke pasar.", ["Saya pergi ke pasar."], "<del>Aku</del> <ins>Saya</ins> pergi ke pasar."),
    ("pergi ke pasar", ["Saya pergi ke pasar."], "<ins>Saya</ins> pergi ke pasar"),
    ("Saya pergi ke pasar besok", ["Saya pergi ke pasar."], "Saya pergi ke pasar <del>besok</del>"),
    ("a b x", ["c d", "a b c"], "a b <del>x</del> <ins>c</ins>"),
    ("saya pergi", ["Saya pergi."], None),
    ("xyz", ["Saya pergi."], None),
    ("", ["Saya pergi."], None),
    ("<b>x</b> sama", ["sama"], "<del>&lt;b&gt;x&lt;/b&gt;</del> sama"),
    ("kata " * (MOST_WORDS + 1), ["kata"], None),
]


@pytest.mark.parametrize(("answer", "references", "html"), CASES)
def test_words(answer: str, references: list[str], html: str | None) -> None:
    assert against_reference(answer, references) == html


@given(st.text(alphabet="ab <>\u202e\n.", max_size=40), st.lists(st.text(alphabet="ab c", max_size=20), max_size=3))
def test_nothing_but_insertions_and_deletions_is_markup(answer: str, references: list[str]) -> None:
    html = against_reference(answer, references) or ""
    for mark in ("<del>", "</del>", "<ins>", "</ins>", '<span class="strange">', "</span>"):
        html = html.replace(mark, "")
    assert "<" not in html
    assert "\u202e" not in html
