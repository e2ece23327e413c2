"""``rapor new`` makes a site that builds at once, from a checkout and from a wheel alike, and overwrites nothing."""

import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import rapor
from tests.conftest import ROOT

pytestmark = pytest.mark.xdist_group("new")
BIN = ROOT / ".venv" / "bin"


def run(command: str, folder: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAPOR_")}
    done = subprocess.run(shlex.split(command), cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new") / "mine"
    done = CliRunner().invoke(rapor, ["new", str(folder)])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def public(made: Path) -> Path:
    """The new site, built by the command of its README; the packages are those that are installed already."""
    (made / ".venv").mkdir()
    (made / ".venv" / "bin").symlink_to(BIN)
    (made / ".venv" / "site").touch()
    run("make site", made)
    return made / "public"


def test_the_new_site_passes_the_audit_from_outside(public: Path) -> None:
    said = run(f"{BIN}/rapor verify {public} --json", public)
    assert '"passed": true' in said or '"passed":true' in said
    assert len(list(public.glob("*/contoh-v1/task/*"))) + len(list(public.glob("*/contoh-v1/tugas/*"))) == 18


def test_its_workflow_is_the_one_that_is_tested_and_its_steps_are_there(made: Path, public: Path) -> None:
    workflow = (made / ".github" / "workflows" / "pages.yml").read_text("utf-8")
    assert workflow == (ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8")
    assert "\n\t$(BIN)/build-site\n" in (made / "Makefile").read_text("utf-8")
    assert (made / "requirements.lock").read_bytes() == (ROOT / "requirements.lock").read_bytes()


def test_a_reader_is_told_that_it_is_an_example_and_whose(public: Path) -> None:
    home = {code: (public / code / "index.html").read_text("utf-8") for code in ("id", "en")}
    assert "What you see is the example that comes with the program" in home["en"]
    assert "Yang Anda lihat adalah contoh bawaan programnya" in home["id"]
    about = (public / "en" / "about.html").read_text("utf-8")
    assert "The publisher has not said yet who they are" in about


def test_nothing_that_is_true_of_this_repository_alone_is_taken_over(made: Path, public: Path) -> None:
    prose = "".join(path.read_text("utf-8") for path in (made / "content").glob("*/*.md"))
    assert "{#" not in prose
    pages = "".join(path.read_text("utf-8") for path in public.rglob("*.html"))
    for ours in ("holds no API keys", "first Monday", "lie in the code repository", "No vendor pays", "nsid-v1-rerun"):
        assert ours not in pages
    assert not list((made / "results").rglob("*held_out*"))


@pytest.mark.parametrize("what", ["file", "folder with a file"])
def test_what_is_there_is_never_overwritten(what: str, tmp_path: Path) -> None:
    target = tmp_path / "there"
    if what == "file":
        target.write_text("mine", "utf-8")
    else:
        target.mkdir()
        (target / "mine.txt").write_text("mine", "utf-8")
    before = tree(tmp_path)
    done = CliRunner().invoke(rapor, ["new", str(target)])
    assert done.exit_code == 1
    assert "not an empty folder" in done.output
    assert tree(tmp_path) == before


def test_a_repository_without_files_is_empty_enough(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    assert CliRunner().invoke(rapor, ["new", str(tmp_path)]).exit_code == 0
    assert (tmp_path / ".git" / "HEAD").exists()
    assert (tmp_path / "Makefile").exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    done = CliRunner().invoke(rapor, ["new", str(tmp_path / "file" / "site")])
    assert done.exit_code == 1
    assert "Not a directory" in done.output


def test_a_wheel_makes_the_same_site(made: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "generator", source / "generator", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("content", "site_templates", "starter", ".github"):
        shutil.copytree(ROOT / name, source / name)
    for name in (
        "pyproject.toml",
        "setup.py",
        "MANIFEST.in",
        "README.md",
        "LICENSE",
        ".gitignore",
        "requirements.lock",
    ):
        shutil.copy2(ROOT / name, source / name)
    run(f"{sys.executable} -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir {tmp_path} .", source)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from generator.cli import rapor; rapor()"
    run(f'{sys.executable} -c "{start}" {tmp_path / "installed"} new {tmp_path / "site"}', tmp_path)
    ours = {path: data for path, data in tree(made).items() if not path.startswith(("public/", ".venv/"))}
    assert tree(tmp_path / "site") == ours


def test_a_site_made_so_makes_no_further_ones(made: Path, tmp_path: Path) -> None:
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from generator.cli import rapor; rapor()"
    told = [sys.executable, "-c", start, str(made), "new", str(tmp_path / "site")]
    done = subprocess.run(told, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ask the one that made it" in done.stderr
