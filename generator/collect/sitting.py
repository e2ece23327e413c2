"""One sitting of ``rapor run``: project, guard, ask, charge. In the collecting wing, the only caller of the loop."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import urlsplit

import httpx

from generator.collect.ask import Clock
from generator.collect.budget import (
    Row,
    charges,
    cost_of,
    measured,
    month_of,
    over,
    row,
    shown_cost,
    spent,
    with_margin,
)
from generator.collect.desk import Desk
from generator.collect.opening import Opened
from generator.collect.recording import Recorder, record
from generator.findings import Finding
from generator.records import Call, Entry
from generator.store.layout import Layout
from generator.store.write import append

CONNECT_WITHIN_S = 10.0


@dataclass
class Sitting:
    """What a sitting needs from outside.

    Attributes:
        layout: ``results/``.
        clock: the wall clock.
        tell: told of every stored line: service, cause of failure, latency, cost.
        earlier: calls of all runs so far, for measured use.
        first_pause_s: see ``Desk``.
        stored: the lines of this sitting.
        spent: what they cost in USD.
    """

    layout: Layout
    clock: Clock
    tell: Callable[[str, str, int | None, Decimal], None]
    earlier: tuple[Call, ...] = ()
    first_pause_s: float = 1.0
    stored: list[Call] = field(default_factory=list)
    spent: Decimal = Decimal(0)


def project(opened: Opened, earlier: tuple[Call, ...]) -> list[Row]:
    """One row per service of the contract: what is still to be asked and what it should cost."""
    use = measured(earlier)
    rows = []
    for name in opened.contract.services:
        tasks = [opened.tasks[item.slot.task_id] for item in opened.todo if item.slot.service == name]
        cap = opened.contract.params[name].get("max_output_tokens")
        prompts = [task.system + task.prompt for task in tasks]
        rows.append(row(opened.services[name], prompts, cap.asked if cap else None, use.get(name)))
    return rows


def projection(opened: Opened, rows: list[Row], clock: Clock) -> tuple[Entry, Finding | None]:
    """The ledger line of a projection, and the cap that it would pass if there is one."""
    now = clock()
    amount = with_margin(sum((each.usd for each in rows), Decimal(0)), opened.budget)
    finding = over(opened.budget, opened.ledger, opened.suite.file.id, month_of(now), amount)
    entry = Entry(
        at=now,
        month=month_of(now),
        kind="projection",
        run_id=opened.contract.run_id,
        suite=opened.suite.file.id,
        phase="calls",
        service=None,
        calls=sum(each.calls for each in rows),
        input_tokens=sum(each.input_tokens for each in rows),
        output_tokens=sum(each.output_tokens for each in rows),
        usd=amount,
        assumed=any(each.assumed for each in rows),
        status="budget_exceeded" if finding else "ok",
        contract_sha256=opened.contract_sha256,
    )
    return entry, finding


def settle(opened: Opened, sitting: Sitting) -> tuple[Entry, ...]:
    """Add to the ledger what stored lines cost and it does not say yet; gives the whole ledger."""
    lines = [*opened.calls, *sitting.stored]
    owed = charges(
        lines, opened.contract.run_id, opened.suite.file.id, "calls", opened.services, opened.ledger, sitting.clock()
    )
    for entry in owed:
        append(sitting.layout.ledger, entry)
    return (*opened.ledger, *owed)


def desk(opened: Opened, sitting: Sitting, rows: list[Row], ledger: tuple[Entry, ...]) -> Desk:
    """The desk of a sitting, with the guard of the budget built in."""
    expected = {each.service: each.usd / each.calls if each.calls else Decimal(0) for each in rows}

    def may_spend(service: str) -> Finding | None:
        more = sitting.spent + with_margin(expected[service], opened.budget)
        return over(opened.budget, ledger, opened.suite.file.id, month_of(sitting.clock()), more)

    return Desk(
        services=opened.services,
        keys=opened.keys,
        side=opened.side,
        clock=sitting.clock,
        timeout_s=opened.contract.timeout_s,
        attempts=opened.contract.attempts,
        cost=lambda name, tokens_in, tokens_out: shown_cost(opened.services[name], tokens_in, tokens_out),
        may_spend=may_spend,
        first_pause_s=sitting.first_pause_s,
        latest=max((call.started_at for call in opened.calls), default=None),
    )


async def sit(opened: Opened, sitting: Sitting, started: Callable[[Desk], None]) -> list[Finding]:
    """Ask what is still open; gives what ended the sitting early, nothing where all was asked.

    ``started`` is given the desk before the first request, to connect the signals that may stop it.
    """
    ledger = settle(opened, sitting)
    rows = project(opened, sitting.earlier)
    async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - the whole attempt has its own time limit
        if missing := await unreachable(opened, client):
            return missing
        entry, finding = projection(opened, rows, sitting.clock)
        append(sitting.layout.ledger, entry)
        if finding:
            return [finding]
        at = desk(opened, sitting, rows, ledger)
        started(at)
        try:
            await record(Recorder(opened.contract, opened.tasks, at, _note(opened, sitting)), opened.todo, client)
        finally:
            try:
                settle(opened, sitting)
            except OSError as error:
                at.halt_for(error)
    return at.halted


def _note(opened: Opened, sitting: Sitting) -> Callable[[Call, str], None]:
    """What happens to every stored line of a sitting: its cost is added and it is told."""

    def note(call: Call, cause: str) -> None:
        cost = cost_of(opened.services[call.service], call)
        sitting.spent += cost
        sitting.stored.append(call)
        sitting.tell(call.service, cause, call.latency_ms, cost)

    return note


async def unreachable(opened: Opened, client: httpx.AsyncClient) -> list[Finding]:
    """A finding per service that is still to be asked and does not even accept a connection."""
    names = dict.fromkeys(item.slot.service for item in opened.todo)
    found = await asyncio.gather(*(_reach(client, opened.services[name].base_url) for name in names))
    return [
        Finding(
            file="services.toml", line=0, field=f"{name}.base_url", slug="unreachable", found=fault,
            expected=f"an answer at {opened.services[name].base_url}",
            todo="start or reach the service, then run again: nothing was asked",
        )
        for name, fault in zip(names, found, strict=True) if fault
    ]  # fmt: skip


async def _reach(client: httpx.AsyncClient, address: str) -> str | None:
    """None where the host answers anything at all, else what happened."""
    parts = urlsplit(address)
    try:
        await client.head(f"{parts.scheme}://{parts.netloc}/", timeout=CONNECT_WITHIN_S)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return type(error).__name__
    return None


def changed_models(calls: list[Call]) -> list[Finding]:
    """A remark per service that came back under more than one model name."""
    names: dict[str, Counter[str]] = {}
    for call in calls:
        if call.returned_model is not None:
            names.setdefault(call.service, Counter())[call.returned_model] += 1
    return [
        Finding(
            file="calls.jsonl", line=0, field=f"returned_model of {service}", slug="returned-model-changed",
            found=", ".join(f"{name} ({count})" for name, count in sorted(models.items())), expected="one model",
            todo="every line is stored; decide whether this is still one run before you seal it",
        )
        for service, models in sorted(names.items()) if len(models) > 1
    ]  # fmt: skip


def left_to_spend(opened: Opened, ledger: tuple[Entry, ...], clock: Clock) -> Decimal | None:
    """USD that this run may still spend this month; None where no cap applies."""
    month, suite = month_of(clock()), opened.suite.file.id
    caps = [cap for cap in opened.budget.cap if cap.suites is None or suite in cap.suites]
    return min((cap.usd_per_month - spent(ledger, cap, month) for cap in caps), default=None)
