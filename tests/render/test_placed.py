"""The charts of the evidence stand on their pages, each with the table of its numbers."""

from typing import Any

import lxml.html
import pytest

PLACED = {
    "interval-plot": ("contoh-v1/leaderboard.html", "totals"),
    "heat-table": ("contoh-v1/leaderboard.html", "by-category"),
    "discrimination": ("contoh-v1/leaderboard.html", "spread"),
    "forest": ("contoh-v1/compare.html", "pairs"),
    "block-panel": ("study/contoh-studi.html", "blocks"),
    "series": ("study/contoh-studi.html", "series"),
}
"""Key of a chart -> its page, and the table with its numbers."""


def page(files: dict[str, bytes], path: str) -> Any:
    return lxml.html.document_fromstring(files[f"en/{path}"])


@pytest.mark.parametrize("chart", PLACED)
def test_a_chart_stands_on_its_page_with_a_takeaway_and_its_table(chart: str, sample_site: dict[str, bytes]) -> None:
    path, table = PLACED[chart]
    tree = page(sample_site, path)
    (figure,) = tree.xpath(f"//figure[.//svg[contains(@aria-labelledby, '{chart}-title')]]")
    assert len(figure.xpath("string(./figcaption)").strip()) > 20
    assert figure.xpath("string(.//svg/title)")
    assert tree.xpath(f"//table[@data-table='{table}']//data"), "the same numbers in a table"


def numbers(element: Any) -> set[str]:
    """The figures written in it, without signs that the language draws otherwise."""
    return {text.strip().lstrip("+−-") for text in element.itertext() if text.strip().lstrip("+−-")[:1].isdigit()}


@pytest.mark.parametrize("chart", ["interval-plot", "heat-table", "forest"])
def test_every_number_of_a_chart_stands_in_its_table(chart: str, sample_site: dict[str, bytes]) -> None:
    path, name = PLACED[chart]
    tree = page(sample_site, path)
    (drawing,) = tree.xpath(f"//svg[contains(@aria-labelledby, '{chart}-title')]")
    tables = tree.xpath(f"//table[@data-table='{name}' or @data-table='unranked']")
    written = {text for text in numbers(drawing) if "." in text}
    assert written
    assert written <= set().union(*map(numbers, tables))


def test_tasks_that_separate_nobody_are_named(sample_site: dict[str, bytes]) -> None:
    text = page(sample_site, "contoh-v1/leaderboard.html").text_content()
    assert "Tasks that separate nobody: png-01." in " ".join(text.split())
