"""Archives opened in memory, within bounds, so that the leak gate can look inside. In the room ``verify``."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import Protocol

DEPTH = 4
"""Archives inside archives that are opened."""
LIMIT = 256 * 2**20
"""Bytes that one file of the site may unfold to."""
DAMAGED = (
    OSError, EOFError, ValueError, LookupError, RuntimeError, OverflowError, struct.error, zlib.error, lzma.LZMAError,
    zipfile.BadZipFile, tarfile.TarError,
)  # fmt: skip
"""What the standard library raises for an archive that is damaged or encrypted: more than it says."""
STREAMS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}


class UnreadableError(Exception):
    """An archive that is damaged, encrypted, or larger inside than anything we publish."""


def members(path: str, data: bytes, depth: int = 0) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of every plain file in ``data``; itself, where it is no archive. Names read ``outer!inner``.

    Raises:
        UnreadableError: it cannot be searched wholly.
    """
    if not _is_archive(data):
        yield path, data
        return
    if depth == DEPTH:
        raise UnreadableError(f"archives more than {DEPTH} deep")
    left = LIMIT
    try:
        for name, inner in _open(path, data):
            left -= len(inner)
            if left < 0:
                raise UnreadableError(f"more than {LIMIT} bytes inside")
            yield from members(f"{path}!{name}", inner, depth + 1)
    except DAMAGED as error:
        raise UnreadableError(f"a damaged or encrypted archive ({type(error).__name__})") from error


def _is_archive(data: bytes) -> bool:
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06", *STREAMS)) or data[257:262] == b"ustar"


def _open(path: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    if data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar:
                yield member.name, _bounded(tar.extractfile(member)) if member.isfile() else b""
    elif data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield "comment", archive.comment
            for entry in archive.infolist():
                with archive.open(entry) as file:
                    yield entry.filename, _bounded(file)
    else:
        yield "content", _unpacked(next(kind for magic, kind in STREAMS.items() if data.startswith(magic)), data)


def _unpacked(kind: str, data: bytes) -> bytes:
    raw = io.BytesIO(data)
    if kind == "zstd":
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=LIMIT // 2)
        try:
            with decompressor.stream_reader(raw, read_across_frames=True) as file:
                return _bounded(file)
        except zstandard.ZstdError as error:
            raise UnreadableError("damaged zstd") from error
    if kind == "gzip":
        return _bounded(gzip.GzipFile(fileobj=raw))
    return _bounded(bz2.BZ2File(raw) if kind == "bzip2" else lzma.LZMAFile(raw))


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _bounded(file: _Readable | None) -> bytes:
    data = file.read(LIMIT + 1) if file else b""
    if len(data) > LIMIT:
        raise UnreadableError(f"more than {LIMIT} bytes inside")
    return data
