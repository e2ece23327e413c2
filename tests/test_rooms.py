"""Data walks one way through the house: an import that points forward, or a clock in a pure room, fails here."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "generator"

WALK = [
    "records",
    "findings",
    "store",
    "score",
    "uncertainty",
    "aggregate",
    "audit",
    "publish",
    "render",
    "verify",
    "deliver",
    "build",
    "cli",
]
"""The rooms in the order of the walk; a room imports itself and rooms before it."""

WING = {
    "collect": {"records", "findings", "store", "score", "collect"},
    "outside": {"records", "findings", "store", "uncertainty", "aggregate", "audit", "publish", "verify", "outside"},
}
"""The wings and the rooms that each may use. ``collect`` writes results/: the nouns, the store and the planner of the
jury. ``outside`` audits a finished site: everything but what rendered it."""

PURE = {"records", "findings", "score", "uncertainty", "aggregate", "audit", "publish", "verify"}
"""Rooms without clock, file, socket, environment or chance."""
IMPURE = {
    "asyncio",
    "datetime.now",
    "httpx",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "time",
    "urllib.request",
}
NETWORK = {"httpx", "socket", "urllib.request", "http.client", "asyncio"}


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def room(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Every module that a file imports, at whatever depth in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            if node.module == "generator":
                names |= {f"generator.{alias.name}" for alias in node.names}
    return names


def own(names: set[str]) -> set[str]:
    """The rooms among them."""
    return {name.split(".")[1] for name in names if name.startswith("generator.")}


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_backwards(path: Path) -> None:
    name = room(path)
    if name.startswith("cli"):
        return
    used = own(imported(path)) - {"__version__"}
    allowed = WING[name] if name in WING else set(WALK[: WALK.index(name) + 1])
    assert used <= allowed, f"{name} must not import {sorted(used - allowed)}"


@pytest.mark.parametrize(
    "path", [p for p in modules() if room(p) in PURE], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_pure_rooms_touch_nothing_outside(path: Path) -> None:
    touched = imported(path) & IMPURE
    assert not touched, f"a pure room must not import {sorted(touched)}"
    calls = {
        ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
    }
    assert not calls & {"open", "print", "input", "datetime.now", "date.today", "datetime.utcnow"}


def test_every_room_is_on_the_plan() -> None:
    rooms = {room(path) for path in modules()}
    unknown = {name for name in rooms if name not in WALK and name not in WING and not name.startswith("cli_")}
    assert not unknown, f"give {sorted(unknown)} a place in the walk"


def test_build_site_cannot_reach_the_network() -> None:
    """Nothing that the build imports, directly or not, imports a network library of ours."""
    seen: set[str] = set()
    todo = ["generator.build"]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        base = ROOT.parent / Path(*name.split("."))
        path = base.with_suffix(".py") if base.with_suffix(".py").is_file() else base / "__init__.py"
        if not path.is_file():
            continue
        names = imported(path)
        assert not names & NETWORK, f"{name} imports {sorted(names & NETWORK)}"
        todo += [each for each in names if each.startswith("generator")]
    assert "generator.store" in seen


def test_help_is_instant() -> None:
    """The street door imports none of the heavy libraries before a command is chosen."""
    import subprocess

    code = "import sys, generator.cli; print(','.join(sorted(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split(",")
    heavy = {"altair", "pandas", "scipy", "numpy", "jinja2", "markdown_it", "httpx", "rich", "sacrebleu"}
    assert not heavy & {name.split(".")[0] for name in loaded}
