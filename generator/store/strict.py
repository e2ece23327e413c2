"""What is wrong with a decoded value, all of it: msgspec stops at the first fault of a record, this goes on.

Only run on values that msgspec has refused, or that must be looked at with care; sound lines never come here.
"""

import re
import types
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import islice
from math import isfinite
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from generator.findings import shown

MAX_INTEGER = 2**63 - 1
HUGE = 10**25
"""Stands for a whole number with more digits than are worth reading."""


MAX_FLAWS = 1000
"""Faults told of one value; a hostile line of a million unknown keys must not fill the memory."""


class Flaw(NamedTuple):
    """A fault inside one record, not yet placed in a file."""

    field: str
    slug: str
    found: str
    expected: str


class DoubledKeys(dict[str, object]):
    """A decoded JSON object in which keys occurred twice."""

    doubled: tuple[str, ...] = ()


def flaws(raw: object, kind: Any) -> list[Flaw]:
    """Every fault that keeps ``raw`` (as JSON or TOML decode it) from being a sound ``kind``."""
    odd = list(islice(_odd_values(raw), MAX_FLAWS))
    seen = {flaw.field for flaw in odd}
    return odd + [flaw for flaw in _misfits(raw, kind, "") if flaw.field not in seen]


def told(value: object) -> str:
    """A decoded value as findings show it."""
    match value:
        case None:
            text = "null"
        case bool():
            text = str(value).lower()
        case str():
            text = f'"{value}"'
        case dict():
            text = "a table"
        case list():
            text = f"a list of {len(value)}"
        case int() if abs(value) >= HUGE:
            text = "a whole number of more than 25 digits"
        case _:
            text = str(value)
    return shown(text)


def is_plain(amount: Decimal) -> bool:
    """Whether an amount is finite, and of a size that can be computed with exactly without filling the memory."""
    exponent = amount.as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -40 and amount.adjusted() <= 18


@cache
def decimal_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Names of the fields of ``kind`` that hold a Decimal."""
    return tuple(
        field.name for field in msgspec.structs.fields(kind) if field.type is Decimal or Decimal in get_args(field.type)
    )


def _odd_values(raw: object) -> Iterator[Flaw]:
    """Values that no record may hold whatever its type says. Walks with a stack: the depth is not ours."""
    waiting: list[tuple[str, object]] = [("", raw)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value, DoubledKeys):
                for key in value.doubled:
                    yield Flaw(_joined(path, key), "duplicate-key", f"{told(key)} twice", "each key once")
            waiting += ((_joined(path, key), item) for key, item in value.items())
            waiting += ((_joined(path, key), key) for key in value if _has_surrogate(key))
        elif isinstance(value, list):
            waiting += ((f"{path}[{index}]", item) for index, item in enumerate(value))
        elif isinstance(value, str):
            if _has_surrogate(value):
                half = next(ch for ch in value if "\ud800" <= ch <= "\udfff")
                yield Flaw(path, "lone-surrogate", f"\\u{ord(half):04x}", "text that UTF-8 can hold")
        elif isinstance(value, int) and not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
            yield Flaw(path, "beyond-64-bits", told(value), f"a whole number up to {MAX_INTEGER}")
        elif isinstance(value, float | Decimal):
            if not (value.is_finite() if isinstance(value, Decimal) else isfinite(value)):
                yield Flaw(path, "not-finite", told(value), "a finite number")
            elif isinstance(value, Decimal) and not is_plain(value):
                yield Flaw(path, "wrong-value", told(value), "a number of common size")


def _misfits(raw: object, kind: Any, path: str) -> list[Flaw]:
    """Faults of type and shape; where a part is to blame, the part is named and not the whole."""
    try:
        value = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        return list(islice(_parts(raw, kind, path), MAX_FLAWS)) or [_described(raw, kind, path, str(error))]
    except (ValueError, RecursionError) as error:  # such as a Decimal that its own type refuses
        return [Flaw(path, "wrong-value", told(raw), str(error))]
    return list(_odd_amounts(raw, value, path))


def _parts(raw: object, kind: Any, path: str) -> Iterator[Flaw]:
    """Faults of the parts of ``raw``; nothing where it has no parts or is not of the right shape."""
    kind = _meant(raw, kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(raw, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from _struct_parts(raw, kind, path)
    elif isinstance(raw, dict) and isinstance(kind, tuple):
        yield from _tag_fault(raw, kind, path)
    elif isinstance(raw, dict) and origin is dict:
        for key, item in raw.items():
            yield from _misfits(key, arguments[0], _joined(path, key))
            yield from _misfits(item, arguments[1], _joined(path, key))
    elif isinstance(raw, list) and origin is tuple:
        kinds = [arguments[0]] * len(raw) if arguments[-1] is ... else list(arguments)
        if len(kinds) == len(raw):
            for index, item in enumerate(raw):
                yield from _misfits(item, kinds[index], f"{path}[{index}]")


def _struct_parts(raw: dict[str, object], kind: type[msgspec.Struct], path: str) -> Iterator[Flaw]:
    """Faults of the fields of a table: missing ones, unknown ones, wrong ones."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, field in fields.items():
        if name in raw:
            yield from _misfits(raw[name], field.type, _joined(path, name))
        elif field.required:
            yield Flaw(_joined(path, name), "missing-field", "nothing", _kind_told(field.type))
    known = {*fields, kind.__struct_config__.tag_field}
    for name in raw:
        if name not in known:
            expected = f"one of {', '.join(fields)}"
            yield Flaw(_joined(path, name), "unknown-field", told(name), shown(expected, limit=400))


