"""The loop that asks: every attempt is a line before the next request of its slot. In the collecting wing.

Whatever happens to the process, what was written stays and what was not is asked again: a slot's place is read
from the stored lines alone.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import httpx

from generator.collect.ask import Asked, code_of, then
from generator.collect.desk import Desk
from generator.collect.order import Slot, call_id, pause, sent
from generator.collect.protocols import question
from generator.collect.request import canonical, normal
from generator.findings import Faults
from generator.records import Call, Run, Task, Value, Verdict
from generator.store.layout import Layout
from generator.store.write import append, keep


@dataclass
class Recorder:
    """One sitting of a run.

    Attributes:
        contract: the run's contract.
        tasks: id -> task, for every task of the contract.
        desk: whom it asks and until when.
        on_call: told of every stored line, with the cause of a failure.
    """

    contract: Run
    tasks: dict[str, Task]
    desk: Desk
    on_call: Callable[[Call, str], None]


@dataclass(frozen=True)
class Open:
    """A slot that still wants an answer.

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


def stored_refusal(side: Callable[[str], Layout]) -> Callable[[Call | Verdict], int | None]:
    """A function that reads the HTTP status of a stored refusal from its artifact; None for any other line."""

    def read(line: Call | Verdict) -> int | None:
        if line.artifact_path is None or not line.artifact_path.endswith(".http"):
            return None
        return code_of((side(line.task_id).root / line.artifact_path).read_bytes())

    return read


async def record(recorder: Recorder, todo: Sequence[Open], client: httpx.AsyncClient) -> None:
    """Ask everything in ``todo``, block by block, ``concurrency`` at a time; returns when done or halted."""
    for block in sorted({item.slot.block for item in todo}):
        queue = iter([item for item in todo if item.slot.block == block])
        async with asyncio.TaskGroup() as group:
            for _ in range(recorder.contract.design.concurrency):
                group.create_task(_work(recorder, queue, client))


async def _work(recorder: Recorder, queue: Iterator[Open], client: httpx.AsyncClient) -> None:
    """Take slots one after the other until there are none or the sitting ends."""
    for item in queue:
        if recorder.desk.stop.is_set():
            return
        try:
            await _answer(recorder, item, client)
        except (Faults, OSError) as error:
            recorder.desk.halt_for(error)


async def _answer(recorder: Recorder, item: Open, client: httpx.AsyncClient) -> None:
    """Ask one slot until it is answered, refused for good, out of attempts, or the sitting ends."""
    attempt, failures, desk, slot = item.attempt, item.failures, recorder.desk, item.slot
    while True:
        asked = await _attempt(recorder, slot, attempt, client)
        failures += 1
        if asked.then != "again":
            return None
        if failures >= recorder.contract.attempts:
            return desk.out_of_attempts(slot.service, asked)
        wait = pause(recorder.contract.design.seed, slot, attempt, desk.first_pause_s)
        await desk.rest(slot.service, wait, asked)
        if desk.stop.is_set():
            return None
        attempt += 1


async def _attempt(recorder: Recorder, slot: Slot, attempt: int, client: httpx.AsyncClient) -> Asked:
    """Make one attempt and store it: request first, then the answer, then the line."""
    task, desk = recorder.tasks[slot.task_id], recorder.desk
    layout = desk.side(slot.task_id)
    settings = sent(recorder.contract.params[slot.service], recorder.contract.design.seed, slot)
    body = normal(question(desk.services[slot.service], task.system, task.prompt, settings))
    request = canonical(body)
    keep(layout, request, "json")
    asked = await desk.put(client, slot.service, body)
    cap = settings.get("max_output_tokens")
    call = _line(recorder, slot, attempt, asked, sha256(request).hexdigest(), cap)
    append(layout.calls(recorder.contract.run_id), call)
    recorder.on_call(call, asked.cause)
    desk.judge_refusal(slot.service, asked, settings)
    return asked


def _line(recorder: Recorder, slot: Slot, attempt: int, asked: Asked, request_hash: str, cap: Value) -> Call:
    """The line of an attempt; its artifact is stored here."""
    desk, reply = recorder.desk, asked.reply
    service = desk.services[slot.service]
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
        artifact_path=keep(desk.side(slot.task_id), asked.data, asked.ext) if asked.data is not None else None,
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
        cost_usd=desk.cost(slot.service, reply.input_tokens, reply.output_tokens) if reply else None,
        system_fingerprint=reply.system_fingerprint if reply else None,
    )
