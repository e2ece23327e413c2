"""The other side of the street: a finished site, audited by somebody who has nothing but the site. A wing.

It imports the nouns, the grader, the statistics and the checks of ``verify``, never ``render`` or ``build``: a fault of
rendering cannot excuse itself here. Only ``outside.source`` may reach the network.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.findings import Finding, shown
from generator.outside.data import check_data, check_lock
from generator.outside.descriptions import check_descriptions
from generator.outside.expected import KINDS, home
from generator.outside.locks import check_corrections, check_reveals
from generator.outside.printed import Comparison, Printed, read_printed
from generator.outside.published import Board, read_boards
from generator.outside.recompute import Recomputed, recompute
from generator.verify import check_site, open_site
from generator.verify.site import Site, language
from generator.verify.twins import twin


@dataclass(frozen=True)
class Report:
    """What an audit found and how far it reached.

    Attributes:
        findings: sorted by place.
        files: files whose hashes were checked.
        pages: HTML pages read.
        scores: scores of public tasks recomputed from their answers.
        figures: numbers printed on pages.
        recomputed: how many of those were held against a figure computed from the data; the others against their
            twin in the other language and against their own machine-readable value.
    """

    findings: tuple[Finding, ...]
    files: int
    pages: int
    scores: int
    figures: int
    recomputed: int

    @property
    def passed(self) -> bool:
        """Whether nothing blocks."""
        return not any(finding.blocking for finding in self.findings)


def audit(files: Mapping[str, bytes]) -> Report:
    """Everything that can be checked of a site from outside."""
    site = open_site(dict(files))
    faults = check_site(site)
    boards = read_boards(files, faults)
    if not boards:
        faults.append(
            Finding("data", 0, "", "no-data", "no board with all its files", "published data to recompute from")
        )
    faults += check_data(site, boards)
    faults += check_descriptions(files)
    faults += check_reveals(files)
    faults += check_corrections(files, boards)
    compare, printed, scores = Comparison(), _printed(site), 0
    for board in boards:
        faults += check_lock(board)
        if made := _recomputed(board, faults):
            scores += len(board.tasks) * len(board.declared.run.services)
            _compare_pages(compare, site, printed, made)
    return Report(
        findings=tuple(sorted([*faults, *compare.faults])),
        files=len(files),
        pages=len(site.pages),
        scores=scores,
        figures=sum(page.figures for page in printed.values()),
        recomputed=compare.compared,
    )


def _recomputed(board: Board, faults: list[Finding]) -> Recomputed | None:
    """The board computed again; data that arithmetic refuses are a finding, whatever a mirror made of them."""
    try:
        return recompute(board, faults)
    except (ArithmeticError, LookupError, ValueError) as error:
        faults.append(Finding(board.folder, 0, "", "not-computable", shown(f"{error!r}"), "data that can be scored"))
        return None


def _printed(site: Site) -> dict[str, Printed]:
    return {path: read_printed(path, site.files[path]) for path in site.pages if site.files[path].strip()}


def _compare_pages(compare: Comparison, site: Site, printed: Mapping[str, Printed], made: Recomputed) -> None:
    """Both languages of every page of one board; the kind of an Indonesian page is that of its twin."""
    suite = made.board.declared.suite.id
    for path, page in printed.items():
        if not (lang := language(path)):
            continue
        english = path if lang == "en" else getattr(twin(site, site.pages[path]), "path", "")
        parts = english.removesuffix(".html").split("/")
        if parts[1:] == ["index"] and _shows(site, path, suite):
            home(compare, page, made, "")
        elif len(parts) > 2 and parts[1] == suite and parts[2] in KINDS:
            key = _category(made, page, lang) if parts[2] == "category" else parts[-1]
            if key in _known(made, parts[2]):
                KINDS[parts[2]](compare, page, made, key)


def _shows(site: Site, path: str, suite: str) -> bool:
    """Whether a home page shows the board of ``suite``: its first link to a model leads there."""
    links = (link.address.split("/") for link in site.pages[path].anchors)
    return next((parts[0] for parts in links if len(parts) == 3 and parts[1] == "model"), "") == suite


def _category(made: Recomputed, page: Printed, lang: str) -> str:
    """The category that a page names in its heading."""
    categories = made.board.declared.suite.category
    return next((each.id for each in categories if getattr(each.name, lang) == page.heading), "")


def _known(made: Recomputed, kind: str) -> set[str]:
    """The keys that pages of a kind may be about."""
    if kind == "category":
        return {category.id for category in made.board.declared.suite.category}
    if kind == "model":
        return set(made.services)
    if kind == "compare":
        return {kind, *(pair.a for pair in made.pairs)}
    return {task.id for task in made.board.tasks} if kind == "task" else {kind}
