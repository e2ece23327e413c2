"""The loop that asks: every attempt is a line before the next request of its slot. In the collecting wing.

Whatever happens to the process, what was written stays and what was not is asked again: a slot's place is read
from the stored lines alone.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any

import httpx

from generator.collect.ask import Asked, Clock, ask, code_of, then
from generator.collect.order import Slot, call_id, pause, sent
from generator.collect.protocols import question, rejected_setting
from generator.collect.request import canonical, normal
from generator.findings import Faults, Finding
from generator.records import Call, Run, Service, Task
from generator.store.layout import Layout
from generator.store.write import append, keep

LONGEST_WAIT_S = 300.0
"""A service that asks for more than this is left alone; the run stops and can be resumed later."""
CLOCK_SLACK = timedelta(seconds=2)
"""Small corrections of the clock that are not worth a word."""


@dataclass
class Recorder:
    """What one sitting of a run knows.

    Attributes:
        contract: the run's contract.
        services: id -> service, for every service of the contract.
        tasks: id -> task, for every task of the contract.
        keys: service id -> key from the environment; absent where none is needed.
        side: where the lines about a task belong (held-out ones may lie in a private directory).
        clock: the wall clock.
        cost: price of a call in USD: service id, input tokens, output tokens; None where not known.
        may_spend: None, or the finding that says which cap the next call would break.
        on_call: told of every stored line, with the cause of a failure.
        first_pause_s: the pause before a second attempt; it doubles from there.
    """

    contract: Run
    services: dict[str, Service]
    tasks: dict[str, Task]
    keys: dict[str, str]
    side: Callable[[str], Layout]
    clock: Clock
    cost: Callable[[str, int | None, int | None], Decimal | None]
    may_spend: Callable[[Slot], Finding | None]
    on_call: Callable[[Call, str], None]
    first_pause_s: float = 1.0
    latest: datetime | None = None
    halted: list[Finding] = field(default_factory=list)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    def halt(self, finding: Finding) -> None:
        """End the sitting after the requests in flight, because of ``finding``."""
        self.halted.append(finding)
        self.stop.set()


@dataclass(frozen=True)
class Open:
    """A slot that still wants an answer, and the number of the attempt to make.

    Attributes:
        slot: the slot.
        attempt: number of the next attempt.
        failures: technical failures so far; those of our own side do not count.
    """

    slot: Slot
    attempt: int
    failures: int


def still_open(
    slots: Iterable[Slot], calls: Iterable[Call], attempts: int, refusal: Callable[[Call], int | None]
) -> list[Open]:
    """The slots without an answer that have attempts left, in the order of asking.

    ``refusal`` gives the HTTP status of a stored refusal, None where a call was not refused.
    """
    lines: dict[tuple[str, str, int], list[Call]] = {}
    for call in calls:
        lines.setdefault((call.service, call.task_id, call.repeat), []).append(call)
    found = []
    for slot in slots:
        made = lines.get((slot.service, slot.task_id, slot.repeat), [])
        failures = sum(call.status in ("timeout", "error", "cut") for call in made)
        if failures < attempts and not any(_closes(call, refusal(call)) for call in made):
            found.append(Open(slot, 1 + max((call.attempt for call in made), default=0), failures))
    return found


def _closes(call: Call, code: int | None) -> bool:
    """Whether after ``call`` its slot is not asked again."""
    return call.status == "ok" or (code is not None and then(code) == "final")


def stored_refusal(side: Callable[[str], Layout]) -> Callable[[Call], int | None]:
    """A function that reads the HTTP status of a stored refusal from its artifact."""

    def read(call: Call) -> int | None:
        if call.artifact_path is None or not call.artifact_path.endswith(".http"):
            return None
        return code_of((side(call.task_id).root / call.artifact_path).read_bytes())

    return read


async def record(recorder: Recorder, todo: Sequence[Open], client: httpx.AsyncClient) -> None:
    """Ask everything in ``todo``, block by block, ``concurrency`` at a time; returns when done or halted."""
    for block in sorted({item.slot.block for item in todo}):
        queue = iter([item for item in todo if item.slot.block == block])
        workers = [_work(recorder, queue, client) for _ in range(recorder.contract.design.concurrency)]
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(worker)


async def _work(recorder: Recorder, queue: Iterable[Open], client: httpx.AsyncClient) -> None:
    """Take slots one after the other until there are none or the sitting ends."""
    for item in queue:
        if recorder.stop.is_set():
            return
        try:
            await _settle(recorder, item, client)
        except Faults as faults:
            for finding in faults.findings:
                recorder.halt(finding)
        except OSError as error:
            recorder.halt(disk(error))


async def _settle(recorder: Recorder, item: Open, client: httpx.AsyncClient) -> None:
    """Ask one slot until it is answered, refused for good, out of attempts, or the sitting ends."""
    attempt, failures = item.attempt, item.failures
    while not recorder.stop.is_set():
        over = recorder.may_spend(item.slot)
        asked = await _attempt(recorder, item.slot, attempt, client, over)
        attempt, failures = attempt + 1, failures + 1
        if over is not None:
            recorder.halt(over)
        if asked.then != "again" or failures >= recorder.contract.attempts:
            if asked.cause == "unreachable":
                recorder.halt(_unreachable(recorder.services[item.slot.service], recorder.contract.attempts))
            return
        wait = pause(recorder.contract.design.seed, item.slot, attempt - 1, recorder.first_pause_s)
        wait = max(wait, asked.retry_after or 0.0)
        if wait > LONGEST_WAIT_S:
            recorder.halt(_told_to_wait(item.slot, wait))
        await _rest(recorder.stop, wait)


async def _rest(stop: asyncio.Event, seconds: float) -> None:
    """Wait, but not past the end of the sitting."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


