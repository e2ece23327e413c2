"""The main pages look as they were accepted: small pictures of an invented site, compared block by block.

``make accept`` takes new pictures of the pages that changed; look at them before they are committed.

Letters come from two fonts of the test extra, have their exact widths and are not hyphenated, so that lines break alike
on every machine. A block is the mean colour of 32 by 32 pixels on a desk, of 16 by 16 on a phone. Another release of
the browser, other fonts and other smoothing stay within the tolerance; a moved line, a missing mark or another colour
does not.
"""

import base64
from collections.abc import Iterator
from pathlib import Path

import font_source_sans_pro
import font_source_serif_pro
import pytest
from playwright.sync_api import Browser, Page

from generator.deliver import deliver
from generator.render import render
from generator.render.content import load_content
from tests.conftest import ROOT
from tests.render import sample
from tests.site.conftest import served

PICTURES = Path(__file__).with_name("pictures")
READ = Path(__file__).with_name("pictures.js").read_text("utf-8")
HEIGHT = 1600
STEP = {390: 2, 1280: 4}
TOLERANCE = 16
"""Levels of 255 by which the mean of a block may differ."""
PAGES = {
    "home": ("id/index.html", "en/index.html"),
    "leaderboard": ("id/contoh-v1/papan-peringkat.html", "en/contoh-v1/leaderboard.html"),
    "compare": ("id/contoh-v1/bandingkan.html", "en/contoh-v1/compare.html"),
    "model": ("id/contoh-v1/model/layanan-a.html", "en/contoh-v1/model/layanan-a.html"),
    "task": ("id/contoh-v1/tugas/mns-01.html", "en/contoh-v1/task/mns-01.html"),
    "study": ("id/studi/contoh-studi.html", "en/study/contoh-studi.html"),
}
SHOTS = [
    shot
    for turn, (name, (own, english)) in enumerate(PAGES.items())
    for shot in (
        (f"{name}-390", own, 390, ("light", "dark")[turn % 2]),
        (f"{name}-1280", english, 1280, ("dark", "light")[turn % 2]),
    )
]
FACES = {
    ("serif", 400, "normal"): font_source_serif_pro.font_files_ttf["SourceSerifPro"],
    ("serif", 700, "normal"): font_source_serif_pro.font_files_ttf["SourceSerifProBold"],
    ("serif", 400, "italic"): font_source_serif_pro.font_files_ttf["SourceSerifProIt"],
    ("sans", 400, "normal"): font_source_sans_pro.font_files_ttf["SourceSansPro"],
    ("sans", 700, "normal"): font_source_sans_pro.font_files_ttf["SourceSansProBold"],
}
LETTERS = (
    "".join(
        f"@font-face {{ font-family: picture-{family}; font-weight: {weight}; font-style: {style};"
        f" src: url(data:font/ttf;base64,{base64.b64encode(Path(file).read_bytes()).decode()}); }}\n"
        for (family, weight, style), file in FACES.items()
    )
    + ":root { --serif: picture-serif !important; --sans: picture-sans !important; --mono: picture-sans !important; }"
    + "* { hyphens: manual !important; text-wrap: wrap !important; text-rendering: geometricPrecision; }"
)
LOADED = "() => Promise.all([...document.fonts].map(face => face.load())).then(faces => faces.length)"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("pictures")
    deliver(render(sample.site(), load_content(ROOT / "content"), ROOT / "site_templates"), folder / "public")
    with served(folder / "public") as address:
        yield address


@pytest.fixture(scope="module")
def eye(browser: Browser) -> Iterator[Page]:
    """A blank page that reads pictures."""
    page = browser.new_page()
    yield page
    page.close()


def photographed(browser: Browser, address: str, width: int, scheme: str, spoilt: str = "") -> str:
    """The top of a page as an address of data, with more style where a test spoils it."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT}, color_scheme=scheme, bypass_csp=True  # type: ignore[arg-type]
    )  # fmt: skip
    page = context.new_page()
    page.goto(address)
    page.add_style_tag(content=LETTERS + spoilt)
    assert page.evaluate(LOADED) == len(FACES)
    picture = base64.b64encode(page.screenshot(animations="disabled")).decode()
    context.close()
    return f"data:image/png;base64,{picture}"


def seen(eye: Page, photograph: str, accepted: Path, width: int) -> tuple[bytes, list[str]]:
    """The small picture, and the blocks that differ from the accepted one."""
    old = f"data:image/jpeg;base64,{base64.b64encode(accepted.read_bytes()).decode()}" if accepted.exists() else ""
    small, blocks = eye.evaluate(READ, [photograph, old, STEP[width]])
    picture = base64.b64decode(small.partition(",")[2])
    if blocks is None:
        return picture, ["no accepted picture of this size"]
    return picture, [f"at {x}, {y} by {apart}" for apart, x, y in sorted(blocks, reverse=True) if apart > TOLERANCE]


@pytest.mark.parametrize(("name", "path", "width", "scheme"), SHOTS, ids=[shot[0] for shot in SHOTS])
def test_a_page_looks_as_accepted(
    name: str, path: str, width: int, scheme: str, root: str, browser: Browser, eye: Page, tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    accepted = PICTURES / f"{name}.jpg"
    picture, apart = seen(eye, photographed(browser, root + path, width, scheme), accepted, width)
    if apart and request.config.getoption("--accept"):
        accepted.write_bytes(picture)
        apart = []
    (tmp_path / accepted.name).write_bytes(picture)
    assert not apart, f"{tmp_path / accepted.name} differs from {accepted}; if it is meant: make accept"


SPOILT = {
    "links of another colour": ("leaderboard-390", ":root { --pen: #92591f !important; }"),
    "eight pixels more above the page": ("leaderboard-1280", ".head { margin-bottom: 2rem !important; }"),
    "a column that is gone": ("leaderboard-1280", "[data-table=totals] :is(th, td):nth-child(3) { display: none; }"),
    "bars without their ranges": ("leaderboard-390", ".bar .range { stroke: none !important; }"),
    "no brackets": ("leaderboard-390", ".brackets i { border-color: transparent !important; }"),
}


def shot(name: str) -> tuple[str, str, int, str]:
    """The shot of that name."""
    return next(each for each in SHOTS if each[0] == name)


@pytest.mark.parametrize(("name", "style"), SPOILT.values(), ids=SPOILT)
def test_a_change_would_be_noticed(name: str, style: str, root: str, browser: Browser, eye: Page) -> None:
    _, path, width, scheme = shot(name)
    assert seen(eye, photographed(browser, root + path, width, scheme, style), PICTURES / f"{name}.jpg", width)[1]


def test_half_a_pixel_is_no_change(root: str, browser: Browser, eye: Page) -> None:
    """Every edge is smoothed in another way then, as another machine may do."""
    name, path, width, scheme = shot("leaderboard-390")
    photograph = photographed(browser, root + path, width, scheme, "body { transform: translate(0.5px, 0.5px); }")
    assert seen(eye, photograph, PICTURES / f"{name}.jpg", width)[1] == []


def test_the_pictures_are_those_of_the_pages_and_small() -> None:
    files = sorted(PICTURES.iterdir())
    assert [file.stem for file in files] == sorted(shot[0] for shot in SHOTS)
    assert sum(file.stat().st_size for file in files) < 300_000
