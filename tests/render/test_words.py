"""Every slug that the code can give has words, every string of the templates is translated, and none is left over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from generator.render.content import Content
from generator.render.environment import interface_strings, untranslated
from tests.conftest import ROOT

READERS = {"render", "verify", "collect", "store", "outside"}
"""Rooms whose slugs never reach a page."""
PLACES = {"Undefined": ("withheld", "slug"), "Withheld": ("withheld", "slug"), "Recipe": ("method", "method"),
          "recipe": ("method", "method"), "_recipe": ("method", "method"), "Mark": ("reason", "reason"),
          "technical": ("reason", "reason")}  # fmt: skip
"""Callable -> group of words, and the argument that holds the slug (or the first one)."""


def constants(node: ast.expr | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def slugs() -> set[tuple[str, str]]:
    found = set()
    for path in sorted((ROOT / "generator").rglob("*.py")):
        if path.relative_to(ROOT / "generator").parts[0] in READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name in PLACES:
                    group, argument = PLACES[name]
                    keywords = {each.arg: each.value for each in node.keywords}
                    value = keywords.get(argument) or (node.args[0] if node.args else None)
                    found |= {(group, slug) for slug in constants(value)}
    return found


@pytest.mark.parametrize("code", ["id", "en"])
def test_every_slug_in_the_code_has_words(code: str, content: Content) -> None:
    words = content.catalogue.words[code]
    assert len(slugs()) > 50
    assert [each for each in sorted(slugs()) if each[1] not in words[each[0]]] == []
    assert set(words["method"]) == set(words["method_how"])


def python_strings() -> set[str]:
    """Interface strings that the code asks for, not a template."""
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "generator/render").rglob("*.py")))
    return set(re.findall(r'\.(?:gettext|message)\(\s*"([^"]+)"', text))


def test_templates_and_code_have_no_untranslated_string(content: Content, templates: Path) -> None:
    assert list(untranslated(templates, content.catalogue)) == []
    assert python_strings() <= set(content.catalogue.messages)


def test_no_translation_is_left_over(content: Content, templates: Path) -> None:
    used = python_strings() | {message for _, _, message in interface_strings(templates)}
    assert [text for text in content.catalogue.messages if text not in used] == []


def test_interface_strings_are_those_that_jinja_sees(templates: Path) -> None:
    env = Environment(autoescape=True, extensions=["jinja2.ext.i18n"])
    wanted = set()
    for path in templates.rglob("*.html"):
        found = env.extract_translations(path.read_text("utf-8"))  # type: ignore[attr-defined]
        wanted |= {message if isinstance(message, str) else message[0] for _, _, message in found}
    assert {message for _, _, message in interface_strings(templates)} == wanted


def test_no_sentence_is_left_over(content: Content) -> None:
    """Each rule is named in the code, whole or up to the slug that ends it."""
    code = "".join(path.read_text("utf-8") for path in sorted((ROOT / "generator/render").glob("*.py")))
    started = tuple(re.findall(r'f"([a-z]+_[a-z_]*)\{', code))
    assert [
        slug for slug in content.catalogue.sentences if f'"{slug}"' not in code and not slug.startswith(started)
    ] == []
