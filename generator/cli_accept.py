"""``rapor accept``: pin the scores of a run as published, or let published ones change, with a reason and for ever."""

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import say_findings
from generator.findings import Faults

if TYPE_CHECKING:
    from generator.audit.lock import Change
    from generator.records import Correction, Results, ScoreLock, Text
    from generator.store.layout import Layout


@click.command()
@click.argument("run")
@click.option("--reason", default="", help="Why the scores changed, where one text will do in both languages.")
@click.option("--reason-id", default="", help="Why the scores changed, in Indonesian.")
@click.option("--reason-en", default="", help="The same in English.")
@click.option(
    "--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option("--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False))
def accept(run: str, reason: str, reason_id: str, reason_en: str, results: Path, private: Path | None) -> None:
    """Write scores.lock.jsonl of RUN as recomputed now; each changed score becomes a line of corrections.jsonl.

    The lines are chained by their hashes, and the lock names the newest of each score: none can be edited afterwards.
    """
    from generator.audit.lock import changes
    from generator.records import Text
    from generator.store.layout import Layout
    from generator.store.read import read_results

    try:
        read = read_results(results, private)
        recomputed = _recomputed(read, run, {})
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    published = read.runs[run].score_lock
    changed = changes(published, recomputed) if published else []
    why = Text(id=reason_id.strip() or reason.strip(), en=reason_en.strip() or reason.strip())
    if changed and not (why.id and why.en):
        _tell(changed)
        raise click.UsageError("published scores change: give --reason, or better --reason-id and --reason-en")
    corrections, count = _correct(Layout(results), run, changed, read.corrections, why)
    recomputed = _recomputed(read, run, _named(corrections, run, changed))
    written = _write_lock(Layout(results), run, published, recomputed)
    click.echo(f"{run}: {len(recomputed)} scores {'pinned' if written else 'as they were'}, {count} corrected")


def _recomputed(results: "Results", run: str, corrected: "Mapping[tuple[str, str], str]") -> "list[ScoreLock]":
    """The lock of a sealed run, as its answers give it now; ``corrected``: score -> hash of its newest correction."""
    from generator.audit.lock import lock_lines
    from generator.publish.scored import scored_run
    from generator.score import GRADER

    if run not in results.runs:
        raise click.UsageError(f"there is no run {run}; there are {', '.join(sorted(results.runs)) or 'none'}")
    stored = results.runs[run]
    if stored.seal is None:
        raise click.UsageError(f"{run} is not sealed: it could still change; seal it with: rapor seal {run}")
    return lock_lines(scored_run(results, run).services, GRADER, stored.score_lock, corrected)


def _tell(changed: "Sequence[Change]") -> None:
    for change in changed:
        old, new = (line.score if line else "none" for line in (change.old, change.new))
        click.echo(f"{change.service} {change.task_id}: {old} -> {new}", err=True)


def _correct(
    layout: "Layout", run: str, changed: "Sequence[Change]", already: "Sequence[Correction]", reason: "Text"
) -> "tuple[list[Correction], int]":
    """Append a correction for every changed score; all corrections there are now, and how many of them are new.

    A correction that stands there already, because an earlier attempt stopped before it wrote the lock, is not
    written twice.
    """
    from generator.records import Correction
    from generator.store.write import append, line_hash

    newest = {(line.run_id, line.service, line.task_id): (line.old, line.new) for line in already}
    at = datetime.now(UTC).replace(microsecond=0)
    lines = list(already)
    for change in changed:
        old, new = change.old, change.new
        if not old or not new or newest.get((run, change.service, change.task_id)) == (old.score, new.score):
            continue
        line = Correction(
            at=at,
            run_id=run,
            service=change.service,
            task_id=change.task_id,
            old=old.score,
            new=new.score,
            old_failed=old.failed,
            new_failed=new.failed,
            old_grader=old.grader,
            new_grader=new.grader,
            reason=reason,
            previous=line_hash(lines[-1]) if lines else None,
        )
        append(layout.corrections, line)
        lines.append(line)
    return lines, len(lines) - len(already)


def _named(lines: "Sequence[Correction]", run: str, changed: "Sequence[Change]") -> dict[tuple[str, str], str]:
    """(service, task) of every changed score of ``run`` -> hash of its newest correction, which its lock will name."""
    from generator.audit.corrections import newest_corrections
    from generator.store.write import line_hash

    newest = newest_corrections(lines)
    keys = [(change.service, change.task_id) for change in changed if (run, change.service, change.task_id) in newest]
    return {(service, task): line_hash(newest[run, service, task][1]) for service, task in keys}


def _write_lock(layout: "Layout", run: str, published: "Sequence[ScoreLock]", lines: "Sequence[ScoreLock]") -> bool:
    """Replace the lock; False where it holds these lines already."""
    from generator.store.write import encode, write_new

    if list(published) == list(lines):
        return False
    write_new(layout.score_lock(run), b"".join(map(encode, lines)))
    return True
