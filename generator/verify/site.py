"""Addresses inside a site: which file a link means. In the room ``verify``."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote, urlsplit

from generator.verify.pages import Page

LANGUAGES = ("id", "en")
INDEX = "index.html"


@dataclass(frozen=True)
class Site:
    """The finished files with their parsed pages.

    Attributes:
        files: path -> bytes.
        pages: path -> page, for every ``.html``.
    """

    files: Mapping[str, bytes]
    pages: Mapping[str, Page]

    @cached_property
    def base(self) -> str:
        """The site's own absolute address with a slash at its end, as its pages name it; ``""`` where none does."""
        for path, page in self.pages.items():
            own = unquote(page.alternates.get(page.lang, ""))
            for tail in (path, path.removesuffix(INDEX)):
                if urlsplit(own).scheme and tail and own.endswith(f"/{tail}"):
                    return own.removesuffix(tail)
        return ""

    def target(self, page: str, address: str) -> tuple[str, str] | None:
        """The (path, fragment) that ``address`` on ``page`` means, None where it leaves the site for another host.

        The path need not exist. A folder's path ends in ``index.html``; one that climbs out of the site begins
        with ``../``.
        """
        parts = urlsplit(address)
        fragment = unquote(parts.fragment)
        if parts.scheme or parts.netloc:
            if not self.base or not unquote(address).startswith(self.base):
                return None
            path = unquote(parts.path).removeprefix(urlsplit(self.base).path)
        elif parts.path.startswith("/"):
            path = posixpath.relpath(unquote(parts.path), urlsplit(self.base).path or "/")
            path += "/" if parts.path.endswith("/") else ""
        elif not parts.path:
            return page, fragment
        else:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
            path += "/" if parts.path.endswith(("/", "/.", "..")) or parts.path == "." else ""
        if path in {"", ".", "./"}:
            path = INDEX
        return (path + INDEX if path.endswith("/") else path), fragment


def language(path: str) -> str:
    """The language a path belongs to by its first folder, ``""`` for the few bilingual files at the root."""
    first, slash, _ = path.partition("/")
    return first if slash and first in LANGUAGES else ""
