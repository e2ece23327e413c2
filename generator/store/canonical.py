"""The canonical form of a task, and the commitment to it that can be published before the task is."""

import json
import unicodedata
from datetime import date
from hashlib import sha256
from typing import Any


def canonical(value: Any) -> str:
    """Canonical JSON of a raw TOML value: NFC, sorted keys, no spaces, non-ASCII kept, dates in ISO 8601.

    Raises:
        TypeError: a number with a point, which has no canonical form (no field of a task holds one).
    """
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def commitment(raw_task: dict[str, Any]) -> str:
    """SHA-256, in hex, of the salt's 32 hex digits as text (nothing where there is none) followed by the
    canonical JSON of the raw task table without its ``salt``.
    """  # noqa: D205 - one sentence, and it needs two lines
    rest = {name: value for name, value in raw_task.items() if name != "salt"}
    return sha256((raw_task.get("salt", "") + canonical(rest)).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A raw TOML value as JSON has it."""
    match value:
        case str():
            return unicodedata.normalize("NFC", value)
        case bool() | int():
            return value
        case date():  # also datetime
            return value.isoformat()
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {unicodedata.normalize("NFC", name): _plain(item) for name, item in value.items()}
    raise TypeError(f"{type(value).__name__} has no canonical form")
