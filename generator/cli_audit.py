"""``rapor audit``: doubt the measure before what is measured."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import say_findings
from generator.cli_metric import metric

if TYPE_CHECKING:
    from generator.publish.audit_views import StressView
    from generator.records import Figure

RESULTS = click.option(
    "--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
PRIVATE = click.option(
    "--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False)
)


@click.group()
def audit() -> None:
    """Test the grader, before a number may be believed."""


audit.add_command(metric)


@audit.command()
@click.argument("suite")
@RESULTS
@PRIVATE
@click.option("--all", "everything", is_flag=True, help="List every variant, not only those graded wrongly.")
def grader(suite: str, results: Path, private: Path | None, everything: bool) -> None:
    """Grade certainly right and certainly wrong variants of every key of SUITE. No model is asked.

    Variants of held-out tasks are listed too: this is for the publisher's eyes.
    """
    from generator.audit.stress import stress, stress_findings
    from generator.findings import Faults
    from generator.publish.grader import stress_view
    from generator.store.layout import PRIVATE as LABEL
    from generator.store.layout import Layout
    from generator.store.read import read_suite

    if not (results / "suites" / suite).is_dir():
        raise click.UsageError(f"there is no suite {suite} in {results}")
    try:
        read = read_suite(Layout(results), suite, Layout(private, LABEL) if private else None)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    tried = stress(read)
    for line in table(stress_view(read, tried)):
        click.echo(line)
    for result in tried:
        for trial in result.trials:
            if everything or (trial.worth < 1 and result.in_use and not result.graded):
                side = "right" if trial.variant.right else "wrong"
                click.echo(f"{result.grader} {trial.variant.task_id} {side} {trial.variant.transform}: "
                           f"{trial.variant.text!r} scored {float(trial.score):.1f}")  # fmt: skip
    found = stress_findings(read, tried)
    say_findings(found)
    if any(finding.blocking for finding in found):
        sys.exit(1)


def table(view: "StressView") -> list[str]:
    """The stress test as lines of text: share graded as it should be, its interval, variants, tasks, mean score."""
    lines = [f"{view.suite}, grader {view.version}"]
    for each in view.graders:
        note = "" if each.in_use else " (for comparison, not in use)"
        lines.append(f"{each.grader}{note}")
        for side, transforms in (("right", each.still_right), ("wrong", each.certainly_wrong)):
            lines += [
                f"  {side}  {one.transform:14} {shown_share(one.share):24} {one.variants:5} variants of {one.tasks:3}"
                f" tasks, mean score {float(one.score):5.1f}"
                for one in transforms
            ]
    lines += [f"no key to test with: {count} {kind}" for kind, count in view.untested.items()]
    return lines


def shown_share(share: "Figure") -> str:
    """A share in percent with its interval."""
    from generator.records import Withheld

    if isinstance(share, Withheld):
        return share.slug
    if share.low is None or share.high is None:
        return f"{float(100 * share.point):5.1f} %"
    return f"{float(100 * share.point):5.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"
