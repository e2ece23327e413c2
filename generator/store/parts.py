"""The files of one suite, read but not yet held against each other."""

from dataclasses import dataclass
from typing import Any

from generator.findings import Finding
from generator.records import Anchor, AnchorFile, SuiteFile, Task, TaskFile, TaskLock, Variants
from generator.store.canonical import commitment
from generator.store.jsonl import records
from generator.store.layout import (
    ANCHORS,
    HELD_OUT_TASKS,
    PUBLIC_TASKS,
    RUBRICS,
    SUITE_FILE,
    SUITE_LOCK,
    VARIANTS,
    Layout,
)
from generator.store.sheet import Sheet
from generator.store.toml import table


@dataclass(frozen=True)
class Tasks:
    """One file of tasks as read."""

    sheet: Sheet
    tasks: tuple[Task, ...]
    raw: tuple[dict[str, Any], ...]

    def locks(self) -> list[TaskLock]:
        """The lock line of each task, in the order of the file."""
        return [
            TaskLock(
                id=task.id,
                category=task.category,
                kind=raw["kind"],
                access=task.access,
                repeats=task.repeats,
                commitment=commitment(raw),
            )
            for task, raw in zip(self.tasks, self.raw, strict=True)
        ]


@dataclass(frozen=True)
class Parts:
    """The files of a suite as far as they could be read; ``None`` for a file with faults, or not at hand."""

    rules: SuiteFile | None
    rules_sheet: Sheet
    public: Tasks | None
    held_out: Tasks | None
    has_held_out: bool
    """Whether a file of held-out tasks is at hand."""
    lock: tuple[tuple[int, TaskLock], ...] | None
    """Line and record."""
    lock_sheet: Sheet
    anchors: tuple[Anchor, ...]
    anchor_sheet: Sheet
    variants: Variants | None
    variant_sheet: Sheet
    reveal_sheet: Sheet
    rubrics: dict[str, Sheet]
    """Language -> the rubric, for the languages in which it could be read."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Public tasks, then held-out ones."""
        return tuple(task for file in (self.public, self.held_out) if file for task in file.tasks)


def read_parts(layout: Layout, suite: str, private: Layout | None, faults: list[Finding]) -> Parts:
    """Every file of a suite; what is wrong inside a file is added to ``faults``."""
    at = layout.suite_dir(suite)
    rules_sheet = Sheet(layout, at / SUITE_FILE, faults)
    rules = table(rules_sheet, SuiteFile)
    lock_sheet = rules_sheet.beside(at / SUITE_LOCK)
    lock = None
    if lock_sheet.there() and lock_sheet.readable():
        lock = tuple(records(lock_sheet, TaskLock))
    anchor_sheet = rules_sheet.beside(at / ANCHORS)
    anchors = table(anchor_sheet, AnchorFile) if anchor_sheet.there() else None
    variant_sheet = rules_sheet.beside(at / VARIANTS)
    variants = table(variant_sheet, Variants) if variant_sheet.there() else None
    held_out = _held_out_sheet(layout, suite, private, faults)
    return Parts(
        rules=rules[0] if rules else None,
        rules_sheet=rules_sheet,
        public=_tasks(rules_sheet.beside(at / PUBLIC_TASKS)),
        held_out=_tasks(held_out) if held_out else None,
        has_held_out=held_out is not None,
        lock=None if lock_sheet.count else lock,
        lock_sheet=lock_sheet,
        anchors=anchors[0].anchor if anchors else (),
        anchor_sheet=anchor_sheet,
        variants=variants[0] if variants else None,
        variant_sheet=variant_sheet,
        reveal_sheet=rules_sheet.beside(layout.reveals(suite)),
        rubrics=_rubrics(rules_sheet, layout, suite),
    )


def _held_out_sheet(layout: Layout, suite: str, private: Layout | None, faults: list[Finding]) -> Sheet | None:
    """The file of held-out tasks, in the private directory or beside the public ones; None where it is in neither."""
    sides = [side for side in (private, layout) if side]
    sheets = [Sheet(side, side.suite_dir(suite) / HELD_OUT_TASKS, faults) for side in sides]
    sheets = [sheet for sheet in sheets if sheet.there()]
    if len(sheets) == 2:
        other = layout.named(sheets[1].path)
        sheets[0].fault("contradiction", f"also {other}", "held-out tasks in one place", todo="remove one of the two")
    return sheets[0] if sheets else None


def _tasks(sheet: Sheet) -> Tasks | None:
    """One file of tasks; None where a fault was noted."""
    read = table(sheet, TaskFile)
    return Tasks(sheet, read[0].task, tuple(read[1]["task"])) if read else None


def _rubrics(sheet: Sheet, layout: Layout, suite: str) -> dict[str, Sheet]:
    """The public rubric in each language it is written in."""
    found: dict[str, Sheet] = {}
    for language, name in RUBRICS.items():
        rubric = sheet.beside(layout.suite_dir(suite) / name)
        if rubric.there() and rubric.text() is not None:
            found[language] = rubric
    return found
