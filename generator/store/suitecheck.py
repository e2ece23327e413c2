"""What must hold between the files of a suite: ids, categories, salts, licences, judges, canary, lock."""

from collections import Counter
from collections.abc import Iterable, Mapping

from generator.records import (
    ExactTask,
    JuryRules,
    RubricTask,
    Service,
    SuiteFile,
    Task,
    TaskLock,
    TranslationTask,
    VocabularyTask,
)
from generator.store.layout import HELD_OUT_TASKS, RUBRICS
from generator.store.parts import Parts, Tasks
from generator.store.sheet import Sheet
from generator.store.strict import told

KEYED = (ExactTask, TranslationTask, VocabularyTask)
"""Kinds of task that have accepted answers."""


def check_suite_parts(parts: Parts, suite: str, services: Mapping[str, Service] | None) -> None:
    """Hold the files of a suite against each other, its place and, where given, the services that judge.

    Files that could not be read are left out: their own faults are told already.
    """
    tasks = [(file, index, task) for file in _files(parts) for index, task in enumerate(file.tasks)]
    _check_rubric(parts)
    if parts.rules:
        _check_rules(parts.rules_sheet, parts.rules, suite)
        _check_jury(parts, parts.rules.jury, services)
        _check_canary(parts, parts.rules.canary)
    _distinct((file.sheet, f"task[{index}].id", task.id) for file, index, task in tasks)
    for file, index, task in tasks:
        _check_task(file.sheet, f"task[{index}]", task)
        if parts.rules:
            _check_task_against_rules(file.sheet, f"task[{index}]", task, parts.rules)
    salted = [(file.sheet, f"task[{index}].salt", task.salt) for file, index, task in tasks if task.salt]
    _distinct(salted, "salt-reused")
    _check_anchors(parts)
    _check_declared(parts)
    _check_categories(parts)
    _remark(parts)


def check_lock(parts: Parts) -> None:
    """``suite.lock.jsonl`` against the tasks at hand, line by line, and against itself."""
    sheet = parts.lock_sheet
    if not sheet.there():
        sheet.fault("missing-lock", "nothing", "the lock of the suite")
    if parts.lock is None:
        return
    lines: dict[str, tuple[int, TaskLock]] = {}
    for line, lock in parts.lock:
        if lock.id in lines:
            sheet.fault("duplicate-id", told(lock.id), "one line a task", line=line, field="id")
        lines.setdefault(lock.id, (line, lock))
    made: dict[str, TaskLock] = {}
    for file in _files(parts):
        for index, lock in enumerate(file.locks()):
            if lock.id not in lines:
                file.sheet.fault("unlocked-task", told(lock.id), "a line in the lock", field=f"task[{index}].id")
            elif lock.id not in made:
                _check_lock_line(sheet, *lines[lock.id], lock)
            made.setdefault(lock.id, lock)
    _check_surplus(parts, lines)
    if [name for name in lines if name in made] != [name for name in made if name in lines]:
        sheet.fault("lock-differs", "lines in another order", "the order of the files, public tasks first")


def _check_lock_line(sheet: Sheet, line: int, stored: TaskLock, made: TaskLock) -> None:
    """A stored lock line against the one that its task makes now."""
    for name in TaskLock.__struct_fields__:
        old, new = getattr(stored, name), getattr(made, name)
        if old != new:
            found = f"{told(old)} for {stored.id}"
            sheet.fault("lock-differs", found, f"{told(new)}, as the task says", line=line, field=name)


def _check_surplus(parts: Parts, lines: dict[str, tuple[int, TaskLock]]) -> None:
    """Lock lines whose task is in no file; held-out tasks may lie elsewhere, but then all of them do."""
    present = {task.id for task in parts.tasks}
    at_hand = {"public": parts.public is not None, "held_out": parts.held_out is not None}
    for line, lock in lines.values():
        if lock.id not in present and at_hand[lock.access]:
            parts.lock_sheet.fault("unknown-task", told(lock.id), "a task of the suite", line=line, field="id")


