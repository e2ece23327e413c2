"""The judging page in a real browser, from a file, by keys: it tells nothing, sends nothing, forgets nothing."""

import base64
import json
import re
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, sync_playwright

from generator.audit.duel import tallies
from generator.records import Ballot, StoredDuel
from generator.render.catalogue import LANGUAGES
from generator.render.content import load_content
from generator.render.environment import environments
from generator.render.judging import judging_page
from generator.render.language import Language
from tests.audit import small

ROOT = Path(__file__).resolve().parent.parent.parent
HOSTILE = "</script><script>document.title='caught'</script><img src=x onerror=\"document.title='caught'\">\u202e"


def built(duel: StoredDuel) -> bytes:
    catalogue = load_content(ROOT / "content").catalogue
    envs = environments(ROOT / "site_templates", [Language(code, catalogue) for code in LANGUAGES])
    declared = duel.declared
    return judging_page(
        declared.id, declared.question, duel.sheet, declared.sheet_sha256, envs, ROOT / "site_templates"
    )


@pytest.fixture(scope="module")
def duel() -> StoredDuel:
    made = small.duel(small.PILOT)
    first = msgspec.structs.replace(made.sheet[0], left=HOSTILE)
    return msgspec.structs.replace(made, sheet=(first, *made.sheet[1:]))


@pytest.fixture(scope="module")
def file(duel: StoredDuel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("judge") / "lembar.html"
    path.write_bytes(built(duel))
    return path


@pytest.fixture
def page(file: Path, tmp_path: Path) -> Iterator[Page]:
    """The page opened from its file in a browser that keeps its storage in ``tmp_path``."""
    executable = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=executable,
            headless=True,
            args=["--no-sandbox"],
            accept_downloads=True,
        )
        asked: list[str] = []
        said: list[str] = []
        opened = context.new_page()
        opened.on("request", lambda request: asked.append(request.url))
        opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.goto(file.as_uri())
        _settle(opened)
        yield opened
        assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
        assert said == []
        context.close()


def _settle(page: Page) -> None:
    """A new profile may lose what is stored while the browser still starts; a test begins when storage has held."""
    held = 0
    for value in map(str, range(40)):
        page.evaluate("value => localStorage.setItem('settle', value)", value)
        page.wait_for_timeout(100)
        page.reload()
        held = held + 1 if page.evaluate("localStorage.getItem('settle')") == value else 0
        if held == 5:
            break
    assert held == 5
    page.evaluate("localStorage.clear()")
    page.reload()


def test_nothing_in_the_file_tells_which_side_is_which(duel: StoredDuel) -> None:
    """The same bytes whatever the key says; no task id that would lead to the published reference."""
    other = msgspec.structs.replace(duel, key=None, opening=None, ballots=())
    assert built(duel) == built(other)
    data = json.loads(re.findall(rb'id="sheet">(.*?)</script>', built(duel), re.DOTALL)[0])
    assert set(data) == {"duel", "sheet_sha256", "question", "pairs"}
    assert {key for pair in data["pairs"] for key in pair} == {"pair", "source", "left", "right"}
    text = built(duel).decode()
    assert duel.key is not None
    assert duel.key.salt not in text
    assert duel.declared.service not in text
    assert duel.sheet[0].task_id not in text


def test_only_its_own_script_may_run(duel: StoredDuel) -> None:
    text = built(duel).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 1
    allowed = base64.b64encode(sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src &#39;sha256-{allowed}&#39;" in policy
    assert "unsafe" not in policy
    assert "default-src &#39;none&#39;" in policy
    assert not re.findall(r"""(?:src|href)=["'](?!#)""", text)


def test_twenty_pairs_by_keys_note_resume_and_export(page: Page, duel: StoredDuel) -> None:
    """Every ballot of the pilot cast with the arrow keys, half of them after loading the file again."""
    keys = {"left": "ArrowLeft", "tie": "ArrowDown", "right": "ArrowRight"}
    assert page.locator("#left").inner_text().startswith("</script><script>")
    assert page.title() == "Mana dari keduanya yang lebih baik?"
    for ballot in duel.ballots[:10]:
        page.keyboard.press(keys[ballot.choice])
    page.keyboard.press("n")
    page.keyboard.type("1 2 3 sama saja")
    page.keyboard.press("Escape")
    assert page.locator("#done").inner_text() == "10 dari 20 sudah dinilai"
    page.reload()
    assert page.locator("#place").inner_text() == "Pasangan 11 dari 20"
    assert page.locator("#note").input_value() == "1 2 3 sama saja"
    page.get_by_role("button", name="English").click()
    assert page.locator("#place").inner_text() == "Pair 11 of 20"
    for ballot in duel.ballots[10:]:
        page.keyboard.press(keys[ballot.choice])
    assert page.locator("#all").is_visible()
    export = page.get_by_role("button", name="Export ballots")
    assert export.is_disabled(), "ballots without a name could not be told apart"
    page.locator("#judge").fill("penyusun")
    with page.expect_download() as waiting:
        export.click()
    taken = Path(waiting.value.path()).read_text("utf-8").splitlines()
    ballots = tuple(msgspec.json.decode(line, type=Ballot) for line in taken)
    assert [(b.pair, b.choice) for b in ballots] == [(b.pair, b.choice) for b in duel.ballots]
    assert ballots[10].note == "1 2 3 sama saja"
    (tally,) = tallies(msgspec.structs.replace(duel, ballots=ballots))
    assert (tally.judge, tally.ties, tally.service, tally.reference) == ("penyusun", 11, 5, 4)


def test_a_choice_can_be_changed_and_typing_is_no_vote(page: Page) -> None:
    page.keyboard.press("1")
    page.keyboard.press("PageUp")
    assert page.locator('[data-choice="left"]').get_attribute("aria-pressed") == "true"
    page.keyboard.press("3")
    page.keyboard.press("PageUp")
    assert page.locator('[data-choice="right"]').get_attribute("aria-pressed") == "true"
    page.locator("#judge").fill("")
    page.locator("#judge").press("2")
    assert page.locator("#done").inner_text() == "1 dari 20 sudah dinilai"


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_it_is_accessible_and_fits_a_phone(page: Page, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:2]) for each in found] == []
