"""Somebody with a reveal and a lock, of any day and any site, checks the one against the other in the browser."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from generator.cli import rapor
from generator.store.layout import Layout
from tests.site.conftest import Watched
from tests.store.make_mini import MINI, SUITE

PAGES = {"en": "en/downloads.html", "id": "id/unduhan.html"}
SAID = {
    "en": ("{}: matches the lock.", "{}: does not match the lock.", "{}: not in this lock.", "These are not lines"),
    "id": ("{}: cocok dengan kuncinya.", "{}: tidak cocok dengan kuncinya.", "{}: tidak ada di berkas kunci ini.",
           "Ini bukan baris"),
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A reveal of two tasks, and the lock that committed to them."""
    results = Path(shutil.copytree(MINI, tmp_path_factory.mktemp("revealed") / "results"))
    done = CliRunner().invoke(
        rapor, ["suite", "reveal", SUITE, "f-kosakata", "f-terjemahan", "--results", str(results)]
    )
    assert done.exit_code == 0, done.output
    return Layout(results).reveals(SUITE), Layout(results).suite_lock(SUITE)


def choose(page: Page, *paths: Path) -> None:
    page.locator("[data-reveal-check] input").set_input_files(paths)


def said(page: Page, *lines: str) -> None:
    expect(page.locator("[data-reveal-check] li")).to_have_text(list(lines))


@pytest.mark.parametrize("code", PAGES)
def test_both_files_chosen_in_any_order_are_compared(code: str, watched: Watched, files: tuple[Path, Path]) -> None:
    page, same = watched.open(PAGES[code]), SAID[code][0]
    choose(page, files[1], files[0])
    said(page, same.format("f-kosakata"), same.format("f-terjemahan"))
    page.reload()
    choose(page, files[0])
    said(page)
    choose(page, files[1])
    said(page, same.format("f-kosakata"), same.format("f-terjemahan"))
    assert (watched.console, watched.foreign) == ([], [])


@pytest.mark.parametrize("code", PAGES)
def test_a_changed_text_a_missing_line_and_nonsense_are_told_apart(
    code: str, watched: Watched, files: tuple[Path, Path], tmp_path: Path
) -> None:
    page, (same, other, absent, malformed) = watched.open(PAGES[code]), SAID[code]
    changed, shorter = tmp_path / "reveal.jsonl", tmp_path / "suite.lock.jsonl"
    changed.write_text(files[0].read_text("utf-8").replace("Kula kesah", "Kulo kesah"), "utf-8")
    shorter.write_text(
        "".join(line for line in files[1].read_text("utf-8").splitlines(keepends=True) if "f-kosakata" not in line)
    )
    choose(page, changed, files[1])
    said(page, same.format("f-kosakata"), other.format("f-terjemahan"))
    choose(page, files[0], shorter)
    said(page, absent.format("f-kosakata"), same.format("f-terjemahan"))
    page.locator("[data-reveal-check] textarea").first.fill('{"id": 1}')
    expect(page.locator("[data-reveal-check] li")).to_contain_text([malformed])
    assert watched.console == []


def test_lines_can_be_pasted_and_files_dropped(watched: Watched, files: tuple[Path, Path]) -> None:
    page, same = watched.open(PAGES["en"]), SAID["en"][0]
    reveals, lock = page.locator("[data-reveal-check] textarea").all()
    reveals.fill(files[0].read_text("utf-8").splitlines()[1])
    lock.fill(files[1].read_text("utf-8"))
    said(page, same.format("f-terjemahan"))
    page.reload()
    texts = [path.read_text("utf-8") for path in files]
    page.locator("[data-reveal-check]").evaluate(
        """(box, texts) => {
          const data = new DataTransfer();
          texts.forEach((text, at) => data.items.add(new File([text], at + ".jsonl")));
          box.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        texts,
    )
    said(page, same.format("f-kosakata"), same.format("f-terjemahan"))


def test_what_a_file_says_is_shown_as_text(watched: Watched) -> None:
    page = watched.open(PAGES["en"])
    reveals, lock = page.locator("[data-reveal-check] textarea").all()
    reveals.fill('{"id":"<img src=x onerror=alert(1)>","salt":"0","task":"{}"}')
    lock.fill('{"id":"a","commitment":"0"}')
    said(page, "<img src=x onerror=alert(1)>: not in this lock.")
    assert page.locator("[data-reveal-check] img").count() == 0
    assert watched.foreign == []


def test_it_works_in_a_copy_opened_from_a_folder(browser: Browser, public: Path, files: tuple[Path, Path]) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((public / PAGES["en"]).as_uri())
    choose(page, *files)
    said(page, "f-kosakata: matches the lock.", "f-terjemahan: matches the lock.")
    context.close()


def test_without_a_script_the_commands_stand_there_and_the_box_does_not(bare: Watched) -> None:
    page = bare.open(PAGES["en"])
    expect(page.get_by_text("rapor suite check-reveal reveal.jsonl suite.lock.jsonl")).to_be_visible()
    expect(page.get_by_text("| sha256sum")).to_be_visible()
    expect(page.locator("[data-reveal-check]")).to_be_hidden()
