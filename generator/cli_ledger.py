"""What recording costs, as a person reads it: the table of ``--plan`` and ``rapor ledger``. Part of the street door."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click

from generator.cli import say_findings
from generator.collect.budget import Row, month_of, spent
from generator.collect.closing import by_run
from generator.collect.guard import Guard
from generator.findings import Faults
from generator.store.layout import Layout
from generator.store.read import read_budget, read_ledger

RESULTS = click.option(
    "--results",
    default="results",
    show_default=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Stored suites and runs.",
)


@click.command()
@RESULTS
@click.option("--month", help="Calendar month (UTC) such as 2026-11; the current one by default.")
def ledger(results: Path, month: str | None) -> None:
    """Show what a month cost, by account and by run."""
    layout = Layout(results)
    with faults_end():
        lines, budget = read_ledger(layout), read_budget(layout)
        month = month or month_of(clock())
        click.echo(f"{month} (UTC)")
        for cap in budget.cap:
            click.echo(f"  {cap.account:<20} USD {spent(lines, cap, month):>10.4f} of {cap.usd_per_month}")
        for (suite, run_id, phase), cost in by_run(lines, month).items():
            note = " (partly at an assumed price)" if cost.assumed else ""
            refused = f", {cost.refused} x over a cap" if cost.refused else ""
            click.echo(
                f"  {suite}  {run_id}  {phase}: {cost.calls} calls, USD {cost.usd:.4f}"
                f" of {cost.projected:.4f} projected{refused}{note}"
            )


def clock() -> datetime:
    """The wall clock, with its offset."""
    return datetime.now().astimezone()


@contextmanager
def faults_end() -> Iterator[None]:
    """Print findings and leave with 1."""
    try:
        yield
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    except OSError as error:
        click.echo(f"{error.filename or 'results'}: {error.strerror}; what is stored is whole, run again", err=True)
        sys.exit(1)


def say_plan(rows: Sequence[Row], later: Sequence[Row], money: Guard) -> None:
    """The table of ``--plan``; an assumed price counts and is not shown.

    Raises:
        Faults: the projection would pass a cap.
    """
    click.echo(f"{'service':<24}{'calls':>7}{'tokens in':>12}{'tokens out':>12}{'USD':>12}{'time':>10}  measured on")
    for row in rows:
        click.echo(_plan_line(row))
    if later:
        click.echo("then, by `rapor judge`:")
    for row in later:
        click.echo(_plan_line(row))
    whole = [*rows, *later]
    total = "partly at assumed prices" if any(row.assumed for row in whole) else f"USD {money.total(whole):.4f}"
    click.echo(f"all, with {money.budget.margin}: {total}")
    for cap in money.budget.cap:
        if cap.suites is None or money.suite in cap.suites:
            click.echo(f"cap {cap.account}: USD {cap.usd_per_month} a month")
    left = money.left()
    click.echo("no cap applies" if left is None else f"left this month: USD {left:.4f}")
    if refused := money.refusal(whole):
        raise Faults([refused])


def _plan_line(row: Row) -> str:
    """One service of the table."""
    usd = "assumed" if row.assumed else f"{row.usd:.4f}"
    time = f"{row.seconds / 60:.1f} min" if row.seconds is not None else "unknown"
    basis = f"{row.measured} calls" if row.measured else "nothing: a ceiling"
    numbers = f"{row.calls:>7}{row.input_tokens:>12}{row.output_tokens:>12}{usd:>12}{time:>10}"
    return f"{row.service:<24}{numbers}  {basis}"
