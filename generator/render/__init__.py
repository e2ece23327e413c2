"""Views and content -> the finished site as a value, ``path -> bytes``, in two languages. The room of words."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment
from markupsafe import Markup

from generator.findings import Faults, Finding
from generator.publish.views import SiteView
from generator.render.addresses import Addresses
from generator.render.assets import read_assets
from generator.render.audits import judging_pages
from generator.render.catalogue import LANGUAGES
from generator.render.content import Content
from generator.render.descriptions import descriptions, script
from generator.render.downloads import SUMS, checksums, downloads, offered
from generator.render.environment import environments, untranslated
from generator.render.feeds import feeds
from generator.render.language import Language
from generator.render.listing import build_hash, listing
from generator.render.packages import packages, unknown_dois
from generator.render.pages import Page, pages
from generator.render.prose import Setter
from generator.render.sheet import Sheet


def render(site: SiteView, content: Content, templates: Path) -> dict[str, bytes]:
    """The whole site.

    Args:
        site: the views.
        content: prose and words.
        templates: folder of templates, with ``assets`` in it.

    Returns:
        Path from the root of the site -> bytes, sorted by path.

    Raises:
        Faults: every untranslated string, bad expression and unknown link at once.
    """
    languages = [Language(code, content.catalogue) for code in LANGUAGES]
    envs = environments(templates, languages)
    writer = _Writer(site, content, templates, languages)
    files = {**writer.assets.files, **writer.data, ".nojekyll": b""}
    for language in languages:
        files |= writer.pages(envs[language.code], language)
    files |= writer.roots(envs[LANGUAGES[0]], languages)
    files |= feeds(site, content, writer.addresses, languages)
    files |= judging_pages(site, envs, templates)
    missing = {finding for language in languages for finding in language.missing}
    if found := {*untranslated(templates, content.catalogue), *missing, *writer.found}:
        raise Faults(found)
    files[SUMS] = checksums(files)
    return dict(sorted(files.items()))


class _Writer:
    """Writes pages; gathers the faults of prose on the way."""

    def __init__(self, site: SiteView, content: Content, templates: Path, languages: list[Language]) -> None:
        self.site = site
        self.content = content
        self.addresses = Addresses(site, content)
        self.assets = read_assets(templates)
        self.found: list[Finding] = []
        self._languages = languages
        self._described(site, content)
        self._setter = Setter({"site": site, "main": site.main})
        self._shared = {
            "site": site,
            "main": site.main,
            "publisher": content.site,
            "policy": self.assets.policy,
            "integrity": self.assets.integrity,
            "from_disk": Markup(self.assets.from_disk),  # noqa: S704 - our own file
            "listing": self._listed,
            "build": build_hash(self._listed),
            "root": urlsplit(content.site.base_url).path.rstrip("/") + "/" if content.site.base_url else "",
        }

    def _described(self, site: SiteView, content: Content) -> None:
        """Set the downloads and what describes them."""
        self.data = downloads(site)
        listed = listing(offered(site), self.data)
        page = self.addresses.get("downloads").paths["en"]
        self._packages = list(packages(site, content.site, page, listed, self.data))
        self.found += unknown_dois(content.site, self._packages)
        further = list(descriptions(self._packages, self._languages))
        self.data |= {view.path: data for view, data in further}
        self._listed = listing([*offered(site), *(view for view, _ in further)], self.data)

    def pages(self, env: Environment, language: Language) -> Iterator[tuple[str, bytes]]:
        """Every page in one language."""
        for page in pages(self.site, self.content):
            sheet = Sheet(language, self.addresses.get(*page.key), self.addresses)
            context = {**self._shared, **page.context, **self._set(page, sheet), "page": sheet}
            yield sheet.path, env.get_template(page.template).render(context).encode()

    def _set(self, page: Page, sheet: Sheet) -> dict[str, object]:
        """What a page needs that is already in its language."""
        if page.key == ("downloads",):
            main = script(self._packages[0], self._languages, sheet.file(".") + "/")
            return {"dataset": main, "packages": {each.folder.rpartition("/")[2]: each for each in self._packages}}
        if page.prose is None:
            return {}
        prose = self.content.pages[page.prose]
        front = prose.texts[sheet.language.code].front
        return {"front": front, "prose": self._setter.set(prose, sheet, self.found)}

    def roots(self, env: Environment, languages: list[Language]) -> Iterator[tuple[str, bytes]]:
        """The two pages that belong to no language: the choice of one, and the page that is not there."""
        for name in ("index.html", "404.html"):
            yield name, env.get_template(f"root-{name}").render({**self._shared, "languages": languages}).encode()
