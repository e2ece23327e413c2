"""A finished site onto the disk: staged beside the old one and swapped whole. Only ``build`` calls this.

Whatever happens, and whenever, ``out`` is the old site or the new one. Where the system can exchange two folders in
one step (Linux) there is no moment between; elsewhere a build killed between two renames leaves the old site beside
``out``, and the next build puts it back before it does anything else.
"""

import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from generator.findings import Faults, Finding, shown

SUMS = "SHA256SUMS"
"""Lists what an earlier build made; a file that it does not list is somebody's own."""
FOLDER_MODE, FILE_MODE = 0o755, 0o644
AT_FDCWD, RENAME_EXCHANGE = -100, 2
NO_EXCHANGE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM})
"""What a system or a file system says that cannot exchange two folders."""


def deliver(files: Mapping[str, bytes], out: Path) -> int:
    """Put ``files`` at ``out``; the old site stays whole until the new one is complete on disk.

    Files whose bytes did not change are linked, not written; files no longer built are gone with the old folder.

    Args:
        files: relative path -> bytes.
        out: the folder to fill; it need not exist.

    Returns:
        How many files are new or differ from what was there.

    Raises:
        Faults: ``out`` holds something that no build made, or a path leads out of it.
        OSError: the disk is full or not writable; ``out`` is as it was.
    """
    _refuse_paths(files)
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with _alone(out.parent):
        stage, aside = (out.with_name(f".{out.name}.rapor-{role}") for role in ("new", "old"))
        _recover(out, stage, aside)
        _refuse_foreign(out)
        try:
            changed = sum(_stage(stage, out, path, data) for path, data in sorted(files.items()))
            _settle(stage)
            _swap(stage, aside, out)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        shutil.rmtree(aside, ignore_errors=True)
    return changed


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a lock on ``folder``: of two builds at a time the second waits. The system frees it if we die."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _recover(out: Path, stage: Path, aside: Path) -> None:
    """Undo what a killed build left: put a site back that stands aside, remove half a site."""
    if aside.is_dir() and not out.exists():
        aside.rename(out)
    for rest in (stage, aside):
        if rest.exists():
            shutil.rmtree(rest)


def _refuse_paths(files: Mapping[str, bytes]) -> None:
    found = [
        _finding(path, "unsafe-path", shown(path), "a relative path without .. or control characters")
        for path in files
        if PurePosixPath(path).is_absolute()
        or PurePosixPath(path).as_posix() != path
        or ".." in PurePosixPath(path).parts
        or not path.isprintable()
        or "\\" in path
    ]
    if found:
        raise Faults(found)


def _refuse_foreign(out: Path) -> None:
    """Refuse to replace anything that ``SHA256SUMS`` in ``out`` does not list."""
    if not out.exists():
        return
    if not out.is_dir():
        raise Faults([_finding(str(out), "not-our-folder", "a file", "a folder to fill")])
    sums = out / SUMS
    ours = {line[66:] for line in sums.read_text("utf-8", "replace").splitlines()} if sums.is_file() else set()
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_symlink() or not path.is_dir()}
    if foreign := sorted(there - ours - {SUMS}):
        what = f"{len(foreign)} files that no build made: {', '.join(map(shown, foreign[:3]))}"
        todo = "name another --out or move them away"
        raise Faults([_finding(str(out), "not-our-folder", what, "an empty folder or an earlier build", todo)])


def _stage(stage: Path, out: Path, path: str, data: bytes) -> bool:
    target, old = stage / path, out / path
    _folder(target.parent, stage)
    same = _same(old, data)
    if same and _linked(old, target):
        return False
    with target.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    target.chmod(FILE_MODE)
    return not same


def _folder(folder: Path, stage: Path) -> None:
    """Make ``folder`` and what lies between it and ``stage``, readable whatever the umask."""
    if folder.is_dir():
        return
    if folder != stage:
        _folder(folder.parent, stage)
    folder.mkdir()
    folder.chmod(FOLDER_MODE)


def _same(old: Path, data: bytes) -> bool:
    """Whether ``old`` is a plain file with these bytes."""
    plain = old.is_file() and not old.is_symlink()
    return plain and old.stat().st_size == len(data) and old.read_bytes() == data


def _linked(old: Path, target: Path) -> bool:
    """Give ``old`` a second name instead of a copy, where the file system can."""
    if old.stat().st_mode & 0o777 != FILE_MODE:
        return False
    with suppress(OSError):
        os.link(old, target)
        return True
    return False


def _settle(folder: Path) -> None:
    """Make the names in ``folder`` and below last, as ``fsync`` made the bytes last."""
    for each in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        _sync_folder(each)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _swap(stage: Path, aside: Path, out: Path) -> None:
    """``stage`` becomes ``out``; the old site, if any, takes the name of ``stage`` or of ``aside``."""
    if not out.exists():
        stage.rename(out)
    elif not _exchange(stage, out):
        out.rename(aside)
        try:
            stage.rename(out)
        except OSError:
            aside.rename(out)
            raise
    _sync_folder(out.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders trade names in one step; False where the system cannot.

    Raises:
        OSError: it can, and it failed.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in NO_EXCHANGE:
        return False
    raise OSError(code, os.strerror(code), str(other))


def _finding(file: str, slug: str, found: str, expected: str, todo: str = "") -> Finding:
    return Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected, todo=todo)
