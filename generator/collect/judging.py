"""The jury at work: who is asked is planned by rule in ``score.judged``; here it is asked and every reply kept.

In the collecting wing. A round asks every verdict that is wanted at its start; the next plan sees what came of it
(a third judge is wanted only when two differ), until nothing is wanted.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import httpx

from generator.collect.ask import Asked, then
from generator.collect.desk import Desk
from generator.collect.frame import blind_id, frame, schema, verdict, wants_schema
from generator.collect.order import Slot, pause, sent
from generator.collect.protocols import question
from generator.collect.recording import stored_refusal
from generator.collect.request import normal
from generator.findings import Faults
from generator.records import Anchor, Call, JuryRules, RubricTask, Run, Suite, Verdict
from generator.score.judged import Ask, Judge, Subject, plan, twins
from generator.store.write import append, keep

Role = Literal["first", "second", "third", "calibration"]
VerdictStatus = Literal["ok", "unusable", "timeout", "error", "cut", "budget_exceeded"]


@dataclass(frozen=True)
class Wanted:
    """One verdict to ask for.

    Attributes:
        subject: call id or anchor id.
        task_id: its task.
        judge: who is asked.
        role: in which seat.
        attempt: number of the attempt.
    """

    subject: str
    task_id: str
    judge: Judge
    role: Role
    attempt: int


@dataclass
class Bench:
    """One sitting of the jury.

    Attributes:
        contract: of the run; ``judging`` holds the judges' settings.
        suite: with its rubric.
        answers: subject -> answer to be judged.
        tasks: id -> judged task.
        desk: whom it asks and until when.
        secret: key of the blind ids.
        on_verdict: told of every stored line, with the cause of a failure.
    """

    contract: Run
    suite: Suite
    answers: Mapping[str, str]
    tasks: Mapping[str, RubricTask]
    desk: Desk
    secret: bytes
    on_verdict: Callable[[Verdict, str], None]


def subjects(
    calls: Sequence[Call],
    tasks: Mapping[str, RubricTask],
    vendors: Mapping[str, str],
    jury: JuryRules,
    before: Sequence[Call] = (),
) -> list[Subject]:
    """The answers that need verdicts, in stored order: identical answers to one task under one jury only once.

    ``before`` holds the judged answers of the run that this one repeats: what it gave already needs no verdict again.
    """
    answered = [call for call in calls if call.status == "ok" and call.task_id in tasks and (call.output or "").strip()]
    judging = {vendors[name] for name in (*jury.pair, *jury.third) if name in vendors}
    stands_for = twins([*before, *answered], vendors, judging)
    return [
        Subject(call_id=call.call_id, task_id=call.task_id, vendor=vendors[call.service])
        for call in answered
        if stands_for[call.call_id] == call.call_id
    ]


def judges(jury: JuryRules, vendors: Mapping[str, str]) -> list[Judge]:
    """Everyone the jury rules name who is a known service, each once, in their order."""
    names = dict.fromkeys((*jury.pair, *jury.third))
    return [Judge(id=name, vendor=vendors[name]) for name in names if name in vendors]


def wanted(
    answers: Sequence[Subject], panel: Sequence[Judge], jury: JuryRules, verdicts: Sequence[Verdict], attempts: int
) -> list[Wanted]:
    """What the rules want next for the answers of the run."""
    asks: list[Ask] = plan(answers, panel, jury, verdicts, attempts)
    return [Wanted(ask.subject.call_id, ask.subject.task_id, ask.judge, ask.role, ask.attempt) for ask in asks]


def wanted_for_calibration(
    anchors: Iterable[Anchor], panel: Iterable[Judge], verdicts: Iterable[Verdict], attempts: int
) -> list[Wanted]:
    """Every judge on every anchor answer, until it is usable or out of attempts."""
    made: dict[tuple[str, str], list[Verdict]] = {}
    for line in verdicts:
        if line.role == "calibration":
            made.setdefault((line.subject, line.by), []).append(line)
    found = []
    for judge in panel:
        for anchor in anchors:
            lines = made.get((anchor.id, judge.id), [])
            tries = sum(line.status != "budget_exceeded" for line in lines)
            if tries < attempts and not any(line.status == "ok" for line in lines):
                attempt = 1 + max((line.attempt for line in lines), default=0)
                found.append(Wanted(anchor.id, anchor.task_id, judge, "calibration", attempt))
    return found


def askable(asks: Iterable[Wanted], verdicts: Iterable[Verdict], bench: Bench) -> list[Wanted]:
    """``asks`` without those that the judge's service has refused for good, such as a prompt that is too long."""
    refusal = stored_refusal(bench.desk.side)
    final = {
        (line.subject, line.by)
        for line in verdicts
        if line.status == "error" and (code := refusal(line)) is not None and then(code) == "final"
    }
    return [ask for ask in asks if (ask.subject, ask.judge.id) not in final]


