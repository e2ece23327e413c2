"""The judging page of a blind test: one HTML file that needs no server and tells nobody which side is which.

Part of ``render``. A strict policy by hash lets only its own script and style run; texts are set as text, never as
markup. Both languages are in the one file, because a judge gets one file.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from generator.records import Pair, Text
from generator.render.assets import source_hash
from generator.render.visible import plain

FOLDER = "audit"


def judging_page(
    duel: str,
    question: Text,
    sheet: Sequence[Pair],
    sheet_sha256: str,
    envs: Mapping[str, Environment],
    templates: Path,
) -> bytes:
    """The page.

    Args:
        duel: its id.
        question: asked about every pair.
        sheet: pairs; their task ids stay out, so that nobody is led to the published key.
        sheet_sha256: of the stored sheet; every ballot repeats it.
        envs: language -> environment of the templates.
        templates: their folder.
    """
    script = (templates / FOLDER / "judging.js").read_text("utf-8")
    style = (templates / FOLDER / "offline.css").read_text("utf-8")
    words = {code: json.loads(env.get_template(f"{FOLDER}/judging_words.html").render()) for code, env in envs.items()}
    pairs = [{"pair": each.pair, **{name: plain(getattr(each, name)) for name in ("source", "left", "right")}}
             for each in sheet]  # fmt: skip
    policy = (
        f"default-src 'none'; script-src '{source_hash(script.encode())}'; "
        f"style-src '{source_hash(style.encode())}'; base-uri 'none'; form-action 'none'"
    )
    page = next(iter(envs.values())).get_template(f"{FOLDER}/judging.html")
    asked = {"id": question.id, "en": question.en}
    return page.render(
        policy=policy,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        words=words,
        question=question,
        sheet={"duel": duel, "sheet_sha256": sheet_sha256, "question": asked, "pairs": pairs},
    ).encode()
