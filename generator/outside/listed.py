"""What pages must print that count or list published files: corrections, downloads, audits. The wing ``outside``."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from posixpath import basename, dirname

from generator.outside.expected import facts
from generator.outside.locks import CORRECTIONS
from generator.outside.printed import Cells, Comparison, Printed, written
from generator.outside.published import read_lines
from generator.records import Correction


def corrections(compare: Comparison, page: Printed, files: Mapping[str, bytes]) -> None:
    """How many there are, and the old and new score of each, newest first."""
    lines = _corrections(files)
    newest = sorted(lines, key=lambda line: line.at, reverse=True)
    if lines:
        old = [written(Fraction(line.old), 2) for line in newest]
        new = [written(Fraction(line.new), 2) for line in newest]
        facts(compare, page, {"corrections": [str(len(lines))], "old": old, "new": new})


def audits(compare: Comparison, page: Printed, files: Mapping[str, bytes]) -> None:
    """How many corrections the summary of the audits counts."""
    facts(compare, page, {"corrections": [str(len(_corrections(files)))]})


def _corrections(files: Mapping[str, bytes]) -> list[Correction]:
    return list(read_lines(files, CORRECTIONS, Correction, [])) if CORRECTIONS in files else []


def downloads(compare: Comparison, page: Printed, files: Mapping[str, bytes]) -> None:
    """The size of every file of data, in thousands of bytes."""
    tables: dict[str, dict[str, Cells]] = {}
    for path, data in files.items():
        if path.startswith("data/"):
            size = {"size": [written(Fraction(len(data), 1000), 1)]}
            tables.setdefault(basename(dirname(path)), {})[path] = size
    for folder, rows in tables.items():
        compare.table(page, f"files-{folder}", rows)


KINDS: dict[str, Callable[[Comparison, Printed, Mapping[str, bytes]], None]] = {
    "audits": audits,
    "corrections": corrections,
    "downloads": downloads,
}
"""Name of a page, as its English address calls it -> its check."""
