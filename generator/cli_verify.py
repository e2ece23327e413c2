"""``rapor verify``: a published site checked by somebody who trusts nobody, from a folder, a zip file or an address."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from generator.cli import say_findings
from generator.findings import Faults, Finding


@click.command()
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="For an address: keep what is fetched here, so that a broken run goes on where it stopped.",
)
def verify(source: str, as_json: bool, keep: Path | None) -> None:
    """Check the site at SOURCE: a directory, a .zip file, or the address of its root.

    Recomputes the hash of every file, every score of a public task from its published answers, every total, interval,
    rank set and comparison from the published scores, studies, re-runs and cut answers from their calls, and holds them
    against the numbers printed on the pages of both languages; reveals against their lock, corrections from the first
    to the scores of today. Exit code 0 when all agree, 1 when something differs.
    """
    from generator.outside import audit
    from generator.outside.source import fetch

    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    try:
        report = audit(fetch(source, keep, _say(as_json)))
    except Faults as faults:
        _tell(as_json, {"source": source, "passed": False, "findings": list(map(asdict, faults.findings))})
        if not as_json:
            say_findings(faults.findings)
        sys.exit(1)
    counts = asdict(report) | {"findings": [asdict(each) for each in report.findings]}
    _tell(as_json, {"source": source, "passed": report.passed, **counts})
    if not as_json:
        _print(report.findings)
        click.echo(
            f"{report.files} files, {report.pages} pages; {report.scores} scores recomputed from published answers; of"
            f" {report.figures} printed figures {report.recomputed} recomputed from the data, {report.stated} held"
            f" against the published findings of the audits, all against their machine-readable value and their twin:"
            f" {'all agree' if report.passed else 'THEY DIFFER'}"
        )
    sys.exit(0 if report.passed else 1)


def _say(quiet: bool) -> Callable[[str], None]:
    """Progress on one line of a terminal."""

    def say(step: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"\r\x1b[K{step} …", nl=False, err=True)

    return say


def _tell(as_json: bool, report: dict[str, object]) -> None:
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False, indent=1))


def _print(findings: tuple[Finding, ...]) -> None:
    """Every finding; the count comes last."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    say_findings(findings)
