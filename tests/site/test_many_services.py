"""A dozen services, whose pairs stand on pages of their own, compared in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.render.test_many import board, rendered
from tests.site.conftest import Watched, served, watch


@pytest.fixture
def dozen(browser: Browser, tmp_path: Path) -> Iterator[Watched]:
    for path, data in rendered(12).items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    with served(tmp_path) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        yield watch(context, address)
        context.close()


def test_two_services_chosen_in_either_order_lead_to_their_pair(dozen: Watched) -> None:
    a, b = board(12).pairs[5].a, board(12).pairs[5].b
    page = dozen.open("en/s/compare.html")
    page.select_option("[data-side=a]", b)
    assert page.locator("[data-compare] [role=status] a").count() == 0
    page.select_option("[data-side=b]", a)
    assert f"a={b}&b={a}" in page.url
    page.reload()
    page.locator("[data-compare] [role=status] a").click()
    page.wait_for_url(f"**/en/s/compare/{a}.html#{a}--{b}")
    expect(page.locator(f"[id='{a}--{b}']")).to_be_visible()
    assert dozen.console == []
    assert dozen.foreign == []


def test_the_matrix_of_many_services_stays_inside_its_region(dozen: Watched) -> None:
    page = dozen.open("id/s/bandingkan.html")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
