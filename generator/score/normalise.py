"""Normalisers: small pure functions, text in, text out, that forgive how an answer is written, not what it says.

First step of exact scoring. A task names the ones it wants; the answer and its references pass through the same
ones, always in the order of ``ORDER``, so that the order in a task file decides nothing. ``tidy`` (NFC, single
spaces) comes before everything. Each is idempotent, never raises and takes time proportional to the text: no
pattern repeats a repetition, because answers are hostile. ``lead_in_12`` is not here: see ``lead_in``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

from generator.records import Normaliser

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_CITATION = re.compile(r" ?(?:\[(?:\^?[0-9]{1,3}(?:[,–-] ?[0-9]{1,3}){0,20})?\]|【[^【】]{1,40}】)\Z")
_CITATION_REACH = 140
_MATH_MARK = re.compile(r"\\(?:[()\[\]]|boxed\b)")
_DOLLARS = re.compile(r"(?<!\$)\$++([^$\n]{1,60})\$++")
_LATEX = re.compile(r"(?:([0-9]) ?)?\\[dt]?frac ?(?:\{ ?([0-9]{1,9}) ?\} ?\{ ?([0-9]{1,9}) ?\}|([0-9])([0-9]))")
_VULGAR = re.compile(r"(?:([0-9]) ?)?([¼-¾⅐-⅞])")
_RAISED_FRACTION = re.compile(r"[⁰¹²³⁴-⁹]{1,9}[/⁄∕][₀-₉]{1,9}")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_SLASHED = re.compile(r"(?<=[0-9]) ?[/⁄∕] ?(?=[0-9])")
_NUMBER = re.compile(r"[0-9][0-9.,]*")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_GROUPED_ENGLISH = re.compile(r"[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+\.[0-9]+|(?:,[0-9]{3}){2,})")
_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_NO_CENTS = re.compile(r"(?<=[0-9]),[-–—](?![0-9])")
_RUPIAH = re.compile(r"(?<![0-9A-Za-z.,])([0-9][0-9.,]*) ?rupiah\b", re.IGNORECASE)
_RP = re.compile(r"\brp\.? ?(?=[0-9])", re.IGNORECASE)
_PERCENT = re.compile(r"(?<=[0-9]) ?(?:%|persen\b)", re.IGNORECASE)
_FOLDED = str.maketrans("‘’ʼ´“”„«»‐‑‒–−", '\'\'\'\'"""""-----')
_E_MARKS = re.compile("(?<=[eE])[\u0300\u0301\u0302\u0308\u030c]+")


def tidy(text: str) -> str:
    """NFC, without zero-width characters, every run of white space one space, trimmed. Always applied."""
    visible = unicodedata.normalize("NFC", text).translate(_INVISIBLE)
    return " ".join(unicodedata.normalize("NFC", visible).split())


def case(text: str) -> str:
    """Letter case folded canonically (Unicode: the folding of NFD, composed again)."""
    folded = unicodedata.normalize("NFD", text).casefold()
    return unicodedata.normalize("NFC", folded)


def citation(text: str) -> str:
    """Citation marks dropped, with the space before them: ``[1]``, ``[1, 2]``, ``[^1]``, ``[[1]]``, ``【1†source】``.

    A text that is nothing but marks stays, so that "[1, 2]" can still be an answer.
    """
    kept: list[str] = []
    for character in text:
        kept.append(character)
        if character in "]】" and (mark := _CITATION.search("".join(kept[-_CITATION_REACH:]))):
            del kept[-len(mark[0]) :]
    return "".join(kept).strip() or text


def fraction(text: str) -> str:
    r"""Fractions written ``2/3``: from ``⅔``, ``²⁄₃``, ``2 / 3``, ``\frac{2}{3}``, ``$\frac23$``.

    A whole number before one keeps one space: ``1⅔`` -> ``1 2/3``. Nothing is reduced: 4/6 is another answer than
    2/3 where the simplest form is asked for.
    """
    text = _without_math(text)
    text = _LATEX.sub(lambda found: _mixed(found[1], found[2] or found[4], found[3] or found[5]), text)
    text = _VULGAR.sub(lambda found: _mixed(found[1], *_parts(found[2])), text)
    text = _RAISED_FRACTION.sub(lambda found: found[0].translate(_RAISED), text)
    return _SLASHED.sub("/", text)


