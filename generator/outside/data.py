"""Do the published files agree with one another and with the hashes that stand on the pages? The wing ``outside``."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from itertools import combinations

import msgspec

from generator.findings import Finding, shown
from generator.outside.printed import written
from generator.outside.published import Board, ScoreRow, refused
from generator.records import Task
from generator.store.canonical import commitment
from generator.verify.hashes import LINE, SUMS
from generator.verify.site import Site, language

HASH = re.compile(r"\b[0-9a-f]{64}\b")
SHORT = re.compile(r"<code[^>]*>([0-9a-f]{12})</code>")


def build_hash(files: Mapping[str, bytes]) -> str:
    """The one hash over all data that every page bears: of the lines ``<sha256>  <path>`` of ``data/``, by path."""
    lines = [
        f"{sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()) if path.startswith("data/")
    ]
    return sha256("".join(lines).encode()).hexdigest()


def check_data(site: Site, boards: list[Board]) -> Iterator[Finding]:
    """Tables against lines, and every hash on every page against what it can be the hash of."""
    for board in boards:
        yield from _check_table(board)
    known = _known_hashes(site.files, boards)
    build = build_hash(site.files)
    for path in site.pages:
        text = site.files[path].decode("utf-8", "replace")
        if language(path) and build not in text:
            yield Finding(path, 0, "data of this site", "other-data", "another hash", build)
        found = {(match[0], match.start()) for match in HASH.finditer(text)}
        found |= {(match[1], match.start()) for match in SHORT.finditer(text)}
        for digits, start in sorted(found, key=lambda each: each[1]):
            if digits not in known and digits != build and digits != build[:12]:
                line = text.count("\n", 0, start) + 1
                expected = "the hash of something that is published"
                yield Finding(path, line, "", "unknown-hash", digits, expected)


def _known_hashes(files: Mapping[str, bytes], boards: list[Board]) -> set[str]:
    """Every hash that a page may show: of files, answers, tasks, suites, and hashes that data files themselves hold."""
    known = {match[1] for line in files.get(SUMS, b"").decode("utf-8", "replace").splitlines()
             if (match := LINE.fullmatch(line))}  # fmt: skip
    for path, data in files.items():
        if path.startswith("data/"):
            known |= set(HASH.findall(data.decode("utf-8", "replace")))
    known |= {sha256(answer.output.encode()).hexdigest() for board in boards for answer in board.answers}
    return known | {digits[:12] for digits in known}


COLUMNS = (
    "run_id", "service", "task_id", "category", "kind", "access", "score", "failed", "reason", "withheld", "repeats",
    "identical", "recomputed", "ranked", "grader",
)  # fmt: skip


def _check_table(board: Board) -> Iterator[Finding]:
    """``scores.csv`` says what ``scores.jsonl`` says, to six decimals."""
    file = f"{board.folder}/scores.csv"
    if len(board.table) != len(board.scores):
        yield Finding(file, 0, "", "data-differ", f"{len(board.table)} rows", f"{len(board.scores)} as scores.jsonl")
    for number, (cells, row) in enumerate(zip(board.table, board.scores, strict=False), 2):
        for name in COLUMNS:
            found, expected = refused(cells.get(name, "")), _cell(row, name)
            if name == "score":
                found = _six(found)
            if found != expected:
                yield Finding(file, number, name, "data-differ", shown(found), shown(expected))


def _cell(row: ScoreRow, name: str) -> str:
    if name == "score" and row.points is not None:
        return written(row.points, 6)
    value = getattr(row, name)
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _six(text: str) -> str:
    return written(Fraction(text), 6) if re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,6})?", text) else text


def check_lock(board: Board) -> Iterator[Finding]:
    """Answers have the hash they state; public tasks have the commitment that the lock holds."""
    for answer in board.answers:
        right = sha256(answer.output.encode()).hexdigest()
        if answer.output_sha256 not in {right, None if not answer.output else right}:
            file, place = f"{board.folder}/answers-public.jsonl", f"{answer.call_id} output"
            yield Finding(file, 0, place, "hash-differs", right, shown(answer.output_sha256))
    locked = {lock.id: lock for lock in board.lock}
    for task in board.tasks:
        lock = locked.get(task.id)
        file = f"{board.folder}/tasks-public.jsonl"
        if lock is None:
            yield Finding(file, 0, task.id, "unlocked-task", "no line in the lock", "one")
        elif not any(commitment(form) == lock.commitment for form in _written_forms(task)):
            yield Finding(file, 0, task.id, "commitment-differs", "another task than was locked", lock.commitment)


def _written_forms(task: Task) -> Iterator[dict[str, object]]:
    """Every way in which a task may have been written.

    A commitment covers a task as written, and a field at its default may have been written out or not.
    """
    full = msgspec.to_builtins(task)
    defaults = {field.name: field.default for field in msgspec.structs.fields(task) if not field.required}
    optional = [
        name for name in defaults if full[name] is not None and full[name] == msgspec.to_builtins(defaults[name])
    ]
    fixed = {name: value for name, value in full.items() if name not in optional}
    deep: Callable[[object], object]
    for deep in (_without_false, _without_null):
        for count in range(len(optional) + 1):
            for names in combinations(optional, count):
                form = fixed | {name: full[name] for name in names}
                yield {name: deep(value) for name, value in form.items() if value is not None}


def _without_null(value: object) -> object:
    """Without nulls, which TOML cannot hold."""
    if isinstance(value, dict):
        return {name: _without_null(part) for name, part in value.items() if part is not None}
    return [_without_null(part) for part in value] if isinstance(value, list | tuple) else value


def _without_false(value: object) -> object:
    """Also without the one default that parts of a task have: ``case = false``."""
    if isinstance(value, dict):
        return {name: _without_false(part) for name, part in value.items() if part is not None and part is not False}
    return [_without_false(part) for part in value] if isinstance(value, list | tuple) else value
