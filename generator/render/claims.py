"""The comparison page of ``rapor recompute``: claimed figures beside recomputed ones. In ``render``, not in a site."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from markupsafe import Markup

from generator.audit.claims import Claims, Recomputed
from generator.findings import Faults
from generator.render.assets import source_hash
from generator.render.catalogue import LANGUAGES
from generator.render.content import load_content
from generator.render.environment import environments
from generator.render.language import Language


def claims_pages(
    claims: Claims, results: Sequence[Recomputed], name: str, content: Path, templates: Path
) -> dict[str, bytes]:
    """File name -> page, one a language; each page needs nothing else.

    Args:
        claims: for the title.
        results: in the order of the claims.
        name: stem of the file names.
        content: folder of prose, for the words.
        templates: folder of templates.

    Raises:
        Faults: a word is missing in a language.
    """
    languages = [Language(code, load_content(content).catalogue) for code in LANGUAGES]
    envs = environments(templates, languages)
    style = (templates / "audit" / "offline.css").read_text("utf-8")
    allowed = source_hash(style.encode())
    pages = {}
    for language in languages:
        other = next(code for code in LANGUAGES if code != language.code)
        page = (
            envs[language.code]
            .get_template("audit/claims.html")
            .render(
                title=language.text(claims.title),
                code=language.code,
                other=other,
                other_file=f"{name}.{other}.html",
                policy=f"default-src 'none'; style-src '{allowed}'; base-uri 'none'; form-action 'none'",
                style=Markup(style),  # noqa: S704 - our own file
                rows=[_row(result, language) for result in results],
            )
        )
        pages[f"{name}.{language.code}.html"] = page.encode()
    if missing := {finding for language in languages for finding in language.missing}:
        raise Faults(missing)
    return pages


def _row(result: Recomputed, language: Language) -> dict[str, object]:
    """One claim, its numbers as the language writes them."""
    return {
        "result": result,
        "claimed": language.digits(Decimal(result.claim.claimed)),
        "value": language.digits(result.value),
        "sentences": language.digits(Decimal(result.sentences)),
        "empty": language.digits(Decimal(result.empty)),
    }
