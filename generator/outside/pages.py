"""Which page is about what, and which check it is given. The wing ``outside``."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.findings import Finding
from generator.outside import audited
from generator.outside.answers import BESIDE
from generator.outside.expected import KINDS, home
from generator.outside.jury import jury
from generator.outside.printed import Comparison, Printed, read_printed
from generator.outside.published import Board
from generator.outside.recompute import Recomputed
from generator.publish.audit_views import AuditsView
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


def compare_audits(compare: Comparison, pages: Iterable[Place], found: AuditsView) -> None:
    """Both languages of every page of the audits, and of the jury of every board."""
    for place in pages:
        if len(place.parts) == 1 and place.parts[0] in audited.KINDS:
            audited.KINDS[place.parts[0]](compare, place.page, found)
        elif len(place.parts) == 2 and place.parts[1] == "jury":
            jury(compare, place.page, found, place.parts[0])


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
