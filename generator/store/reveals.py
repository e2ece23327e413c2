"""Retired tasks, revealed: what may be revealed, and whether what was revealed is what the lock committed to.

Part of ``store``. A reveal is published for good, so everything that speaks against it is said before a byte is
written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import msgspec

from generator.findings import Faults, Finding
from generator.records import Reveal, Run, Task, TaskLock
from generator.store.canonical import canonical
from generator.store.jsonl import records
from generator.store.layout import Layout
from generator.store.names import subdirectories
from generator.store.parts import Parts, read_parts
from generator.store.sheet import Sheet
from generator.store.strict import told
from generator.store.suitecheck import check_lock, check_suite_parts
from generator.store.toml import table


def standing(reveal: Reveal, lock: Mapping[str, str]) -> str:
    """How one reveal stands to a lock of any age.

    Args:
        reveal: salt and text.
        lock: task id -> commitment.

    Returns:
        ``matches``, ``differs`` or ``not-in-lock``.
    """
    if reveal.id not in lock:
        return "not-in-lock"
    return "matches" if sha256((reveal.salt + reveal.task).encode()).hexdigest() == lock[reveal.id] else "differs"


def read_reveals(parts: Parts) -> tuple[Reveal, ...]:
    """The stored reveals of a suite, held against its lock; faults are noted on their sheet."""
    sheet = parts.reveal_sheet
    if not sheet.there() or not sheet.readable():
        return ()
    locked = {line.id: line for _, line in parts.lock or ()}
    commitments = {name: line.commitment for name, line in locked.items()}
    found: dict[str, Reveal] = {}
    for line, reveal in records(sheet, Reveal):
        state = standing(reveal, commitments)
        if reveal.id in found:
            sheet.fault("duplicate-id", told(reveal.id), "one line a task", line=line, field="id")
        elif state == "not-in-lock":
            sheet.fault("unknown-task", told(reveal.id), "a task of the lock", line=line, field="id")
        elif locked[reveal.id].access != "held_out":
            sheet.fault("not-held-out", told(reveal.id), "a task that was held out", line=line, field="id")
        elif state == "differs":
            expected = f"the task and salt whose hash is {commitments[reveal.id]}"
            sheet.fault("reveal-differs", f"another text or salt of {reveal.id}", expected, line=line, field="task")
        elif _id_in(reveal.task) != reveal.id:
            sheet.fault("reveal-differs", "no task of that id", f"the task {reveal.id}", line=line, field="task")
        found.setdefault(reveal.id, reveal)
    return tuple(found.values())


def check_reveal(reveals: Path, lock: Path) -> list[tuple[str, str]]:
    """(id, ``standing``) of each line of a reveal file against a lock, wherever the two lie.

    Raises:
        Faults: one of them is not such a file.
    """
    faults: list[Finding] = []
    of_reveals, of_lock = (Sheet(Layout(path.parent), path, faults) for path in (reveals, lock))
    lines = [line for _, line in records(of_reveals, Reveal)] if of_reveals.readable() else []
    locked = [line for _, line in records(of_lock, TaskLock)] if of_lock.readable() else []
    if faults:
        raise Faults(faults)
    commitments = {line.id: line.commitment for line in locked}
    return [(line.id, standing(line, commitments)) for line in lines]


def _id_in(text: str) -> str:
    """The id of a task in canonical JSON; nothing where it is no task."""
    try:
        return msgspec.json.decode(text, type=Task).id
    except msgspec.DecodeError:
        return ""


def new_reveals(
    layout: Layout,
    suite: str,
    wanted: Sequence[str],
    at: datetime,
    private: Layout | None = None,
    also: Sequence[str] = (),
) -> list[Reveal]:
    """The lines that reveal ``wanted`` of ``suite``; none for tasks that are revealed already.

    Args:
        layout: ``results/``.
        suite: a name under ``suites/``.
        wanted: ids of held-out tasks.
        at: now.
        private: where held-out tasks lie, if not in ``layout``.
        also: other suites in which the same questions are retired as well.

    Raises:
        Faults: with everything that speaks against it: a suite that differs from its lock, ids that are unknown or
            public, texts that are not at hand, a run of the suite that is still open, the same question held out in
            another suite, the canary in a text.
    """
    faults: list[Finding] = []
    parts = read_parts(layout, suite, private, faults)
    check_suite_parts(parts, suite, None)
    check_lock(parts)
    already = {reveal.id for reveal in read_reveals(parts)}
    made = _lines(parts, at)
    ids = dict.fromkeys(wanted)
    faults += _refused(parts, [name for name in ids if name not in made and name not in already])
    chosen = [made[name] for name in ids if name in made and name not in already]
    faults += _canary(parts, chosen)
    faults += _still_open(layout, suite)
    faults += _held_elsewhere(layout, [suite, *also], private, chosen)
    if blocking := [fault for fault in faults if fault.blocking]:
        raise Faults(blocking)
    return chosen


def _lines(parts: Parts, at: datetime) -> dict[str, Reveal]:
    """The line of every held-out task at hand, by id."""
    if parts.held_out is None:
        return {}
    return {
        task.id: Reveal(
            at=at,
            id=task.id,
            salt=task.salt or "",
            task=canonical({name: value for name, value in raw.items() if name != "salt"}),
        )
        for task, raw in zip(parts.held_out.tasks, parts.held_out.raw, strict=True)
    }


def _refused(parts: Parts, absent: Iterable[str]) -> Iterator[Finding]:
    """Why tasks that were asked for cannot be revealed."""
    locked: dict[str, TaskLock] = {line.id: line for _, line in parts.lock or ()}
    file = parts.lock_sheet.layout.named(parts.lock_sheet.path)
    for name in absent:
        if name not in locked:
            held = ", ".join(sorted(line.id for line in locked.values() if line.access == "held_out"))
            yield _fault(file, name, "unknown-task", "no such task", f"one of {held or 'no held-out task at all'}")
        elif locked[name].access == "public":
            yield _fault(file, name, "not-held-out", "a public task", "a held-out task", "nothing is hidden of it")
        else:
            todo = "give the directory that holds it with --private"
            yield _fault(file, name, "held-out-absent", "a task known by its lock only", "its text", todo)


def _canary(parts: Parts, chosen: Iterable[Reveal]) -> Iterator[Finding]:
    """The canary marks what is still held out, so it cannot be revealed with a task."""
    canary = parts.rules.canary if parts.rules else ""
    for reveal in chosen:
        if canary.strip() and canary in reveal.task:
            found, expected = "the suite's canary in its text", "a text without it"
            yield _fault(parts.held_out.sheet.layout.named(parts.held_out.sheet.path) if parts.held_out else "",
                         reveal.id, "canary-leaked", found, expected)  # fmt: skip


def _still_open(layout: Layout, suite: str) -> Iterator[Finding]:
    """Runs of the suite that could still be answered: a revealed task would measure memory there."""
    for name in subdirectories(layout.runs):
        read = table(Sheet(layout, layout.contract(name), []), Run)
        if read and read[0].suite.id == suite and read[0].purpose != "pilot" and not layout.seal(name).exists():
            todo = f"finish it and seal it first: rapor seal {name}"
            yield _fault(f"runs/{name}/run.toml", "suite", "run-open", "a run of this suite without a seal",
                         "sealed runs only", todo)  # fmt: skip


def _held_elsewhere(
    layout: Layout, retired: Sequence[str], private: Layout | None, chosen: Sequence[Reveal]
) -> Iterator[Finding]:
    """The same question, held out in another suite whose texts are at hand: it would be given away there too."""
    prompts = {_words(msgspec.json.decode(reveal.task)["prompt"]): reveal.id for reveal in chosen}
    for other in subdirectories(layout.suites):
        if other in retired:
            continue
        parts = read_parts(layout, other, private, [])
        revealed = {reveal.id for reveal in read_reveals(parts)}
        for task in parts.held_out.tasks if parts.held_out else ():
            if task.id not in revealed and (mine := prompts.get(_words(task.prompt))):
                todo = f"keep it until it is retired there too; then reveal it with --also {other}"
                yield _fault(f"suites/{other}", task.id, "held-out-elsewhere", f"the question of {mine}",
                             "a question that no other suite holds out", todo)  # fmt: skip


def _words(text: str) -> str:
    return " ".join(text.casefold().split())


def _fault(file: str, field: str, slug: str, found: str, expected: str, todo: str = "nothing was revealed") -> Finding:
    return Finding(file=file, line=0, field=field, slug=slug, found=found, expected=expected, todo=todo)
