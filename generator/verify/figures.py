"""Do the figures of a page and of its twin say the same, and does each text say what its value says?

In the room ``verify``. Numbers and dates are *read* here, by code that shares nothing with the code that wrote
them, so that a fault of formatting cannot excuse itself.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from generator.findings import Finding, shown
from generator.verify.pages import Fact, Page
from generator.verify.site import LANGUAGES, Site, language
from generator.verify.twins import pairs

PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
"""A value for machines: ``-1234.50``."""
PRINTED = {
    "id": re.compile(r"([-−+±]?)\s?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?(?![\d.,]*\d)"),
    "en": re.compile(r"([-−+±]?)\s?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?![\d.,]*\d)"),
}
"""Sign, whole part with the language's grouping, digits after its decimal mark."""
MONTHS = {
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
    "en": "january february march april may june july august september october november december",
}
SHORT_MONTHS = {"id": {"agt": 8, "agu": 8, "ags": 8}, "en": {"sept": 9}}
"""Abbreviations that are not simply the first three letters."""


def check_figures(site: Site) -> Iterator[Finding]:
    """Texts that do not say their value, and the first place where twins differ."""
    for path in sorted(site.pages):
        if lang := language(path):
            yield from _check_texts(site.pages[path], lang)
    for page, other in pairs(site):
        yield from _check_pair(page, other)


def printed_number(text: str, lang: str) -> Decimal | None:
    """The one number in ``text`` as the language writes it, None where there is none, more than one, or another form.

    Units and signs such as ``%`` may stand beside it; ``1.250`` is 1250 in Indonesian and 1.25 in English.
    """
    match = PRINTED[lang].search(text)
    if not match or re.search(r"\d", text[: match.start()] + text[match.end() :]):
        return None
    sign, whole, part = match[1], re.sub(r"[.,]", "", match[2]), match[3] or ""
    return Decimal(f"{'-' if sign in {'-', '−'} and sign else ''}{whole}{'.' if part else ''}{part}")


def printed_date(text: str, lang: str) -> set[int] | None:
    """Every number that a printed date or moment holds, its month as 1..12; None where a word is no month.

    Words of fewer than three letters, time zones in capitals and the words ``pukul`` and ``at`` say nothing about
    the date and are passed over.
    """
    numbers = {int(digits) for digits in re.findall(r"\d+", text)}
    for word in re.findall(r"[^\W\d_]+", text):
        if len(word) < 3 or word.isupper() or word.lower() == "pukul":
            continue
        month = _month(word.lower(), lang)
        if not month:
            return None
        numbers.add(month)
    return numbers


def _month(word: str, lang: str) -> int:
    names = MONTHS[lang].split()
    if word in SHORT_MONTHS[lang]:
        return SHORT_MONTHS[lang][word]
    return next((n for n, name in enumerate(names, 1) if word in {name, name[:3]}), 0)


def _check_texts(page: Page, lang: str) -> Iterator[Finding]:
    for fact in page.facts:
        if not (_says_number if fact.tag == "data" else _says_moment)(fact, lang):
            yield Finding(
                file=page.path, line=fact.line, field=f"{fact.tag} {shown(fact.value, 30)}", slug="text-not-value",
                found=shown(fact.text) or "no text", expected=f"{fact.value} as written in {lang}",
            )  # fmt: skip


def _says_number(fact: Fact, lang: str) -> bool:
    """A value that is no number (a slug) is only compared with the twin's."""
    if not re.search(r"\d", fact.value) or not PLAIN.fullmatch(fact.value):
        return bool(fact.value and fact.text)
    return printed_number(fact.text, lang) == Decimal(fact.value)


def _says_moment(fact: Fact, lang: str) -> bool:
    try:
        moment = datetime.fromisoformat(fact.value)
    except ValueError:
        return False
    numbers = printed_date(fact.text, lang)
    known = {moment.year, moment.month, moment.day}
    if numbers is None or not known <= numbers:
        return False
    if "T" not in fact.value:
        return numbers == known
    offset = abs(int((moment.utcoffset() or timedelta()).total_seconds())) // 60
    return numbers <= known | {moment.hour, moment.minute, moment.second, offset // 60, offset % 60}


def _check_pair(page: Page, other: Page) -> Iterator[Finding]:
    """The first figure or moment that differs, their number, and the digits of all that is to be read."""

    def differ(line: int, field: str, found: str, expected: str) -> Finding:
        return Finding(file=other.path, line=line, field=field, slug="twins-differ", found=found, expected=expected)

    for mine, theirs in zip(page.facts, other.facts, strict=False):
        if (mine.tag, mine.value) != (theirs.tag, theirs.value):
            expected = f"{shown(mine.value)} as on {page.path}:{mine.line}"
            yield differ(theirs.line, theirs.tag, shown(theirs.value), expected)
            break
    if len(page.facts) != len(other.facts):
        found = f"{len(other.facts)} figures and moments"
        yield differ(0, "", found, f"{len(page.facts)} as on {page.path}")
    if page.digits != other.digits:
        here, there = sorted(other.digits - page.digits)[:5], sorted(page.digits - other.digits)[:5]
        found = f"digits that {page.path} has not: {', '.join(here) or 'none'}"
        yield differ(0, "", found, f"the same digits; it has also {', '.join(there) or 'none'}")


assert set(PRINTED) == set(MONTHS) == set(LANGUAGES)  # noqa: S101 - a language without its reader would pass unread
