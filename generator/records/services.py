"""Whom we can ask: ``services.toml``."""

from datetime import date
from decimal import Decimal
from typing import Literal

from generator.records.base import Record, Slug, Source, Text


class Price(Record, frozen=True, kw_only=True):
    """What a service charges, as read on one day from one page."""

    checked: date | None = None
    """The day somebody read the page; None: nobody has, and the site says so."""
    source: str
    """Address of the page, or words such as ``local`` for a machine of one's own."""
    currency: str
    input_per_mtok: Decimal
    """Per million input tokens."""
    output_per_mtok: Decimal
    assumed: bool = False
    """True: counts in the budget, is never displayed."""


class Service(Record, frozen=True, kw_only=True):
    """One way to reach one model."""

    id: Slug
    name: str
    vendor: str
    """Read by the jury rules; scoring never sees it."""
    group: str
    """The route, such as ``openai/direct``."""
    requested_model: str
    protocol: Literal["openai", "anthropic"]
    base_url: str
    key_env: str | None = None
    """Name of the environment variable with the key; None where no key is needed."""
    owned_by_us: bool = False
    sponsor: bool = False
    price: tuple[Price, ...] = ()
    about: Text | None = None
    """What this is, in a sentence, where the name does not say it."""
    sources: tuple[Source, ...] = ()


class Services(Record, frozen=True, kw_only=True):
    """``services.toml``."""

    schema: int
    service: tuple[Service, ...]
