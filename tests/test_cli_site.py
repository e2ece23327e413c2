"""``rapor build --check`` and ``rapor serve`` on the small site, as users type them; the same bytes everywhere."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import build_site, rapor
from generator.verify import open_site
from tests.conftest import ROOT

KILLS = int(os.environ.get("KILLS", "3"))
"""Builds that are killed; the long target sets 100."""


def arguments(sources: Path, out: Path) -> list[str]:
    names = {"results": "results", "content": "content", "templates": "site_templates"}
    return [*(f"--{option}={sources / name}" for option, name in names.items()), f"--out={out}"]


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="session")
def built(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "public"
    done = CliRunner().invoke(build_site, arguments(sources, out))
    assert done.exit_code == 0, done.output
    return out


def test_check_passes_what_was_built_and_names_what_was_not(sources: Path, built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "public"
    shutil.copytree(built, copy)
    runner = CliRunner()
    assert runner.invoke(rapor, ["build", "--check", *arguments(sources, copy)]).exit_code == 0
    (copy / "robots.txt").write_text("x", "utf-8")
    (copy / "extra.txt").write_text("x", "utf-8")
    (copy / "index.html").unlink()
    done = runner.invoke(rapor, ["build", "--check", *arguments(sources, copy)])
    assert done.exit_code == 1
    assert {"robots.txt", "extra.txt", "index.html"} <= set(done.output.splitlines())
    assert "3 differ" in done.output


ELSEWHERE = [
    {"TZ": "Asia/Jakarta", "LANG": "id_ID.UTF-8", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    {"TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "4242", "PYTHONUTF8": "0", "COLUMNS": "20"},
]


REVERSED = """
import os
listed, scanned = os.listdir, os.scandir
class Reversed:
    def __init__(self, *given):
        with scanned(*given) as found:
            self.found = iter(list(found)[::-1])
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def __iter__(self): return self.found
    def __next__(self): return next(self.found)
os.listdir, os.scandir = lambda *given: listed(*given)[::-1], Reversed
os.umask(0o077)
from generator.cli import build_site
build_site()
"""
"""A build in a process to which every directory is listed the other way round, and that hides what it writes."""


@pytest.mark.parametrize("environment", ELSEWHERE, ids=["jakarta", "st-johns"])
def test_time_zone_locale_hash_seed_umask_folder_and_order_decide_no_byte(
    environment: dict[str, str], sources: Path, built: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "a folder with ütf-8"
    shutil.copytree(sources, copy)
    (tmp_path / "cwd").mkdir()
    subprocess.run(
        [sys.executable, "-c", REVERSED, *arguments(copy, tmp_path / "public")],
        cwd=tmp_path / "cwd",
        env=os.environ | environment | {"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )
    assert tree(tmp_path / "public") == tree(built)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "public").rglob("*") if path.is_file()}
    assert modes == {0o644}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_who_builds_decides_no_byte(sources: Path, built: Path) -> None:
    """Built by a user without rights, name or home; once before that, as Python may lie where only root can read."""
    code = """
import os, sys
from generator.cli import build_site
build_site([*sys.argv[1:-1], "--out=warm"], standalone_mode=False)
os.setgroups([]), os.setgid(65534), os.setuid(65534)
build_site()
"""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        shutil.copytree(sources, folder / "sources")
        (folder / "sources").chmod(0o755)
        subprocess.run(
            [sys.executable, "-c", code, *arguments(folder / "sources", folder / "public")],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "HOME": "/nowhere", "USER": "nobody", "LOGNAME": "nobody"},
            check=True,
            capture_output=True,
        )
        assert tree(folder / "public") == tree(built)


def test_a_build_killed_at_any_moment_leaves_a_whole_site(sources: Path, built: Path, tmp_path: Path) -> None:
    """SIGKILL anywhere between start and end, while the site in the folder and the one being built differ."""
    other, out = tmp_path / "other", tmp_path / "public"
    shutil.copytree(sources, other)
    settings = other / "content" / "site.toml"
    settings.write_text(settings.read_text("utf-8").replace('name = "', 'name = "Lain '), "utf-8")

    def start(folder: Path, target: Path) -> "subprocess.Popen[bytes]":
        code = "from generator.cli import build_site; build_site()"
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments(folder, target)], cwd=ROOT, stdout=subprocess.DEVNULL
        )

    shutil.copytree(built, out)
    begun = time.monotonic()
    assert start(other, tmp_path / "whole").wait() == 0
    whole, took = (tree(built), tree(tmp_path / "whole")), time.monotonic() - begun
    chance, cut = random.Random(20261201), 0  # noqa: S311 - when a test kills guards no secret
    for turn in range(KILLS):
        build = start((other, sources)[turn % 2], out)
        time.sleep(chance.uniform(0, took))
        cut += build.poll() is None
        build.kill()
        build.wait()
        assert tree(out) in whole, f"kill {turn}"
    assert cut
    assert start(sources, out).wait() == 0
    assert tree(out) == whole[0]
    assert {path.name for path in tmp_path.iterdir()} == {"other", "whole", "public"}


def test_the_date_can_be_set_and_a_base_address_too(sources: Path, built: Path, tmp_path: Path) -> None:
    runner, out = CliRunner(), tmp_path / "public"
    done = runner.invoke(build_site, arguments(sources, out), env={"SOURCE_DATE_EPOCH": "1790000000"})
    assert done.exit_code == 0, done.output
    assert "2026-09-21" in (out / "en" / "feed.xml").read_text("utf-8")
    assert "2026-09-21" not in (built / "en" / "feed.xml").read_text("utf-8")
    assert runner.invoke(build_site, arguments(sources, out), env={"SOURCE_DATE_EPOCH": "soon"}).exit_code == 2
    address = "https://example.org/rapor"
    done = runner.invoke(build_site, [*arguments(sources, out), "--base-url", address])
    assert done.exit_code == 0, done.output
    assert open_site(tree(out)).base == f"{address}/"
    assert runner.invoke(build_site, [*arguments(sources, out), "--base-url", "example.org"]).exit_code == 2


@pytest.fixture
def served(sources: Path, tmp_path: Path) -> Iterator[tuple[str, Path, "subprocess.Popen[str]"]]:
    copy = tmp_path / "sources"
    shutil.copytree(sources, copy)
    code = "from generator.cli import rapor; rapor()"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", code, "serve", "--port=0", *arguments(copy, tmp_path / "untouched")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    address = ""
    for line in process.stdout:
        if line.startswith("http://"):
            address = line.split()[0]
            break
    yield address, copy, process
    process.send_signal(signal.SIGINT)
    process.wait(20)
    process.stdout.close()


def test_serve_shows_a_change_and_keeps_the_last_sound_site(
    served: tuple[str, Path, "subprocess.Popen[str]"], tmp_path: Path
) -> None:
    address, copy, process = served
    assert process.stdout
    page = f"{address}en/index.html"

    def shown() -> str:
        with urllib.request.urlopen(page) as reply:  # noqa: S310 - loopback
            return str(reply.read().decode())

    assert address.startswith("http://127.0.0.1:")
    settings = copy / "content" / "site.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace('name = "Rapor"', 'name = "Rapor Lain"'), "utf-8")
    assert any("built:" in line for line in process.stdout)
    assert "Rapor Lain" in shown()
    time.sleep(0.01)
    settings.write_text("no toml at all [", "utf-8")
    assert any("not built" in line for line in process.stdout)
    assert "Rapor Lain" in shown()
    assert not (tmp_path / "untouched").exists()
