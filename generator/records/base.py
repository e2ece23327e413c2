"""What every stored record shares: strictness, identifiers, hashes, moments. First in the first room.

``None`` means *not known*. Money is ``Decimal``, a score is an exact ``Fraction``.
"""

from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

SCHEMA = 1
"""The newest schema this version reads; a newer file is refused by name."""

Slug = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9._-]{0,79}\Z",
        description="an identifier: small letters, digits, dot, dash, underscore",
    ),
]
"""An identifier: it may become part of an address, so it is small letters, digits, dot, dash, underscore."""
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="64 hex digits")]
Time = Annotated[datetime, Meta(tz=True)]
"""A moment with its offset; a time without a zone is refused."""
Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Any whole number that 64 bits hold; what is larger was not meant, and other readers would round it."""
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Ordinal = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""Counts from one."""
Unset = Literal["unsupported", "unknown"]
"""Two of the three states of a setting: the interface has no such field, or we cannot tell."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stored value: frozen, strict, built by keyword."""


class Text(Record, frozen=True, kw_only=True):
    """A text written by the publisher in both languages."""

    id: str
    """Indonesian."""
    en: str
    """English."""


class Source(Record, frozen=True, kw_only=True):
    """A page that a fact rests on."""

    url: str
    checked: date | None = None
    """The day somebody opened it; None: nobody has yet, and the site says so."""