async def _attempt(
    recorder: Recorder, slot: Slot, attempt: int, client: httpx.AsyncClient, over: Finding | None
) -> Asked:
    """Make one attempt and store it: request first, then the answer, then the line."""
    service, task = recorder.services[slot.service], recorder.tasks[slot.task_id]
    layout = recorder.side(slot.task_id)
    settings = sent(recorder.contract.params.get(slot.service, {}), recorder.contract.design.seed, slot)
    body = normal(question(service, task.system, task.prompt, settings))
    request = canonical(body)
    keep(layout, request, "json")
    if over is not None:
        asked = Asked(recorder.clock(), None, "budget_exceeded", "budget-exceeded", "halt")
    else:
        _check_clock(recorder)
        key = recorder.keys.get(slot.service)
        asked = await ask(client, service, key, body, recorder.contract.timeout_s, recorder.clock)
    call = _line(recorder, slot, attempt, asked, sha256(request).hexdigest(), settings.get("max_output_tokens"))
    append(layout.calls(recorder.contract.run_id), call)
    recorder.on_call(call, asked.cause)
    _own_faults(recorder, slot, asked, settings)
    return asked


def _line(recorder: Recorder, slot: Slot, attempt: int, asked: Asked, request_hash: str, cap: object) -> Call:
    """The line of an attempt; its artifact is stored here."""
    service, reply = recorder.services[slot.service], asked.reply
    output = reply.output if reply else None
    return Call(
        run_id=recorder.contract.run_id,
        block_id=slot.block_id,
        service=slot.service,
        service_group=service.group,
        requested_model=service.requested_model,
        returned_model=reply.returned_model if reply else None,
        started_at=asked.started_at,
        request_hash=request_hash,
        status=asked.status,
        finish_reason=reply.finish_reason if reply else None,
        latency_ms=asked.latency_ms,
        qualified=None,
        failure_reason=None,
        artifact_path=keep(recorder.side(slot.task_id), asked.data, asked.ext) if asked.data else None,
        call_id=call_id(recorder.contract.run_id, slot, attempt),
        task_id=slot.task_id,
        repeat=slot.repeat,
        attempt=attempt,
        output=output,
        output_sha256=sha256(output.encode()).hexdigest() if output is not None else None,
        input_tokens=reply.input_tokens if reply else None,
        output_tokens=reply.output_tokens if reply else None,
        reasoning_tokens=reply.reasoning_tokens if reply else None,
        max_output_tokens=cap if isinstance(cap, int) else None,
        cost_usd=recorder.cost(slot.service, reply.input_tokens, reply.output_tokens) if reply else None,
        system_fingerprint=reply.system_fingerprint if reply else None,
    )


def _check_clock(recorder: Recorder) -> None:
    """Refuse to write times that run backwards.

    Raises:
        Faults: the clock is behind a time already stored.
    """
    now = recorder.clock()
    if recorder.latest is not None and now < recorder.latest - CLOCK_SLACK:
        raise Faults([_clock_back(now, recorder.latest)])
    recorder.latest = max(now, recorder.latest or now)


def _own_faults(recorder: Recorder, slot: Slot, asked: Asked, settings: dict[str, Any]) -> None:
    """End the sitting where the fault is on our side: a refused key or account, a refused setting."""
    service = recorder.services[slot.service]
    if asked.then == "halt" and asked.status == "error":
        recorder.halt(_refused(service, asked.cause))
    if asked.cause in ("http-400", "http-422") and asked.data is not None:
        name = rejected_setting(asked.data, settings, service)
        if name is not None:
            recorder.halt(_rejected(service, name))


def _finding(file: str, field_: str, slug: str, found: str, expected: str, todo: str) -> Finding:
    """A blocking finding that ends a sitting."""
    return Finding(file=file, line=0, field=field_, slug=slug, found=found, expected=expected, todo=todo)


def _refused(service: Service, cause: str) -> Finding:
    """The service does not accept us."""
    return _finding(
        "services.toml", service.id, "refused", cause.replace("-", " ").upper(), "a key and an account that it accepts",
        f"check {service.key_env or 'the address'} and the account, then run again: the slot is still open",
    )  # fmt: skip


def _rejected(service: Service, name: str) -> Finding:
    """The service rejects a setting that the contract says it takes."""
    return _finding(
        "run.toml", f"params.{service.id}.{name}", "rejected-setting", "a refusal that names it", "a setting it takes",
        "a contract does not change after its first call: start a new run and let --probe find what is applied",
    )  # fmt: skip


def _unreachable(service: Service, attempts: int) -> Finding:
    """No connection in all attempts."""
    return _finding(
        "services.toml", f"{service.id}.base_url", "unreachable", f"no connection in {attempts} attempts",
        f"an answer at {service.base_url}", "start or reach the service, then run again: it goes on where it stopped",
    )  # fmt: skip


def _told_to_wait(slot: Slot, wait: float) -> Finding:
    """The service wants to be left alone for long."""
    return _finding(
        "services.toml", slot.service, "told-to-wait", f"Retry-After of {wait:.0f} s",
        f"at most {LONGEST_WAIT_S:.0f} s", "run again after that time: it goes on where it stopped",
    )  # fmt: skip


def disk(error: OSError) -> Finding:
    """Something could not be written."""
    return _finding(
        error.filename or "results", "", "not-written", error.strerror or str(error), "room to write the line",
        "make room, then run again: what is stored is whole, what was being asked is asked again",
    )  # fmt: skip


def _clock_back(now: datetime, latest: datetime) -> Finding:
    """The wall clock went back."""
    return _finding(
        "calls.jsonl", "started_at", "clock-went-back", now.isoformat(), f"not before {latest.isoformat()}",
        "set the clock, then run again: nothing was asked at the wrong time",
    )  # fmt: skip
