"""Has every page its twin in the other language, and do the two know each other? In the room ``verify``."""

from collections.abc import Iterator

from generator.findings import Finding, shown
from generator.verify.pages import Page
from generator.verify.site import LANGUAGES, Site, language

OTHER = dict(zip(LANGUAGES, reversed(LANGUAGES), strict=True))


def twin(site: Site, page: Page) -> Page | None:
    """The page in the other language that ``page`` names, None where there is none.

    ``<link hreflang>`` names it; a site that knows no address of its own has no such links, and then the language
    switch does.
    """
    wanted = OTHER[language(page.path)]
    address = page.alternates.get(wanted) or next((a.address for a in page.anchors if a.hreflang == wanted), None)
    target = site.target(page.path, address) if address else None
    return site.pages.get(target[0]) if target else None


def pairs(site: Site) -> Iterator[tuple[Page, Page]]:
    """Every Indonesian page with its English twin, in the order of their paths, where both are there."""
    for path in sorted(site.pages):
        if language(path) == "id" and (other := twin(site, site.pages[path])):
            yield site.pages[path], other


def check_twins(site: Site) -> Iterator[Finding]:
    """Wrong ``lang``, missing or one-sided twins, a switch that leads elsewhere."""
    for path in sorted(site.pages):
        page, lang = site.pages[path], language(path)
        if page.lang not in ({lang} if lang else LANGUAGES):
            yield _finding(path, "html lang", "wrong-language", shown(page.lang) or "nothing", lang or "id or en")
        if lang:
            yield from _check_twin(site, page, lang)


def _check_twin(site: Site, page: Page, lang: str) -> Iterator[Finding]:
    other = twin(site, page)
    wanted = OTHER[lang]
    if other is None or language(other.path) != wanted:
        yield _finding(
            page.path, f"hreflang={wanted}", "no-twin", shown(page.alternates.get(wanted, "nothing")),
            f"the same page under {wanted}/", f"write its twin in content/{wanted}",
        )  # fmt: skip
        return
    if twin(site, other) is not page:
        back = shown(other.alternates.get(lang, "nothing"))
        yield _finding(other.path, f"hreflang={lang}", "one-sided-twin", back, page.path)
    own = site.target(page.path, page.alternates.get(lang, "#"))
    if (site.base and lang not in page.alternates) or own is None or own[0] != page.path:
        found = shown(page.alternates.get(lang, "nothing"))
        yield _finding(page.path, f"hreflang={lang}", "no-self-reference", found, page.path)
    switches = [site.target(page.path, link.address) for link in page.anchors if link.hreflang == wanted]
    if (other.path, "") not in switches:
        found = ", ".join(target[0] for target in switches if target) or "nothing"
        yield _finding(page.path, f"a hreflang={wanted}", "no-switch", shown(found), f"a link to {other.path}")


def _finding(file: str, field: str, slug: str, found: str, expected: str, todo: str = "") -> Finding:
    return Finding(file=file, line=0, field=field, slug=slug, found=found, expected=expected, todo=todo)
