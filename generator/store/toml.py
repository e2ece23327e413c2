"""A TOML file that a person wrote -> a record, with the line of each faulty field."""

import re
import tomllib
from decimal import Decimal, DecimalException
from typing import Any, TypeVar

import msgspec

from generator.findings import shown
from generator.records import SCHEMA, Record
from generator.store.sheet import Sheet
from generator.store.strict import flaws, told

R = TypeVar("R", bound=Record)


def table(sheet: Sheet, kind: type[R]) -> tuple[R, dict[str, Any]] | None:
    """The record that a file holds, and the raw table it was made of; None where a fault was noted.

    The file's ``schema`` comes first: of a newer one nothing else is judged.
    """
    text = sheet.text()
    raw = None if text is None else _parsed(sheet, text)
    if text is None or raw is None:
        return None
    sheet.lines = lines_of(text)
    schema = raw.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        sheet.fault("newer-schema", f"schema {told(schema)}", f"schema {SCHEMA}", field="schema")
        return None
    found = flaws(raw, kind)
    if isinstance(schema, int) and schema < 1:
        sheet.fault("wrong-value", told(schema), f"schema {SCHEMA}", field="schema")
    for flaw in found:
        sheet.fault(flaw.slug, flaw.found, flaw.expected, field=flaw.field)
    return None if sheet.count else (msgspec.convert(raw, kind), raw)


def _parsed(sheet: Sheet, text: str) -> dict[str, Any] | None:
    """The raw table; None where the text is no TOML."""
    try:
        return tomllib.loads(text, parse_float=_number)
    except RecursionError:
        sheet.fault("too-deep", "brackets or keys nested very deeply", "TOML")
    except ValueError as error:  # TOMLDecodeError, and whole numbers of thousands of digits
        place = re.search(r" \(at line ([0-9]+), column [0-9]+\)\Z", str(error))
        line = int(place[1]) if place else text.count("\n") + 1 if "at end of document" in str(error) else 0
        sheet.fault("not-toml", shown(str(error)), "TOML", line=line)
    return None


def _number(text: str) -> Decimal:
    """A number with a point or an exponent, as written; also ``nan`` and ``inf``, which are refused later."""
    try:
        return Decimal(text.replace("_", ""))
    except DecimalException:
        return Decimal("Infinity")


MAX_HEADER = 500
"""Characters of a line that are looked at; nobody writes a longer header, and a hostile one costs its square."""
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\-\"' ]+?)\s*\]\]?\s*(?:#.*)?\Z")
_KEY = re.compile(r"\s*((?:[\w\-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*[\w\-]+)*)\s*=")


def lines_of(text: str) -> dict[str, int]:
    """Field, such as ``task[3].checks`` -> 1-based line, by a light look at headers and keys.

    It reads no values: lines inside a multi-line string are passed over, keys inside an inline table are not
    found (their table is). Only places in messages depend on it.
    """
    places: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix, closing = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if line.count(closing) % 2 else closing
            continue
        if header := _HEADER.match(line[:MAX_HEADER]):
            prefix = _table_path(header[2], header[1] == "[[", counts)
            places.setdefault(prefix, number)
        elif key := _KEY.match(line[:MAX_HEADER]):
            name = ".".join(part.strip().strip("\"'") for part in key[1].split("."))
            places.setdefault(f"{prefix}.{name}" if prefix else name, number)
        closing = next((quote for quote in ('"""', "'''") if line.count(quote) % 2), "")
    return places


def _table_path(header: str, is_array: bool, counts: dict[str, int]) -> str:
    """The path of a table header; ``counts`` holds how many elements each array of tables has so far."""
    path = ""
    parts = [part.strip().strip("\"'") for part in header.split(".")]
    for depth, part in enumerate(parts, 1):
        path = f"{path}.{part}" if path else part
        if depth == len(parts) and is_array:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = f"{path}[{counts[path] - 1}]"
    return path
