"""What must not leave, and what is public anyway. In the room ``verify``; the last that sees held-out material.

A secret is a sequence of words. It is long enough to give a task away if it has

* eight words, of which at least five different ones hold a letter, and those have 24 characters in all: such *runs
  of eight* are looked for one by one, so that a quoted part is found as well as the whole; or
* fewer than eight words but forty characters: looked for as a whole; or
* it is a marker, made to be unlike anything else: the suite's canary, a task's salt, the hash of an answer.

"20" or "Bandung" is no secret by itself. A run that also stands in public material (public tasks, answers to them,
reasons given for those answers, retired tasks that were revealed, the publisher's own texts about suites, services and
runs) gives nothing away, and is taken out of the search by computation: nobody keeps a list of exceptions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from generator.records import Record, Results, StoredRun, Suite, Task

RUN = 8
"""Words of a run."""
DIFFERENT = 5
"""Different words with a letter that a run must have: lists of numbers and loops of one word are everywhere."""
LETTERS = 24
"""Characters that the words with a letter must have in all."""
SHORT = 40
"""Characters that make a text of fewer than eight words a secret."""

OPEN_FIELDS = frozenset(
    {"id", "category", "kind", "access", "licence", "direction", "register", "region", "word_language", "normalise",
     "combine", "repeats"}
)  # fmt: skip
"""Fields of a task that may be shown or say nothing. Every string in any other field is a secret, new fields too."""


@dataclass(frozen=True)
class Secret:
    """One text that must not leave.

    Attributes:
        task: id of its task, or of its suite for a canary.
        kind: ``prompt``, ``references``, ``answer``, ``reason``, ``canary`` …
        text: as stored.
        marker: found however short.
    """

    task: str
    kind: str
    text: str
    marker: bool = False


def secrets(results: Results) -> Iterator[Secret]:
    """Every secret of every suite and run."""
    for suite in results.suites.values():
        yield Secret(suite.file.id, "canary", suite.file.canary, marker=True)
        for task in suite.tasks:
            if task.access == "held_out":
                yield from _of_task(task)
    for run in results.runs.values():
        held = held_out(results.suites[run.contract.suite.id])
        for call in run.calls:
            if call.task_id in held and call.output:
                yield Secret(call.task_id, "answer", call.output)
                if call.output_sha256:
                    yield Secret(call.task_id, "hash of an answer", call.output_sha256, marker=True)
        for verdict in run.verdicts:
            if verdict.task_id in held and verdict.reason:
                yield Secret(verdict.task_id, "reason", verdict.reason)


def held_out(suite: Suite) -> frozenset[str]:
    """Ids of the suite's held-out tasks, at hand or only locked."""
    locked = {lock.id for lock in suite.lock if lock.access == "held_out"}
    return frozenset(locked | {task.id for task in suite.tasks if task.access == "held_out"})


def _of_task(task: Task) -> Iterator[Secret]:
    for field, value in msgspec.to_builtins(task).items():
        if field not in OPEN_FIELDS:
            for text in _strings(value):
                yield Secret(task.id, field, text, marker=field == "salt")


def _strings(value: object) -> Iterator[str]:
    """Every string inside a value; keys are names of fields and not among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def public_texts(results: Results) -> Iterator[str]:
    """Every stored text that readers may see."""
    for suite in results.suites.values():
        about = msgspec.structs.replace(suite.file, canary="")
        yield from _texts(about, suite.rubric, *(task for task in suite.tasks if task.access == "public"))
        yield from _revealed(suite)
    yield from _texts(*results.services.values(), *results.corrections)
    for run in results.runs.values():
        yield from _of_run(run, held_out(results.suites[run.contract.suite.id]))


def _revealed(suite: Suite) -> Iterator[str]:
    """Every text of its retired tasks, and their salts: all that a reveal publishes, answers not among it."""
    for reveal in suite.reveals:
        yield reveal.salt
        yield from _strings(msgspec.json.decode(reveal.task))


def _of_run(run: StoredRun, held: frozenset[str]) -> Iterator[str]:
    yield from _texts(run.contract)
    for call in run.calls:
        if call.task_id not in held:
            yield from (text for text in (call.output, call.output_sha256) if text)
    for verdict in run.verdicts:
        if verdict.task_id not in held and verdict.reason:
            yield verdict.reason


def _texts(*records: Record | None) -> Iterator[str]:
    for record in records:
        yield from _strings(msgspec.to_builtins(record))
