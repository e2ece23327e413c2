"""Counting what a text is made of: words, sentences, paragraphs, lines, list items. Serves the checks.

All rules are stated here because a count is only as fair as its rule. Text is read as it stands, with NFC and
``LF`` line ends; every function is linear and never raises.
"""

import re
import unicodedata

ABBREVIATIONS = frozenset({
    "a.n", "bpk", "brigjen", "d.a", "dr", "dra", "drs", "drg", "dsb", "dst", "dll", "dkk", "gg",
    "hj", "hlm", "ibid", "ir", "jend", "jl", "jln", "kab", "kec", "kel", "kol", "kpt", "let", "letjen",
    "lt", "mayjen", "moh", "muh", "mr", "mrs", "ms", "no", "nn", "ny", "pgs", "ph", "plh", "plt", "prof", "rm", "rp",
    "sda", "sdr", "sdri", "st", "tgl", "tn", "u.b", "u.p", "vol", "yth", "s.pd", "s.h", "s.e", "s.t",
    "s.kom", "s.sos", "s.si", "s.i.p", "m.si", "m.pd", "m.hum", "m.m", "m.sc", "m.t", "ph.d", "b.sc",
})  # fmt: skip
"""Written with a dot that does not end a sentence, without that dot, in small letters."""
CLOSING = frozenset({"dll", "dsb", "dst", "dkk"})
"""Those that may also stand last: they end a sentence when a capital follows."""
BEFORE_A_NUMBER = frozenset({"no", "hlm", "tgl", "rp", "vol"})
"""Those that are abbreviations only before a digit: "No." may also be a word."""

_MARKDOWN = "*_`#>~"
_OPENING_MARKS = _MARKDOWN + "\"'“‘«(["
_CLOSING_MARKS = _MARKDOWN + "\"'”’»)]"
_NUMBERED = re.compile(r"[ \t]{0,40}(?:\*\*|__)?(?:\(?([0-9]{1,3}|[A-Za-z])[.)])(?=[ \t*_]|(?<=[0-9][.)])[A-Za-z])(.*)")
_BULLET = re.compile(r"[ \t]{0,40}[-*+•●▪–][ \t](.*)")
_WORD_BREAK = re.compile(r"[\s—]+| – ")


def lines(text: str) -> list[str]:
    """The lines that are not blank, stripped."""
    return [line.strip() for line in _plain(text).split("\n") if line.strip()]


def paragraphs(text: str) -> list[str]:
    """Blocks between blank lines that hold at least one letter or digit."""
    blocks: list[list[str]] = [[]]
    for line in _plain(text).split("\n"):
        if line.strip():
            blocks[-1].append(line)
        else:
            blocks.append([])
    return [block for block in map("\n".join, blocks) if _has_word(block)]


def words(text: str) -> list[str]:
    """Runs between white space or dashes that hold a letter or digit; the bullet or number of a list item is no word.

    ``kupu-kupu`` and ``dan/atau`` are one word each, ``Rp1.250`` is one, a lone ``-`` or ``**`` is none.
    """
    bare = "\n".join(content if (content := _item_content(line)) else line for line in _plain(text).split("\n"))
    return [word for word in _WORD_BREAK.split(bare) if _has_word(word)]


def list_items(text: str) -> list[str]:
    """Items of the list in ``text``, without their markers.

    An item is a line that starts with ``-``, ``*``, ``+``, ``•`` or ``–`` and a space, or with ``1.``, ``1)``,
    ``(1)``, ``a.`` or ``a)``, and has a letter or digit after it. Only items at the least indentation (one space of
    tolerance) and of the kind of the first such item count, so that sub-items do not. Letters are a kind only where
    the first is ``a``: a line may begin with an initial.
    """
    found = [(_indent(line), *_item(line)) for line in _plain(text).split("\n")]
    found = [each for each in found if each[1]]
    if not found:
        return []
    least = min(indent for indent, _, _ in found)
    outer = [(kind, content) for indent, kind, content in found if indent <= least + 1]
    first = outer[0][0]
    if first.startswith("letter") and first != "letter a":
        return []
    return [content for kind, content in outer if kind.split()[0] == first.split()[0]]


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    A sentence ends at ``. ! ? …`` (or several, with closing quotes, brackets or Markdown after them) before white
    space or the end; a paragraph or list item ends one without a mark. It does not end at an abbreviation
    (``ABBREVIATIONS``), at an initial (one capital letter), at the marker of a list item, or where a quotation or an
    ellipsis is followed by a small letter ("Pergi!" katanya). A number such as 1.250 or 07.30 has no space in it, so
    it ends nothing. A text without any mark is one sentence, a piece without a letter or digit is none.
    """
    found = []
    for block in _blocks(text):
        tokens = block.split()
        start = 0
        for here, token in enumerate(tokens):
            after = tokens[here + 1] if here + 1 < len(tokens) else ""
            if not after or ends_sentence(token, after):
                found.append(" ".join(tokens[start : here + 1]))
                start = here + 1
    return [sentence for sentence in found if _has_word(sentence)]


def ends_sentence(token: str, after: str) -> bool:
    """Whether a sentence ends with ``token``, which the token ``after`` follows."""
    bare = token.rstrip(_CLOSING_MARKS)
    if not bare or bare[-1] not in ".!?…":
        return False
    follows = after.lstrip(_OPENING_MARKS)
    small = follows[:1].islower()
    quoted = any(mark in "\"'”’»" for mark in token[len(bare) :])
    if small and (quoted or bare.endswith(("…", "..."))):
        return False
    if bare[-1] != "." or bare.endswith(".."):
        return True
    return not _abbreviation(bare[:-1].lstrip(_OPENING_MARKS), follows)


def _abbreviation(word: str, follows: str) -> bool:
    if len(word) == 1:
        return word.isupper()
    folded = word.casefold()
    if folded in CLOSING:
        return not follows[:1].isupper()
    if folded in BEFORE_A_NUMBER:
        return follows[:1].isdecimal()
    return folded in ABBREVIATIONS


def _blocks(text: str) -> list[str]:
    """Paragraphs, cut again before every list item, items without their markers."""
    blocks: list[list[str]] = [[]]
    for line in _plain(text).split("\n"):
        content = _item_content(line)
        if content or not line.strip():
            blocks.append([])
        blocks[-1].append(content or line)
    return ["\n".join(block) for block in blocks]


def _item(line: str) -> tuple[str, str]:
    """Kind of marker and content of a list item; two empty strings for another line."""
    if (found := _BULLET.match(line)) and _has_word(found[1]):
        return "bullet", found[1].strip()
    if (found := _NUMBERED.match(line)) and _has_word(found[2]):
        return ("number" if found[1].isdecimal() else f"letter {found[1].casefold()}"), found[2].strip()
    return "", ""


def _item_content(line: str) -> str:
    kind, content = _item(line)
    return "" if kind.startswith("letter") else content


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _has_word(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
