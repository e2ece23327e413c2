"""The folder that readers see is the old site or the new one: killed, full, forbidden or foreign, at any moment."""

import hashlib
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from generator.deliver import deliver
from generator.findings import Faults

KILLS = int(os.environ.get("KILLS", "12"))
"""Times that each way of swapping is killed; the slow target sets 100."""
ROOT = Path(__file__).resolve().parent.parent


def made(version: int, count: int = 30) -> dict[str, bytes]:
    """A site of which half changes with ``version``."""
    files = {f"id/{n % 5}/{n}.html": f"{n * (version if n % 2 else 1)}\n".encode() * 900 for n in range(count)}
    files[f"only-in-{version}.txt"] = b"x"
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()))
    return {**files, "SHA256SUMS": sums.encode()}


def on_disk(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def beside(out: Path) -> set[str]:
    return {path.name for path in out.parent.iterdir()} - {out.name}


def test_the_new_site_is_there_whole_and_nothing_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "public"
    assert deliver(made(1), out) == len(made(1))
    assert on_disk(out) == made(1)
    assert beside(out) == set()


def test_only_changed_bytes_are_rewritten_and_old_files_go(tmp_path: Path) -> None:
    out = tmp_path / "public"
    deliver(made(1), out)
    before = {path: (out / path).stat() for path in made(1)}
    changed = {path for path, data in made(2).items() if made(1).get(path) != data}
    assert deliver(made(2), out) == len(changed)
    assert on_disk(out) == made(2)
    for path in made(2).keys() - changed:
        after = (out / path).stat()
        assert (after.st_ino, after.st_mtime_ns) == (before[path].st_ino, before[path].st_mtime_ns)
    assert deliver(made(2), out) == 0


def test_an_empty_folder_and_a_link_to_a_folder_are_filled(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "public").symlink_to("real")
    for version in (1, 2):
        deliver(made(version), tmp_path / "public")
        assert (tmp_path / "public").is_symlink()
        assert on_disk(tmp_path / "real") == made(version)


@pytest.mark.parametrize("umask", [0o000, 0o027, 0o077])
def test_permissions_do_not_depend_on_the_umask(umask: int, tmp_path: Path) -> None:
    old = os.umask(umask)
    try:
        deliver(made(1), tmp_path / "public")
    finally:
        os.umask(old)
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in (tmp_path / "public").rglob("*")}
    assert modes == {True: 0o755, False: 0o644}
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("name", ["love.txt", "id/0/love.txt"])
def test_a_file_that_no_build_made_is_not_thrown_away(name: str, tmp_path: Path) -> None:
    out = tmp_path / "public"
    deliver(made(1), out)
    (out / name).write_text("dear", "utf-8")
    with pytest.raises(Faults, match=r"not-our-folder.*love\.txt"):
        deliver(made(2), out)
    assert on_disk(out) == {**made(1), name: b"dear"}


def test_folders_without_hashes_and_plain_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("dear", "utf-8")
    for name in ("letters", "letters/a.txt"):
        with pytest.raises(Faults, match="not-our-folder"):
            deliver(made(1), tmp_path / name)
    assert on_disk(tmp_path) == {"letters/a.txt": b"dear"}


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", "a//b", "./a", "a\nb", "a\\b", "", "a/"])
def test_a_path_that_leads_out_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(Faults, match="unsafe-path"):
        deliver({path: b"x"}, tmp_path / "public")
    assert not (tmp_path / "public").exists()


CHILD = """
import sys
from pathlib import Path
from generator import deliver as module
from tests.test_deliver import made
if sys.argv[2] == "renames":
    module._exchange = lambda one, other: False
print("ready", flush=True)
version = int(sys.argv[3])
while True:
    version = 3 - version
    module.deliver(made(version), Path(sys.argv[1]))
"""


@pytest.mark.parametrize("way", ["exchange", "renames"])
def test_killed_at_any_moment_the_site_is_whole(way: str, tmp_path: Path) -> None:
    """SIGKILL at random moments; by renames, the old site may stand aside until the next build."""
    out, chance = tmp_path / "public", random.Random(20261025)  # noqa: S311 - chance, not a secret
    deliver(made(1), out)
    for turn in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(out), way, str(1 + turn % 2)],
            cwd=ROOT, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert child.stdout
        child.stdout.readline()
        time.sleep(chance.uniform(0, 0.25))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        aside = out.with_name(".public.rapor-old")
        assert out.is_dir() or way == "renames"
        whole = on_disk(out if out.is_dir() else aside)
        assert whole in (made(1), made(2)), f"kill {turn}"
    deliver(made(1), out)
    assert on_disk(out) == made(1)
    assert beside(out) == set()


def test_a_site_that_stands_aside_is_put_back_first(tmp_path: Path) -> None:
    """What a kill between two renames leaves; the next build is refused, and still the site is back."""
    out = tmp_path / "public"
    deliver(made(1), out)
    out.rename(tmp_path / ".public.rapor-old")
    (tmp_path / ".public.rapor-new" / "half").mkdir(parents=True)
    (tmp_path / ".public.rapor-old" / "own.txt").write_text("x", "utf-8")
    with pytest.raises(Faults, match="not-our-folder"):
        deliver(made(2), out)
    assert on_disk(out) == {**made(1), "own.txt": b"x"}
    assert beside(out) == set()


def test_a_full_disk_leaves_the_old_site(tmp_path: Path) -> None:
    """The kernel refuses to write past a limit in the middle of the new site."""
    out = tmp_path / "public"
    deliver(made(1), out)
    larger = {**made(2), "id/9/large.html": bytes(50_000)}
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, old[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            deliver(larger, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert on_disk(out) == made(1)
    assert beside(out) == set()


FORBIDDEN = """
import os, sys
from pathlib import Path
from generator.deliver import deliver
from tests.test_deliver import made
if os.getuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
assert Path(sys.argv[1], "SHA256SUMS").is_file()
try:
    deliver(made(2), Path(sys.argv[1]))
except PermissionError:
    print("refused")
"""


def test_a_folder_that_may_not_be_written_is_left() -> None:
    """As a user without rights, since to root nothing is read-only."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        deliver(made(1), folder / "public")
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", FORBIDDEN, str(folder / "public")],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "refused\n", done.stderr
        assert on_disk(folder / "public") == made(1)
        folder.chmod(0o755)