async def hear(bench: Bench, asks: Sequence[Wanted], client: httpx.AsyncClient) -> None:
    """Ask for each verdict once, ``concurrency`` at a time; returns when done or halted."""
    queue = iter(asks)
    async with asyncio.TaskGroup() as group:
        for _ in range(bench.contract.design.concurrency):
            group.create_task(_work(bench, queue, client))


async def _work(bench: Bench, queue: Iterator[Wanted], client: httpx.AsyncClient) -> None:
    """Take what is wanted one after the other until there is nothing or the sitting ends."""
    for ask in queue:
        if bench.desk.stop.is_set():
            return
        try:
            await _verdict(bench, ask, client)
        except (Faults, OSError) as error:
            bench.desk.halt_for(error)


def message(bench: Bench, ask: Wanted) -> str:
    """All that a judge is shown."""
    rubric = bench.suite.rubric.id if bench.suite.rubric else ""
    blind = blind_id(bench.secret, ask.subject)
    return frame(bench.tasks[ask.task_id], rubric, bench.answers[ask.subject], blind, bench.suite.file.score)


async def _verdict(bench: Bench, ask: Wanted, client: httpx.AsyncClient) -> None:
    """Ask one judge once, store the reply and the line, and rest where the network failed."""
    desk, name = bench.desk, ask.judge.id
    slot = Slot(1, name, ask.task_id, 1)
    settings = sent(bench.contract.judging[name], bench.contract.design.seed, slot)
    shape = schema(bench.suite.file.score) if wants_schema(settings) else None
    fields = {key: value for key, value in settings.items() if key != "response_format"}
    body = normal(question(desk.services[name], "", message(bench, ask), fields, shape))
    asked = await desk.put(client, name, body)
    line = _line(bench, ask, asked)
    append(desk.side(ask.task_id).verdicts(bench.contract.run_id), line)
    bench.on_verdict(line, asked.cause or ("" if line.status == "ok" else line.status))
    desk.judge_refusal(name, asked, settings)
    if asked.then == "again" and ask.attempt >= desk.attempts:
        desk.out_of_attempts(name, asked)
    elif asked.then == "again":
        await desk.rest(name, pause(bench.contract.design.seed, slot, ask.attempt, desk.first_pause_s), asked)


def _line(bench: Bench, ask: Wanted, asked: Asked) -> Verdict:
    """The line of one reply; its artifact is stored here."""
    rules, reply = bench.suite.file.score, asked.reply
    said = verdict(reply.output, rules) if reply else None
    rubric = bench.suite.rubric.id if bench.suite.rubric else ""
    return Verdict(
        subject=ask.subject,
        task_id=ask.task_id,
        blind_id=blind_id(bench.secret, ask.subject),
        by=ask.judge.id,
        vendor=ask.judge.vendor,
        role=ask.role,
        attempt=ask.attempt,
        score=said[0] if said else None,
        min=rules.rubric.min,
        max=rules.rubric.max,
        reason=said[1] if said else None,
        returned_model=reply.returned_model if reply else None,
        rubric_sha256=sha256(rubric.encode()).hexdigest(),
        at=asked.started_at,
        status=_status(asked, said),
        artifact_path=keep(bench.desk.side(ask.task_id), asked.data, asked.ext) if asked.data is not None else None,
        input_tokens=reply.input_tokens if reply else None,
        output_tokens=reply.output_tokens if reply else None,
        cost_usd=bench.desk.cost(ask.judge.id, reply.input_tokens, reply.output_tokens) if reply else None,
    )


def _status(asked: Asked, said: tuple[int, str] | None) -> VerdictStatus:
    """The status of a verdict: a complete reply without a usable score is ``unusable``."""
    if asked.status == "ok":
        return "ok" if said else "unusable"
    return "error" if asked.status == "cancelled" else asked.status
