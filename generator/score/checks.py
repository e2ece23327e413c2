"""Instructions that a program can check: each check says what it saw. In ``score``, room 1.

The score is the share of checks that passed. ``saw`` and ``wanted`` need no language: counts, quoted pieces, keys
and types, rhymes. Counting rules are in ``counting``, the rhyme in ``pantun``.

Words are sought whole: "dan" is not in "dandan", and a hyphen belongs to its word. A text of one character, and any
end of a text that is no letter or digit, is sought anywhere ("e", "!", "{"). Curly quotes equal straight ones, any
white space equals one space, and letter case matters only where the check says so.
"""

import json
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from typing import Any, assert_never

from generator.records import (
    Bounds,
    Check,
    ChecksTask,
    Contains,
    EndsWith,
    Excludes,
    JsonShape,
    Lines,
    ListItems,
    Mark,
    Pantun,
    Paragraphs,
    Saw,
    Sentences,
    StartsWith,
    Uppercase,
    Words,
)
from generator.score import counting
from generator.score.pantun import scheme

SHOWN = 60
"""Characters of an answer that a check quotes."""

_COUNTED: dict[type[Bounds], tuple[str, Callable[[str], list[str]]]] = {
    ListItems: ("list_items", counting.list_items),
    Words: ("words", counting.words),
    Sentences: ("sentences", counting.sentences),
    Paragraphs: ("paragraphs", counting.paragraphs),
    Lines: ("lines", counting.lines),
}
_KINDS = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_QUOTES = str.maketrans("‘’“”", "''\"\"")
_EDGE_MARKS = "*_\"' "
_FENCE = "```"


def mark(task: ChecksTask, answer: str) -> Mark:
    """The mark of one answer that is not empty: passed when every check passed, scored by the share that did."""
    saw = tuple(look(check, answer) for check in task.checks)
    passed = sum(each.passed for each in saw)
    complete = passed == len(saw)
    return Mark(
        outcome="passed" if complete else "failed",
        score=Fraction(100 * passed, len(saw)),
        reason="all_checks" if complete else "some_checks",
        saw=saw,
    )


def look(check: Check, answer: str) -> Saw:  # noqa: PLR0911 - one return for every kind of check
    """What ``check`` sees in ``answer``. Never raises."""
    text = unicodedata.normalize("NFC", answer)
    match check:
        case ListItems() | Words() | Sentences() | Paragraphs() | Lines():
            return _counted(check, text)
        case JsonShape():
            return _json(check, text)
        case Uppercase():
            return _uppercase(text)
        case Contains() | Excludes():
            return _contains(check, text)
        case StartsWith():
            return _starts(check, text)
        case EndsWith():
            return _ends(check, text)
        case Pantun():
            return _pantun(text)
        case _:
            assert_never(check)


def _counted(check: ListItems | Words | Sentences | Paragraphs | Lines, text: str) -> Saw:
    name, parts = _COUNTED[type(check)]
    count = len(parts(text))
    return Saw(check=name, passed=check.admit(count), saw=str(count), wanted=_bounds(check))


def _bounds(bounds: Bounds) -> str:
    if bounds.equals is not None:
        return str(bounds.equals)
    if bounds.min is None:
        return f"≤ {bounds.max}"
    return f"≥ {bounds.min}" if bounds.max is None else f"{bounds.min}–{bounds.max}"


def _contains(check: Contains | Excludes, text: str) -> Saw:
    count = _occurrences(_comparable(text, case=check.case), _comparable(check.text, case=check.case))
    forbidden = isinstance(check, Excludes)
    return Saw(
        check="excludes" if forbidden else "contains",
        passed=(count == 0) is forbidden,
        saw=f"{count} × {_quoted(check.text)}",
        wanted=f"{'0' if forbidden else '≥ 1'} × {_quoted(check.text)}",
    )


def _starts(check: StartsWith, text: str) -> Saw:
    """Quotes and Markdown emphasis before the first word are passed over, unless they are what is wanted."""
    wanted, found = _comparable(check.text, case=check.case), _comparable(text, case=check.case)
    bare = found if wanted[:1] in _EDGE_MARKS else found.lstrip(_EDGE_MARKS)
    passed = bare.startswith(wanted) and _whole(bare, 0, len(wanted), wanted)
    return Saw(check="starts_with", passed=passed, saw=_quoted(text.strip()), wanted=_quoted(check.text))


