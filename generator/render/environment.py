"""The Jinja environments of the site: escaping on, nothing undefined, both languages sharing compiled templates.

Templates are trusted and written by us; prose expressions run in a sandbox. Part of ``render``.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.findings import Finding, shown
from generator.render.bars import bar, heat, opposite
from generator.render.catalogue import Catalogue
from generator.render.differences import against_reference
from generator.render.drawings import chart
from generator.render.language import Language
from generator.render.sentences import apart
from generator.render.sheet import Sheet
from generator.render.visible import plain, visible
from generator.render.words import name, say

PROSE_FILTERS = ("number", "percent", "points", "date", "money")
CALL = re.compile(r"""(?<!\w)_\(\s*(?:"([^"\\]+)"|'([^'\\]+)')""")
"""A template's request for an interface string; quotes of the other kind need no escape, so there is none."""
SHEET_FILTERS = (
    *PROSE_FILTERS, "figure", "cell", "bare", "interval", "chance", "moment", "exactly", "text", "reason", "amount",
    "fraction", "score", "seconds", "seconds_cell", "seconds_interval",
)  # fmt: skip
SHEET_GLOBALS = ("link", "file", "has", "unknown", "recipe_link", "gist")


class _Shared(BytecodeCache):
    """Keeps compiled templates in memory, so that the second language does not compile them again."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


def environments(templates: Path, languages: list[Language]) -> dict[str, Environment]:
    """One environment per language over the same folder of templates."""
    shared = _Shared()
    return {language.code: _environment(templates, language, shared) for language in languages}


def _environment(templates: Path, language: Language, shared: BytecodeCache) -> Environment:
    env = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=shared,
        auto_reload=False,
        cache_size=-1,
    )
    env.filters |= {name: _from_sheet(name) for name in SHEET_FILTERS}
    env.filters |= {"visible": visible, "plain": plain, "opposite": opposite}
    env.globals |= {"differences": against_reference}
    env.globals |= {name: _from_sheet(name) for name in SHEET_GLOBALS}
    env.globals |= {"say": _with_sheet(say), "name": _with_sheet(name), "chart": _with_sheet(chart)}
    env.globals |= {"bar": bar, "heat": heat, "apart": apart}
    env.globals |= {"_": language.message, "word": language.word, "has_word": language.has_word}
    return env


def prose_environment() -> Environment:
    """The sandbox in which the expressions of prose pages are evaluated."""
    env = ImmutableSandboxedEnvironment(autoescape=True, undefined=StrictUndefined)
    env.filters |= {name: _from_sheet(name) for name in PROSE_FILTERS}
    env.filters["list"] = _from_sheet("listed")
    return env


def _from_sheet(name: str) -> Callable[..., Any]:
    """The method of that name of the page being written, as a filter or global."""

    @pass_context
    def call(context: Context, *args: Any, **kwargs: Any) -> Any:
        sheet: Sheet = context["page"]
        return getattr(sheet, name)(*args, **kwargs)

    return call


def _with_sheet(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with the page being written as its first argument."""

    @pass_context
    def call(context: Context, *args: Any) -> Any:
        return function(context["page"], *args)

    return call


def untranslated(templates: Path, catalogue: Catalogue) -> Iterator[Finding]:
    """Interface strings of the templates that the Indonesian catalogue lacks, by template and line."""
    for file, line, message in interface_strings(templates):
        if message not in catalogue.messages:
            yield Finding(
                f"site_templates/{file}",
                line,
                "",
                "untranslated",
                shown(message),
                "an entry in content/locale/id/messages.po",
            )


def interface_strings(templates: Path) -> Iterator[tuple[str, int, str]]:
    """(template, line, English text) of each first use of an interface string."""
    seen = set()
    for path in sorted(templates.rglob("*.html")):
        text = path.read_text("utf-8")
        for match in CALL.finditer(text):
            message = match[1] or match[2]
            if message not in seen:
                seen.add(message)
                yield path.relative_to(templates).as_posix(), text.count("\n", 0, match.start()) + 1, message
