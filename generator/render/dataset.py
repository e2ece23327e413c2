"""The downloads described for search engines: schema.org ``Dataset`` as JSON-LD. Part of ``render``."""

import json
from collections.abc import Sequence

from markupsafe import Markup

from generator.publish.board_views import BoardView
from generator.render.content import Content
from generator.render.language import Language
from generator.render.listing import Listed

LICENCES = {"CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/"}


def dataset(board: BoardView, content: Content, files: Sequence[Listed], language: Language, link: str) -> Markup:
    """JSON-LD for a script element.

    Args:
        board: the main board.
        content: for names and the base address.
        files: the downloads; those of this board are named.
        language: of the page.
        link: relative link from the page to the root of the site, ending in a slash.

    Returns:
        JSON in which ``<`` is written as an escape, so that no text can end the element.
    """
    base = content.site.base_url.rstrip("/") + "/" if content.site.base_url else link
    title = language.text(board.suite.title)
    about: dict[str, object] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"{content.site.name}: {title}",
        "description": f"{title}. {language.text(content.site.tagline)}.",
        "version": f"{board.suite.version}, {board.run.run_id}",
        "dateModified": board.run.last_call.date().isoformat(),
        "inLanguage": board.suite.language,
        "license": LICENCES.get(board.suite.licence, board.suite.licence),
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": content.site.name},
        "distribution": [
            {
                "@type": "DataDownload",
                "name": file.name,
                "contentUrl": base + file.view.path,
                "encodingFormat": FORMATS[file.name.rpartition(".")[2]],
                "sha256": file.sha256,
            }
            for file in files
            if file.folder == board.suite.id
        ],
    }
    return Markup(json.dumps(about, ensure_ascii=False, indent=1).replace("<", "\\u003c"))  # noqa: S704 - no text can end the element


FORMATS = {"csv": "text/csv", "json": "application/json", "jsonl": "application/jsonl", "txt": "text/plain"}
"""File ending -> media type."""
