"""The site as its reader uses it: choosing a language, sorting, filtering, comparing, checking a hash, printing."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.conftest import BASE, Watched, watch

BOARDS = {"id": "papan-peringkat.html", "en": "leaderboard.html"}
DROP = "text => { const it = new DataTransfer(); it.items.add(new File([text], 'dropped')); return it; }"
COMPARE = {"id": "bandingkan.html", "en": "compare.html"}


def find(site: dict[str, bytes], language: str, name: str) -> str:
    """The page of that name that the header of the home page leads to."""
    link = re.search(rf'href="([^"]*/{re.escape(name)})"', site[f"{language}/index.html"].decode())
    assert link
    return f"{language}/{link[1]}"


def column(page: Page, table: str, index: int) -> list[float]:
    rows = page.locator(f"{table} tbody tr:visible")
    return [
        float(rows.nth(row).locator("td, th").nth(index).locator("data").first.get_attribute("value") or "nan")
        for row in range(rows.count())
    ]


def test_the_root_leads_to_both_languages(bare: Watched) -> None:
    for own, name in (("id", "Bahasa Indonesia"), ("en", "English")):
        page = bare.open("index.html")
        page.get_by_role("link", name=name).click()
        assert page.url.endswith(f"/{own}/index.html")
        assert page.locator("html").get_attribute("lang") == own


def test_the_switch_stays_on_the_page_and_in_its_section(watched: Watched) -> None:
    page = watched.open("id/metodologi.html#reproducibility")
    page.get_by_role("link", name="English").click()
    assert page.url.endswith("/en/methodology.html#reproducibility")
    page.get_by_role("link", name="Bahasa Indonesia").click()
    assert page.url.endswith("/id/metodologi.html#reproducibility")


@pytest.mark.parametrize("language", ["id", "en"])
def test_a_table_sorts_by_click_and_key_and_says_so(language: str, watched: Watched, site: dict[str, bytes]) -> None:
    page = watched.open(find(site, language, BOARDS[language]))
    table = "table[data-name=categories]"
    button = page.locator(f"{table} th:nth-child(2) button.sort")
    button.click()
    values = column(page, table, 1)
    assert values == sorted(values, reverse=True)
    head = page.locator(f"{table} th:nth-child(2)")
    expect(head).to_have_attribute("aria-sort", "descending")
    button.press("Enter")
    assert column(page, table, 1) == sorted(values)
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert page.locator(f"{table} [aria-sort]").count() == 1
    said = page.locator("p[role=status]").text_content() or ""
    assert {"id": "menaik", "en": "rising"}[language] in said
    assert "sort-categories=1a" in page.url
    page.reload()
    assert column(page, table, 1) == sorted(values)
    assert watched.console == []


def test_every_column_of_every_table_sorts_and_no_row_is_lost(watched: Watched, site: dict[str, bytes]) -> None:
    page = watched.open(find(site, "id", BOARDS["id"]))
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert page.locator("button.sort").count() > 8
    for table in page.locator("table[data-sortable]").all():
        rows = sorted(table.locator("tbody tr").all_inner_texts())
        for head in table.locator("th:has(button.sort)").all():
            head.locator("button.sort").click()
            expect(head).to_have_attribute("aria-sort", re.compile("ascending|descending"))
            assert sorted(table.locator("tbody tr").all_inner_texts()) == rows
    assert watched.console == []


@pytest.mark.parametrize("name", ["vendor", "route", "complete", "ranked"])
def test_a_filter_hides_rows_in_all_tables_and_stays_in_the_address(
    name: str, watched: Watched, site: dict[str, bytes]
) -> None:
    page = watched.open(find(site, "en", BOARDS["en"]))
    everything = page.locator("tr[data-service]")
    field = page.locator(f"[data-filters] [data-filter={name}]")
    if field.get_attribute("type") == "checkbox":
        wanted = "yes"
        field.press("Space")
    else:
        wanted = everything.last.get_attribute(f"data-{name}") or ""
        field.select_option(wanted)
    kept = [each for each in everything.all() if each.get_attribute(f"data-{name}") == wanted]
    for _ in ("chosen", "loaded again"):
        assert page.locator("tr[data-service]:visible").count() == len(kept)
        assert all(each.is_visible() for each in kept)
        assert f"{name}=" in page.url
        page.reload()
    assert watched.console == []


def test_columns_can_be_hidden_and_what_is_shown_saved(watched: Watched, site: dict[str, bytes]) -> None:
    page = watched.open(find(site, "en", BOARDS["en"]))
    page.locator("[data-filters] summary").press("Enter")
    page.get_by_role("checkbox", name="Automatic").press("Space")
    expect(page.locator("#table-totals th[data-col=automatic]")).to_be_hidden()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save what is shown as CSV").click()
    with Path(caught.value.path()).open(encoding="utf-8", newline="") as file:
        heads, *rows = csv.reader(file)
    assert "Automatic" not in heads
    shown = page.locator("#table-totals tbody tr:visible")
    assert [row[heads.index("Total")] for row in rows] == [
        each.get_attribute("value") for each in shown.locator("td.strong data").all()
    ]
    page.reload()
    expect(page.locator("#table-totals th[data-col=automatic]")).to_be_hidden()


@pytest.mark.parametrize("language", ["id", "en"])
def test_two_services_are_chosen_and_shared_by_address(language: str, watched: Watched, site: dict[str, bytes]) -> None:
    page = watched.open(find(site, language, COMPARE[language]))
    first, second = page.locator("[data-side=a]"), page.locator("[data-side=b]")
    names = [each.get_attribute("value") or "" for each in first.locator("option").all()][1:3]
    first.select_option(names[0])
    second.select_option(names[1])
    assert page.locator("table[data-name=pairs] tbody tr:visible").count() == 1
    assert page.locator("ul.claims > li:visible").count() == 1
    assert re.search(rf"[?&]a={re.escape(names[0])}", page.url)
    page.locator(".tongue").click()
    other = {"id": "en", "en": "id"}[language]
    expect(page.locator(f"html[lang={other}] table[data-name=pairs] tbody tr:visible")).to_have_count(1)
    assert watched.console == []


def test_a_figure_leads_to_its_recipe(bare: Watched) -> None:
    page = bare.open("en/index.html")
    page.locator("main a.figure").first.click()
    note = page.locator(page.url[page.url.index("#") :])
    expect(note).to_be_visible()
    assert "n = " in (note.text_content() or "")


def test_a_hash_is_checked_in_the_browser(watched: Watched, public: Path, tmp_path: Path) -> None:
    page = watched.open("en/downloads.html")
    row = page.locator("tr[data-sha256]").first
    path = row.locator("a").first.get_attribute("href") or ""
    field, said = page.locator("[data-hash-check] input"), page.locator("[data-hash-check] [role=status]")
    field.set_input_files(public / path.removeprefix("../"))
    expect(said).to_contain_text("the hash is in the list")
    changed = tmp_path / "scores.csv"
    changed.write_bytes((public / path.removeprefix("../")).read_bytes() + b" ")
    field.set_input_files(changed)
    expect(said).to_contain_text("no file in the list has this hash")
    text = (public / path.removeprefix("../")).read_text("utf-8")
    dropped = page.evaluate_handle(DROP, text)
    page.locator("[data-hash-check]").dispatch_event("drop", {"dataTransfer": dropped})
    expect(said).to_contain_text("the hash is in the list")
    assert watched.foreign == []


def test_the_prompt_of_a_task_is_copied(watched: Watched, site: dict[str, bytes]) -> None:
    page = watched.open(next(path for path in sorted(site) if "/task/" in path))
    page.get_by_role("button", name="Copy the prompt").press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#prompt-text").text_content()


def test_a_hash_is_checked_in_a_copy_opened_from_a_folder(browser: Browser, public: Path) -> None:
    """There a browser refuses scripts with an integrity hash; the auditor's copy works all the same."""
    context = browser.new_context()
    page = context.new_page()
    page.goto((public / "en" / "downloads.html").as_uri())
    page.locator("[data-hash-check] input").set_input_files(public / "data" / "nsid-v1" / "scores.csv")
    expect(page.locator("[data-hash-check] [role=status]")).to_contain_text("data/nsid-v1/scores.csv")
    context.close()


def test_it_opens_from_a_folder(browser: Browser, public: Path) -> None:
    """Without a server and a script there is the same page in the same dress."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((public / "index.html").as_uri())
    page.get_by_role("link", name="English").click()
    assert page.locator("body").evaluate("e => getComputedStyle(e).margin") == "0px"
    page.get_by_role("link", name="Methodology").first.click()
    assert page.url.endswith("/en/methodology.html")
    context.close()


def test_it_works_under_a_base_path(browser: Browser, address: str) -> None:
    context = browser.new_context()
    watched = watch(context, address + BASE)
    page = watched.open("index.html")
    page.get_by_role("link", name="English").click()
    page.get_by_role("link", name="Leaderboard").first.click()
    page.locator("button.sort").first.click()
    watched.open("404.html").get_by_role("link").last.click()
    assert page.url.endswith("/en/index.html")
    assert (watched.console, watched.foreign) == ([], [])
    context.close()


def test_it_prints_on_few_sheets(watched: Watched, site: dict[str, bytes]) -> None:
    sheets = watched.open(find(site, "id", BOARDS["id"])).pdf(prefer_css_page_size=True)
    assert 1 < len(re.findall(rb"/Type\s*/Page\b", sheets)) < 8
