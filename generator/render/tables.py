"""The columns of a published table, as descriptions of it name them: read from its bytes. Part of ``render``.

JSON says what is a number; in CSV only whole numbers are bare, so the other kinds are named here.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from generator.records import Record

Kind = Literal["string", "integer", "number", "boolean", "datetime"]

CSV_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("score", "cost_usd"), "number"),
    **dict.fromkeys(("failed", "identical", "recomputed", "ranked", "qualified"), "boolean"),
    **dict.fromkeys(
        (
            "repeats", "latency_ms", "repeat", "attempt", "input_tokens", "output_tokens", "reasoning_tokens",
            "max_output_tokens",
        ),
        "integer",
    ),
    "started_at": "datetime",
}  # fmt: skip
"""Column of a CSV file -> what its cells are; any other column holds text."""
KEYS = {"scores_csv": ("run_id", "service", "task_id"), "calls": ("call_id",)}
"""Download -> the columns that together name a row."""
WRITTEN_BY_MODELS = {"answers_public": ("output", "read"), "verdicts_public": ("reason",)}
"""Download -> the columns that hold what a model wrote, whatever the licence of the others."""


class Column(Record, frozen=True, kw_only=True):
    """One column of a table."""

    name: str
    kind: Kind
    many: bool = False
    """Each cell is a list."""


def columns(name: str, data: bytes) -> tuple[Column, ...]:
    """The columns of the CSV or JSONL file ``name``; none where it is neither, or has no line.

    Nested values have no place in a table and are left out.
    """
    if name.endswith(".csv"):
        header = next(csv.reader(io.StringIO(data[: data.index(b"\n")].decode())))
        return tuple(Column(name=each, kind=CSV_KINDS.get(each, "string")) for each in header)
    if not name.endswith(".jsonl"):
        return ()
    seen: dict[str, list[object]] = {}
    for line in data.splitlines():
        for key, value in msgspec.json.decode(line).items():
            seen.setdefault(key, []).append(value)
    return tuple(_of_values(seen))


def _of_values(seen: Mapping[str, list[object]]) -> Iterator[Column]:
    for name, values in seen.items():
        many = any(isinstance(value, list) for value in values)
        flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
        if not any(isinstance(item, dict) for item in flat) and (flat or not many):
            yield Column(name=name, kind=_kind(flat), many=many)


def _kind(values: list[object]) -> Kind:
    known = {type(value) for value in values if value is not None}
    return {frozenset({bool}): "boolean", frozenset({int}): "integer"}.get(frozenset(known), "string")  # type: ignore[return-value]
