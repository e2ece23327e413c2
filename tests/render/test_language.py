"""Numbers, dates and lists as each language writes them; a figure is rounded once, half-even."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.content import Content
from generator.render.language import Language, rounded, shortest
from generator.verify.figures import printed_number

NUMBERS = [
    # value, digits, Indonesian, English
    (12345, 0, "12.345", "12,345"),
    (Fraction(123457, 10), 1, "12.345,7", "12,345.7"),
    (Fraction(5, 2), 0, "2", "2"),
    (Fraction(7, 2), 0, "4", "4"),
    (Fraction(1, 20), 1, "0,0", "0.0"),
    (Fraction(3, 20), 1, "0,2", "0.2"),
    (Fraction(200, 3), 2, "66,67", "66.67"),
    (Fraction(-41, 100), 2, "−0,41", "−0.41"),
    (Fraction(-1, 1000), 1, "0,0", "0.0"),
    (0, 2, "0,00", "0.00"),
    (0, 0, "0", "0"),
    (0.1, 3, "0,100", "0.100"),
    (Decimal("2.675"), 2, "2,68", "2.68"),
    (2.675, 2, "2,67", "2.67"),
    (1234567, 0, "1.234.567", "1,234,567"),
]


@pytest.mark.parametrize(("value", "digits", "own", "english"), NUMBERS)
def test_number(value: Fraction, digits: int, own: str, english: str, content: Content) -> None:
    number = rounded(value, digits)
    assert Language("id", content.catalogue).digits(number) == own
    assert Language("en", content.catalogue).digits(number) == english


@given(st.fractions(-(10**18), 10**18), st.integers(0, 6), st.sampled_from(["id", "en"]))
def test_what_is_written_can_be_read_back_exactly(value: Fraction, digits: int, code: str) -> None:
    number = rounded(value, digits)
    assert abs(Fraction(number) - value) <= Fraction(1, 2 * 10**digits)
    language = Language.__new__(Language)
    language.code = code
    assert printed_number(language.digits(number), code) == number


@given(st.fractions(-(10**18), 10**18), st.integers(0, 4))
def test_rounding_is_half_even_and_happens_once(value: Fraction, digits: int) -> None:
    scaled = value * 10**digits
    low = scaled.__floor__()
    gap = scaled - low
    expected = low if gap < Fraction(1, 2) or (gap == Fraction(1, 2) and low % 2 == 0) else low + 1
    assert rounded(value, digits) == Decimal(expected).scaleb(-digits)


@pytest.mark.parametrize(
    ("value", "text"),
    [(Decimal("0.250"), "0.25"), (Decimal("2.00"), "2"), (100, "100"), (Fraction(1, 3), "0.333333"), (0.05, "0.05")],
)
def test_shortest(value: Fraction, text: str) -> None:
    assert f"{shortest(value):f}" == text


def test_days_and_moments(language: Language) -> None:
    assert language.day(date(2026, 10, 5)) == {"id": "5 Oktober 2026", "en": "5 October 2026"}[language.code]
    moment = datetime(2026, 10, 5, 3, 45, tzinfo=UTC)
    assert language.clock(moment) == {"id": "03.45 UTC", "en": "03:45 UTC"}[language.code]
    west = moment.astimezone(timezone(timedelta(hours=-3, minutes=-30)))
    assert language.clock(west) == {"id": "00.15 UTC−03:30", "en": "00:15 UTC−03:30"}[language.code]


@pytest.mark.parametrize(
    ("items", "own", "english"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a dan b", "a and b"),
        (["a", "<b>", "c"], "a, &lt;b&gt;, dan c", "a, &lt;b&gt; and c"),
    ],
)
def test_lists(items: list[str], own: str, english: str, language: Language) -> None:
    assert str(language.listed(items)) == {"id": own, "en": english}[language.code]


def test_a_missing_word_is_noted_with_its_place(language: Language) -> None:
    assert language.word("reason", "never_heard_of") == "never_heard_of"
    assert {finding.found for finding in language.missing} == {"no reason.never_heard_of"}


def test_a_slot_without_a_value_is_noted(language: Language) -> None:
    language.fill("{a} and {b}", {"a": 1})
    assert len(language.missing) == 1


def test_a_sentence_escapes_what_fills_it(language: Language) -> None:
    assert "&lt;i&gt;" in language.fill("x {a}", {"a": "<i>"})
