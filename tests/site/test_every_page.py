"""Every type of page, in both languages, light and dark, on a phone and on a desk."""

from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, Route

from tests.site.conftest import LANGUAGES, Watched, watch

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OF_COLOUR = ["color-contrast", "link-in-text-block"]
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
PAPER = {"width": 688, "height": 1000}  # what the margins leave of A4
RUN = """async ([type, values]) => {
  const found = await axe.run(document, {runOnly: {type, values}, resultTypes: ["violations"], preload: false});
  return found.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.target + " " + n.failureSummary));
}"""
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? []
  : [document.documentElement.scrollWidth + " px", ...[...document.querySelectorAll("body *")]
      .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.parentElement.closest(".region"))
      .slice(0, 3).map(e => e.outerHTML.slice(0, 160))]"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
MOVED = """() => new Promise(done => {
  const found = [];
  new PerformanceObserver(list => { for (const each of list.getEntries()) for (const one of each.sources)
    found.push((one.node?.outerHTML ?? String(one.node?.textContent)).slice(0, 80)); })
    .observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(found.slice(0, 3)), 50)));
})"""
ALIKE = """() => {
  for (const parent of document.querySelectorAll("main *")) {
    const count = {};
    for (const child of [...parent.children]) {
      const kind = child.localName + child.className + [...child.children].map(each => each.className);
      count[kind] = (count[kind] || 0) + 1;
      if (count[kind] > 5) child.remove();
    }
  }
}"""
SAID = """() => {
  const copy = document.querySelector("main").cloneNode(true);
  copy.querySelectorAll(".needs-script, button, [role=status]").forEach(each => each.remove());
  return copy.textContent.split(/\\s+/).join(" ");
}"""
UNSEEN = """() => [...document.querySelectorAll("main data, main time")]
  .filter(each => !each.closest("details") && !each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
  .map(each => each.outerHTML)"""
STOPS = """() => {
  const all = [...document.querySelectorAll("*")];
  window.stops = [];
  document.addEventListener("focusin", event => window.stops.push(
    [all.indexOf(event.target), getComputedStyle(event.target).outlineStyle]));
  document.querySelectorAll("details").forEach(each => { each.open = true; });
  const wanted = ":is(a[href], button, select, input, textarea, summary, [tabindex='0']):not(:disabled)";
  const usable = each => each.matches(wanted) && each.checkVisibility({visibilityProperty: true});
  return all.flatMap((each, at) => usable(each) ? [at] : []);
}"""


@pytest.fixture(scope="module")
def shared(browser: Browser, address: str) -> Iterator[Watched]:
    context = browser.new_context(viewport=DESK)  # type: ignore[arg-type]
    yield watch(context, address)
    context.close()


def own(types: list[str], language: str) -> list[str]:
    """The pages of one language; those of both go with Indonesian."""
    english = [path for path in types if path.startswith("en/")]
    return english if language == "en" else [path for path in types if path not in english]


def opened_slowly(watched: Watched, path: str) -> tuple[Page, list[str]]:
    """A page whose script comes only when the page has been painted without it, and what that made move."""
    held: list[Route] = []
    page = watched.page

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/assets/rapor.js", hold)
    page.goto(watched.address + path, wait_until="commit")
    page.wait_for_function(PAINTED)
    for route in held:
        route.continue_()
    page.unroute("**/assets/rapor.js")
    page.wait_for_load_state("load")
    return page, [f"{path} {page.viewport_size} moved: {each}" for each in page.evaluate(MOVED)]


def test_there_are_pages_of_every_type(types: list[str]) -> None:
    assert {"id/index.html", "id/unduhan.html", "id/koreksi.html", "index.html", "404.html"} <= {*types}
    names = [len([path for path in types if path.startswith(f"{language}/")]) for language in LANGUAGES]
    assert names[0] == names[1] >= 12


