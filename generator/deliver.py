"""A finished site onto the disk: staged beside the old one and swapped whole. Only ``build`` calls this."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from generator.findings import Faults, Finding

MARK = "SHA256SUMS"
"""A folder that holds this file, or nothing at all, is ours to replace."""


def deliver(files: Mapping[str, bytes], out: Path) -> int:
    """Put ``files`` at ``out``; the old site stays whole until the new one is complete on disk.

    Args:
        files: relative path -> bytes.
        out: the folder to fill; it need not exist.

    Returns:
        How many files are new or differ from what was there.

    Raises:
        Faults: ``out`` is not a folder that an earlier build made.
        OSError: the disk is full or not writable; ``out`` is as it was.
    """
    if out.exists() and any(out.iterdir()) and not (out / MARK).is_file():
        raise Faults(
            [
                Finding(
                    file=str(out),
                    line=0,
                    field="",
                    slug="not-our-folder",
                    found="a folder with files and no SHA256SUMS",
                    expected="an empty folder or an earlier build",
                    todo="name another --out or empty it yourself",
                )
            ]
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        changed = sum(_stage(stage, out, path, data) for path, data in sorted(files.items()))
        stage.chmod(0o755)
        _swap(stage, out)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return changed


def _stage(stage: Path, out: Path, path: str, data: bytes) -> bool:
    target, old = stage / path, out / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if old.is_file() and old.read_bytes() == data:
        os.link(old, target)
        return False
    with target.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    target.chmod(0o644)
    return True


def _swap(stage: Path, out: Path) -> None:
    """``stage`` becomes ``out``; the old site, if any, takes the name ``stage`` had and is then removed."""
    if not out.exists():
        stage.rename(out)
        return
    aside = stage.with_name(f"{stage.name}-old")
    out.rename(aside)
    try:
        stage.rename(out)
    except OSError:
        aside.rename(out)
        raise
    shutil.rmtree(aside)
