"""How bytes come into ``results/``: appended lines, artifacts by hash, whole files, seals.

A line that is complete is never touched again. Whatever a function here has returned from is on the disk.
"""

import os
import re
from datetime import datetime
from hashlib import file_digest, sha256
from io import FileIO
from pathlib import Path
from typing import BinaryIO

import msgspec

from generator.findings import Faults, Finding, shown
from generator.records import Record, Seal
from generator.store.layout import CONTRACT, PRIVATE, TORN, VERDICTS, Layout
from generator.store.lines import lines

_encode = msgspec.json.Encoder(decimal_format="string").encode
_BLOCK = 1 << 16


def encode(record: Record) -> bytes:
    """``record`` as one JSON line: fields in their declared order, Decimal as string, times with offset.

    Raises:
        ValueError: a text holds a lone surrogate, which UTF-8 cannot store.
    """
    return _encode(record) + b"\n"


def line_hash(record: Record) -> str:
    """SHA-256, in hex, of ``record`` as a stored line, its line feed included: what ``sha256sum`` says of the line."""
    return sha256(encode(record)).hexdigest()


def append(path: Path, record: Record) -> None:
    """Add ``record`` as the last line of ``path`` and return when it is on the disk; creates the file.

    Raises:
        ValueError: the last line is torn (call ``repair`` first), or a text holds a lone surrogate.
        OSError: the disk is full or read-only; what was half written is cut off again.
    """
    line = encode(record)
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if _torn_at(file, size) < size:
            raise ValueError(f"{path.name} ends in a torn line: repair it before appending")
        try:
            while line:  # a raw write may take less than it is given
                line = line[file.write(line) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise
    if is_new:
        _sync_directory(path.parent)


def keep(layout: Layout, data: bytes, ext: str) -> str:
    """Store ``data`` under its SHA-256; gives its path relative to the root, as stored lines name it.

    Raises:
        ValueError: ``ext`` is not one to eight small letters or digits.
    """
    if not re.fullmatch(r"[a-z0-9]{1,8}", ext):
        raise ValueError(f"{ext!r} is not a file ending")
    path = layout.artifact(sha256(data).hexdigest(), ext)
    if not path.exists():
        write_new(path, data)
    return layout.relative(path)


def write_new(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put ``data`` at ``path`` all at once: a crash leaves the old file or the new, nothing between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            _sync(file)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_directory(path.parent)


def keep_secret(layout: Layout, run: str, secret: bytes) -> None:
    """Store the key of a run's ``blind_id`` where ``Layout.secret`` says, readable by its owner only.

    The directory ignores itself in git, so that it cannot be committed by accident.

    Raises:
        FileExistsError: the run has a secret already; a second one would break every ``blind_id``.
    """
    path = layout.secret(run)
    if path.exists():
        raise FileExistsError(f"{path.name}: this run has its secret already")
    write_new(path.parent / ".gitignore", b"*\n")
    write_new(path, secret.hex().encode() + b"\n", mode=0o600)


def secret_of(layout: Layout, run: str) -> bytes | None:
    """The key of a run's ``blind_id``; None where this machine does not have it.

    Raises:
        ValueError: the file is not hex.
    """
    path = layout.secret(run)
    return bytes.fromhex(path.read_text("ascii")) if path.exists() else None


def repair(path: Path) -> Finding | None:
    """Mend a last line that a crash tore, and say what was done; None when there was nothing to mend.

    Where only the newline is missing (the JSON is whole) it is added. Otherwise the torn piece moves to
    ``<name>.torn`` beside the file, behind whatever was cut off before. Complete lines are never touched.
    """
    if not path.exists():
        return None
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        start = _torn_at(file, size)
        file.seek(start)
        piece = file.read()
        if not piece:
            return None
        if _is_whole(piece):
            file.write(b"\n")
            todo = "nothing: the line was whole, its newline was added"
        else:
            _append_bytes(path.with_name(path.name + TORN), piece + b"\n")
            file.truncate(start)
            todo = f"nothing: it was moved to {path.name}{TORN} and counts as never written"
        _sync(file)
    return Finding(
        file=path.name,
        line=0,
        field="",
        slug="torn-line",
        found=shown(piece[:200].decode("utf-8", "backslashreplace")),
        expected="a last line that ends in a newline",
        todo=todo,
        blocking=False,
    )


def seal_run(layout: Layout, run: str, at: datetime, private: Layout | None = None) -> Seal:
    """Close a run: hash its contract, calls and verdicts, count their lines, write ``seal.json``.

    Files of the run in the ``private`` directory are pinned as ``private/<name>``.

    Raises:
        Faults: the run is sealed already, has no contract, or a file ends in a torn line.
    """
    if layout.seal(run).exists():
        raise Faults([_refused(layout.named(layout.seal(run)), "already-sealed", "a seal", "no seal")])
    files = sealed_files(layout, run, private)
    if CONTRACT not in files:
        raise Faults([_refused(layout.named(layout.contract(run)), "missing-file", "nothing", CONTRACT)])
    seal = Seal(
        run_id=run,
        at=at,
        sha256={name: hash_of(path) for name, path in files.items()},
        calls=sum(_count(path) for name, path in files.items() if "calls" in name),
        verdicts=sum(_count(path) for name, path in files.items() if name.endswith(VERDICTS)),
    )
    write_new(layout.seal(run), msgspec.json.format(encode(seal), indent=2) + b"\n")
    return seal


def sealed_files(layout: Layout, run: str, private: Layout | None = None) -> dict[str, Path]:
    """What a seal covers: name as in ``Seal.sha256`` -> file, for the files that exist."""
    sides = {"": layout} if private is None else {"": layout, PRIVATE: private}
    return {
        prefix + path.relative_to(side.run_dir(run)).as_posix(): path
        for prefix, side in sides.items()
        for path in (side.contract(run), *side.call_files(run), side.verdicts(run))
        if path.exists()
    }


def hash_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _count(path: Path) -> int:
    """Number of lines of ``path``; a torn last line is refused."""
    count = 0
    for count, line in enumerate(lines(path), 1):
        if not line.endswith(b"\n"):
            torn = _refused(path.name, "torn-line", "a torn last line", "a newline at its end")
            raise Faults([torn.at(path.name, count)])
    return count


def _refused(file: str, slug: str, found: str, expected: str) -> Finding:
    """A blocking finding about a file that keeps a run from being sealed."""
    return Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected, todo=_TODO[slug])


_TODO = {
    "already-sealed": "leave a sealed run as it is and start another",
    "missing-file": "write the contract before the first call",
    "torn-line": "repair the file before sealing the run",
}


def _is_whole(piece: bytes) -> bool:
    """Whether ``piece`` is one whole JSON object, so that only its newline is missing."""
    try:
        return isinstance(msgspec.json.decode(piece), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _torn_at(file: BinaryIO | FileIO, size: int) -> int:
    """Offset of the bytes behind the last newline; ``size`` where nothing is torn."""
    end = size
    while end:
        start = max(0, end - _BLOCK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def _append_bytes(path: Path, data: bytes) -> None:
    """Add ``data`` to ``path``, to the disk."""
    with path.open("ab") as file:
        file.write(data)
        _sync(file)
    _sync_directory(path.parent)


def _sync(file: BinaryIO) -> None:
    """Push what was written to the disk."""
    file.flush()
    os.fsync(file.fileno())


def _sync_directory(path: Path) -> None:
    """Push a new or renamed entry of a directory to the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
