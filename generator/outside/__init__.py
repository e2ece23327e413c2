"""The other side of the street: a finished site, audited by somebody who has nothing but the site. A wing.

It imports the nouns, the grader, the statistics and the checks of ``verify``, never ``render`` or ``build``: a fault of
rendering cannot excuse itself here. Only ``outside.source`` may reach the network.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from generator.findings import Finding, shown
from generator.outside.audited import read_audits
from generator.outside.data import check_data, check_lock
from generator.outside.descriptions import check_descriptions
from generator.outside.locks import check_corrections, check_reveals
from generator.outside.pages import check_boards, compare_audits, compare_board, compare_listed, compare_runs, places
from generator.outside.printed import Comparison
from generator.outside.published import read_boards
from generator.outside.reaudit import check_audits
from generator.outside.recompute import Recomputed, recompute
from generator.outside.runs import call_logs
from generator.verify import check_site, open_site

T = TypeVar("T")


@dataclass(frozen=True)
class Report:
    """What an audit found and how far it reached.

    Attributes:
        findings: sorted by place.
        files: files whose hashes were checked.
        pages: HTML pages read.
        scores: scores of public tasks recomputed from their answers.
        figures: numbers printed on pages.
        recomputed: how many of those were held against a figure computed from scores, answers, verdicts and calls.
        stated: how many were held against a finding of the audits that is published as data, since it rests on
            held-out tasks. The others were held against their twin in the other language and against their own
            machine-readable value.
    """

    findings: tuple[Finding, ...]
    files: int
    pages: int
    scores: int
    figures: int
    recomputed: int
    stated: int

    @property
    def passed(self) -> bool:
        """Whether nothing blocks."""
        return not any(finding.blocking for finding in self.findings)


def audit(files: Mapping[str, bytes]) -> Report:
    """Everything that can be checked of a site from outside."""
    site = open_site(dict(files))
    faults = check_site(site)
    boards, pages = read_boards(files, faults), places(site)
    if not boards:
        faults.append(
            Finding("data", 0, "", "no-data", "no board with all its files", "published data to recompute from")
        )
    faults += check_boards(pages, boards)
    faults += check_data(site, boards)
    faults += check_descriptions(files)
    faults += check_reveals(files)
    faults += check_corrections(files, boards)
    compare, stated, scores = Comparison(), Comparison(), 0
    recomputed: dict[str, Recomputed] = {}
    for board in boards:
        faults += check_lock(board)
        if made := _computed(board.folder, partial(recompute, board, faults), faults):
            recomputed[board.declared.run.run_id] = made
            scores += len(board.tasks) * len(board.declared.run.services)
            compare_board(compare, site, pages, made)
    runs = _computed("data/runs", lambda: list(compare_runs(compare, files, pages, recomputed)), faults)
    faults += runs or ()
    compare_listed(compare, files, pages)
    if found := read_audits(files, faults):
        again = partial(check_audits, files, found, recomputed, call_logs(files, recomputed.values()))
        faults += _computed("data/audits.json", lambda: list(again()), faults) or ()
        compare_audits(compare, stated, pages, found)
    return Report(
        findings=tuple(sorted([*faults, *compare.faults, *stated.faults])),
        files=len(files),
        pages=len(site.pages),
        scores=scores,
        figures=sum(place.page.figures for place in pages),
        recomputed=compare.compared,
        stated=stated.compared,
    )


def _computed(folder: str, compute: Callable[[], T], faults: list[Finding]) -> T | None:
    """What was computed; data that arithmetic refuses are a finding, whatever a mirror made of them."""
    try:
        return compute()
    except (ArithmeticError, LookupError, ValueError) as error:
        faults.append(Finding(folder, 0, "", "not-computable", shown(f"{error!r}"), "data that can be computed with"))
        return None
