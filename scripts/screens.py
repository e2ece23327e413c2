"""Photographs of the built site, for looking at: every page type, both languages, wide and narrow, light and dark.

    python scripts/screens.py [--public public] [--out screens]
    python scripts/screens.py --readme      # the two pictures that the READMEs show

Needs a Chromium, as the tests do.
"""

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")


def page_types(public: Path) -> list[Path]:
    """One page of each type and language: of every folder and depth the first, and every page at the top."""
    chosen = sorted(public.glob("*.html")) + sorted(public.glob("[ie][dn]/*.html"))
    folders = sorted({page.parent for page in public.rglob("*.html") if len(page.relative_to(public).parts) > 2})
    for folder in folders:
        pages = sorted(folder.glob("*.html"))
        chosen += pages if folder.parent.name in {"id", "en"} else pages[:1]
    return chosen


def photograph(browser: Browser, page: Path, target: Path, width: int, scheme: str, *, whole: bool = True) -> None:
    """One picture of one page."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    tab = context.new_page()
    tab.goto(page.resolve().as_uri())
    tab.screenshot(path=str(target), full_page=whole)
    context.close()


def main() -> None:
    """Write the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--public", type=Path, default=Path("public"))
    parser.add_argument("--out", type=Path, default=Path("screens"))
    parser.add_argument("--readme", action="store_true")
    asked = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        if asked.readme:
            Path("docs").mkdir(exist_ok=True)
            for language in ("id", "en"):
                page = asked.public / language / "index.html"
                photograph(browser, page, Path(f"docs/home.{language}.png"), 1280, "light", whole=False)
            return
        asked.out.mkdir(exist_ok=True)
        for page in page_types(asked.public):
            name = "-".join(page.relative_to(asked.public).with_suffix("").parts)
            for width in WIDTHS:
                for scheme in SCHEMES:
                    photograph(browser, page, asked.out / f"{name}-{width}-{scheme}.png", width, scheme)
        browser.close()
    print(f"{asked.out}: {len(list(asked.out.glob('*.png')))} pictures")


if __name__ == "__main__":
    main()
