"""A file as lines of bytes, one at a time, plain or compressed, with a bound on what one line may cost."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from generator.store.layout import COMPRESSED

MAX_LINE = 64 * 2**20
"""Longest line, in bytes after decompression; nothing a service answers comes near it."""
MAX_WINDOW = 128 * 2**20
"""Largest zstandard window, in bytes: what a compressed file may make the decompressor hold."""
PIECE = 128
"""Compressed bytes taken at a time. A block of zstandard has four bytes or more and unfolds to 128 KiB at most
(RFC 8878, 3.1.1.2), so one piece unfolds to 4 MiB at most, whatever a hostile file says."""


class TooLongError(ValueError):
    """A line is longer than the bound; ``args[0]`` is its number."""


class DamagedError(ValueError):
    """A compressed file is no zstandard file, or a part of one."""


def lines(path: Path, limit: int = MAX_LINE) -> Iterator[bytes]:
    r"""Each line of ``path`` with its ``\n``, in order; the last one comes without where the file lacks it.

    Raises:
        TooLongError: at the first line longer than ``limit`` bytes; nothing after it is read.
        DamagedError: the compressed file is damaged or ends too early.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        plain = iter(lambda: file.readline(limit + 1), b"")
        found = _split(_unfolded(file), limit) if path.suffix == COMPRESSED else plain
        for number, line in enumerate(found, 1):
            if len(line) > limit:
                raise TooLongError(number)
            yield line


def _unfolded(file: BinaryIO) -> Iterator[bytes]:
    """The decompressed bytes of a file of one or more zstandard frames, in pieces."""
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
    frame = None
    while piece := file.read(PIECE):
        while piece:
            frame = frame or decompressor.decompressobj()
            try:
                yield frame.decompress(piece)
            except zstandard.ZstdError as error:
                raise DamagedError(str(error)) from None
            piece = frame.unused_data if frame.eof else b""
            frame = None if frame.eof else frame
    if frame is not None:
        raise DamagedError("the file ends inside a frame")


def _split(pieces: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """Lines from pieces; a line that grows beyond ``limit`` comes as it then is."""
    begun = bytearray()
    for piece in pieces:
        start = 0
        while end := piece.find(b"\n", start) + 1:
            yield bytes(begun) + piece[start:end]
            begun.clear()
            start = end
        begun += piece[start:]
        if len(begun) > limit:
            break
    if begun:
        yield bytes(begun)
