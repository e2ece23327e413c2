"""Did a published score change? What was recomputed, held against the score lock and the list of corrections.

A score that differs from what was last published stops the build until somebody accepts it with a reason; it is then
a correction, listed for ever. A score that could not be recomputed (its task is not at hand) is not compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from generator.aggregate import ServiceScore
from generator.findings import Finding
from generator.records import Record, ScoreLock

ACCEPT = 'rapor accept {run} --reason-id "…" --reason-en "…"'


class Change(Record, frozen=True, kw_only=True):
    """One task score of one service that is not as published."""

    service: str
    task_id: str
    line: int
    """1-based line of the lock; 0 where it holds none for this score."""
    old: ScoreLock | None
    """As published; None: it never was."""
    new: ScoreLock | None
    """As recomputed; None: the run no longer has such a score."""


def lock_lines(
    services: Iterable[ServiceScore],
    grader: str,
    published: Sequence[ScoreLock] = (),
    corrected: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> list[ScoreLock]:
    """The lock of these scores: services in contract order, tasks in suite order.

    Args:
        services: as scored.
        grader: name and version of the grader that scored them.
        published: the lock that holds so far; it keeps its lines for scores that were not recomputed.
        corrected: (service, task) -> hash of the newest correction of that score.
    """
    kept = {(line.service, line.task_id): line for line in published}
    lines = []
    for service in services:
        for task in service.tasks:
            key = (service.service, task.task.id)
            if task.marks and task.reason != "not_at_hand":
                lines.append(
                    ScoreLock(
                        service=service.service,
                        task_id=task.task.id,
                        score=str(task.score),
                        failed=task.failed,
                        grader=grader,
                        correction=corrected.get(key) or (kept[key].correction if key in kept else None),
                    )
                )
            elif key in kept:
                lines.append(kept[key])
    return lines


def changes(published: Sequence[ScoreLock], recomputed: Sequence[ScoreLock]) -> list[Change]:
    """Every score that differs in value or in whether it counts as failed, in the order of ``recomputed``.

    Another grader alone is no change: what it scores alike stays as published.
    """
    places = {(old.service, old.task_id): (line, old) for line, old in enumerate(published, 1)}
    found = []
    for new in recomputed:
        line, old = places.pop((new.service, new.task_id), (0, None))
        if old is None or _value(old) != _value(new):
            found.append(Change(service=new.service, task_id=new.task_id, line=line, old=old, new=new))
    gone = [
        Change(service=old.service, task_id=old.task_id, line=line, old=old, new=None) for line, old in places.values()
    ]
    return found + gone


def _value(line: ScoreLock) -> tuple[Fraction, bool]:
    return Fraction(line.score), line.failed


def lock_findings(run_id: str, published: Sequence[ScoreLock], recomputed: Sequence[ScoreLock]) -> list[Finding]:
    """A blocking finding a change; a remark where the run has never been published."""
    file = f"runs/{run_id}/scores.lock.jsonl"
    accept = ACCEPT.format(run=run_id)
    if not published:
        first = Finding(
            file=file,
            line=0,
            field="",
            slug="not-published-yet",
            found="no score lock",
            expected="the scores as published",
            todo=f"pin them with: rapor accept {run_id}",
            blocking=False,
        )
        return [first]
    return [
        Finding(
            file=file,
            line=change.line,
            field=f"{change.service}.{change.task_id}",
            slug="score-changed",
            found=_told(change.new),
            expected=f"{_told(change.old)}, as published",
            todo=f"undo what changed it, or accept it: {accept}",
        )
        for change in changes(published, recomputed)
    ]


def _told(line: ScoreLock | None) -> str:
    if line is None:
        return "no score"
    return f"{line.score}{' (failed)' if line.failed else ''} by {line.grader}"
