"""Every figure explains itself: it leads, without a script, to how it was made and to the rows it was made from."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import lxml.html
import msgspec
import pytest

from generator.records import Recipe, Withheld
from generator.render.content import Content
from generator.uncertainty.undefined import REASONS
from tests.conftest import ROOT
from tests.publish import sample as stored
from tests.render import sample

PLAIN = {
    "requests", "passed", "failed", "technical", "cost", "distinct", "disputed", "won", "tied",
    "lost", "spread", "changed", "identical", "answers", "repeats", "rank", "reason", "score", "unusable", "verdicts",
}  # fmt: skip
"""Columns of plain counts and stored values: their heads say what is counted, and nothing was computed."""
STORED = {None, "scores", "task-scores"}
"""Tables of stored scores, task by task, and of settings: these are the rows that figures are made from."""
DEFINED = {("contoh-ulang", "difference")}
"""The caption defines it wholly: second minus first, from the totals as printed."""
PAGES = {
    "leaderboard": "contoh-v1/leaderboard.html",
    "compare": "contoh-v1/compare.html",
    "study": "study/contoh-studi.html",
    "re-run": "rerun.html",
    "model": "contoh-v1/model/layanan-a.html",
    "category": "contoh-v1/category/knowledge.html",
}
NOTE = ".//a[starts-with(@href, '#note-')]"


def tree(files: dict[str, bytes], page: str) -> Any:
    return lxml.html.document_fromstring(files[f"en/{page}"])


def bare_cells(table: Any) -> Iterator[str]:
    """Figures of a table that lead to no recipe: neither from the cell, nor from its head, nor from the caption."""
    heads = table.xpath("./thead/tr[1]/*")
    if table.get("data-table") in STORED or table.xpath("./caption" + NOTE[1:]):
        return
    for row in table.xpath("./tbody/tr"):
        explained = False
        for head, cell in zip(heads, row.xpath("./*"), strict=True):
            column = head.get("data-col") or ""
            if column.endswith("interval"):
                if cell.xpath(".//data") and not explained:
                    yield f"{table.get('data-table')} {column}: {cell.text_content().strip()}"
                continue
            explained = bool(cell.xpath(NOTE) or head.xpath(NOTE))
            if (table.get("data-table"), column) in DEFINED:
                continue
            if cell.xpath(".//data") and column not in PLAIN and not explained:
                yield f"{table.get('data-table')} {column or head.text_content()}: {cell.text_content().strip()}"


@pytest.mark.parametrize("page", PAGES)
def test_every_figure_in_a_table_leads_to_its_recipe(page: str, sample_site: dict[str, bytes]) -> None:
    tables = tree(sample_site, PAGES[page]).xpath("//main//table")
    assert tables
    assert not [found for table in tables for found in bare_cells(table)]


def test_the_check_above_would_notice() -> None:
    table = lxml.html.fragment_fromstring(
        '<table data-table="t"><thead><tr><th>S</th><th data-col="total">T</th></tr></thead>'
        '<tbody><tr><th>a</th><td><data value="1">1</data></td></tr></tbody></table>'
    )
    assert list(bare_cells(table)) == ["t total: 1"]


@pytest.mark.parametrize("code", ["id", "en"])
def test_every_recipe_of_every_page_is_led_to(code: str, sample_site: dict[str, bytes]) -> None:
    """No recipe stands at the end of a page that no figure refers to, and no reference leads nowhere."""
    seen = 0
    for path, data in sample_site.items():
        if path.startswith(f"{code}/") and path.endswith(".html"):
            text = data.decode()
            notes = set(re.findall(r'<li id="(note-\d+)"', text))
            assert notes == set(re.findall(r'href="#(note-\d+)"', text)), path
            seen += len(notes)
    assert seen > 50


@pytest.mark.parametrize("page", [name for name in PAGES if name != "category"])
def test_a_recipe_says_method_n_grader_and_formula_and_where_the_rows_are(
    page: str, sample_site: dict[str, bytes]
) -> None:
    (notes,) = tree(sample_site, PAGES[page]).xpath("//section[contains(@class, 'notes')]")
    for note in notes.xpath(".//li"):
        text = note.text_content()
        if "Withheld" in text:
            continue
        assert re.search(r"n = [\d,]+ \w+", text)
        assert len(note.xpath("./strong")[0].text_content()) > 3
        assert len(text) > 60, "a formula in words"
    links = [link.get("href") for link in notes.xpath(".//a")]
    rows = [link.rpartition("/data/")[2] for link in links if "/data/" in link]
    assert rows
    assert all(f"data/{row}" in sample_site for row in rows)
    assert any(link.endswith("methodology.html") for link in links)


def test_hovering_a_figure_or_its_head_already_tells_the_recipe(sample_site: dict[str, bytes]) -> None:
    for page in PAGES.values():
        untold = [link for link in tree(sample_site, page).xpath("//main" + NOTE[1:]) if not link.get("title")]
        assert [link.text_content() for link in untold] == []


def test_nothing_of_this_needs_a_script(sample_site: dict[str, bytes]) -> None:
    for page in PAGES.values():
        assert not tree(sample_site, page).xpath("//section[contains(@class, 'notes')]//*[@data-show or @hidden]")


# words


def inside(value: object) -> Iterator[msgspec.Struct]:
    """Every record in a view, at whatever depth."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from inside(getattr(value, name))
    elif isinstance(value, list | tuple | set):
        for each in value:
            yield from inside(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from inside(each)


@cache
def views() -> tuple[object, ...]:
    """Views of every kind: the sample site, and runs with what it lacks."""
    even = {"a": stored.passes([4] * 4, 5), "b": stored.passes([2] * 4, 5)}
    sequential = stored.comparison(stop=stored.Stop(rule="sequential", method="e_process_2x2"))
    fisher = stored.comparison(primary=stored.Primary(metric="first_pass_rate", between=("a", "b"), test="fisher"))
    table: stored.Table = {"a": {"p": [100, 0, 50]}, "b": {"p": [0, 0, 25]}}
    return (
        sample.site(), stored.study(even), stored.study(even, sequential), stored.study(even, fisher),
        stored.board(table), stored.rerun(table, {"a": {"p": [100, 0, 25]}, "b": {"p": [0, 50, 25]}}),
    )  # fmt: skip


def calls_in(folder: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call in the modules of a room, with the name that is called."""
    for path in sorted((ROOT / "generator" / folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def literal(node: ast.AST | None) -> set[str]:
    """The texts that an expression may give."""
    found = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)} if node else set()
    return {text for text in found if isinstance(text, str) and text}


def written_methods() -> set[str]:
    """Method slugs as the source writes them: ``Recipe(method="…")`` and the first argument of ``recipe``."""
    found: set[str] = set()
    for folder in ("publish", "."):
        for name, call in calls_in(folder):
            if name == "Recipe":
                found |= literal(next((each.value for each in call.keywords if each.arg == "method"), None))
            elif name in {"recipe", "_recipe"} and call.args:
                found |= literal(call.args[0])
    return found


@pytest.mark.parametrize("code", ["id", "en"])
def test_every_method_has_a_name_and_a_formula_in_words(code: str, content: Content) -> None:
    words = content.catalogue.words[code]
    used = {each.method for view in views() for each in inside(view) if isinstance(each, Recipe)}
    assert len(used) > 20
    methods = used | written_methods()
    assert methods <= set(words["method"])
    assert methods <= set(words["method_how"])
    assert set(words["method"]) == set(words["method_how"])


def test_no_method_is_explained_that_is_not_used(content: Content) -> None:
    source = "".join(path.read_text("utf-8") for path in sorted((ROOT / "generator").rglob("*.py")))
    assert not [slug for slug in content.catalogue.words["en"]["method"] if f'"{slug}"' not in source]


@pytest.mark.parametrize("code", ["id", "en"])
def test_every_reason_for_a_missing_figure_has_words(code: str, content: Content) -> None:
    words = content.catalogue.words[code]["withheld"]
    shown = {each.slug for view in views() for each in inside(view) if isinstance(each, Withheld)}
    written = {
        slug
        for folder in ("publish", ".")
        for name, call in calls_in(folder)
        if name == "Withheld"
        for slug in literal(next((each.value for each in call.keywords if each.arg == "slug"), None))
    }
    assert set(REASONS) <= set(words)
    assert shown <= set(words)
    assert written <= set(words)


@pytest.mark.parametrize("code", ["id", "en"])
def test_words_for_a_reason_use_only_facts_that_come_with_it(code: str, content: Content) -> None:
    """A slot that one of the places does not fill would stop the build when that place is reached."""
    words = content.catalogue.words[code]["withheld"]
    wrong = []
    for folder in ("uncertainty", "publish", "aggregate", "."):
        for name, call in calls_in(folder):
            if name not in {"Undefined", "Withheld"}:
                continue
            named = {each.arg: each.value for each in call.keywords}
            slugs = call.args[0] if call.args else named.get("slug")
            facts = call.args[1] if len(call.args) > 1 else named.get("facts")
            keys = literal_keys(facts)
            if keys is None:
                continue
            for slug in literal(slugs) & set(words):
                slots = set(re.findall(r"\{(\w+)\}", words[slug]))
                if not slots <= keys:
                    wrong.append(f"{slug}: {sorted(slots - keys)} of {sorted(keys)} at line {call.lineno}")
    assert not wrong


def literal_keys(facts: ast.AST | None) -> set[str] | None:
    """The keys of a dictionary written out; empty where there is none, None where it comes from elsewhere."""
    if facts is None:
        return set()
    if isinstance(facts, ast.Dict):
        return {key.value for key in facts.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return None
