"""Money: the caps of ``budget.toml`` and the lines of ``ledger.jsonl``. In the first room."""

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta

from generator.records.base import Count, Record, Sha256, Slug, Time


class Cap(Record, frozen=True, kw_only=True):
    """Most that may be spent in a calendar month (UTC)."""

    account: Slug
    usd_per_month: Decimal
    suites: tuple[Slug, ...] | None = None
    """The suites whose runs count; None: everything in the ledger counts."""


class Budget(Record, frozen=True, kw_only=True):
    """``budget.toml``."""

    schema: int
    margin: Annotated[str, Meta(pattern=r"^[0-9]{1,3}%\Z", description="a percentage such as 5%")] = "15%"
    """What is added to a projection before it is compared with the caps."""
    cap: tuple[Cap, ...]

    @property
    def margin_percent(self) -> int:
        """``margin`` as an integer number of percent."""
        return int(self.margin.rstrip("%"))


class Entry(Record, frozen=True, kw_only=True):
    """One line of ``ledger.jsonl``: what a run was expected to cost, or what it did cost."""

    at: Time
    month: Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])\Z")]
    """The calendar month (UTC) in which the calls were made."""
    kind: Literal["projection", "charge"]
    run_id: Slug
    suite: Slug
    phase: Literal["calls", "verdicts", "probe"]
    service: Slug | None
    """None in a projection: it covers every service of the phase."""
    calls: Count
    """Number of calls, or of judge calls."""
    input_tokens: Count
    output_tokens: Count
    usd: Decimal
    """In a projection with the margin; in a charge at the price of ``services.toml``."""
    assumed: bool = False
    """True: some of it is at an assumed price; it counts and is never displayed."""
    status: Literal["ok", "budget_exceeded"] = "ok"
    contract_sha256: Sha256 | None = None
    """In a projection: the bytes of ``run.toml``; the first one of a run says what was declared."""
