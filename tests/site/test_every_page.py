"""Every type of page, in both languages, light and dark, on a phone and on a desk."""

from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from tests.site.conftest import Watched, watch

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
RUN = """async ([tags, rules]) => {
  const only = rules.length ? {type: "rule", values: rules} : {type: "tag", values: tags};
  const found = await axe.run(document, {runOnly: only});
  return found.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.target + " " + n.failureSummary));
}"""
WIDER = """() => document.documentElement.scrollWidth > innerWidth
  ? [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1
      && !e.parentElement.closest(".region")).slice(0, 3).map(e => e.outerHTML.slice(0, 160)) : []"""


@pytest.fixture(scope="module")
def shared(browser: Browser, address: str) -> Iterator[Watched]:
    context = browser.new_context(viewport=DESK)  # type: ignore[arg-type]
    yield watch(context, address)
    context.close()


def violations(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
    return list(page.evaluate(RUN, [TAGS, list(rules)]))


def test_there_are_pages_of_every_type(types: list[str]) -> None:
    own = {path for path in types if path.startswith("id/")}
    assert {"id/index.html", "id/unduhan.html", "id/koreksi.html", "index.html", "404.html"} <= {*types}
    assert len(own) >= 12
    assert len(own) == len([path for path in types if path.startswith("en/")])


def test_rules_of_accessibility_and_width(types: list[str], shared: Watched) -> None:
    """axe in full at both widths in light; contrast again in dark, since nothing else depends on the scheme."""
    faults = []
    for path in types:
        page = shared.open(path)
        page.evaluate(AXE)
        for size in (DESK, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme="light")
            faults += [f"{path} {size['width']} light: {each}" for each in violations(page)]
            faults += [f"{path} {size['width']} too wide: {each}" for each in page.evaluate(WIDER)]
        page.emulate_media(color_scheme="dark")
        faults += [f"{path} dark: {each}" for each in violations(page, ("color-contrast",))]
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
    assert faults == []
    assert shared.console == []
    assert shared.foreign == []


def test_the_page_is_whole_without_javascript(types: list[str], site: dict[str, bytes], bare: Watched) -> None:
    """Every figure is there and shown, or in a fold that opens by itself."""
    for path in (path for path in types if "/" in path):
        page = bare.open(path)
        values = page.locator("main data").count()
        assert values == site[path].decode().split("</main>")[0].split("<main", 1)[1].count("<data "), path
        for control in page.locator(".needs-script").all():
            assert not control.is_visible(), path
    assert bare.console == []


def test_every_control_is_reached_by_keyboard(types: list[str], shared: Watched) -> None:
    """Tab visits everything that a pointer can use, in the order of the page, and shows where it is."""
    for path in ("id/index.html", next(path for path in types if path.endswith("/papan-peringkat.html"))):
        page = shared.open(path)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        wanted = page.locator("a[href], button, select, input, summary, [tabindex='0']").count()
        seen = set()
        for _ in range(wanted + 5):
            page.keyboard.press("Tab")
            at = page.evaluate(
                """() => { const e = document.activeElement; const all = [...document.querySelectorAll('*')];
                return [all.indexOf(e), getComputedStyle(e).outlineStyle, e.localName]; }"""
            )
            if at[2] == "body":
                break
            assert at[1] != "none", (path, at)
            seen.add(at[0])
        assert len(seen) == wanted, path


def test_the_first_stop_skips_to_the_content(shared: Watched) -> None:
    page = shared.open("en/index.html")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