def _files(parts: Parts) -> list[Tasks]:
    """The files of tasks that could be read."""
    return [file for file in (parts.public, parts.held_out) if file]


def _distinct(places: Iterable[tuple[Sheet, str, str]], slug: str = "duplicate-id") -> None:
    """A fault for every value that occurred before."""
    seen: set[str] = set()
    for sheet, field, value in places:
        if value in seen:
            sheet.fault(slug, told(value), "each one once", field=field)
        seen.add(value)


def _check_rules(sheet: Sheet, rules: SuiteFile, suite: str) -> None:
    """``suite.toml`` against its place and itself."""
    if rules.id != suite:
        sheet.fault("wrong-name", told(rules.id), f'the name of its directory, "{suite}"', field="id")
    _distinct((sheet, f"category[{i}].id", category.id) for i, category in enumerate(rules.category))
    if rules.score.rubric.min >= rules.score.rubric.max:
        sheet.fault("contradiction", "min is not below max", "two points or more", field="score.rubric")
    if not rules.canary.strip():
        sheet.fault("wrong-value", told(rules.canary), "a marker that occurs nowhere else", field="canary")


def _check_rubric(parts: Parts) -> None:
    """The rubric in both languages, where tasks are judged by one."""
    if parts.rubrics or any(isinstance(task, RubricTask) for task in parts.tasks):
        for name in RUBRICS.values():
            rubric = parts.rules_sheet.beside(parts.rules_sheet.path.with_name(name))
            if not rubric.there():
                rubric.fault("missing-file", "nothing", "the rubric in this language")


def _check_jury(parts: Parts, jury: JuryRules | None, services: Mapping[str, Service] | None) -> None:
    """Two judges at least, each named once, each a service."""
    sheet = parts.rules_sheet
    if jury is None:
        if any(isinstance(task, RubricTask) for task in parts.tasks):
            sheet.fault("missing-field", "nothing", "a jury, since tasks have a rubric", field="jury")
        return
    if len(jury.pair) < 2:
        sheet.fault("wrong-value", f"{len(jury.pair)} judges", "two judges or more", field="jury.pair")
    judges = [(f"jury.pair[{i}]", judge) for i, judge in enumerate(jury.pair)]
    judges += [(f"jury.third[{i}]", judge) for i, judge in enumerate(jury.third)]
    _distinct((sheet, field, judge) for field, judge in judges)
    for field, judge in judges:
        if services is not None and judge not in services:
            sheet.fault("unknown-judge", told(judge), "a service of services.toml", field=field)


def _check_canary(parts: Parts, canary: str) -> None:
    """The canary marks the file of held-out tasks, and no public file holds it."""
    if not canary.strip():
        return
    if parts.held_out and canary not in parts.held_out.sheet.source:
        parts.held_out.sheet.fault("missing-canary", "no canary", "the suite's canary")
    public = [parts.public.sheet] if parts.public else []
    for sheet in (*public, parts.anchor_sheet, parts.variant_sheet, *parts.rubrics.values()):
        if canary in sheet.source:
            sheet.fault("canary-leaked", "the canary", "no canary in a public file")


def _check_task(sheet: Sheet, field: str, task: Task) -> None:
    """A task against the file it stands in and against itself."""
    access = "held_out" if sheet.path.name == HELD_OUT_TASKS else "public"
    if task.access != access:
        sheet.fault("wrong-access", told(task.access), f'"{access}" in this file', field=f"{field}.access")
    if task.access == "held_out" and not task.salt:
        sheet.fault("missing-salt", "nothing", "32 random hex digits", field=f"{field}.salt")
    if task.access == "public" and task.salt:
        sheet.fault("needless-salt", "a salt", "none for a public task", field=f"{field}.salt")
    if not task.prompt.strip():
        sheet.fault("wrong-value", told(task.prompt), "a prompt", field=f"{field}.prompt")
    if isinstance(task, TranslationTask) and task.source_text not in task.prompt:
        expected = "a sentence that stands in the prompt"
        sheet.fault("contradiction", told(task.source_text), expected, field=f"{field}.source_text")