@pytest.mark.parametrize("language", LANGUAGES)
def test_painted_before_the_script_and_unmoved_by_it_within_the_width_and_the_rules(
    language: str, types: list[str], shared: Watched
) -> None:
    """At both widths: all rules in light; those of colour again in dark, since no other depends on the scheme.

    The rules see five of each kind of neighbours that are alike, such as rows: the sixth has nothing new to show.
    """
    faults = []
    for size in (DESK, PHONE):
        shared.page.set_viewport_size(size)  # type: ignore[arg-type]
        for path in own(types, language):
            page, moved = opened_slowly(shared, path)
            faults += moved
            faults += [f"{path} {size['width']} too wide: {each}" for each in page.evaluate(WIDER)]
            page.evaluate(ALIKE)
            page.evaluate(AXE)
            for scheme, rules in (("light", ["tag", TAGS]), ("dark", ["rule", OF_COLOUR])):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                faults += [f"{path} {size['width']} {scheme}: {each}" for each in page.evaluate(RUN, rules)]
            page.emulate_media(color_scheme="light")
    assert faults == []
    assert shared.console == []
    assert shared.foreign == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_the_same_without_javascript(
    language: str, types: list[str], shared: Watched, bare: Watched
) -> None:
    """Every word and figure is there, and every figure is shown or in a fold that opens by itself."""
    for path in (path for path in own(types, language) if path.startswith(language)):
        page = bare.open(path)
        assert page.evaluate(SAID) == shared.open(path).evaluate(SAID), path
        assert page.evaluate(UNSEEN) == [], path
        for control in page.locator(".needs-script").all():
            assert not control.is_visible(), path
    assert (bare.console, bare.foreign) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_control_is_reached_by_keyboard(language: str, types: list[str], shared: Watched) -> None:
    """Tab visits everything that a pointer can use, in the order of the page, and shows where it is."""
    for path in own(types, language):
        page = shared.open(path)
        page.evaluate(ALIKE)
        wanted = page.evaluate(STOPS)
        for _ in range(len(wanted) + 5):
            page.keyboard.press("Tab")
        stops = page.evaluate("window.stops")
        seen = [at for at, _ in stops[: len(wanted)]]
        assert set(wanted) <= {at for at, _ in stops}, path
        assert seen == sorted(seen), path
        assert "none" not in {outline for _, outline in stops}, path


def test_every_page_fits_on_paper(types: list[str], shared: Watched) -> None:
    """Dark ink on white, whatever the scheme, nothing cut off at the right and nothing to press."""
    shared.page.set_viewport_size(PAPER)  # type: ignore[arg-type]
    shared.page.emulate_media(media="print", color_scheme="dark")
    for path in (path for path in types if not path.startswith("duel/")):  # a sheet to judge on is no reading
        page = shared.open(path)
        assert page.evaluate(WIDER) == [], path
        assert page.locator("button:visible, select:visible, .head nav:visible").count() == 0, path
        assert page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)", path
    shared.page.emulate_media(media="screen", color_scheme="light")
    shared.page.set_viewport_size(DESK)  # type: ignore[arg-type]


def test_every_page_opens_from_a_folder(types: list[str], browser: Browser, public: Path) -> None:
    """Dressed and with what its script adds; nothing is asked for that is not in the folder."""
    context = browser.new_context()
    page = context.new_page()
    lost: list[str] = []
    page.on("requestfailed", lambda request: lost.append(request.url))
    page.on("pageerror", lambda error: lost.append(str(error)))
    page.on("request", lambda request: request.url.startswith(("file:", "data:")) or lost.append(request.url))
    for path in own(types, "id"):
        page.goto((public / path).as_uri())
        assert page.locator("body").evaluate("each => getComputedStyle(each).margin") == "0px", path
        assert page.locator("table[data-sortable]:not(:has(button.sort))").count() == 0, path
    context.close()
    assert lost == []


def test_the_first_stop_skips_to_the_content(shared: Watched) -> None:
    page = shared.open("en/index.html")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
