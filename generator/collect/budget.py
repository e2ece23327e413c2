"""The guard of the money: projections, caps and what the ledger still lacks. In the collecting wing; pure.

Charges are settled from stored lines: whatever was asked and is not yet in the ledger is added to it, so a
process that was killed before it could write its charge loses none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_UP, Decimal
from typing import Literal

from generator.findings import Finding
from generator.records import Budget, Call, Cap, Entry, Price, Service, Value, Verdict

MTOK = Decimal(1_000_000)
CHARS_PER_TOKEN = 2
"""Fewer than in any tokeniser we met, so that an unmeasured prompt is projected too long rather than too short."""
UNREPORTED = 4096
"""Tokens that a call counts for where neither the service nor a cap says how many they were."""
Phase = Literal["calls", "verdicts", "probe"]


@dataclass
class Use:
    """What the calls of a service used: sums over ``calls`` calls."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    latency_ms: int = 0


@dataclass(frozen=True)
class Row:
    """One service of a projection.

    Attributes:
        service: its id.
        calls: how many are still to make.
        input_tokens, output_tokens: expected over all of them, without margin.
        usd: expected cost without margin.
        seconds: expected time if they were made one after the other; None where never measured.
        measured: number of stored calls behind the expectation; 0: a ceiling, nothing was measured.
        assumed: the price is an assumption.
    """

    service: str
    calls: int
    input_tokens: int
    output_tokens: int
    usd: Decimal
    seconds: float | None
    measured: int
    assumed: bool


def price_of(service: Service) -> Price | None:
    """The price that counts: the one checked last; None where there is none in USD."""
    known = [price for price in service.price if price.currency == "USD"]
    return max(known, key=lambda price: str(price.checked or ""), default=None)


def usd(price: Price, input_tokens: int, output_tokens: int) -> Decimal:
    """Cost of so many tokens."""
    return (price.input_per_mtok * input_tokens + price.output_per_mtok * output_tokens) / MTOK


def cost_of(service: Service, line: Call | Verdict) -> Decimal:
    """What a line counts for in the budget, at whatever price there is."""
    price = price_of(service)
    return usd(price, *billed(line)) if price else Decimal(0)


def shown_cost(service: Service, input_tokens: int | None, output_tokens: int | None) -> Decimal | None:
    """Cost as it may stand in a stored line: None where tokens or price are not known, or the price is assumed."""
    price = price_of(service)
    if price is None or price.assumed or input_tokens is None or output_tokens is None:
        return None
    return usd(price, input_tokens, output_tokens)


def measured(lines: Iterable[Call | Verdict]) -> dict[str, Use]:
    """Service id -> what its answered calls used, over those that reported their tokens."""
    used: dict[str, Use] = {}
    for line in lines:
        if line.status != "ok" or line.input_tokens is None or line.output_tokens is None:
            continue
        use = used.setdefault(line.service if isinstance(line, Call) else line.by, Use())
        use.calls += 1
        use.input_tokens += line.input_tokens
        use.output_tokens += line.output_tokens
        use.latency_ms += (line.latency_ms or 0) if isinstance(line, Call) else 0
    return used


