"""Studies and re-runs, computed again from what the site publishes of their runs. The wing ``outside``."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from generator.aggregate import TaskScore, asked, last_attempts, service_score
from generator.findings import Finding, shown
from generator.outside.answers import beside_answers, in_seconds, seconds_bounds
from generator.outside.expected import bounds, chance, facts, money, point, unless_withheld
from generator.outside.printed import Cells, Comparison, Grid, Printed, written
from generator.outside.published import AnswerRow, Board, ScoreRow, read_calls, read_lines
from generator.outside.recompute import Recomputed
from generator.publish.run_views import Declared
from generator.publish.scored import score_stored
from generator.publish.series_views import SeriesView
from generator.publish.study import study_view
from generator.publish.study_views import StudyBlock, StudyView
from generator.records import Call, Figure, Run, Service, StoredRun, Suite, Task, TaskLock, Withheld
from generator.uncertainty.rerun import repeatability
from generator.uncertainty.undefined import Undefined

RUNS = "data/runs/"


def run_folders(files: Mapping[str, bytes]) -> list[str]:
    """The folders of all runs that are no board."""
    return sorted({posixpath.dirname(path) for path in files if path.startswith(RUNS)})


def call_logs(files: Mapping[str, bytes], boards: Iterable[Recomputed]) -> dict[str, list[Call]]:
    """Run -> its calls, with the answers that are published; pilots are left out."""
    logs = {made.board.declared.run.run_id: list(made.scored.run.calls) for made in boards
            if made.board.declared.run.purpose != "pilot"}  # fmt: skip
    for folder in run_folders(files):
        calls = list(read_calls(files, f"{folder}/calls.csv", []))
        path = f"{folder}/answers-public.jsonl"
        rows = read_lines(files, path, AnswerRow, []) if path in files else ()
        outputs = {row.call_id: row.output for row in rows}
        logs[posixpath.basename(folder)] = [replace(call, output=outputs.get(call.call_id)) for call in calls]
    return logs


def read_study(files: Mapping[str, bytes], folder: str, faults: list[Finding]) -> Board | None:
    """What is published of a study whose task is public; None where the folder is none, or is not whole."""
    if f"{folder}/answers-public.jsonl" not in files:
        return None
    before = len(faults)
    lines: dict[str, Any] = {
        name: list(read_lines(files, f"{folder}/{file}", kind, faults))
        for name, file, kind in (
            ("declared", "declared.json", Declared),
            ("tasks", "tasks-public.jsonl", Task),
            ("lock", "suite.lock.jsonl", TaskLock),
            ("answers", "answers-public.jsonl", AnswerRow),
        )
    }
    calls = list(read_calls(files, f"{folder}/calls.csv", faults))
    if len(faults) > before or not lines["declared"]:
        return None
    lines["declared"] = lines["declared"][0]
    lock = files[f"{folder}/suite.lock.jsonl"]
    return Board(folder=folder, lock_bytes=lock, calls=calls, scores=[], table=[], verdicts=[], **lines)


def study(data: Board, faults: list[Finding]) -> StudyView | None:
    """The study as its answers and calls make it; answers whose published mark differs are added to ``faults``.

    What a person judged is told by the published reason, and then the published outcome stands.
    """
    comparison = data.declared.run.comparison
    if comparison is None:
        return None
    answers = {row.call_id: row for row in data.answers}
    calls = []
    for call in data.calls:
        row = answers.get(call.call_id)
        by_person = row is not None and row.reason == "by_person"
        changes: dict[str, Any] = {"output": row.output, "output_sha256": row.output_sha256} if row else {}
        calls.append(replace(call, qualified=call.qualified if by_person else None, **changes))
    file, run = data.declared.suite, data.declared.run
    suite = Suite(file=file, tasks=tuple(data.tasks), lock=tuple(data.lock), sha256=run.suite.sha256)
    stored = StoredRun(contract=run, calls=tuple(calls), verdicts=(), seal=None, score_lock=())
    scored = score_stored(stored, suite, data.declared.vendors)
    view = study_view(scored, comparison, {name: _nameless(name) for name in run.services})
    for made in view.answers:
        row = answers.get(made.call_id)
        said = (row.score, row.outcome, row.reason) if row else None
        right = (str(made.score), made.outcome, made.reason)
        if said != right:
            path = f"{data.folder}/answers-public.jsonl"
            faults.append(Finding(path, 0, made.call_id, "not-recomputed", shown(said), shown(right)))
    return view


def _nameless(name: str) -> Service:
    """A service of which nothing but its id enters any figure."""
    return Service(id=name, name=name, vendor="", group="", requested_model="", protocol="openai", base_url="")


def compare_study(compare: Comparison, page: Printed, view: StudyView, series: SeriesView, data: Board) -> None:
    """Contract, result, blocks, time and answers of a study."""
    declared, run = view.comparison, view.declared.run
    margin = declared.equivalence_margin
    facts(
        compare,
        page,
        {
            "alpha": [f"{declared.primary.alpha:.6f}".rstrip("0").rstrip(".")],
            "requests": _whole(declared.stop.n_per_service),
            "margin": [margin.removesuffix("pp")] if margin else [],
            "blocks": [str(run.design.blocks)],
            "attempts": [str(run.attempts)],
            "difference": unless_withheld(view.difference, point(view.difference), bounds(view.difference)),
            "p": unless_withheld(view.p, chance(view.p)),
            "odds_ratio": unless_withheld(view.odds_ratio, point(view.odds_ratio, 2)),
            "homogeneity": unless_withheld(view.homogeneity, chance(view.homogeneity)),
            "detectable": unless_withheld(view.detectable, point(view.detectable)),
        },
    )
    compare.table(page, "overall", {part.service: _part(part) for part in view.overall})
    compare.table(page, "blocks", {f"{part.block}--{part.service}": _part(part) for part in view.blocks})
    rows = {row.call_id: row for row in data.answers}
    shown_rows = [rows[answer.call_id] for answer in view.answers if answer.call_id in rows]
    repeats = {task.id: task.repeats for task in data.tasks}
    facts(compare, page, beside_answers(shown_rows, [], repeats))
    given = [written(row.score, 1) for row in view.answers if isinstance(row.score, Fraction)]
    compare.values(page.path, 0, "answers", page.scores, given)
    if len(series.points) > 1:
        _series(compare, page, series)


def _whole(number: int | None) -> list[str]:
    return [] if number is None else [str(number)]


def _part(part: StudyBlock) -> Cells:
    return {
        "requests": [str(part.requests)],
        "passed": [str(part.passed)],
        "failed": [str(part.failed)],
        "technical": [str(n) for n in (sum(part.technical.values()), *part.technical.values())],
        "all_rate": point(part.all_rate),
        "all_interval": bounds(part.all_rate),
        "complete_rate": point(part.complete_rate),
        "complete_interval": bounds(part.complete_rate),
        "latency": [*in_seconds(part.latency), *seconds_bounds(part.latency)],
        "cost": money(part.cost_usd),
        "distinct": [str(part.distinct)],
        "disputed": [str(part.disputed)],
    }


def _series(compare: Comparison, page: Printed, series: SeriesView) -> None:
    def both(figure: Figure) -> list[str]:
        return [*point(figure), *bounds(figure)]

    rows: Grid = {
        each.run_id: {
            **{name: both(figure) for name, figure in each.rates.items()},
            **{f"{name}--relative": both(figure) for name, figure in each.relative.items()},
        }
        for each in series.points
    }
    compare.table(page, "series", rows)
    for change in series.changes:
        name = change.service
        told = {f"change--{name}": change.absolute, f"relative--{name}": change.relative}
        facts(compare, page, {key: unless_withheld(figure, both(figure)) for key, figure in told.items()})


def compare_rerun(
    compare: Comparison, pages: Iterable[Printed], files: Mapping[str, bytes], folder: str, first: Recomputed
) -> Iterator[Finding]:
    """Both totals of every service, what lies between them, and the noise of one run."""
    faults: list[Finding] = []
    declared = list(read_lines(files, f"{folder}/declared.json", Declared, faults))
    rows = list(read_lines(files, f"{folder}/scores.jsonl", ScoreRow, faults))
    calls = list(read_calls(files, f"{folder}/calls.csv", faults))
    yield from faults
    if not faults and declared and declared[0].run.rerun:
        grid, expected = _repeated(first, declared[0].run, rows, calls)
        for page in pages:
            compare.table(page, declared[0].run.run_id, grid)
            facts(compare, page, expected)


def _repeated(first: Recomputed, run: Run, rows: list[ScoreRow], calls: list[Call]) -> tuple[Grid, Cells]:
    """What the table of a re-run prints, and what stands below it."""
    old, suite = first.board.declared.run, first.scored.suite
    kept = (old.suite, old.grader, old.tasks, old.repeats) == (run.suite, run.grader, run.tasks, run.repeats)
    kept = kept and all(old.params.get(name) == run.params.get(name) for name in run.services)
    before, again = last_attempts(first.board.calls), last_attempts(calls)
    grid: dict[str, Cells] = {}
    pairs: list[tuple[Decimal, Decimal]] = []
    for name in [each for each in run.services if each in first.services]:
        own = {row.task_id: row for row in rows if row.service == name}
        totals = [point(first.services[name].total, 2), point(_total(name, own, asked(run, suite), suite), 2)]
        both = [Decimal(value) for values in totals for value in values]
        differ = len(both) == 2 and kept
        pairs += [(both[0], both[1])] if differ else []
        grid[name] = {
            "first": totals[0],
            "second": totals[1],
            "difference": [str(both[1] - both[0])] if differ else [],
            "answers": [str(sum(slot in before for slot in again if slot[0] == name))],
            **_changed(first, name, own),
        }
    noise = repeatability(pairs)
    expected: dict[str, list[str]] = {}
    if run.rerun:
        expected[f"{run.run_id}--tolerance"] = [written(Fraction(run.rerun.tolerance), 2)]
    if isinstance(noise, Undefined):
        expected |= {f"{run.run_id}--{name}": [str(noise.facts["n"])] for name in ("noise", "limit")}
    else:
        spread = (noise.standard_deviation, noise.low, noise.high)
        expected[f"{run.run_id}--noise"] = [written(bound, 2) for bound in spread]
        expected[f"{run.run_id}--limit"] = [written(noise.limit, 2)]
    return grid, expected


def _changed(first: Recomputed, name: str, own: Mapping[str, ScoreRow]) -> Cells:
    """How many tasks have another score; nothing to compare with where one of them is withheld."""
    scores = {task: first.score(name, task) for task in own}
    if None in scores.values() or any(row.points is None for row in own.values()):
        return {}
    return {"changed": [str(sum(scores[task] != row.points for task, row in own.items()))]}


def _total(name: str, own: Mapping[str, ScoreRow], locks: Sequence[TaskLock], suite: Suite) -> Figure:
    """The total of one service of a re-run; withheld where a score of it is."""
    rows = [own.get(lock.id) for lock in locks]
    tasks = [
        TaskScore(task=lock, score=row.points, failed=row.failed, reason="", marks=())
        for lock, row in zip(locks, rows, strict=True)
        if row is not None and row.points is not None
    ]
    return service_score(name, tasks, suite, "").total if len(tasks) == len(locks) else Withheld(slug="withheld")
