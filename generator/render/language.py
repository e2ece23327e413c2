"""One language of the site: its words, its numbers, its dates. Part of ``render``; nothing before it knows a language.

A number is rounded once, half-even, to a ``Decimal``; both languages then write the same digits.
"""

import string
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import lru_cache

from babel import Locale
from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from generator.findings import Finding
from generator.records import Text
from generator.render.catalogue import Catalogue

OWN_NAME = {"id": "Bahasa Indonesia", "en": "English"}
CLOCK = {"id": "HH.mm", "en": "HH:mm"}
LOCALE = {"id": Locale("id"), "en": Locale("en", "GB")}
Number = int | float | Decimal | Fraction


def rounded(value: Number, digits: int) -> Decimal:
    """``value`` with ``digits`` decimals, half-even: the one place where a figure is rounded.

    Floats are taken at their exact binary value; minus zero becomes zero. Good for 28 significant digits.
    """
    numerator, denominator = value.as_integer_ratio()
    whole, rest = divmod(numerator * 10**digits, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and whole % 2):
        whole += 1
    return Decimal(whole).scaleb(-digits) if digits else Decimal(whole)


def shortest(value: Number, most: int = 6) -> Decimal:
    """``value`` without trailing zeros, rounded to at most ``most`` decimals: for prices and settings."""
    number = value if isinstance(value, Decimal) else rounded(value, most)
    if _decimals(number) > most:
        number = number.quantize(Decimal(1).scaleb(-most), ROUND_HALF_EVEN)
    number = number.normalize()
    return number if _decimals(number) else number.quantize(Decimal(1))


def _decimals(number: Decimal) -> int:
    """Digits behind the point; none for the NaN and infinity that are refused when read."""
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@lru_cache(maxsize=65536)
def _data(number: Decimal, digits: int, code: str) -> Markup:
    return Markup('<data value="{}">{}</data>').format(format(number, "f"), _written(number, digits, code))


@lru_cache(maxsize=65536)
def _written(number: Decimal, digits: int, code: str) -> str:
    """Keyed by ``digits`` too: 0 and 0.0 are equal and are written differently."""
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    return format_decimal(number, format=pattern, locale=LOCALE[code]).replace("-", "−")


class Language:
    """The words and forms of one language.

    A string without words is written as its key and noted in ``missing``; the build then fails naming all of them.
    """

    def __init__(self, code: str, catalogue: Catalogue) -> None:
        """Take ``id`` or ``en`` and what ``content/`` says."""
        self.code = code
        self.name = OWN_NAME[code]
        self.missing: set[Finding] = set()
        self._messages = catalogue.messages
        self._words = catalogue.words[code]
        self._sentences = catalogue.sentences

    def gettext(self, message: str) -> str:
        """The interface string whose English text is ``message``."""
        if self.code == "en":
            return message
        text = self._messages.get(message)
        if text is None:
            self._miss("content/locale/id/messages.po", message, "a translation of this interface string")
        return text or message

    def tongue(self, code: str) -> str:
        """What a language is called: ``jv`` is Jawa, Javanese. A code that CLDR does not know is its own name."""
        return str(LOCALE[self.code].languages.get(code, code))

    def message(self, message: str, **values: object) -> str:
        """An interface string for a template; with values, its ``%(name)s`` are filled and all of it is escaped."""
        text = self.gettext(message)
        return escape(text) % values if values else text

    def text(self, text: Text) -> str:
        """The publisher's text in this language."""
        return text.id if self.code == "id" else text.en

    def word(self, group: str, slug: str) -> str:
        """The words for a slug that came out of the data."""
        words = self._words.get(group, {}).get(slug)
        if words is None:
            self._miss(f"content/locale/{self.code}/words.toml", f"no {group}.{slug}", "words for this slug")
        return words or slug

    def has_word(self, group: str, slug: str) -> bool:
        """Whether there are words for a slug, where there need not be any."""
        return slug in self._words.get(group, {})

    def sentence(self, slug: str, slots: Mapping[str, object]) -> Markup:
        """The sentence of a rule with its slots filled; slot values are escaped unless they are markup."""
        pair = self._sentences.get(slug)
        if pair is None:
            self._miss("content/sentences.toml", f"no [{slug}]", "a sentence for this rule")
            return escape(slug)
        return self.fill(self.text(pair), slots)

    def fill(self, pattern: str, slots: Mapping[str, object]) -> Markup:
        """``pattern`` escaped, its ``{slots}`` filled; a slot without a value is noted as missing."""
        parts = []
        for literal, name, _, _ in string.Formatter().parse(pattern):
            parts.append(escape(literal))
            if name is None:
                continue
            if name not in slots:
                self._miss("content/sentences.toml", f"{{{name}}} in {pattern!r}", f"one of {sorted(slots)}")
            parts.append(escape(slots.get(name, name)))
        return Markup("").join(parts)

    def digits(self, number: Decimal) -> str:
        """A rounded number in this language: 12.345,7 or 12,345.7; minus is U+2212."""
        return _written(number, _decimals(number), self.code)

    def data(self, number: Decimal) -> Markup:
        """The element that carries a rounded number: its value for machines, its digits for readers."""
        return _data(number, _decimals(number), self.code)

    def day(self, day: date) -> str:
        """25 Oktober 2026, 25 October 2026."""
        return format_date(day, format="d MMMM y", locale=LOCALE[self.code])

    def clock(self, moment: datetime) -> str:
        """Hours and minutes in the moment's own offset, which is named: 03.45 UTC+07:00."""
        minutes = int((moment.utcoffset() or timedelta()).total_seconds()) // 60
        sign = "+" if minutes >= 0 else "−"
        offset = f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}" if minutes else ""
        return f"{format_time(moment, format=CLOCK[self.code], locale=LOCALE[self.code])} UTC{offset}"

    def listed(self, items: Iterable[object]) -> Markup:
        """a, b, dan c; a, b and c. Items are escaped."""
        parts = [escape(item) for item in items]
        if len(parts) < 2:
            return Markup("").join(parts)
        marks = [f"\ue000{index}\ue001" for index in range(len(parts))]
        joined = format_list(marks, locale=LOCALE[self.code])
        for mark, part in zip(marks, parts, strict=True):
            joined = joined.replace(mark, part)
        return Markup(joined)  # noqa: S704 - the parts are escaped, the words between them are Babel's

    def _miss(self, file: str, seen: str, expected: str) -> None:
        self.missing.add(Finding(file=file, line=0, field="", slug="untranslated", found=seen, expected=expected))