def row(service: Service, prompts: Sequence[str], cap: Value, use: Use | None) -> Row:
    """The projection of one service for so many ``prompts``; ``cap`` is its output cap, ``use`` what was measured."""
    price, count = price_of(service), len(prompts)
    if use is not None and use.calls:
        tokens_in = -(-use.input_tokens * count // use.calls)
        tokens_out = -(-use.output_tokens * count // use.calls)
        seconds = use.latency_ms * count / use.calls / 1000 if use.latency_ms else None
    else:
        tokens_in = sum(-(-len(prompt) // CHARS_PER_TOKEN) for prompt in prompts)
        tokens_out = count * (cap if isinstance(cap, int) else UNREPORTED)
        seconds = None
    return Row(
        service=service.id,
        calls=count,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        usd=usd(price, tokens_in, tokens_out) if price else Decimal(0),
        seconds=seconds,
        measured=use.calls if use else 0,
        assumed=price.assumed if price else False,
    )


def with_margin(amount: Decimal, budget: Budget) -> Decimal:
    """``amount`` plus the margin, rounded up to a hundredth of a cent."""
    return (amount * (100 + budget.margin_percent) / 100).quantize(Decimal("0.0001"), ROUND_UP)


def month_of(at: datetime) -> str:
    """The calendar month (UTC) of a moment, as ``2026-11``."""
    return at.astimezone(UTC).strftime("%Y-%m")


def spent(ledger: Iterable[Entry], cap: Cap, month: str) -> Decimal:
    """What counts against ``cap`` in ``month`` so far."""
    return sum(
        (
            entry.usd
            for entry in ledger
            if entry.kind == "charge" and entry.month == month and (cap.suites is None or entry.suite in cap.suites)
        ),
        Decimal(0),
    )


def over(budget: Budget, ledger: Sequence[Entry], suite: str, month: str, more: Decimal) -> Finding | None:
    """The finding that names the first cap that ``more`` USD on ``suite`` would pass; None where all hold."""
    for cap in budget.cap:
        if cap.suites is not None and suite not in cap.suites:
            continue
        so_far = spent(ledger, cap, month)
        if so_far + more > cap.usd_per_month:
            return Finding(
                file="budget.toml", line=0, field=f"cap.{cap.account}", slug="budget-exceeded",
                found=f"USD {so_far:.4f} spent in {month} and USD {more:.4f} more to come",
                expected=f"at most USD {cap.usd_per_month} in the month",
                todo="wait for the next month, ask less, or raise the cap in a commit of its own",
            )  # fmt: skip
    return None


def charges(
    lines: Iterable[Call | Verdict], run: str, suite: str, phase: Phase, services: Mapping[str, Service],
    ledger: Iterable[Entry], at: datetime,
) -> list[Entry]:  # fmt: skip
    """What the stored ``lines`` of a run cost and the ledger does not yet say, per month and service."""
    sums: dict[tuple[str, str], Use] = {}
    for line in lines:
        service, when = (line.service, line.started_at) if isinstance(line, Call) else (line.by, line.at)
        tokens_in, tokens_out = billed(line)
        _add(sums.setdefault((month_of(when), service), Use()), 1, tokens_in, tokens_out)
    for entry in ledger:
        key = (entry.month, entry.service or "")
        if (entry.kind, entry.run_id, entry.phase) == ("charge", run, phase) and key in sums:
            _add(sums[key], -entry.calls, -entry.input_tokens, -entry.output_tokens)
    return [
        _charge(services[service], use, run, suite, phase, month, at)
        for (month, service), use in sorted(sums.items())
        if use.calls > 0
    ]


def billed(line: Call | Verdict) -> tuple[int, int]:
    """Tokens in and out that a line counts for: as reported, else at most what it can have been."""
    if line.status in ("error", "cancelled", "budget_exceeded") and line.input_tokens is None:
        return 0, 0
    cap = line.max_output_tokens if isinstance(line, Call) else None
    tokens_in = UNREPORTED if line.input_tokens is None else line.input_tokens
    return tokens_in, (cap or UNREPORTED) if line.output_tokens is None else line.output_tokens


def _add(use: Use, calls: int, tokens_in: int, tokens_out: int) -> None:
    """Add to (or with negative numbers take from) a sum."""
    use.calls += calls
    use.input_tokens += tokens_in
    use.output_tokens += tokens_out


def _charge(service: Service, use: Use, run: str, suite: str, phase: Phase, month: str, at: datetime) -> Entry:
    """The ledger line of what was used."""
    price = price_of(service)
    return Entry(
        at=at, month=month, kind="charge", run_id=run, suite=suite, phase=phase, service=service.id,
        calls=use.calls, input_tokens=use.input_tokens, output_tokens=use.output_tokens,
        usd=usd(price, use.input_tokens, use.output_tokens) if price else Decimal(0),
        assumed=price.assumed if price else False,
    )  # fmt: skip
