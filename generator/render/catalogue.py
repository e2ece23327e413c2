"""The words of the site in both languages, read strictly: interface strings and the names of slugs. Part of ``render``.

Interface strings are gettext messages with the English text as their key (``locale/id/messages.po``). Slugs that come
out of the data (reasons, methods, settings …) have their words in ``locale/<language>/words.toml``, by group.
"""

import re
import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from babel.messages.catalog import Message
from babel.messages.pofile import PoFileError, read_po

from generator.findings import Finding, shown
from generator.records import Record, Text

LANGUAGES = ("id", "en")
"""Both languages, the publisher's own first."""

PLACEHOLDER = re.compile(r"%\((\w+)\)s")

Words = Mapping[str, Mapping[str, str]]
"""Group -> slug -> words."""


class Catalogue(Record, frozen=True, kw_only=True):
    """Everything the site can say by itself."""

    messages: dict[str, str]
    """English interface string -> Indonesian. Plurals are under their singular: Indonesian has one form."""
    words: dict[str, dict[str, dict[str, str]]]
    """Language -> group -> slug -> words."""
    sentences: dict[str, Text]
    """Slug -> sentence with ``{named}`` slots."""


def read_catalogue(folder: Path, found: list[Finding]) -> Catalogue:
    """All words below ``content``; whatever is wrong or missing in one language is added to ``found``."""
    return Catalogue(
        messages=_messages(folder / "locale/id/messages.po", found),
        words=_words(folder, found),
        sentences=_sentences(folder / "sentences.toml", found),
    )


def slots(sentence: str) -> frozenset[str]:
    """Names of the ``{slots}`` of a sentence.

    Raises:
        ValueError: for an unclosed brace or a slot with a conversion, a format or an attribute.
    """
    names = set()
    for _, name, spec, conversion in string.Formatter().parse(sentence):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion:
            raise ValueError(f"{{{name}}} is not a plain slot")
        names.add(name)
    return frozenset(names)


def _messages(path: Path, found: list[Finding]) -> dict[str, str]:
    try:
        with path.open("rb") as file:
            catalogue = read_po(file, locale="id", abort_invalid=True)
    except (OSError, PoFileError, ValueError) as error:
        found.append(_finding(path, 0, "unreadable-catalogue", str(error), "a gettext catalogue in UTF-8"))
        return {}
    result = {}
    for message in catalogue:
        if message.id:
            result[_key(message)] = _translation(path, message, found)
    return result


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _translation(path: Path, message: Message, found: list[Finding]) -> str:
    texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
    line = message.lineno or 0
    if message.fuzzy or not all(texts) or not texts:
        found.append(_finding(path, line, "untranslated", shown(_key(message)), "an Indonesian text, not fuzzy"))
        return ""
    sources = [message.id] if isinstance(message.id, str) else list(message.id or ())
    wanted = set(PLACEHOLDER.findall("".join(sources)))
    given = set(PLACEHOLDER.findall(texts[0]))
    if wanted != given:
        found.append(
            _finding(path, line, "placeholders", _names(given), f"{_names(wanted)} as in {shown(_key(message), 40)}")
        )
    return texts[0]


def _words(folder: Path, found: list[Finding]) -> dict[str, dict[str, dict[str, str]]]:
    read = {code: _toml(folder / f"locale/{code}/words.toml", found) for code in LANGUAGES}
    words: dict[str, dict[str, dict[str, str]]] = {code: {} for code in LANGUAGES}
    for code, groups in read.items():
        for group, entries in groups.items():
            if not isinstance(entries, dict) or not all(isinstance(v, str) and v for v in entries.values()):
                path = folder / f"locale/{code}/words.toml"
                found.append(_finding(path, 0, "bad-words", group, 'a table of slug = "words", none empty'))
                continue
            words[code][group] = entries
    for code, other in zip(LANGUAGES, reversed(LANGUAGES), strict=True):
        path = folder / f"locale/{code}/words.toml"
        for group, slug, text in _flat(words[other]):
            mine = words[code].get(group, {}).get(slug)
            if mine is None:
                found.append(_finding(path, 0, "untranslated", f"no {group}.{slug}", f"a text, as in {other}"))
            elif code == LANGUAGES[0]:
                _same_slots(path, f"{group}.{slug}", (mine, text), found)
    return words


def _flat(words: Words) -> Iterator[tuple[str, str, str]]:
    return ((group, slug, text) for group, entries in words.items() for slug, text in entries.items())


def _sentences(path: Path, found: list[Finding]) -> dict[str, Text]:
    sentences = {}
    for slug, pair in _toml(path, found).items():
        if not isinstance(pair, dict) or set(pair) != set(LANGUAGES) or not all(pair.values()):
            found.append(_finding(path, 0, "untranslated", f"[{slug}]", "a sentence in id and in en, nothing else"))
            continue
        _same_slots(path, slug, (pair["id"], pair["en"]), found)
        sentences[slug] = Text(id=pair["id"], en=pair["en"])
    return sentences


def _same_slots(path: Path, field: str, texts: Iterable[str], found: list[Finding]) -> None:
    try:
        one, two = (slots(text) for text in texts)
    except ValueError as error:
        found.append(_finding(path, 0, "bad-slot", f"{field}: {error}", "plain {name} slots"))
        return
    if one != two:
        expected = "the same slots in both languages"
        found.append(_finding(path, 0, "slots-differ", f"{field}: {_names(one)} and {_names(two)}", expected))


def _toml(path: Path, found: list[Finding]) -> Mapping[str, object]:
    try:
        return MappingProxyType(tomllib.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        found.append(_finding(path, 0, "unreadable-toml", str(error), "a TOML file in UTF-8"))
        return {}


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _finding(path: Path, line: int, slug: str, seen: str, expected: str) -> Finding:
    return Finding(file=_shown_path(path), line=line, field="", slug=slug, found=shown(seen), expected=expected)


def _shown_path(path: Path) -> str:
    """The path from ``content`` on: where the project lies on this machine is nobody's business."""
    parts = path.parts
    return "/".join(parts[parts.index("content") :]) if "content" in parts else path.name
