"""``rapor new``: a publisher's own site, whole: program, prose, workflow and an example that builds at once.

The new folder holds the program itself, so that what computed a published number is pinned beside it and
``make site`` needs nothing but the packages of the lock.
"""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import click

PACKAGE = Path(__file__).resolve().parent
PACKED = "starter-files"
"""Folder of the installed package that setup.py fills; a checkout has the same files at its root."""
OWN = re.compile(r"\{# example #\}.*?\{# end #\}\n?", re.DOTALL)
"""What the prose of this repository says of its own example."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def new(folder: Path) -> None:
    """Make FOLDER a publisher's own site, with a small real example that builds at once.

    FOLDER must not exist, or hold nothing but a .git: nothing that is there is ever overwritten.
    """
    if folder.exists() and (not folder.is_dir() or {path.name for path in folder.iterdir()} - {".git"}):
        click.echo(f"{folder}: not an empty folder; name one that does not exist yet", err=True)
        sys.exit(1)
    if not (_root() / "starter").is_dir():
        click.echo("this copy of the program was itself made by rapor new; ask the one that made it", err=True)
        sys.exit(1)
    try:
        _make(folder)
    except OSError as error:
        click.echo(f"{error.filename or folder}: {error.strerror}", err=True)
        sys.exit(1)
    click.echo(f"{folder}: a whole site. Next: cd {folder} && make site, then read README.md.")


def _root() -> Path:
    """Where the files of a new site lie."""
    packed = PACKAGE / PACKED
    return packed if packed.is_dir() else PACKAGE.parent


def _make(folder: Path) -> None:
    root = _root()
    without = shutil.ignore_patterns("__pycache__", PACKED)
    shutil.copytree(PACKAGE, folder / "generator", ignore=without)
    for name in tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["rapor"]["new"]:
        source, target = root / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=without)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    _adopt(folder / "content", root / "starter" / "content")
    shutil.copytree(root / "starter", folder, dirs_exist_ok=True)


def _adopt(content: Path, starter: Path) -> None:
    """Keep the pages that the new site.toml names, without what they say of this repository's example."""
    pages = tomllib.loads((starter / "site.toml").read_text("utf-8"))["page"]
    kept = {content / code / f"{page['path'][code]}.md" for page in pages for code in ("id", "en")}
    for page in content.glob("*/*.md"):
        if page in kept:
            page.write_text(OWN.sub("", page.read_text("utf-8")), "utf-8")
        else:
            page.unlink()
