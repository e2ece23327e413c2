"""What a reader can take away: tables for spreadsheets, lines for programs, and the hashes of the whole site.

Part of ``render``. Whatever a service wrote is hostile: in a spreadsheet it must not become a formula, in a line of
JSON it is what it was, to the last character.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from hashlib import sha256

import msgspec

from generator.publish.board_views import BoardView, TaskScoreView
from generator.publish.rerun_views import RerunView
from generator.publish.run_views import AnswerView, CallView, Declared, RunView, SuiteView
from generator.publish.study_views import StudyView
from generator.publish.views import DownloadView, SiteView
from generator.records import Task, Withheld
from generator.render.language import shortest

SUMS = "SHA256SUMS"
MODEL_OUTPUT = "LicenseRef-model-output"
"""Licence named for files with what models wrote: theirs to license, not ours."""

_TRIGGERS = tuple("=+-@\t\r\n＝＋－＠'")  # spreadsheets take the full-width signs too
_encode = msgspec.json.Encoder(enc_hook=str, decimal_format="string").encode

Cell = str | bool | int | Decimal | Fraction | datetime | None
Made = tuple[DownloadView, Callable[[], bytes]]


def downloads(site: SiteView) -> dict[str, bytes]:
    """Every file below ``data/``: path -> bytes. The same views give the same bytes."""
    return {view.path: make() for view, make in _all(site)}


def offered(site: SiteView) -> tuple[DownloadView, ...]:
    """The same files by path, kind and licence, for the page that lists them; nothing is encoded."""
    return tuple(view for view, _ in _all(site))


def checksums(files: dict[str, bytes]) -> bytes:
    """``SHA256SUMS`` over every file of the finished site but itself, as ``sha256sum -c --strict`` reads it.

    Raises:
        ValueError: a path holds a line break or a backslash, which the format cannot write plainly.
    """
    lines = []
    for path in sorted(files):
        if path == SUMS:
            continue
        if set(path) & set("\n\r\\"):
            raise ValueError(f"{path!r} cannot stand in {SUMS}")
        lines.append(f"{sha256(files[path]).hexdigest()}  {path}\n")
    return "".join(lines).encode()


def defused(text: str) -> str:
    """``text`` as a cell that no spreadsheet takes for a formula: an apostrophe before whatever could start one.

    A text that begins with an apostrophe gets one too, so that the value is never lost: a reader who strips one
    leading apostrophe from a text cell has the original.

    Source: OWASP, CSV Injection.
    """
    return f"'{text}" if text.startswith(_TRIGGERS) else text


def table(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    r"""A table as CSV (RFC 4180 with ``\n`` line ends, UTF-8): texts quoted and defused, whole numbers bare.

    An unknown value is an empty cell, a moment has its offset, a fraction is rounded to six decimals.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def lines(rows: Iterable[object]) -> bytes:
    """JSON, one value a line, fields in the order given; exact scores as fractions such as ``"200/3"``."""
    return b"".join(_encode(row) + b"\n" for row in rows)


def _cell(value: Cell) -> str | int:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return defused(value)
    return "" if value is None else _written(value)


def _written(value: Decimal | Fraction | datetime) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return f"{value if isinstance(value, Decimal) else shortest(value):f}"


def _all(site: SiteView) -> Iterator[Made]:
    for board in site.boards:
        yield from _board(board)
    for study in site.studies:
        yield from _run(study.run, study.declared, study.suite.licence, study.calls)
        yield from _study(study)
    for rerun in site.reruns:
        yield from _run(rerun.run, rerun.declared, rerun.declared.suite.licence, rerun.calls)
        yield from _repeated(rerun)
    yield from _audits(site)
    yield from _reveals(site)
    yield from _corrections(site)


