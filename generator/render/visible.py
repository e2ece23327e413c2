"""Hostile text made visible: what a terminal or a browser would obey is shown as what it is. Part of ``render``.

Model output, model names and judges' reasons pass through here before they are escaped. Nothing is dropped: a control
character becomes its picture, a bidirectional control or non-character its code point in brackets.
"""

import re

from markupsafe import Markup, escape

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\u00ad\u115f\u1160\u180e\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
_NEVER = "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
_LAST = "".join(chr(plane * 0x10000 + low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
STRANGE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}{_UNSEEN}{_NEVER}{_LAST}]")
"""Everything that is not plain text: controls save tab and line feed, bidirectional and invisible formatting,
surrogates, private use, non-characters. Joiners (U+200C, U+200D) stay: scripts and emoji need them."""


def plain(text: str) -> str:
    """``text`` with every strange character named, as a string: for attributes, titles, charts and files."""
    return STRANGE.sub(lambda match: _named(match[0]), text)


def visible(text: str) -> Markup:
    """``text`` escaped, every strange character named and marked up as such."""
    if not STRANGE.search(text):
        return escape(text)
    parts, end = [], 0
    for match in STRANGE.finditer(text):
        parts.append(escape(text[end : match.start()]))
        parts.append(Markup('<span class="strange">{}</span>').format(_named(match[0])))
        end = match.end()
    parts.append(escape(text[end:]))
    return Markup("").join(parts)


def _named(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"[U+{code:04X}]"
