"""``rapor suite``: check a suite before it is used, and lock it so that what was asked can be proved later."""

import sys
from pathlib import Path

import click

from generator.cli import say_findings
from generator.findings import Faults
from generator.store.layout import Layout
from generator.store.read import read_services
from generator.store.suites import check_suite, lock_suite
from generator.store.write import write_new

RESULTS = click.option(
    "--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
PRIVATE = click.option(
    "--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False)
)


@click.group()
def suite() -> None:
    """Check and lock suites."""


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