def _check_task_against_rules(sheet: Sheet, field: str, task: Task, rules: SuiteFile) -> None:
    """A task against ``suite.toml``."""
    if task.category not in {category.id for category in rules.category}:
        sheet.fault("unknown-category", told(task.category), "a category of suite.toml", field=f"{field}.category")
    if task.access == "public" and not (task.licence or rules.licence).strip():
        sheet.fault("missing-licence", "nothing", "a licence such as CC-BY-4.0", field=f"{field}.licence")


def _check_categories(parts: Parts) -> None:
    """No category without tasks, as far as the tasks are known."""
    is_known = parts.public and (parts.held_out or not parts.has_held_out)
    counts = _counts(parts)
    for index, category in enumerate(parts.rules.category if parts.rules and is_known else ()):
        if not counts[category.id]:
            field = f"category[{index}]"
            parts.rules_sheet.fault("empty-category", told(category.id), "tasks in it", field=field)


def _check_anchors(parts: Parts) -> None:
    """Anchors: each id once, each for a task of the suite that is judged, within the rubric's scale."""
    sheet = parts.anchor_sheet
    _distinct((sheet, f"anchor[{i}].id", anchor.id) for i, anchor in enumerate(parts.anchors))
    judged = {task.id for task in parts.tasks if isinstance(task, RubricTask)}
    judged |= {lock.id for _, lock in parts.lock or () if lock.kind == "rubric"}
    for index, anchor in enumerate(parts.anchors):
        if anchor.task_id not in judged and parts.public:
            expected = "a task of the suite that has a rubric"
            sheet.fault("unknown-task", told(anchor.task_id), expected, field=f"anchor[{index}].task_id")
        if parts.rules:
            scale = parts.rules.score.rubric
            if anchor.expected_min < scale.min or anchor.expected_max > scale.max:
                found = f"{anchor.expected_min} to {anchor.expected_max}"
                expected = f"a range within {scale.min} to {scale.max}"
                sheet.fault("wrong-value", found, expected, field=f"anchor[{index}].expected_min")


def _check_declared(parts: Parts) -> None:
    """Declared answers: each for a public task with a key. Those of a held-out task would give its key away."""
    tasks = {task.id for task in parts.public.tasks if isinstance(task, KEYED)} if parts.public else set()
    for name in ("must_accept", "must_reject") if parts.variants and parts.public else ():
        for index, answer in enumerate(getattr(parts.variants, name)):
            if answer.task_id not in tasks:
                expected = "a public task of the suite that has references or accepted senses"
                field = f"{name}[{index}].task_id"
                parts.variant_sheet.fault("unknown-task", told(answer.task_id), expected, field=field)


def _counts(parts: Parts) -> Counter[str]:
    """Tasks a category, counting those that are known by the lock only."""
    categories = {lock.id: lock.category for _, lock in parts.lock or ()}
    categories |= {task.id: task.category for task in parts.tasks}
    return Counter(categories.values())


def _remark(parts: Parts) -> None:
    """What the publisher may want to know: tasks a category, sources nobody opened, held-out tasks elsewhere."""
    sheet = parts.rules_sheet
    counts = _counts(parts)
    told_counts = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
    if len(set(counts.values())) > 1:
        sheet.remark("uneven-categories", told_counts, "as many tasks in each", "nothing, if it is meant")
    for file in _files(parts):
        unchecked = sum(source.checked is None for task in file.tasks for source in task.sources)
        if unchecked:
            file.sheet.remark("unchecked-sources", f"{unchecked} sources", "a checked date for each",
                              "open them and add the day")  # fmt: skip
    absent = sum(lock.access == "held_out" for _, lock in parts.lock or ())
    if absent and not parts.has_held_out:
        sheet.remark("held-out-absent", f"{absent} tasks known by their lock only", "their file",
                     "give the directory that holds them with --private")  # fmt: skip
