"""The default site in a real browser: served on loopback, cut off from every other host."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
LANGUAGES = ("id", "en")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Requests are not printed."""


@pytest.fixture(scope="session")
def address(public: Path) -> Iterator[str]:
    """Where the default site is served, with a slash at the end."""
    handler = functools.partial(Quiet, directory=str(public))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Watched:
    """A page with everything that it says or asks for and should not."""

    page: Page
    address: str
    console: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Go to ``path`` of the site."""
        self.page.goto(self.address + path, wait_until="load")
        return self.page


def watch(context: BrowserContext, address: str) -> Watched:
    """A fresh page that reaches only ``address`` and notes what else it wanted."""
    watched = Watched(context.new_page(), address)

    def gate(route: Route) -> None:
        if route.request.url.startswith(address) or route.request.url.startswith(("data:", "blob:")):
            route.continue_()
        else:
            watched.foreign.append(route.request.url)
            route.abort()

    watched.page.route("**/*", gate)
    watched.page.on("console", lambda message: watched.console.append(message.text))
    watched.page.on("pageerror", lambda error: watched.console.append(str(error)))
    watched.page.on("dialog", lambda dialog: dialog.dismiss())
    return watched


@pytest.fixture
def watched(browser: Browser, address: str) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-write"])
    yield watch(context, address)
    context.close()


@pytest.fixture
def bare(browser: Browser, address: str) -> Iterator[Watched]:
    """The same without JavaScript."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    yield watch(context, address)
    context.close()


@pytest.fixture(scope="session")
def types(site: dict[str, bytes]) -> list[str]:
    """One page of each type and language: the first of each folder, every page that lies by itself, and of the prose
    pages, which are alike, the longest."""
    chosen: dict[str, str] = {}
    prose = {path for path in site if b'class="reading wide"' in site[path]}
    longest = {language: max(sorted(path for path in prose if path[:2] == language), key=lambda path: len(site[path]))
               for language in LANGUAGES}  # fmt: skip
    for path in sorted(path for path in site if path.endswith(".html") and path not in prose):
        folder = path.rpartition("/")[0]
        alone = folder.count("/") < 2 and not path.startswith(("id/studi/", "en/study/"))
        chosen.setdefault(path if alone else folder.split("/", 2)[-1] + folder[:2], path)
    return sorted([*chosen.values(), *longest.values()])
