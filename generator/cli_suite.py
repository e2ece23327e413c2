"""``rapor suite``: check a suite, lock it so that what was asked can be proved later, reveal what is retired."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from generator.cli import say_findings
from generator.findings import Faults
from generator.store.layout import PRIVATE as PRIVATE_LABEL
from generator.store.layout import Layout
from generator.store.read import read_services
from generator.store.reveals import check_reveal, new_reveals
from generator.store.suites import check_suite, lock_suite
from generator.store.write import append, write_new

RESULTS = click.option(
    "--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
PRIVATE = click.option(
    "--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False)
)

SAID = {"matches": "matches", "differs": "does not match", "not-in-lock": "not in this lock"}


@click.group()
def suite() -> None:
    """Check and lock suites; reveal retired tasks and check such reveals."""


@suite.command()
@click.argument("name")
@RESULTS
@PRIVATE
def check(name: str, results: Path, private: Path | None) -> None:
    """Say everything there is to say about suite NAME; exit 1 where something must be mended."""
    layout, outside = Layout(results), Layout(private) if private else None
    try:
        findings = check_suite(layout, name, outside, read_services(layout))
    except Faults as faults:
        findings = list(faults.findings)
    say_findings(findings)
    if any(finding.blocking for finding in findings):
        sys.exit(1)
    click.echo(f"{name}: nothing to mend")


@suite.command()
@click.argument("name")
@RESULTS
@PRIVATE
def lock(name: str, results: Path, private: Path | None) -> None:
    """Write suite.lock.jsonl of suite NAME: one commitment a task.

    A run that was made with another lock is refused from then on, so lock before the first call.
    """
    layout, outside = Layout(results), Layout(private) if private else None
    try:
        data = lock_suite(layout, name, outside)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    path = layout.suite_lock(name)
    changed = not path.exists() or path.read_bytes() != data
    if changed:
        write_new(path, data)
    tasks = len(data.splitlines())
    click.echo(f"{path}: {tasks} tasks, {'written' if changed else 'as it was'}")


@suite.command()
@click.argument("name")
@click.argument("tasks", metavar="TASK...", nargs=-1, required=True)
@click.option("--also", multiple=True, metavar="SUITE", help="Another suite in which the same question is retired.")
@RESULTS
@PRIVATE
def reveal(name: str, tasks: tuple[str, ...], also: tuple[str, ...], results: Path, private: Path | None) -> None:
    """Publish text and salt of retired held-out tasks of suite NAME, for good, in its reveal.jsonl.

    The suite itself stays as it is; anyone can then check that these are the tasks that its lock committed to. No run
    can be recorded with a revealed task any more.
    """
    layout, outside = Layout(results), Layout(private, PRIVATE_LABEL) if private else None
    try:
        lines = new_reveals(layout, name, tasks, datetime.now(UTC).replace(microsecond=0), outside, also)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    for line in lines:
        append(layout.reveals(name), line)
    already = len(dict.fromkeys(tasks)) - len(lines)
    click.echo(f"{layout.reveals(name)}: {len(lines)} tasks revealed, {already} were already")


@suite.command("check-reveal")
@click.argument("reveals", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("lock", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def check_reveal_(reveals: Path, lock: Path) -> None:
    """Check the file REVEALS against LOCK, the suite.lock.jsonl of any day; exit 1 where a task does not match."""
    try:
        found = check_reveal(reveals, lock)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    for task, state in found:
        click.echo(f"{task}: {SAID[state]}")
    if not found or any(state != "matches" for _, state in found):
        sys.exit(1)
