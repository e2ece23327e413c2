"""A request as bytes that hash the same everywhere. In the collecting wing; pure."""

import json
import unicodedata
from typing import Any


def normal(value: Any) -> Any:
    """``value`` with every text in NFC: what is sent and what is hashed are the same."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {normal(key): normal(item) for key, item in value.items()}
    return [normal(item) for item in value] if isinstance(value, list) else value


def canonical(body: dict[str, Any]) -> bytes:
    """Canonical JSON: NFC, sorted keys, no spaces, non-ASCII kept; without model, route and credentials.

    Raises:
        UnicodeEncodeError: a text holds a lone surrogate.
    """
    return json.dumps(normal(body), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
