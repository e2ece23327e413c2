"""``rapor audit metric``: take over what a metric that is not computed here gave the translations of a run."""

import csv
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import say_findings
from generator.findings import Faults, Finding, shown

if TYPE_CHECKING:
    from generator.records import MetricScore, StoredRun, Suite

COLUMNS = ("call_id", "score")


@click.command()
@click.argument("run")
@click.argument("table", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--metric", required=True, help="What it is called, such as COMET.")
@click.option("--signature", required=True, help="Model, version and settings: what one must know to compare it.")
@click.option("--by", required=True, help="Who computed it.")
@click.option(
    "--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option("--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False))
def metric(run: str, table: Path, metric: str, signature: str, by: str, results: Path, private: Path | None) -> None:
    """Add the scores of TABLE, tab-separated with the columns call_id and score, to RUN as stored verdicts.

    They are shown with their signature, apart from every score of the suite, and never recomputed.
    """
    from generator.store.layout import Layout
    from generator.store.read import read_results
    from generator.store.write import append

    try:
        read = read_results(results, private)
        if run not in read.runs:
            raise click.UsageError(f"there is no run {run}; there are {', '.join(sorted(read.runs)) or 'none'}")
        stored = read.runs[run]
        scores = list(_scores(table, stored, read.suites[stored.contract.suite.id], (metric, signature, by)))
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    for score in scores:
        append(Layout(results).metrics(run), score)
    click.echo(f"{run}: {len(scores)} scores of {shown(metric)} taken over")


def _scores(table: Path, run: "StoredRun", suite: "Suite", named: tuple[str, str, str]) -> "Iterator[MetricScore]":
    """A record a row.

    Raises:
        Faults: with every row that names no translation of the run, names one twice, or has no number.
    """
    from generator.records import MetricScore

    metric, signature, by = named
    translations = {lock.id for lock in suite.lock if lock.kind == "translation"}
    calls = {call.call_id: call.task_id for call in run.calls if call.task_id in translations}
    seen = {line.subject for line in run.metrics if (line.metric, line.signature) == (metric, signature)}
    at, faults, made = datetime.now(UTC).replace(microsecond=0), list[Finding](), list[MetricScore]()
    for line, call, text in _rows(table):
        score = _number(text)
        if call not in calls:
            faults.append(_fault(table, line, "call_id", call, f"a translation of {run.contract.run_id}"))
        elif call in seen:
            faults.append(_fault(table, line, "call_id", call, f"no second score of {metric} with this signature"))
        elif score is None:
            faults.append(_fault(table, line, "score", text, "a plain number such as 0.8312"))
        else:
            made.append(
                MetricScore(subject=call, task_id=calls[call], metric=metric, signature=signature, by=by, score=score,
                            at=at)
            )  # fmt: skip
        seen.add(call)
    if faults or not made:
        raise Faults(faults or [_fault(table, 0, "", "no rows", "one a translation")])
    yield from made


def _rows(table: Path) -> Iterator[tuple[int, str, str]]:
    try:
        with table.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t")
            if missing := set(COLUMNS) - set(rows.fieldnames or ()):
                found = f"no column {', '.join(sorted(missing))}"
                raise Faults([_fault(table, 1, "", found, "tab-separated columns call_id and score")])
            for row in rows:
                yield rows.line_num, row["call_id"] or "", row["score"] or ""
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Faults([_fault(table, 0, "", str(error), "a table in UTF-8")]) from None


def _number(text: str) -> Decimal | None:
    """The number, or None where the text is not a plain finite one."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and "e" not in text.lower() else None


def _fault(table: Path, line: int, field: str, found: str, expected: str) -> Finding:
    return Finding(file=table.name, line=line, field=field, slug="wrong-row", found=shown(found), expected=expected,
                   todo="correct the table; nothing was taken over")  # fmt: skip
