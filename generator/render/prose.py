"""Prose pages: expressions over the data, then Markdown, then links between pages. Part of ``render``.

Expressions run first, in a sandbox, and leave a numbered slot in the text; Markdown is set around the slots; then each
slot takes its value, escaped. So no value can become Markdown, and Markdown cannot reach into a value.
"""

import re
import traceback
from collections.abc import Mapping

from jinja2 import TemplateError
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from generator.findings import Finding, shown
from generator.records import Record
from generator.render.addresses import slug
from generator.render.content import EXPRESSION, ProsePage
from generator.render.environment import prose_environment
from generator.render.sheet import Sheet
from generator.render.visible import visible

SLOT = re.compile("\ue000(\\d+)\ue001")
SLOT_IN_ADDRESS = "%EE%80%80"
HEADING_LINE = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


class Section(Record, frozen=True, kw_only=True):
    """A heading of the second level, for the table of contents."""

    anchor: str
    title: Markup


class SetProse(Record, frozen=True, kw_only=True):
    """A prose page as HTML."""

    lead: Markup
    """What stands before the first heading of the second level."""
    body: Markup
    sections: tuple[Section, ...]


class Setter:
    """Sets prose pages; the parser and the sandbox are made once."""

    def __init__(self, values: Mapping[str, object]) -> None:
        """Take the names that expressions may use."""
        self._values = values
        self._markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
        self._env = prose_environment()

    def set(self, page: ProsePage, sheet: Sheet, found: list[Finding]) -> SetProse:
        """The page in the language of ``sheet``; faults of its expressions and links are added to ``found``."""
        prose = page.texts[sheet.language.code]
        values: list[Markup] = []
        source = self._evaluated(page, sheet, values, found)
        tokens = self._markdown.parse(source)
        sections = _anchored(tokens, anchors(page), values)
        _linked(tokens, page, sheet, found)
        tokens = _tabled(tokens, sheet.language.gettext("Table"))
        html = self._markdown.renderer.render(tokens, self._markdown.options, {})
        if SLOT_IN_ADDRESS in html:
            found.append(_finding(prose.file, 0, "expression-in-address", "{{ … }} in a link", "a written address"))
        before, mark, after = _filled(html, values).partition("<h2")
        # safe: the parser passes no HTML through, and slots hold escaped values
        lead, body = Markup(before), Markup(mark + after)  # noqa: S704
        return SetProse(lead=lead, body=body, sections=sections)

    def _evaluated(self, page: ProsePage, sheet: Sheet, values: list[Markup], found: list[Finding]) -> str:
        """The Markdown with a slot in the place of each expression's value."""

        def keep(value: object) -> str:
            values.append(visible(value) if type(value) is str else escape(value))
            return f"\ue000{len(values) - 1}\ue001"

        prose = page.texts[sheet.language.code]
        if "\ue000" in prose.body or "\ue001" in prose.body:
            found.append(_finding(prose.file, 0, "private-character", "U+E000 or U+E001", "other characters"))
            return ""
        env = self._env.overlay(finalize=keep)
        try:
            return env.from_string(prose.body).render(self._values, page=sheet)
        except (TemplateError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            line = prose.first_line + _line(error) - 1
            found.append(_finding(prose.file, line, "bad-expression", str(error), "names and filters that exist"))
            return ""


def anchors(page: ProsePage) -> list[str]:
    """The anchors of a page's headings, alike in both languages, so that a section keeps its place in the twin."""
    taken: dict[str, int] = {}
    result = []
    for title in HEADING_LINE.findall(EXPRESSION.sub(" ", page.texts["en"].body)):
        name = slug(title)
        taken[name] = taken.get(name, 0) + 1
        result.append(name if taken[name] == 1 else f"{name}-{taken[name]}")
    return result


def _anchored(tokens: list[Token], names: list[str], values: list[Markup]) -> tuple[Section, ...]:
    """Give each heading its anchor and a link to itself; return those of the second level."""
    sections = []
    heads = [index for index, token in enumerate(tokens) if token.type == "heading_open"]
    for index, name in zip(heads, names, strict=False):
        tokens[index].attrSet("id", name)
        inline = tokens[index + 1]
        opened, closed = Token("link_open", "a", 1), Token("link_close", "a", -1)
        opened.attrSet("href", f"#{name}")
        opened.attrSet("class", "anchor")
        text = "".join(child.content for child in inline.children or ())
        inline.children = [opened, *(inline.children or ()), closed]
        if tokens[index].tag == "h2":
            title = Markup(_filled(str(escape(text)), values))  # noqa: S704 - escaped here, values when kept
            sections.append(Section(anchor=name, title=title))
    return tuple(sections)


def _linked(tokens: list[Token], page: ProsePage, sheet: Sheet, found: list[Finding]) -> None:
    """Turn ``keterbatasan.md`` and ``page:leaderboard`` into links of this site."""
    prose = page.texts[sheet.language.code]
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open" and child.attrs.get("class") != "anchor":
                target = str(child.attrs["href"])
                address = sheet.page_link(target)
                if address is None:
                    line = prose.first_line + (token.map[0] if token.map else 0)
                    found.append(_finding(prose.file, line, "unknown-link", target, "a page of this site or https://…"))
                else:
                    child.attrSet("href", address)


def _tabled(tokens: list[Token], label: str) -> list[Token]:
    """Tables inside a region that scrolls by itself; alignment as a class, since the policy allows no style."""
    result = []
    for token in tokens:
        if token.type in {"th_open", "td_open"} and token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "num")
        around = Token("html_block", "", 0)
        if token.type == "table_open":
            around.content = f'<div class="region" role="group" aria-label="{escape(label)}" tabindex="0">\n'
            result.append(around)
        result.append(token)
        if token.type == "table_close":
            around.content = "</div>\n"
            result.append(around)
    return result


def _filled(html: str, values: list[Markup]) -> str:
    return SLOT.sub(lambda match: str(values[int(match[1])]), html)


def _line(error: Exception) -> int:
    """Line of the template in which an error arose."""
    if hasattr(error, "lineno"):
        return int(error.lineno or 1)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
    return lines[-1] or 1 if lines else 1


def _finding(file: str, line: int, kind: str, seen: str, expected: str) -> Finding:
    return Finding(file=file, line=line, field="", slug=kind, found=shown(seen, 160), expected=expected)
