"""Which page is about what, and which check it is given. The wing ``outside``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.findings import Finding
from generator.outside import audited, listed
from generator.outside.answers import BESIDE
from generator.outside.data import check_lock
from generator.outside.expected import KINDS, home
from generator.outside.jury import jury
from generator.outside.printed import Comparison, Printed, read_printed
from generator.outside.published import Board, read_lines
from generator.outside.recompute import Recomputed
from generator.outside.runs import compare_rerun, compare_study, read_study, run_folders, study
from generator.publish.audit_views import AuditsView
from generator.publish.longitudinal import series_views
from generator.publish.run_views import Declared
from generator.verify.site import Site, language
from generator.verify.twins import twin


@dataclass(frozen=True)
class Place:
    """A page in one language, and what it is about.

    Attributes:
        page: what it prints.
        lang: its language.
        parts: its address in English, without language and ending; an Indonesian page has that of its twin.
    """

    page: Printed
    lang: str
    parts: tuple[str, ...]


def places(site: Site) -> list[Place]:
    """Every page that is in a language, in the order of their paths."""
    found = []
    for path in sorted(site.pages):
        if (lang := language(path)) and site.files[path].strip():
            english = path if lang == "en" else getattr(twin(site, site.pages[path]), "path", "")
            parts = tuple(english.removesuffix(".html").split("/")[1:])
            found.append(Place(read_printed(path, site.files[path]), lang, parts))
    return found


def check_boards(pages: Iterable[Place], boards: Iterable[Board]) -> Iterator[Finding]:
    """Every leaderboard has data to be recomputed from."""
    known = {board.declared.suite.id for board in boards}
    for place in pages:
        if len(place.parts) == 2 and place.parts[1] == "leaderboard" and place.parts[0] not in known:
            yield Finding(place.page.path, 0, "", "no-data", "a board", f"whole data in data/{place.parts[0]}")


def compare_board(compare: Comparison, site: Site, pages: Iterable[Place], made: Recomputed) -> None:
    """Both languages of every page of one board."""
    suite = made.board.declared.suite.id
    for place in pages:
        page, parts = place.page, place.parts
        if parts == ("index",) and _shows(site, page.path, suite):
            home(compare, page, made, "")
        elif len(parts) > 1 and parts[0] == suite and parts[1] in KINDS:
            key = _category(made, page, place.lang) if parts[1] == "category" else parts[-1]
            if key in _known(made, parts[1]):
                KINDS[parts[1]](compare, page, made, key)
                if parts[1] in BESIDE:
                    BESIDE[parts[1]](compare, page, made, key)


def compare_listed(compare: Comparison, files: Mapping[str, bytes], pages: Iterable[Place]) -> None:
    """Both languages of the pages of the corrections and of the downloads."""
    for place in pages:
        if len(place.parts) == 1 and place.parts[0] in listed.KINDS:
            listed.KINDS[place.parts[0]](compare, place.page, files)


def compare_audits(compare: Comparison, stated: Comparison, pages: Iterable[Place], found: AuditsView) -> None:
    """Both languages of every page of the audits, and of the jury of every board.

    Args:
        compare: of the findings that were computed again.
        stated: of the others.
        pages: all of them.
        found: the published findings.
    """
    for place in pages:
        if len(place.parts) == 1 and place.parts[0] in audited.KINDS:
            into = compare if place.parts[0] in {"truncation", "answer-key"} else stated
            audited.KINDS[place.parts[0]](into, place.page, found)
        elif len(place.parts) == 2 and place.parts[1] == "jury":
            jury(stated, place.page, found, place.parts[0])


def compare_runs(
    compare: Comparison, files: Mapping[str, bytes], pages: Sequence[Place], boards: Mapping[str, Recomputed]
) -> Iterator[Finding]:
    """Both languages of every page of a study with a public task, and of the re-runs.

    Args:
        compare: counts and notes.
        files: of the site.
        pages: all of them.
        boards: id of a run that has a board -> the board computed again.
    """
    faults: list[Finding] = []
    folders = run_folders(files)
    studies = [data for folder in folders if (data := read_study(files, folder, faults))]
    views = {view.run.run_id: (view, data) for data in studies if (view := study(data, faults))}
    for data in studies:
        faults += check_lock(data)
    for series in series_views([view for view, _ in views.values()]):
        for each in series.points:
            view, data = views[each.run_id]
            for page in _about(pages, "study", each.run_id):
                compare_study(compare, page, view, series, data)
    for folder in folders:
        declared = next(iter(read_lines(files, f"{folder}/declared.json", Declared, [])), None)
        first = boards.get(declared.run.rerun.of) if declared and declared.run.rerun else None
        if first:
            faults += compare_rerun(compare, _about(pages, "rerun"), files, folder, first)
    yield from faults


def _about(pages: Iterable[Place], *parts: str) -> list[Printed]:
    """The pages with that address, one a language."""
    return [place.page for place in pages if place.parts == parts]


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
