"""Hand-made stored runs, scored as real ones are: a task is passed by the words it asks for. Nothing measured.

Every task has four checks, one a word, so an answer may be given 0, 25, 50, 75 or 100 points.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import msgspec

from generator.publish.board import board_view
from generator.publish.board_views import BoardView
from generator.publish.rerun import rerun_view
from generator.publish.rerun_views import RerunView
from generator.publish.scored import ScoredRun, score_stored
from generator.publish.study import study_view
from generator.publish.study_views import StudyView
from generator.records import (
    Call,
    Category,
    ChecksTask,
    Comparison,
    Contains,
    Design,
    Primary,
    Rerun,
    Run,
    ScoreRules,
    Service,
    Setting,
    Stop,
    StoredRun,
    Suite,
    SuiteFile,
    SuiteRef,
    TaskLock,
    Text,
    Window,
)
from tests.sample_calls import call

WORDS = ("satu", "dua", "tiga", "empat")
START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
Points = int | str | None
"""Points of one answer; the status of a call that failed; None where no call is stored."""
Table = Mapping[str, Mapping[str, Sequence[Points | Sequence[Points]]]]
"""Service -> category -> a score a task, or a list of them where the task is repeated."""


def suite(
    sizes: Mapping[str, int], *, name: str = "s", sha256: str = "5" * 64, repeats: int = 1, **rules: Any
) -> Suite:
    """Categories of so many public tasks each, ``a1``, ``a2`` …"""
    tasks = tuple(
        ChecksTask(
            id=f"{category}{k}",
            category=category,
            access="public",
            prompt=f"Soal {category}{k}",
            repeats=repeats,
            checks=tuple(Contains(text=word) for word in WORDS),
        )
        for category, size in sizes.items()
        for k in range(1, size + 1)
    )
    return Suite(
        file=SuiteFile(
            schema=1,
            id=name,
            version="1",
            language="id",
            title=Text(id=name, en=name),
            licence="CC-BY-4.0",
            canary="c",
            category=tuple(Category(id=each, name=Text(id=each, en=each)) for each in sizes),
            score=ScoreRules(**rules),
        ),
        tasks=tasks,
        lock=tuple(
            TaskLock(id=t.id, category=t.category, kind="checks", access="public", repeats=repeats, commitment="0" * 64)
            for t in tasks
        ),
        sha256=sha256,
    )


def service(name: str, vendor: str = "v") -> Service:
    return Service(
        id=name,
        name=name.upper(),
        vendor=vendor,
        group="g",
        requested_model="m",
        protocol="openai",
        base_url="http://127.0.0.1:9/v1",
    )


def answered(points: Points, **fields: Any) -> Call:
    """A call whose answer gets so many points, or which failed with this status."""
    if isinstance(points, str):
        return call(status=points, output=None, finish_reason=None, output_tokens=None, **fields)
    return call(output=" ".join(WORDS[: (points or 0) // 25]) or "lain", **fields)


def contract(suite: Suite, services: Sequence[str], **fields: Any) -> Run:
    known: dict[str, Any] = {
        "schema": 1,
        "run_id": "r",
        "purpose": "formal",
        "suite": SuiteRef(id="s", version="1", sha256=suite.sha256),
        "services": tuple(services),
        "grader": "g-1",
        "place": "tempat uji",
        "design": Design(seed=1),
        "params": {},
        "attempts": 1,
    }
    return Run(**(known | fields))


def scored_table(table: Table, of: Suite | None = None, **fields: Any) -> ScoredRun:
    """A run whose answers get the points of ``table``, scored."""
    first = next(iter(table.values()))
    repeats = max(
        len(cell) if isinstance(cell, Sequence) and not isinstance(cell, str) else 1
        for scores in first.values()
        for cell in scores
    )
    of = of or suite({name: len(scores) for name, scores in first.items()}, repeats=repeats)
    calls = []
    for name, categories in table.items():
        for category, scores in categories.items():
            for k, cell in enumerate(scores, 1):
                repeated = [cell] if isinstance(cell, str) or not isinstance(cell, Sequence) else cell
                calls += [
                    answered(
                        points, service=name, task_id=f"{category}{k}", repeat=n, call_id=f"{name}-{category}{k}-{n}"
                    )
                    for n, points in enumerate(repeated, 1)
                    if points is not None
                ]
    return scored(calls, contract(of, list(table), **fields), of)


def scored(calls: Sequence[Call], made: Run, of: Suite) -> ScoredRun:
    run = StoredRun(contract=made, calls=tuple(calls), verdicts=(), seal=None, score_lock=())
    return score_stored(run, of, dict.fromkeys(made.services, "v"))


def board(table: Table, of: Suite | None = None, **fields: Any) -> BoardView:
    """The board of a run with these points."""
    return board_view(scored_table(table, of, **fields), {name: service(name) for name in table})


def rerun(before: Table, after: Table, tolerance: str = "3.00", **fields: Any) -> RerunView:
    declared = Rerun(of="r", tolerance=Decimal(tolerance))
    second = scored_table(after, run_id="r2", purpose="rerun", **fields)
    return rerun_view(second, scored_table(before), declared)


Counts = Mapping[str, Sequence[Sequence[Points]]]
"""Service -> blocks -> points or status of every request in the block."""

WINDOW = Window(start=START, end=START + timedelta(hours=8))


def passes(passed: Sequence[int], n: int) -> list[list[Points]]:
    """Blocks of ``n`` requests, of which so many pass, the first ones."""
    return [[100] * k + [0] * (n - k) for k in passed]


def comparison(between: tuple[str, str] = ("a", "b"), **fields: Any) -> Comparison:
    known: dict[str, Any] = {
        "question": Text(id="Berbeda?", en="Different?"),
        "task": "t1",
        "primary": Primary(metric="first_pass_rate", between=between),
        "stop": Stop(rule="fixed", n_per_service=20),
        "exclude": Text(id="Tidak ada.", en="None."),
    }
    return Comparison(**(known | fields))


def study_calls(counts: Counts, start: datetime = START) -> list[Call]:
    """Requests in blocks, minute by minute, the services in turn."""
    calls: list[Call] = []
    repeat = dict.fromkeys(counts, 0)
    for number in range(max(map(len, counts.values()))):
        for name, blocks in counts.items():
            for points in blocks[number] if number < len(blocks) else ():
                repeat[name] += 1
                calls.append(
                    answered(
                        points,
                        service=name,
                        task_id="t1",
                        repeat=repeat[name],
                        block_id=str(number + 1),
                        call_id=f"{name}-{repeat[name]}",
                        started_at=start + timedelta(minutes=len(calls)),
                        cost_usd=Decimal("0.01"),
                    )
                )
    return calls


def study(counts: Counts, declared: Comparison | None = None, calls: Sequence[Call] = (), **fields: Any) -> StudyView:
    """The study of these requests, declared as they are unless a test says otherwise.

    ``calls`` replaces the calls made from ``counts``.
    """
    declared = declared or comparison()
    of = fields.pop("of", None) or suite({"t": 1})
    n = max(sum(map(len, blocks)) for blocks in counts.values())
    start = fields.pop("start", START)
    known: dict[str, Any] = {
        "comparison": declared,
        "repeats": n,
        "design": Design(seed=1, blocks=max(map(len, counts.values()))),
        "window": Window(start=start, end=start + timedelta(hours=8)),
        "params": {name: {"max_output_tokens": Setting(asked=512, applied=512)} for name in counts},
    }
    made = contract(of, list(counts), **(known | fields))
    view = scored(calls or study_calls(counts, start), made, of)
    return study_view(view, declared, {name: service(name) for name in counts})


def changed(calls: Sequence[Call], index: int, **fields: Any) -> list[Call]:
    """The calls with one of them altered."""
    return [msgspec.structs.replace(each, **fields) if k == index else each for k, each in enumerate(calls)]
