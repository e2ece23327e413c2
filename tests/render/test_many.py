"""From two services to a hundred: the comparison stays whole, and no page explodes."""

import gzip
import random
import re
from functools import cache

import msgspec
import pytest

from generator.outside.expected import pairs as expected_pairs
from generator.outside.printed import Comparison, read_printed
from generator.publish.board_views import PAIRS_ON_A_PAGE, BoardView
from generator.render import render
from generator.render.content import Content, load_content
from generator.verify import links
from generator.verify.pages import read_page
from generator.verify.site import Site
from tests.conftest import ROOT
from tests.publish import sample as stored
from tests.render import sample

replace = msgspec.structs.replace


@cache
def board(services: int) -> BoardView:
    """Six categories of two tasks, services of falling strength; invented."""
    source = random.Random(services)  # noqa: S311 - invented scores, no secret
    table = {
        f"s{k:03d}": {
            name: [100 if source.random() > 0.8 * k / services else source.choice([0, 25, 50, 75]) for _ in range(2)]
            for name in "pqrstu"
        }
        for k in range(services)
    }
    return replace(stored.board(table), jury=sample.board().jury)


@cache
def rendered(services: int) -> dict[str, bytes]:
    view = board(services)
    all_services = tuple(row.service for row in (*view.rows, *view.unranked))
    site = replace(
        sample.site(),
        main=view,
        boards=(view,),
        studies=(),
        series=(),
        reruns=(),
        corrections=(),
        services=all_services,
    )
    content: Content = load_content(ROOT / "content")
    return render(site, content, ROOT / "site_templates")


def compare_pages(services: int, code: str = "en") -> dict[str, str]:
    """Path -> text of every page that compares."""
    word = {"en": "compare", "id": "bandingkan"}[code]
    return {path: data.decode() for path, data in rendered(services).items() if path.startswith(f"{code}/s/{word}")}


@pytest.mark.parametrize("services", [2, 11])
def test_few_services_are_compared_on_one_page(services: int) -> None:
    pages = compare_pages(services)
    assert list(pages) == ["en/s/compare.html"]
    (text,) = pages.values()
    assert len(re.findall(r"<li id=\"s\d+--s\d+\"", text)) == services * (services - 1) // 2
    assert "data-far" not in text


def test_twelve_services_are_compared_on_pages_of_their_own() -> None:
    assert PAIRS_ON_A_PAGE < 66
    pages = compare_pages(12)
    assert len(pages) == 1 + 11
    assert "data-far" in pages["en/s/compare.html"]


def test_a_hundred_services_make_no_page_explode() -> None:
    """Measured: the matrix of 9,900 cells takes 1.1 MB, 46 kB as sent; a page of pairs at most a third of that."""
    files = rendered(100)
    heaviest = {path: len(data) for path, data in files.items() if path.endswith(".html")}
    assert max(heaviest.values()) < 1_300_000
    assert max(len(gzip.compress(files[path])) for path in heaviest) < 100_000
    parts = [path for path in heaviest if "/compare/" in path or "/bandingkan/" in path]
    assert len(parts) == 2 * 99
    assert max(heaviest[path] for path in parts) < 400_000
    assert sum(heaviest.values()) < 120_000_000


@pytest.mark.parametrize("services", [2, 12, 100])
@pytest.mark.parametrize("code", ["en", "id"])
def test_every_pair_stands_exactly_once_and_every_cell_of_the_matrix_leads_to_it(services: int, code: str) -> None:
    pages = compare_pages(services, code)
    where = [name for text in pages.values() for name in re.findall(r"<li id=\"(s\d+--s\d+)\"", text)]
    assert len(where) == len(set(where)) == services * (services - 1) // 2
    matrix = next(text for path, text in pages.items() if path.endswith(("compare.html", "bandingkan.html")))
    cells = re.findall(r'<td class="num"><a class="(?:shown|open)" href="[^"#]*#(s\d+--s\d+)">', matrix)
    assert len(cells) == services * (services - 1)
    assert set(cells) == set(where)


def test_links_among_a_dozen_services_resolve() -> None:
    files = rendered(12)
    site = Site(
        files=files, pages={path: read_page(path, data) for path, data in files.items() if path.endswith(".html")}
    )
    assert not [finding for finding in links.check_links(site) if finding.blocking]


def test_the_auditor_reads_pairs_wherever_they_stand() -> None:
    """The check from outside holds every page of a split comparison against the data, and misses no pair."""
    view = board(12)
    made = type("Made", (), {"pairs": view.pairs, "compared": view.compared})()
    compared = Comparison()
    for path, data in rendered(12).items():
        if path.startswith("en/s/compare"):
            key = path.removesuffix(".html").rpartition("/")[2]
            expected_pairs(compared, read_printed(path, data), made, key)
    assert not compared.faults
    assert compared.compared >= 66 * (1 + 2 + 1 + 3)


def test_a_changed_figure_on_a_page_of_pairs_is_found() -> None:
    view = board(12)
    made = type("Made", (), {"pairs": view.pairs, "compared": view.compared})()
    path = next(path for path in rendered(12) if path.startswith("en/s/compare/"))
    data = rendered(12)[path].decode()
    place = data.index("<tbody>")
    changed = data[:place] + re.sub(
        r'value="(-?)(\d+)', lambda found: f'value="{found[1]}{int(found[2]) + 1}', data[place:], count=1
    )
    compared = Comparison()
    expected_pairs(compared, read_printed(path, changed.encode()), made, path.removesuffix(".html").rpartition("/")[2])
    assert compared.faults
