"""The default site in a real browser: served on loopback, cut off from every other host."""

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
LANGUAGES = ("id", "en")
BASE = "rapor/"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, at the root of its host and in a folder of it as project pages are, and says nothing."""

    def translate_path(self, path: str) -> str:
        """The file that is meant, with or without the base path."""
        return super().translate_path(path.removeprefix(f"/{BASE.rstrip('/')}"))

    def log_message(self, *_: object) -> None:
        """Requests are not printed."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address, with a slash at its end, under which the files in ``folder`` are served."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def address(public: Path) -> Iterator[str]:
    """Where the default site is served, with a slash at the end."""
    with served(public) as address:
        yield address


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
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    yield watch(context, address)
    context.close()


@pytest.fixture
def bare(browser: Browser, address: str) -> Iterator[Watched]:
    """The same without JavaScript, on a phone, below a base path."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    yield watch(context, address + BASE)
    context.close()


def kinds(page: bytes) -> set[tuple[bytes, bytes]]:
    """Every kind of element on a page: its name with each of its classes; steps of a scale are one kind."""
    return {
        (name, re.sub(rb"\d", b"", each))
        for name, classes in re.findall(rb'<(\w+)[^>]* class="([^"]+)"', page)
        for each in classes.split()
    }


@pytest.fixture(scope="session")
def types(site: dict[str, bytes]) -> list[str]:
    """One page of each type and language: of pages that are alike, whatever their suite, the one with the most kinds
    of elements, and then a page for each kind that is still missing."""
    pages = sorted((path for path in site if path.endswith(".html")), key=lambda path: (-len(kinds(site[path])), path))
    prose = [path for path in pages if b'class="reading wide"' in site[path]]
    chosen: dict[tuple[str, ...], str] = {}
    for path in (path for path in pages if path not in prose):
        *folders, name = path.split("/")
        one_of_many = len(folders) == 3 or folders[1:] in (["studi"], ["study"])
        chosen.setdefault((*folders[:1], folders[-1] if one_of_many else name), path)
    found = list(chosen.values())
    for language in LANGUAGES:
        seen = set().union(*(kinds(site[path]) for path in found if path.startswith(language)))
        for path in pages:
            if path.startswith(f"{language}/") and not kinds(site[path]) <= seen:
                found.append(path)
                seen |= kinds(site[path])
    return sorted(found)
