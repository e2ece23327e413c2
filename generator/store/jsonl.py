"""JSON lines -> records, a line at a time, and the one JSON document there is. Sound lines take the short way.

The short way: decode; encode again; the same bytes mean that nothing was hidden (no key twice, no odd spelling of
a number). Every other line is read a second time with care, and either it is sound too or each fault is named.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import msgspec

from generator.findings import shown
from generator.records import Record
from generator.store.lines import MAX_LINE, DamagedError, TooLongError, lines
from generator.store.sheet import Sheet
from generator.store.strict import HUGE, DoubledKeys, Flaw, decimal_fields, flaws, is_plain
from generator.store.write import encode

R = TypeVar("R", bound=Record)


def records(sheet: Sheet, kind: type[R]) -> Iterator[tuple[int, R]]:
    """Each sound record of a file with its 1-based line; the faults of the others are noted on the sheet."""
    decode = msgspec.json.Decoder(kind).decode
    amounts = decimal_fields(kind)
    for number, line in _lines(sheet):
        record: R | None
        try:
            record = decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            record = None
        is_short = record is not None and encode(record) == line and all(
            (amount := getattr(record, name)) is None or is_plain(amount) for name in amounts
        )  # fmt: skip
        if not is_short and (found := _line_flaws(line, kind)):
            _note(sheet, found, number)
        elif record is not None:
            yield number, record
        else:
            sheet.fault("not-json", shown(line[:80].decode("utf-8", "replace")), kind.__name__, line=number)
        if sheet.full:
            return


def document(sheet: Sheet, kind: type[R]) -> R | None:
    """The one record that a JSON file holds; None where a fault was noted."""
    text = sheet.content()
    if text is None:
        return None
    sheet.lines = {
        name[1].decode("utf-8", "replace"): number
        for number, line in enumerate(text.split(b"\n"), 1)
        for name in re.finditer(rb'"([^"\\]+)"\s*:', line)
    }
    found = _line_flaws(text, kind)
    _note(sheet, found, 0)
    try:
        return None if found else msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:  # JSON to the one reader and not to the other
        sheet.fault("not-json", shown(str(error)), kind.__name__)
        return None


def _lines(sheet: Sheet) -> Iterator[tuple[int, bytes]]:
    """Lines that end as lines do; what goes wrong in reading them is noted."""
    number = 0
    try:
        for number, line in enumerate(lines(sheet.path), 1):
            if not line.endswith(b"\n"):
                sheet.fault("torn-line", shown(line[:80].decode("utf-8", "replace")),
                            "a last line that ends in a newline", line=number)  # fmt: skip
            else:
                yield number, line
    except TooLongError as error:
        sheet.fault("line-too-long", f"more than {MAX_LINE} bytes", "a shorter line", line=error.args[0])
    except OSError as error:
        sheet.unreadable(error)
    except DamagedError as error:
        sheet.fault("damaged-compression", shown(str(error)), "a sound zstandard file", line=number + 1)


def _note(sheet: Sheet, found: list[Flaw], line: int) -> None:
    """Place the faults of one record."""
    for flaw in found:
        sheet.fault(flaw.slug, flaw.found, flaw.expected, line=line, field=flaw.field)


def _line_flaws(line: bytes, kind: type[Record]) -> list[Flaw]:
    """Every fault of one line; empty where it is sound though unusually written."""
    if outer := _byte_flaw(line):
        return [outer]
    try:
        raw = json.loads(
            line.decode("utf-8"),  # of bytes, json would guess another encoding
            object_pairs_hook=_pairs,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=Decimal,
        )
    except json.JSONDecodeError as error:
        near = shown(error.doc[error.pos : error.pos + 20].rstrip("\n"))
        return [Flaw("", "not-json", f"“{near}” at column {error.pos + 1}", f"JSON ({error.msg})")]
    except RecursionError:
        return [Flaw("", "too-deep", "brackets nested very deeply", kind.__name__)]
    if not isinstance(raw, dict):
        return [Flaw("", "wrong-type", shown(line.decode().strip()), f"an object: {kind.__name__}")]
    return flaws(raw, kind)


def _byte_flaw(line: bytes) -> Flaw | None:
    """A fault of the bytes themselves, before any JSON is read."""
    if not line.strip():
        return Flaw("", "blank-line", "an empty line", "a record")
    if line.startswith(b"\xef\xbb\xbf"):
        return Flaw("", "bom", "a byte order mark", "UTF-8 without one")
    if b"\r" in line:
        return Flaw("", "crlf", "a carriage return", "lines that end in \\n only")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        piece = line[error.start : error.start + 3]
        is_half = len(piece) == 3 and piece[0] == 0xED and 0xA0 <= piece[1] <= 0xBF
        slug = "lone-surrogate" if is_half else "invalid-utf-8"
        return Flaw("", slug, f"bytes {piece.hex(' ')} at offset {error.start}", "UTF-8")
    return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    """An object, remembering the keys that occurred twice."""
    if len(plain := dict(pairs)) == len(pairs):
        return plain
    doubled = DoubledKeys(plain)
    doubled.doubled = tuple(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return doubled


def _integer(digits: str) -> int:
    """A whole number; one with very many digits is not worth computing."""
    if len(digits) > 25:
        return -HUGE if digits.startswith("-") else HUGE
    return int(digits)


def _number(text: str) -> Decimal:
    """A number with a point or an exponent, as written."""
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond what even Decimal holds
        return Decimal("Infinity")