def _meant(raw: object, kind: Any) -> Any:
    """The alternative of ``kind`` that ``raw`` wants to be; a tuple of structs where its tag fits none."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) not in {Union, types.UnionType}:
        return kind
    others = [_meant(raw, option) for option in get_args(kind) if option is not type(None)]
    if len(others) == 1:
        return others[0]
    structs = tuple(o for o in others if isinstance(o, type) and issubclass(o, msgspec.Struct))
    if not structs or not isinstance(raw, dict):
        return kind
    tag = raw.get(str(structs[0].__struct_config__.tag_field))
    return next((option for option in structs if option.__struct_config__.tag == tag), structs)


def _tag_fault(raw: dict[str, object], kinds: tuple[Any, ...], path: str) -> Iterator[Flaw]:
    """A table whose tag names none of the ``kinds``."""
    name = str(kinds[0].__struct_config__.tag_field)
    expected = f"one of {', '.join(sorted(kind.__struct_config__.tag for kind in kinds))}"
    slug = "wrong-value" if name in raw else "missing-field"
    yield Flaw(_joined(path, name), slug, told(raw[name]) if name in raw else "nothing", expected)


def _described(raw: object, kind: Any, path: str, message: str) -> Flaw:
    """A refusal by msgspec, of a value that has no parts to blame, in our words."""
    message = message.split(" - at `", maxsplit=1)[0]
    if "timezone" in message:
        return Flaw(path, "zone-less-time", told(raw), "a time with its offset")
    if re.fullmatch(r"Expected .+, got `.*`", message):
        return Flaw(path, "wrong-type", told(raw), _kind_told(kind))
    if bound := re.fullmatch(r"Expected `\w+` ([<>]=? .+|of length .+)", message):
        return Flaw(path, "wrong-value", told(raw), f"{_kind_told(_meant(raw, kind))} {bound[1]}")
    if message.startswith(("Expected", "Invalid")):
        return Flaw(path, "wrong-value", told(raw), _kind_told(kind))
    return Flaw(path, "contradiction", message, "values that agree")


def _kind_told(kind: Any) -> str:
    """What a field takes, in words; where the noun describes itself, in its own."""
    while get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        if own := next((note.description for note in notes if getattr(note, "description", None)), None):
            return str(own)
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if get_origin(kind) in {Union, types.UnionType}:
        return " or ".join(dict.fromkeys(_kind_told(option) for option in get_args(kind)))
    if (isinstance(kind, type) and issubclass(kind, msgspec.Struct)) or get_origin(kind) is dict:
        return "a table"
    if get_origin(kind) is tuple:
        return "a list"
    names = {str: "text", int: "a whole number", float: "a number", bool: "true or false",
             Decimal: "a decimal number", date: "a date", type(None): "null"}  # fmt: skip
    return names.get(kind, "a time with its offset")


def _odd_amounts(raw: object, value: object, path: str) -> Iterator[Flaw]:
    """Decimals that were written as text and are no plain amount, such as ``"NaN"`` or ``" 1_0 "``."""
    match raw, value:
        case _, Decimal():
            is_written_plainly = not isinstance(raw, str) or re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(E-[0-9]{1,2})?", raw)
            if not (is_plain(value) and is_written_plainly):
                yield Flaw(path, "wrong-value", told(raw), 'a plain decimal number such as "0.25"')
        case dict(), msgspec.Struct():
            for name in value.__struct_fields__:
                if name in raw:
                    yield from _odd_amounts(raw[name], getattr(value, name), _joined(path, name))
        case list(), tuple():
            for index, item in enumerate(value):
                yield from _odd_amounts(raw[index], item, f"{path}[{index}]")
        case dict(), dict():
            for key, item in value.items():
                yield from _odd_amounts(raw[key], item, _joined(path, key))


def _has_surrogate(text: str) -> bool:
    """Whether half a surrogate pair stands alone in ``text``."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _joined(path: str, name: str) -> str:
    """``path`` one step further in, on one printable line."""
    name = shown(name)
    return f"{path}.{name}" if path else name
