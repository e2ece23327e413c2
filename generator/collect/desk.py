"""What asking for answers and asking for verdicts share: the clock, the keys, the guard, and when to stop.

In the collecting wing, between ``ask`` and the two loops.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx

from generator.collect.ask import Asked, Clock, ask
from generator.collect.protocols import rejected_setting
from generator.findings import Faults, Finding
from generator.records import Service, Value
from generator.store.layout import Layout

LONGEST_WAIT_S = 300.0
"""A service that asks for more than this is left alone; the run stops and can be resumed later."""
CLOCK_SLACK = timedelta(seconds=2)
"""Small corrections of the clock that are not worth a word."""


@dataclass
class Desk:
    """Whom one sitting may ask, with what, and until when.

    Attributes:
        services: id -> service, for everyone who may be asked.
        keys: service id -> key from the environment; absent where none is needed.
        side: where the lines about a task belong (held-out ones may lie in a private directory).
        clock: the wall clock.
        timeout_s: longest wait for one whole answer.
        attempts: most attempts at one answer.
        cost: price of a call as it is stored: service id, input tokens, output tokens; None where not known.
        may_spend: None, or the finding that says which cap the next call of a service would pass.
        first_pause_s: the pause before a second attempt; it doubles from there.
        latest: the latest time that is stored.
        halted: why the sitting ends early.
        stop: set when nothing new is to be asked.
    """

    services: Mapping[str, Service]
    keys: Mapping[str, str]
    side: Callable[[str], Layout]
    clock: Clock
    timeout_s: float
    attempts: int
    cost: Callable[[str, int | None, int | None], Decimal | None]
    may_spend: Callable[[str], Finding | None]
    first_pause_s: float = 1.0
    latest: datetime | None = None
    halted: list[Finding] = field(default_factory=list)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    def halt(self, finding: Finding) -> None:
        """End the sitting after the requests in flight, because of ``finding``."""
        self.halted.append(finding)
        self.stop.set()

    def halt_for(self, error: Faults | OSError) -> None:
        """End the sitting because of an exception that has a name."""
        for finding in error.findings if isinstance(error, Faults) else [disk(error)]:
            self.halt(finding)

    async def put(self, client: httpx.AsyncClient, service: str, body: dict[str, Any]) -> Asked:
        """Ask a service once, if the budget allows it; a refusal on our own side ends the sitting.

        Raises:
            Faults: the clock is behind a time already stored.
        """
        if over := self.may_spend(service):
            self.halt(over)
            return Asked(self.clock(), None, "budget_exceeded", "budget-exceeded", "halt")
        now = self.clock()
        if self.latest is not None and now < self.latest - CLOCK_SLACK:
            raise Faults([_clock_back(now, self.latest)])
        self.latest = max(now, self.latest or now)
        return await ask(client, self.services[service], self.keys.get(service), body, self.timeout_s, self.clock)

    def judge_refusal(self, service: str, asked: Asked, settings: Mapping[str, Value]) -> None:
        """End the sitting where a refusal is our own fault: the key, the account, or a setting of the contract."""
        if asked.then == "halt" and asked.status == "error":
            self.halt(_refused(self.services[service], asked.cause))
        if asked.cause in ("http-400", "http-422") and asked.data is not None:
            name = rejected_setting(asked.data, settings, self.services[service])
            if name is not None:
                self.halt(_rejected(service, name))

    def out_of_attempts(self, service: str, asked: Asked) -> None:
        """End the sitting where no attempt even reached the service: more questions would only be lost."""
        if asked.cause == "unreachable":
            self.halt(_unreachable(self.services[service], self.attempts))

    async def rest(self, service: str, seconds: float, asked: Asked) -> None:
        """Wait before another attempt, but not past the end of the sitting, nor longer than is sensible."""
        seconds = max(seconds, asked.retry_after or 0.0)
        if seconds > LONGEST_WAIT_S:
            self.halt(_told_to_wait(service, seconds))
        try:
            await asyncio.wait_for(self.stop.wait(), seconds)
        except TimeoutError:
            return


def _finding(file: str, field_: str, slug: str, found: str, expected: str, todo: str) -> Finding:
    """A blocking finding that ends a sitting."""
    return Finding(file=file, line=0, field=field_, slug=slug, found=found, expected=expected, todo=todo)


def _refused(service: Service, cause: str) -> Finding:
    """The service does not accept us."""
    return _finding(
        "services.toml", service.id, "refused", cause.replace("-", " ").upper(), "a key and an account that it accepts",
        f"check {service.key_env or 'the address'} and the account, then run again",
    )  # fmt: skip


def _rejected(service: str, name: str) -> Finding:
    """The service rejects a setting that the contract says it takes."""
    return _finding(
        "run.toml", f"{service}.{name}", "rejected-setting", "a refusal that names it", "a setting that it takes",
        "a contract does not change after its first call: declare a new run and let `rapor run --probe` find what is"
        " applied before it starts",
    )  # fmt: skip


def _unreachable(service: Service, attempts: int) -> Finding:
    """No connection in all attempts."""
    return _finding(
        "services.toml", f"{service.id}.base_url", "unreachable", f"no connection in {attempts} attempts",
        f"an answer at {service.base_url}", "start or reach the service, then run again: it goes on where it stopped",
    )  # fmt: skip


def _told_to_wait(service: str, wait: float) -> Finding:
    """The service wants to be left alone for long."""
    return _finding(
        "services.toml", service, "told-to-wait", f"Retry-After of {wait:.0f} s",
        f"at most {LONGEST_WAIT_S:.0f} s", "run again after that time: it goes on where it stopped",
    )  # fmt: skip


def disk(error: OSError) -> Finding:
    """Something could not be written."""
    return _finding(
        "results", "", "not-written", error.strerror or type(error).__name__, "room to write the line",
        "make room, then run again: what is stored is whole, what was being asked is asked again",
    )  # fmt: skip


def _clock_back(now: datetime, latest: datetime) -> Finding:
    """The wall clock went back."""
    return _finding(
        "calls.jsonl", "started_at", "clock-went-back", now.isoformat(), f"not before {latest.isoformat()}",
        "set the clock, then run again: nothing was asked at the wrong time",
    )  # fmt: skip
