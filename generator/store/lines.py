"""A file as lines of bytes, one at a time, plain or compressed, with a bound on what one line may cost."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from generator.store.layout import COMPRESSED

MAX_LINE = 64 * 2**20
"""Longest line, in bytes after decompression; nothing a service answers comes near it."""
MAX_WINDOW = 128 * 2**20
"""Largest zstandard window, in bytes: what the decompressor may be made to hold."""


class TooLongError(ValueError):
    """A line is longer than ``MAX_LINE``; ``args[0]`` is its number."""


def lines(path: Path, limit: int = MAX_LINE) -> Iterator[bytes]:
    r"""Each line of ``path`` with its ``\n``, in order; the last one comes without where the file lacks it.

    Raises:
        TooLongError: at the first line longer than ``limit`` bytes; nothing after it is read.
        zstandard.ZstdError: the compressed file is damaged.
        OSError: it cannot be read.
    """
    with path.open("rb") as file, _decompressed(file, path) as stream:
        number = 0
        while line := stream.readline(limit + 1):
            number += 1
            if len(line) > limit:
                raise TooLongError(number)
            yield line


def _decompressed(file: BinaryIO, path: Path) -> BinaryIO:
    """``file`` itself, or its decompressed bytes where the name says that it is compressed."""
    if path.suffix != COMPRESSED:
        return file
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
    reader = decompressor.stream_reader(file, read_across_frames=True)
    return cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", reader), 1 << 16))