def number_id(text: str) -> str:
    """Numbers in one form: no grouping, decimal comma, no idle zeros, ``Rp`` before and ``%`` after, unspaced.

    A number is read when only one reading is possible, and as Indonesian where two are: ``1.250`` is 1250,
    ``1,250`` is 1,25, ``2.5`` is 2,5, ``0.125`` is 0,125, ``1,250,000`` is 1250000. What fits no form (``17.8.1945``,
    ``007``) stays. ``1.250 rupiah`` and ``Rp 1.250,-`` are Rp1250, ``20 persen`` is 20%. A unit is part of an
    answer: none is added or dropped.
    """
    text = _NO_CENTS.sub("", _without_math(text))
    text = _NUMBER.sub(lambda found: _one_form(found[0]), text)
    text = _RP.sub("Rp", _RUPIAH.sub(r"Rp\1", text))
    return _PERCENT.sub("%", text)


def punctuation(text: str) -> str:
    """Punctuation, quotes and Markdown marks become spaces, except where they carry meaning.

    Kept: ``. , : /`` between digits, ``/`` between letters, hyphen and apostrophe inside a word (spelling), a minus
    sign before a digit, ``% & @``, and the question mark: an answer that asks is not an answer. Curly quotes and the
    kinds of dashes are folded first; an em dash is always a break.
    """
    text = text.translate(_FOLDED)
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return " ".join("".join(this if _kept(before, this, after) else " " for before, this, after in around).split())


def diacritics_jv(text: str) -> str:
    """Javanese é, è, ê, ě, ë written e: casual spelling leaves the marks out."""
    return unicodedata.normalize("NFC", _E_MARKS.sub("", unicodedata.normalize("NFD", text)))


ORDER: dict[Normaliser, Callable[[str], str]] = {
    "citation": citation,
    "fraction": fraction,
    "number_id": number_id,
    "punctuation": punctuation,
    "case": case,
    "diacritics_jv": diacritics_jv,
}
"""Every text-to-text normaliser, in the order in which they are applied."""


def normalise(text: str, names: Iterable[Normaliser]) -> str:
    """``text`` tidied and then passed through the named normalisers, in the order of ``ORDER``."""
    chosen = frozenset(names)
    text = tidy(text)
    for name, apply in ORDER.items():
        if name in chosen:
            text = apply(text)
    return tidy(text)


def _kept(before: str, this: str, after: str) -> bool:
    if this in "-'":
        within_word = before.isalnum() and after.isalnum()
        sign = this == "-" and after.isdecimal() and not before.isalnum()
        return within_word or sign
    if this in ".,:":
        return before.isdecimal() and after.isdecimal()
    if this == "/":
        return before.isalnum() and after.isalnum()
    return this in "%&@?" or not (this == "`" or unicodedata.category(this).startswith("P"))


def _one_form(run: str) -> str:
    """A maximal run of digits, dots and commas, in one form where it is a number."""
    number = run.rstrip(".,")
    rest = run[len(number) :]
    if _GROUPED.fullmatch(number):
        whole, _, decimals = number.replace(".", "").partition(",")
    elif _GROUPED_ENGLISH.fullmatch(number):
        whole, _, decimals = number.replace(",", "").partition(".")
    elif _DECIMAL.fullmatch(number):
        whole, _, decimals = number.replace(".", ",").partition(",")
    else:
        return run
    decimals = decimals.rstrip("0")
    return f"{whole},{decimals}{rest}" if decimals else f"{whole}{rest}"


def _without_math(text: str) -> str:
    r"""``text`` without the marks of LaTeX around a value: ``$…$``, ``\(…\)``, ``\[…\]``, ``\boxed``.

    The braces behind ``\boxed`` stay: they are punctuation.
    """
    if "$" not in text and "\\" not in text:
        return text
    return _DOLLARS.sub(lambda found: found[1].strip(), _MATH_MARK.sub(" ", text))


def _mixed(whole: str | None, above: str, below: str) -> str:
    return f"{whole} {above}/{below}" if whole else f"{above}/{below}"


def _parts(vulgar: str) -> tuple[str, str]:
    above, _, below = unicodedata.normalize("NFKC", vulgar).partition("⁄")
    return above, below