def _audits(site: SiteView) -> Iterator[Made]:
    """What the audits found, and every sheet of a blind test with the bytes that its hash seals."""
    licence = site.main.suite.licence
    yield DownloadView(path="data/audits.json", slug="audits", licence=licence), lambda: lines([site.audits])
    for duel in site.audits.duels:
        view = DownloadView(path=f"data/duel-{duel.duel}.jsonl", slug="duel_sheet", licence=MODEL_OUTPUT)
        yield view, partial(lines, duel.sheet)


def _corrections(site: SiteView) -> Iterator[Made]:
    """Every correction, and the scores that they end in; no file as long as no published score has changed."""
    for name, slug, rows in (
        ("corrections", "corrections", site.corrections),
        ("corrected-scores", "corrected_scores", site.corrected),
    ):
        if rows:
            view = DownloadView(path=f"data/{name}.jsonl", slug=slug, licence=site.main.suite.licence)
            yield view, partial(lines, rows)


def _reveals(site: SiteView) -> Iterator[Made]:
    """Retired tasks beside the lock that committed to them."""
    for view in site.reveals:
        folder = f"data/{view.suite}"
        if not view.with_board:
            lock = DownloadView(path=f"{folder}/suite.lock.jsonl", slug="suite_lock", licence=view.licence)
            yield lock, partial(lines, view.lock)
        file = DownloadView(path=f"{folder}/reveal.jsonl", slug="reveal", licence=view.licence)
        yield file, partial(lines, [task.line for task in view.tasks])


def _board(board: BoardView) -> Iterator[Made]:
    suite, run = board.suite, board.run
    answers = [(view.task, view.answers) for view in board.tasks]

    def made(name: str, slug: str, make: Callable[[], bytes], licence: str = suite.licence) -> Made:
        return DownloadView(path=f"data/{suite.id}/{name}", slug=slug, licence=licence), make

    yield made("declared.json", "declared", lambda: lines([board.declared]))
    yield made("scores.csv", "scores_csv", lambda: _scores_csv(board))
    yield made("scores.jsonl", "scores_jsonl", lambda: lines(_score_rows(run, _scores(board))))
    yield made("calls.csv", "calls", lambda: _calls_csv(board.calls))
    yield made("tasks-public.jsonl", "tasks_public", lambda: lines(view.task for view in board.tasks))
    yield made("answers-public.jsonl", "answers_public", lambda: lines(_answer_rows(run, answers)), MODEL_OUTPUT)
    yield made("verdicts-public.jsonl", "verdicts_public", lambda: lines(_verdict_rows(board)), MODEL_OUTPUT)
    yield made("suite.lock.jsonl", "suite_lock", lambda: lines(suite.lock))
    yield made("LICENSE.txt", "licence", lambda: _licence(suite.id, suite))


def _run(run: RunView, declared: Declared, licence: str, calls: Sequence[CallView]) -> Iterator[Made]:
    """The files of a study or a re-run, which belong to the run and not to the suite."""
    folder = f"data/runs/{run.run_id}"
    yield DownloadView(path=f"{folder}/declared.json", slug="declared", licence=licence), lambda: lines([declared])
    yield DownloadView(path=f"{folder}/calls.csv", slug="calls", licence=licence), lambda: _calls_csv(calls)


def _repeated(rerun: RerunView) -> Iterator[Made]:
    """The scores of a re-run, with which its totals can be computed again."""
    rows = [(service, score, False) for service, own in rerun.scores.items() for score in own]
    if rows:
        path = f"data/runs/{rerun.run.run_id}/scores.jsonl"
        view = DownloadView(path=path, slug="scores_jsonl", licence=rerun.declared.suite.licence)
        yield view, lambda: lines(_score_rows(rerun.run, rows))


