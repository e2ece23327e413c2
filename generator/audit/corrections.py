"""Do the corrections hang together, from the first to what is published now? In the second room of doubt.

Every line names the hash of the line before it, and every score that was ever corrected names, in its lock, the hash of
its newest correction. So no line can be changed, taken out, added or moved without breaking a link: the last line of
the file is always the newest of its score.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from generator.findings import Finding
from generator.records import Correction, ScoreLock
from generator.store.write import line_hash

Key = tuple[str, str, str]
"""Run, service, task."""


def chain_findings(corrections: Sequence[Correction], locks: Mapping[str, Sequence[ScoreLock]]) -> list[Finding]:
    """Every broken link: between lines, between the corrections of one score, and from there to its lock.

    Args:
        corrections: every line of ``corrections.jsonl``, in order.
        locks: run id -> its lock, or those lines of it whose score was corrected.
    """
    published = {(run, line.service, line.task_id): line for run, lines in locks.items() for line in lines}
    newest = newest_corrections(corrections)
    return [*_between_lines(corrections), *_to_the_lock(newest, published), *_from_the_lock(newest, published)]


def newest_corrections(corrections: Sequence[Correction]) -> dict[Key, tuple[int, Correction]]:
    """Score -> 1-based line and record of its newest correction."""
    return {(line.run_id, line.service, line.task_id): (number, line) for number, line in enumerate(corrections, 1)}


def _between_lines(corrections: Sequence[Correction]) -> Iterator[Finding]:
    """Each line continues the line before it, and the line before it about the same score."""
    before: str | None = None
    last: dict[Key, Correction] = {}
    for number, line in enumerate(corrections, 1):
        if line.previous != before:
            yield _broken(number, line, f"{line.previous} as the line before", f"{before}, its hash")
        key = (line.run_id, line.service, line.task_id)
        if key in last and (Fraction(line.old), line.old_failed) != _after(last[key]):
            yield _broken(number, line, f"{line.old} as the old score", f"{last[key].new}, the last new one")
        before, last[key] = line_hash(line), line


def _to_the_lock(newest: Mapping[Key, tuple[int, Correction]], published: Mapping[Key, ScoreLock]) -> Iterator[Finding]:
    """The newest correction of a score gave what its lock holds, and the lock names it."""
    for key, (number, line) in newest.items():
        held = published.get(key)
        if held is None or (Fraction(held.score), held.failed) != _after(line):
            seen = f"{held.score}, which the lock holds" if held else "a line of the lock"
            yield _broken(number, line, f"{line.new} as the newest score", seen)
        elif held.correction != line_hash(line):
            yield _broken(number, line, f"{line_hash(line)} as its hash", f"{held.correction}, which the lock names")


def _from_the_lock(
    newest: Mapping[Key, tuple[int, Correction]], published: Mapping[Key, ScoreLock]
) -> Iterator[Finding]:
    """A lock names no correction that is not there."""
    for (run, service, task), held in published.items():
        if held.correction and (run, service, task) not in newest:
            yield Finding(
                file="corrections.jsonl",
                line=0,
                field=f"{run}.{service}.{task}",
                slug="corrections-broken",
                found="no correction of this score",
                expected=f"{held.correction}, which the lock names",
                todo=MEND,
            )


def _after(line: Correction) -> tuple[Fraction, bool]:
    return Fraction(line.new), line.new_failed


MEND = "restore both files; only `rapor accept` writes them"


def _broken(number: int, line: Correction, seen: str, expected: str) -> Finding:
    return Finding(
        file="corrections.jsonl",
        line=number,
        field=f"{line.run_id}.{line.service}.{line.task_id}",
        slug="corrections-broken",
        found=seen,
        expected=expected,
        todo=MEND,
    )
