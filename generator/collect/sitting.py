"""One sitting of ``rapor run``: project, guard, ask, charge. In the collecting wing, the only caller of the loop."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import urlsplit

import httpx

from generator.collect.ask import Clock
from generator.collect.budget import shown_cost
from generator.collect.desk import Desk
from generator.collect.guard import Guard
from generator.collect.opening import Opened
from generator.collect.projecting import project, project_jury
from generator.collect.recording import Recorder, record
from generator.findings import Finding
from generator.records import Call, Service, Verdict
from generator.store.layout import Layout

CONNECT_WITHIN_S = 10.0
Tell = Callable[[str, str, int | None, Decimal], None]
"""Told of every stored line: service, cause of a failure or nothing, latency in ms, cost in USD."""


@dataclass
class Sitting:
    """What a sitting needs from outside, and what it leaves.

    Attributes:
        layout: ``results/``.
        clock: the wall clock.
        tell: see ``Tell``.
        started: given the desk before the first request, to connect the signals that may stop it.
        earlier: calls of all runs so far, for measured use.
        judged: verdicts of all runs so far, for the same.
        first_pause_s: see ``Desk``.
        expect: told of what is wanted beyond what was planned: service -> number.
        stored: the lines of this sitting.
    """

    layout: Layout
    clock: Clock
    tell: Tell
    started: Callable[[Desk], None]
    earlier: Sequence[Call] = ()
    judged: Sequence[Verdict] = ()
    first_pause_s: float = 1.0
    expect: Callable[[Mapping[str, int]], None] = lambda _: None
    stored: list[Call] = field(default_factory=list)


def guard(opened: Opened, layout: Layout, clock: Clock) -> Guard:
    """The guard of a run's calls."""
    return Guard(
        layout=layout,
        budget=opened.budget,
        ledger=opened.ledger,
        run=opened.contract.run_id,
        suite=opened.suite.file.id,
        phase="calls",
        services=opened.services,
        clock=clock,
    )


async def sit(opened: Opened, sitting: Sitting) -> list[Finding]:
    """Ask what is still open; gives what ended the sitting early, nothing where all was asked."""
    money = guard(opened, sitting.layout, sitting.clock)
    money.settle(opened.calls)
    asked = [opened.services[name] for name in dict.fromkeys(item.slot.service for item in opened.todo)]
    async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - the whole attempt has its own time limit
        if missing := await unreachable(asked, client):
            return missing
        rows, later = project(opened, sitting.earlier), project_jury(opened, sitting.judged)
        if refused := money.admit(rows, opened.contract_sha256, later):
            return [refused]
        desk = _desk(opened, sitting, money)
        sitting.started(desk)
        recorder = Recorder(opened.contract, opened.tasks, desk, _note(sitting, money))
        try:
            await record(recorder, opened.todo, client)
        finally:
            try:
                money.settle([*opened.calls, *sitting.stored])
            except OSError as error:
                desk.halt_for(error)
    return desk.halted


def _desk(opened: Opened, sitting: Sitting, money: Guard) -> Desk:
    """The desk of a sitting."""
    return Desk(
        services=opened.services,
        keys=opened.keys,
        side=opened.side,
        clock=sitting.clock,
        timeout_s=opened.contract.timeout_s,
        attempts=opened.contract.attempts,
        cost=lambda name, tokens_in, tokens_out: shown_cost(opened.services[name], tokens_in, tokens_out),
        may_spend=money.may_spend,
        first_pause_s=sitting.first_pause_s,
        latest=max((call.started_at for call in opened.calls), default=None),
    )


def _note(sitting: Sitting, money: Guard) -> Callable[[Call, str], None]:
    """What happens to every stored line of a sitting: its cost is added and it is told."""

    def note(call: Call, cause: str) -> None:
        sitting.stored.append(call)
        sitting.tell(call.service, cause, call.latency_ms, money.note(call.service, call))

    return note


async def unreachable(services: Sequence[Service], client: httpx.AsyncClient) -> list[Finding]:
    """A finding per service that does not even accept a connection."""
    found = await asyncio.gather(*(_reach(client, service.base_url) for service in services))
    return [
        Finding(
            file="services.toml", line=0, field=f"{service.id}.base_url", slug="unreachable", found=fault,
            expected=f"an answer at {service.base_url}",
            todo="start or reach the service, then run again: nothing was asked",
        )
        for service, fault in zip(services, found, strict=True) if fault
    ]  # fmt: skip


async def _reach(client: httpx.AsyncClient, address: str) -> str | None:
    """None where the host answers anything at all, else what happened."""
    parts = urlsplit(address)
    try:
        await client.head(f"{parts.scheme}://{parts.netloc}/", timeout=CONNECT_WITHIN_S)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return type(error).__name__
    return None


def changed_models(calls: Iterable[Call]) -> list[Finding]:
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