def _study(study: StudyView) -> Iterator[Made]:
    """The task of a study with its lock and every answer to it, where it is public."""
    task, folder, licence = study.task, f"data/runs/{study.run.run_id}", study.suite.licence
    if task is None:
        return
    answers = DownloadView(path=f"{folder}/answers-public.jsonl", slug="answers_public", licence=MODEL_OUTPUT)
    yield answers, lambda: lines(_answer_rows(study.run, [(task, study.answers)]))
    tasks = DownloadView(path=f"{folder}/tasks-public.jsonl", slug="tasks_public", licence=licence)
    yield tasks, lambda: lines([task])
    lock = DownloadView(path=f"{folder}/suite.lock.jsonl", slug="suite_lock", licence=licence)
    yield lock, lambda: lines(study.suite.lock)


SCORE_COLUMNS = (
    "run_id", "service", "task_id", "category", "kind", "access", "score", "failed", "reason", "withheld", "repeats",
    "identical", "recomputed", "ranked", "grader",
)  # fmt: skip


def _scores(board: BoardView) -> Iterator[tuple[str, TaskScoreView, bool]]:
    """(service, score, whether the service is ranked), ranked services first, tasks in suite order."""
    for row in (*board.rows, *board.unranked):
        for score in row.scores:
            yield row.service.id, score, row.rank is not None


def _score_rows(run: RunView, scores: Iterable[tuple[str, TaskScoreView, bool]]) -> Iterator[dict[str, Cell]]:
    for service, score, ranked in scores:
        own = {name: getattr(score, name) for name in TaskScoreView.__struct_fields__} | _shown(score.score)
        known = {"run_id": run.run_id, "service": service, "ranked": ranked, "grader": run.grader, **own}
        yield {name: known[name] for name in SCORE_COLUMNS}


def _shown(score: Fraction | Withheld) -> dict[str, Fraction | str | None]:
    """A score, or the slug of why it is withheld."""
    if isinstance(score, Withheld):
        return {"score": None, "withheld": score.slug}
    return {"score": score, "withheld": None}


def _scores_csv(board: BoardView) -> bytes:
    return table(SCORE_COLUMNS, (tuple(row.values()) for row in _score_rows(board.run, _scores(board))))


def _calls_csv(calls: Sequence[CallView]) -> bytes:
    columns = CallView.__struct_fields__
    return table(columns, ([getattr(call, name) for name in columns] for call in calls))


def _answer_rows(run: RunView, answers: Iterable[tuple[Task, Sequence[AnswerView]]]) -> Iterator[dict[str, object]]:
    """One line per distinct answer of a service to a public task; ``repeats`` names all repeats that gave it."""
    for task, given in answers:
        for answer in given:
            yield {
                "run_id": run.run_id,
                "task_id": task.id,
                "service": answer.service,
                "repeats": [answer.repeat, *answer.repeats_same],
                "call_id": answer.call_id,
                "attempt": answer.attempt,
                "system": task.system,
                "prompt": task.prompt,
                "output": answer.output,
                "output_sha256": answer.output_sha256,
                "finish_reason": answer.finish_reason,
                "output_tokens": answer.output_tokens,
                "latency_ms": answer.latency_ms,
                "outcome": answer.outcome,
                "reason": answer.reason,
                **_shown(answer.score),
                "read": answer.read,
                "saw": answer.saw,
                "grader": run.grader,
            }


def _verdict_rows(board: BoardView) -> Iterator[dict[str, object]]:
    for view in board.tasks:
        for answer in view.answers:
            for verdict in answer.verdicts:
                subject = {"run_id": board.run.run_id, "task_id": view.task.id, "service": answer.service}
                yield {**subject, "call_id": answer.call_id, **msgspec.structs.asdict(verdict)}


def _licence(name: str, suite: SuiteView) -> bytes:
    return (
        f"{suite.title.en} ({name}, version {suite.version})\n\n"
        f"The public tasks, their references, the scores, the call log and the lock of this suite are published\n"
        f"under the licence {suite.licence}: https://spdx.org/licenses/{suite.licence}.html\n\n"
        "Answers and judges' reasons were written by language models. They are published as recorded, so that\n"
        "every score can be checked; no licence is claimed over them.\n"
    ).encode()