def _ends(check: EndsWith, text: str) -> Saw:
    """Quotes and Markdown emphasis behind the last word are passed over, and one final mark where none is wanted."""
    wanted, found = _comparable(check.text, case=check.case), _comparable(text, case=check.case)
    bare = found if wanted[-1:] in _EDGE_MARKS else found.rstrip(_EDGE_MARKS)
    if wanted[-1:].isalnum() and bare[-1:] in (".", "!", "?", "…"):
        bare = bare[:-1].rstrip(_EDGE_MARKS)
    passed = bare.endswith(wanted) and _whole(bare, len(bare) - len(wanted), len(bare), wanted)
    return Saw(check="ends_with", passed=passed, saw=_quoted(text.strip(), end=True), wanted=_quoted(check.text))


def _uppercase(text: str) -> Saw:
    """Every letter that has a case is a capital, and there is one. Seen: capitals, small letters, the first culprit."""
    small = sum(map(_is_small, text))
    capitals = sum(map(str.isupper, text))
    culprit = next((f" {_quoted(word)}" for word in text.split() if any(map(_is_small, word))), "")
    passed = capitals > 0 and small == 0
    return Saw(check="uppercase", passed=passed, saw=f"A {capitals}, a {small}{culprit}", wanted="A ≥ 1, a 0")


def _is_small(character: str) -> bool:
    return unicodedata.category(character) in ("Ll", "Lt")


def _pantun(text: str) -> Saw:
    found = scheme(text)
    return Saw(check="pantun", passed=found.is_pantun, saw=_shown("/".join(found.rhymes)), wanted="a/b/a/b")


def _json(check: JsonShape, text: str) -> Saw:
    """One JSON object and nothing else, at most inside one ``` fence; more keys than required are allowed.

    Refused: NaN and Infinity, one key twice. An integer is no ``boolean``; 5.0 is a ``number`` and no ``integer``.
    """
    wanted = ", ".join(f"{key}: {kind}" for key, kind in check.required.items())
    try:
        value = json.loads(_unfenced(text), parse_constant=_refuse, object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        return Saw(check="json", passed=False, saw=_quoted(text.strip()), wanted=wanted)
    if not isinstance(value, dict):
        return Saw(check="json", passed=False, saw=_kind(value), wanted=wanted)
    kinds = {key: _kind(value[key]) for key in check.required if key in value}
    saw = ", ".join(f"{key}: {kind}" for key, kind in kinds.items())
    passed = all(_is_a(kinds.get(key), kind) for key, kind in check.required.items())
    return Saw(check="json", passed=passed, saw=saw, wanted=wanted)


def _unfenced(text: str) -> str:
    """The inside of a text that is one fenced block; any other text as it is."""
    text = text.strip()
    first, _, rest = text.partition("\n")
    info = first.removeprefix(_FENCE).strip().casefold()
    if first.startswith(_FENCE) and rest.endswith(_FENCE) and info in ("", "json"):
        return rest.removesuffix(_FENCE)
    return text


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _kind(value: object) -> str:
    """The JSON type of a decoded value."""
    return "null" if value is None else _KINDS[type(value)]


def _is_a(kind: str | None, wanted: str) -> bool:
    return kind == wanted or (kind == "integer" and wanted == "number")


def _comparable(text: str, *, case: bool) -> str:
    """``text`` with straight quotes and single spaces, trimmed, its letter case folded unless ``case`` matters."""
    plain = " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).split())
    return plain if case else unicodedata.normalize("NFC", plain.casefold())


def _occurrences(text: str, part: str) -> int:
    if not part:
        return 0
    count, at = 0, text.find(part)
    while at >= 0:
        count += _whole(text, at, at + len(part), part)
        at = text.find(part, at + 1)
    return count


def _whole(text: str, start: int, end: int, part: str) -> bool:
    """Whether ``text[start:end]`` is no piece of a longer word."""
    if len(part) == 1 and not part.isdecimal():
        return True
    cut_before = part[:1].isalnum() and _in_word(text[max(start - 2, 0) : start][::-1])
    cut_after = part[-1:].isalnum() and _in_word(text[end : end + 2])
    return not (cut_before or cut_after)


def _in_word(beside: str) -> bool:
    """Whether what lies beside a letter, nearest first, continues its word: a letter, or a hyphen and a letter."""
    return beside[:1].isalnum() or (beside[:1] == "-" and beside[1:2].isalnum())


def _quoted(text: str, *, end: bool = False) -> str:
    return f"“{_shown(text, end=end)}”"


def _shown(text: str, *, end: bool = False) -> str:
    """At most ``SHOWN`` characters of ``text``, from its start or its end, in one line."""
    text = " ".join(text.split())
    if len(text) <= SHOWN:
        return text
    return f"…{text[1 - SHOWN :]}" if end else f"{text[: SHOWN - 1]}…"
