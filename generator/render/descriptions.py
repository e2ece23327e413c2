"""What describes each package, as further downloads beside its files. Part of ``render``."""

import json
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from generator.publish.views import DownloadView
from generator.render.citation import citation
from generator.render.croissant import croissant
from generator.render.datapackage import datapackage
from generator.render.language import Language
from generator.render.packages import Package


def descriptions(made: Sequence[Package], languages: Sequence[Language]) -> Iterator[tuple[DownloadView, bytes]]:
    """``croissant.json``, ``datapackage.json`` and ``CITATION.cff`` of every package.

    A description of one language only is in English, which is the last of ``languages``.
    """
    english = languages[-1]
    for package in made:
        licence = package.declared.suite.licence
        for name, slug, data in (
            ("croissant.json", "croissant", _json(croissant(package, languages))),
            ("datapackage.json", "datapackage", _json(datapackage(package, english))),
            ("CITATION.cff", "citation", citation(package, english)),
        ):
            yield DownloadView(path=f"{package.folder}/{name}", slug=slug, licence=licence), data


def script(package: Package, languages: Sequence[Language], link: str) -> Markup:
    """The same Croissant description for a script element of a page.

    Args:
        package: the run.
        languages: of names.
        link: relative link from the page to the root of the site, ending in a slash.

    Returns:
        JSON in which ``<`` is written as an escape, so that no text can end the element.
    """
    text = json.dumps(croissant(package, languages, f"{link}{package.folder}/"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no text can end the element


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
