"""What a site publishes about one board, as values: what an outsider starts from. The wing ``outside``."""

import csv
import io
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import msgspec

from generator.findings import Finding, shown
from generator.publish.run_views import Declared
from generator.records import Call, Record, Task, TaskLock, Verdict

LOCKED = frozenset({"suite.lock.jsonl", "reveal.jsonl"})
"""What is published of a suite that has no board."""
EXACT = ("score", "old", "new")
"""Fields that hold exact fractions."""


class ScoreRow(Record, frozen=True, kw_only=True):
    """One line of ``scores.jsonl``."""

    run_id: str
    service: str
    task_id: str
    category: str
    kind: str
    access: str
    score: str | None
    failed: bool
    reason: str
    withheld: str | None
    repeats: int
    identical: bool
    recomputed: bool
    ranked: bool
    grader: str

    @property
    def points(self) -> Fraction | None:
        """The exact score; None where it is withheld."""
        return None if self.score is None else Fraction(self.score)


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of ``answers-public.jsonl``, as far as it is needed to score the answer."""

    task_id: str
    service: str
    repeats: tuple[int, ...]
    call_id: str
    attempt: int
    prompt: str
    output: str
    output_sha256: str | None
    outcome: str | None
    reason: str
    score: str | None
    output_tokens: int | None
    latency_ms: int | None


class VerdictRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of ``verdicts-public.jsonl``."""

    task_id: str
    call_id: str
    by: str
    vendor: str | None
    role: str
    score: int | None
    status: str
    reason: str | None


@dataclass
class Board:
    """The published data of one board.

    Attributes:
        folder: ``data/<suite>``.
        faults: what could not be read.
    """

    folder: str
    declared: Declared
    tasks: list[Task]
    lock: list[TaskLock]
    lock_bytes: bytes
    scores: list[ScoreRow]
    table: list[dict[str, str]]
    answers: list[AnswerRow]
    verdicts: list[VerdictRow]
    calls: list[Call]


def read_boards(files: Mapping[str, bytes], faults: list[Finding]) -> list[Board]:
    """Every board whose data are whole; what is missing or malformed is added to ``faults``.

    A folder with no more than a lock and reveals belongs to a suite without a board.
    """
    held: dict[str, set[str]] = {}
    for path in sorted(files):
        if path.startswith("data/") and path.count("/") == 2:
            held.setdefault(posixpath.dirname(path), set()).add(posixpath.basename(path))
    folders = [folder for folder, names in held.items() if not names <= LOCKED]
    boards = [_board(files, folder, faults) for folder in folders]
    return [board for board in boards if board]


def _board(files: Mapping[str, bytes], folder: str, faults: list[Finding]) -> Board | None:
    before = len(faults)
    declared = list(read_lines(files, f"{folder}/declared.json", Declared, faults))
    board: dict[str, Any] = {
        "tasks": list(read_lines(files, f"{folder}/tasks-public.jsonl", Task, faults)),
        "lock": list(read_lines(files, f"{folder}/suite.lock.jsonl", TaskLock, faults)),
        "scores": list(read_lines(files, f"{folder}/scores.jsonl", ScoreRow, faults)),
        "answers": list(read_lines(files, f"{folder}/answers-public.jsonl", AnswerRow, faults)),
        "verdicts": list(read_lines(files, f"{folder}/verdicts-public.jsonl", VerdictRow, faults)),
        "calls": list(read_calls(files, f"{folder}/calls.csv", faults)),
        "table": list(_rows(files, f"{folder}/scores.csv", faults)),
    }
    if len(faults) > before or not declared:
        return None
    lock = files[f"{folder}/suite.lock.jsonl"]
    return Board(folder=folder, declared=declared[0], lock_bytes=lock, **board)


def read_lines(files: Mapping[str, bytes], path: str, kind: Any, faults: list[Finding]) -> Iterator[Any]:
    """Each sound line of a published file as a ``kind``; what is missing or malformed is added to ``faults``."""
    if path not in files:
        faults.append(Finding(path, 0, "", "missing-file", "nothing", "the file"))
        return
    decode = msgspec.json.Decoder(kind).decode
    for number, line in enumerate(files[path].splitlines(), 1):
        try:
            record = decode(line)
            for name in EXACT:
                if isinstance(score := getattr(record, name, None), str):
                    Fraction(score)
        except (msgspec.DecodeError, ValueError, RecursionError, ZeroDivisionError) as error:
            faults.append(
                Finding(path, number, "", "malformed-line", shown(str(error)), getattr(kind, "__name__", "JSON"))
            )
        else:
            yield record


def _rows(files: Mapping[str, bytes], path: str, faults: list[Finding]) -> Iterator[dict[str, str]]:
    if path not in files:
        faults.append(Finding(path, 0, "", "missing-file", "nothing", "the file"))
        return
    reader = csv.reader(io.StringIO(files[path].decode("utf-8", "replace"), newline=""), strict=True)
    head: list[str] = []
    try:
        for number, row in enumerate(reader, 1):
            if number == 1:
                head = row
            elif len(row) != len(head):
                faults.append(Finding(path, reader.line_num, "", "malformed-line", f"{len(row)} cells", f"{len(head)}"))
            else:
                yield dict(zip(head, row, strict=True))
    except csv.Error as error:
        faults.append(Finding(path, reader.line_num, "", "malformed-line", shown(str(error)), "CSV"))


def refused(text: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return text[1:] if text[:1] == "'" else text


def read_calls(files: Mapping[str, bytes], path: str, faults: list[Finding]) -> Iterator[Call]:
    """The call log as calls without their text."""
    for number, row in enumerate(_rows(files, path, faults), 2):
        cells: dict[str, object] = {name: refused(text) or None for name, text in row.items()}
        cells["qualified"] = {"true": True, "false": False}.get(row.get("qualified", ""))
        try:
            if row.get("cost_usd"):
                Decimal(row["cost_usd"])
            call = msgspec.convert({**cells, "output": None, "output_sha256": None}, Call, strict=False)
        except (msgspec.ValidationError, InvalidOperation) as error:
            faults.append(Finding(path, number, "", "malformed-line", shown(str(error)), "a call"))
        else:
            yield call


def verdict(row: VerdictRow) -> Verdict:
    """A published verdict as the jury's arithmetic takes it; what is not published does not enter that arithmetic."""
    return msgspec.convert(
        {
            "subject": row.call_id, "task_id": row.task_id, "blind_id": "", "by": row.by, "vendor": row.vendor,
            "role": row.role, "score": row.score, "min": 1, "max": 5, "reason": row.reason, "returned_model": None,
            "rubric_sha256": None, "at": "1970-01-01T00:00:00Z", "status": row.status, "artifact_path": None,
            "input_tokens": None, "output_tokens": None, "cost_usd": None,
        },
        Verdict,
    )  # fmt: skip
