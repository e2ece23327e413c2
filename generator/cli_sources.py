"""``rapor sources``: are the pages that facts and prices rest on still there?"""

import sys
from collections import Counter
from datetime import datetime
from pathlib import Path

import click

from generator.cli import say_findings
from generator.findings import Faults, shown


@click.group()
def sources() -> None:
    """Check the sources that tasks, services and prices name."""


@sources.command()
@click.option("--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True))
@click.option("--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--pause", default=1.0, show_default=True, type=click.FloatRange(0), help="Seconds between two requests.")
def check(results: Path, private: Path | None, pause: float) -> None:
    """Open every source once and append what was found to results/sources.jsonl.

    Nothing else is changed: for pages that answered, the `checked` dates to write are proposed, because a program
    cannot see whether a page says what the task says. The address of a held-out task's source is neither recorded
    nor printed. Exit code 1 where a page is gone or gave no answer.
    """
    from generator.collect.sources import addresses, held_out, look
    from generator.store.layout import Layout
    from generator.store.read import read_results
    from generator.store.write import append

    try:
        read = read_results(results, private)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    urls = addresses(read.services.values(), read.suites.values())
    tasks = held_out(read.suites.values(), urls)
    checks = list(look([*urls, *tasks], lambda: datetime.now().astimezone().replace(microsecond=0), pause))
    if checks and all(each.status is None for each in checks):
        click.echo(
            f"no connection: none of {len(checks)} sources answered ({checks[0].problem}); nothing recorded", err=True
        )
        sys.exit(1)
    counts: Counter[str] = Counter()
    for each in checks:
        counts[each.state] += 1
        if each.url in tasks:
            click.echo(
                f"{each.state:8} {each.status or ''} a source of the held-out task {tasks[each.url]}; not recorded"
            )
            continue
        append(Layout(results).sources, each)
        beyond = f" -> {shown(each.final_url)}" if each.state == "moved" else ""
        click.echo(f"{each.state:8} {each.status or each.problem} {shown(each.url, 200)}{beyond}")
        if each.state == "open":
            click.echo(f"         once you have read it: checked = {each.at.date().isoformat()}")
    click.echo(", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "no sources")
    sys.exit(1 if counts["gone"] or counts["unclear"] else 0)
