"""The files that can be taken away, with size and hash, as the downloads page lists them. Part of ``render``."""

import hashlib
from collections.abc import Iterable, Mapping
from fractions import Fraction

from generator.publish.views import DownloadView
from generator.records import Record


class Listed(Record, frozen=True, kw_only=True):
    """One file of the downloads."""

    view: DownloadView
    folder: str
    """Suite or run it belongs to."""
    name: str
    bytes: int
    sha256: str

    @property
    def kilobytes(self) -> Fraction:
        """Its size in thousands of bytes, exactly."""
        return Fraction(self.bytes, 1000)


def listing(views: Iterable[DownloadView], files: Mapping[str, bytes]) -> tuple[Listed, ...]:
    """``views`` in their order, measured."""
    return tuple(
        Listed(
            view=view,
            folder=view.path.split("/")[-2],
            name=view.path.rpartition("/")[2],
            bytes=len(files[view.path]),
            sha256=hashlib.sha256(files[view.path]).hexdigest(),
        )
        for view in views
    )


def build_hash(listed: Iterable[Listed]) -> str:
    """One hash over all data of the site: SHA-256 of the lines ``<sha256>  <path>`` of ``listed``, by path."""
    lines = [f"{file.sha256}  {file.view.path}\n" for file in listed]
    return hashlib.sha256("".join(sorted(lines, key=lambda line: line[66:])).encode()).hexdigest()
