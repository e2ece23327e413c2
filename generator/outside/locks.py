"""What was promised earlier: reveals against the commitments of their lock, corrections from the first to the scores
of today. The wing ``outside``.
"""  # noqa: D205 - one sentence, and it needs two lines

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from generator.audit.corrections import chain_findings, newest_corrections
from generator.findings import Finding, shown
from generator.outside.published import Board, read_lines
from generator.publish.views import CorrectedScore
from generator.records import Correction, Reveal, ScoreLock, TaskLock
from generator.store.reveals import standing

CORRECTIONS, CORRECTED = "data/corrections.jsonl", "data/corrected-scores.jsonl"


def check_reveals(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Every published reveal is of a held-out task and has the hash that its lock committed to."""
    for path in sorted(files):
        if not path.startswith("data/") or posixpath.basename(path) != "reveal.jsonl":
            continue
        faults: list[Finding] = []
        lock = list(read_lines(files, f"{posixpath.dirname(path)}/suite.lock.jsonl", TaskLock, faults))
        reveals = list(read_lines(files, path, Reveal, faults))
        yield from faults
        held_out = {line.id: line.commitment for line in lock if line.access == "held_out"}
        for number, reveal in enumerate(reveals, 1):
            if (state := standing(reveal, held_out)) != "matches":
                expected = held_out.get(reveal.id, "a held-out task of the lock")
                yield Finding(path, number, reveal.id, "reveal-differs", state, expected)


def check_corrections(files: Mapping[str, bytes], boards: list[Board]) -> Iterator[Finding]:
    """The corrections are one chain that ends in the scores that the boards publish."""
    if CORRECTIONS not in files and CORRECTED not in files:
        return
    faults: list[Finding] = []
    lines: list[Correction] = [*read_lines(files, CORRECTIONS, Correction, faults)]
    held: list[CorrectedScore] = [*read_lines(files, CORRECTED, CorrectedScore, faults)]
    yield from faults
    if faults:
        return
    locks: dict[str, list[ScoreLock]] = {}
    for score in held:
        lock = {name: getattr(score, name) for name in ScoreLock.__struct_fields__}
        locks.setdefault(score.run_id, []).append(ScoreLock(**lock))
    yield from (replace(finding, file=CORRECTIONS, todo="") for finding in chain_findings(lines, locks))
    newest = newest_corrections(lines)
    for board in boards:
        for row in board.scores:
            number, line = newest.get((row.run_id, row.service, row.task_id), (0, None))
            if line and row.points is not None and (row.points, row.failed) != (Fraction(line.new), line.new_failed):
                field = f"{row.run_id}.{row.service}.{row.task_id}"
                expected = f"{row.score}, as in {board.folder}/scores.jsonl"
                yield Finding(CORRECTIONS, number, field, "corrections-broken", shown(line.new), expected)
