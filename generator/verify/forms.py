"""The same words in other clothes: a file's text as written, and with its escapes undone. In the room ``verify``.

The leak gate could dress every secret in every form and look for each. It undresses the files instead, so that one
comparison of words finds the raw, HTML-escaped, JSON-escaped, URL-encoded, base64, case-folded, re-spaced and
re-punctuated form at once, also where escapes are nested or mixed.
"""

import base64
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits; everything else only separates."""
TAG = re.compile(r"""<!--|-->|<(?:[a-zA-Z/!?](?:"[^"]*"|'[^']*'|[^'"<>])*)>""")
ATTRIBUTE = re.compile(r"""=\s*(?:"([^"]{20,})"|'([^']{20,})'|([^\s"'<>]{20,}))""")
"""A value long enough to hold eight words, or a marker."""
BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{40,}(?:\r?\n[ \t]*[A-Za-z0-9+/_-]{4,})*")
"""Forty characters hold thirty bytes, less than the shortest secret; lines of a wrapped run are joined."""
HEX = re.compile(r"[0-9a-fA-F-]+")
MARKUP = (".html", ".svg", ".xml")
ROUNDS = 2
"""How often the escapes are undone in turn: JSON in an attribute, an escaped address in a feed."""


@dataclass(frozen=True)
class Step:
    """One kind of escape: where it stands and what it stands for."""

    name: str
    trigger: str
    pattern: re.Pattern[str]
    plain: Callable[[re.Match[str]], str]

    def undo(self, text: str) -> str:
        """``text`` without this escape."""
        return self.pattern.sub(self.plain, text) if self.trigger in text else text

    def origins(self, text: str, positions: list[int]) -> list[int]:
        """Where in ``text`` the characters at ``positions`` (ascending) of ``undo(text)`` come from."""
        found: list[int] = []
        grown = 0
        for match in self.pattern.finditer(text):
            begin, plain = match.start() + grown, self.plain(match)
            while len(found) < len(positions) and (position := positions[len(found)]) < begin + len(plain):
                found.append(position - grown if position < begin else match.start())
            grown += len(plain) - len(match[0])
        return [*found, *(position - grown for position in positions[len(found) :])]


def _json(match: re.Match[str]) -> str:
    code = match[0]
    if len(code) > 2:
        halves = code.encode("ascii").decode("unicode_escape")
        return halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(code[1], code[1])


TAGS = Step("html", "<", TAG, lambda _: " ")
ENTITIES = Step("html", "&", re.compile(r"&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)"),
                lambda match: html.unescape(match[0]))  # fmt: skip
JSON = Step("json", "\\", re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\x[0-9a-fA-F]{2}|\\[bfnrt\"'/\\]"), _json)
URL = Step("url", "%", re.compile(r"(?:%[0-9a-fA-F]{2})+"), lambda match: unquote(match[0], errors="replace"))
INVISIBLE = Step("respaced", "", re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"),
                 lambda _: "")  # fmt: skip
COMPOSED = Step("respaced", "", re.compile(r"\w[\u0300-\u036f]+"), lambda match: unicodedata.normalize("NFC", match[0]))


@dataclass(frozen=True)
class View:
    """One reading of a piece of text.

    Attributes:
        text: what is compared.
        form: the escapes that were undone, ``raw`` where there are none.
        origins: which characters of the file those at ascending positions of ``text`` come from. Asked for hits only:
            to answer, every escape is counted again.
    """

    text: str
    form: str
    origins: Callable[[list[int]], list[int]]


def views(path: str, text: str) -> Iterator[View]:
    """Every reading of a file's text that can differ in its words.

    Of markup the words between tags and each long attribute are read, never the markup itself: a page and an
    answer that both begin with the same seven tags share no sentence.
    """
    if not path.endswith(MARKUP):
        yield from _undone(_piece(text, 0))
        return
    for match in ATTRIBUTE.finditer(text):
        group = match.lastindex or 0
        yield from _undone(_piece(match[group], match.start(group)))
    whole = _piece(text, 0)
    yield from _undone(_after(whole, TAGS, "raw") or whole)


def _piece(text: str, start: int) -> View:
    """A piece as written, which begins at ``start`` in the file."""
    return View(text, "raw", lambda positions: [start + position for position in positions])


def _undone(view: View) -> Iterator[View]:
    """The view without invisible tricks, then with one escape after the other undone, then what base64 in it hides."""
    for step in () if view.text.isascii() else (INVISIBLE, COMPOSED):
        view = _after(view, step, view.form) or view
    yield view
    for step in (ENTITIES, JSON, URL) * ROUNDS:
        form = step.name if view.form == "raw" else f"{view.form}+{step.name}"
        if further := _after(view, step, form):
            view = further
            yield view
    if "base64" not in view.form:
        for match in BASE64_RUN.finditer(view.text):
            yield from _from_base64(view, match)


def _after(view: View, step: Step, form: str) -> View | None:
    """The view with one step undone, None where that changes nothing."""
    plain = step.undo(view.text)
    if plain == view.text:
        return None
    return View(plain, form, lambda positions: view.origins(step.origins(view.text, positions)))


def _from_base64(view: View, match: re.Match[str]) -> Iterator[View]:
    """A run decoded from each of the four places where its first group of four may begin."""
    run = "".join(match[0].split())
    if HEX.fullmatch(run):
        return
    run = run.replace("-", "+").replace("_", "/")
    for phase in range(4):
        rest = run[phase:]
        whole = rest[:-1] if len(rest) % 4 == 1 else rest
        text = base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8", "ignore")
        yield from _undone(View(text, "base64", lambda positions: view.origins([match.start()]) * len(positions)))
