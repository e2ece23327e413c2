"""Does every address in the site lead somewhere, and does nothing load from elsewhere? In the room ``verify``."""

import base64
import hashlib
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from generator.findings import Finding, shown
from generator.verify.pages import Link, Page
from generator.verify.site import Site

LINK_SCHEMES = frozenset({"http", "https", "mailto"})
"""What an ``<a href>`` may leave the site by."""
CSS_ADDRESS = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s;]+)""")
TEXTS = (".html", ".css", ".js", ".json", ".jsonl", ".xml", ".svg", ".txt", ".cff", ".csv", ".md")


def check_links(site: Site) -> Iterator[Finding]:
    """Every link, fragment, resource and absolute self-reference that does not resolve, and every foreign resource."""
    for page in site.pages.values():
        for name in sorted(page.twice):
            yield _finding(page.path, 0, f"id={name}", "duplicate-id", "the id twice", "it once")
        for link in (*page.anchors, *page.pointers):
            yield from _check_link(site, page, link)
        for link in page.resources:
            yield from _check_resource(site, page.path, link)
    for path, data in site.files.items():
        if path.endswith(".css"):
            text = data.decode("utf-8", "replace")
            for match in CSS_ADDRESS.finditer(text):
                yield from _check_resource(site, path, Link(match[1], text.count("\n", 0, match.start()) + 1, "url()"))
        if site.base and path.endswith(TEXTS):
            yield from _check_self_references(site, path, data)


def _check_link(site: Site, page: Page, link: Link) -> Iterator[Finding]:
    target = site.target(page.path, link.address)
    if target is None:
        if urlsplit(link.address).scheme.lower() not in LINK_SCHEMES:
            yield _finding(
                page.path, link.line, f"{link.tag} href", "foreign-scheme", shown(link.address),
                "http, https, mailto or a place in the site",
            )  # fmt: skip
        return
    yield from _check_target(site, page.path, link, *target)


def _check_target(site: Site, path: str, link: Link, target: str, fragment: str) -> Iterator[Finding]:
    if target not in site.files:
        yield _finding(path, link.line, f"{link.tag} href", "dead-link", shown(link.address), f"a file {shown(target)}")
    elif fragment and target in site.pages and fragment not in site.pages[target].ids:
        yield _finding(
            path, link.line, f"{link.tag} href", "dead-fragment", shown(link.address), f"id={fragment} in {target}"
        )


def _check_resource(site: Site, path: str, link: Link) -> Iterator[Finding]:
    if link.address.startswith("data:image/") and link.tag in {"img", "url()"}:
        return
    if link.address.startswith("#") and link.tag in {"use", "url()"}:
        return
    target = site.target(path, link.address)
    if target is None:
        yield _finding(
            path, link.line, link.tag, "foreign-resource", shown(link.address), "a file of the site",
            "a page must need no other host",
        )  # fmt: skip
        return
    if target[0] not in site.files:
        yield _finding(path, link.line, link.tag, "dead-link", shown(link.address), f"a file {shown(target[0])}")
    elif link.integrity:
        yield from _check_integrity(path, link, site.files[target[0]])


def _check_integrity(path: str, link: Link, data: bytes) -> Iterator[Finding]:
    method, _, value = link.integrity.partition("-")
    if method not in {"sha256", "sha384", "sha512"}:
        yield _finding(path, link.line, "integrity", "bad-integrity", shown(link.integrity), "sha256, sha384 or sha512")
        return
    right = base64.b64encode(hashlib.new(method, data).digest()).decode()
    if value != right:
        yield _finding(path, link.line, "integrity", "bad-integrity", shown(value), right)


def _check_self_references(site: Site, path: str, data: bytes) -> Iterator[Finding]:
    """Absolute addresses of the site's own files, wherever they stand: feeds, sitemaps, metadata."""
    pattern = re.compile(re.escape(site.base.encode()) + rb"""[^\s"'<>\\)\]|,]*""")
    for match in pattern.finditer(data):
        address = match[0].decode("utf-8", "replace").rstrip(".;")
        target = site.target(path, address)
        if target and target[0] not in site.files:
            line = data.count(b"\n", 0, match.start()) + 1
            yield _finding(path, line, "", "dead-link", shown(address), f"a file {shown(target[0])}")


def _finding(file: str, line: int, field: str, slug: str, found: str, expected: str, todo: str = "") -> Finding:
    return Finding(file=file, line=line, field=field, slug=slug, found=found, expected=expected, todo=todo)
