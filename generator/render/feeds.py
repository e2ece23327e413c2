"""What machines read: sitemap, robots, a feed a language. Part of ``render``.

The sitemap needs absolute addresses and is left out where ``site.toml`` names none; feeds then carry relative links.
"""

import hashlib
from collections.abc import Iterator, Sequence
from uuid import UUID
from xml.etree import ElementTree as ET

from generator.publish.board_views import BoardView
from generator.publish.views import SiteView
from generator.render import sentences
from generator.render.addresses import HOME, Addresses, relative
from generator.render.catalogue import LANGUAGES
from generator.render.content import Content
from generator.render.language import Language
from generator.render.sheet import Sheet
from generator.render.words import say

ATOM = "http://www.w3.org/2005/Atom"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"


def feeds(
    site: SiteView, content: Content, addresses: Addresses, languages: Sequence[Language]
) -> Iterator[tuple[str, bytes]]:
    """``robots.txt``, one ``feed.xml`` a language and, where the base address is known, ``sitemap.xml``."""
    base = content.site.base_url.rstrip("/")
    robots = "User-agent: *\nAllow: /\n"
    if base:
        robots += f"Sitemap: {base}/sitemap.xml\n"
        yield "sitemap.xml", _sitemap(base, addresses)
    yield "robots.txt", robots.encode()
    for language in languages:
        yield f"{language.code}/feed.xml", _feed(site, content, addresses, language)


def _sitemap(base: str, addresses: Addresses) -> bytes:
    ET.register_namespace("", SITEMAP)
    ET.register_namespace("xhtml", XHTML)
    root = ET.Element(f"{{{SITEMAP}}}urlset")
    for address in addresses:
        for code in LANGUAGES:
            url = ET.SubElement(root, f"{{{SITEMAP}}}url")
            ET.SubElement(url, f"{{{SITEMAP}}}loc").text = f"{base}/{address.paths[code]}"
            for other in LANGUAGES:
                link = {"rel": "alternate", "hreflang": other, "href": f"{base}/{address.paths[other]}"}
                ET.SubElement(url, f"{{{XHTML}}}link", link)
    return _bytes(root)


def _feed(site: SiteView, content: Content, addresses: Addresses, language: Language) -> bytes:
    """One entry a board: the finding of its run. Identifiers are derived from the data, never drawn at random."""
    ET.register_namespace("", ATOM)
    base = content.site.base_url.rstrip("/")
    here = f"{language.code}/feed.xml"

    def href(path: str) -> str:
        return f"{base}/{path}" if base else relative(here, path)

    home = addresses.get(HOME).paths[language.code]
    root = ET.Element(f"{{{ATOM}}}feed", {"xml:lang": language.code})
    _text(root, "id", _urn(f"feed {content.site.name} {language.code}"))
    _text(root, "title", content.site.name)
    _text(root, "subtitle", language.text(content.site.tagline))
    _text(root, "updated", site.built_for.isoformat())
    ET.SubElement(ET.SubElement(root, f"{{{ATOM}}}author"), f"{{{ATOM}}}name").text = content.site.name
    ET.SubElement(root, f"{{{ATOM}}}link", {"rel": "self", "href": href(here)})
    ET.SubElement(root, f"{{{ATOM}}}link", {"rel": "alternate", "href": href(home)})
    for board in site.boards:
        address = addresses.get("leaderboard", board.suite.id)
        sheet = Sheet(language, address, addresses)
        entry = ET.SubElement(root, f"{{{ATOM}}}entry")
        _text(entry, "id", _urn(f"{board.run.run_id} {board.run.suite_sha256}"))
        _text(entry, "title", f"{language.text(board.suite.title)}: {language.day(board.run.last_call.date())}")
        _text(entry, "updated", board.run.last_call.isoformat())
        ET.SubElement(entry, f"{{{ATOM}}}link", {"rel": "alternate", "href": href(address.paths[language.code])})
        said = [say(sheet, each, board.suite.id).striptags() for each in sentences.board(board)]
        _text(entry, "summary", " ".join([*said, *_of_jury(board, language)]))
    return _bytes(root)


def _of_jury(board: BoardView, language: Language) -> Iterator[str]:
    """What must stand wherever a total does that a jury without a passed calibration is part of."""
    if board.jury and board.jury.calibration != "passed":
        yield language.word("calibration", board.jury.calibration)
        yield language.gettext(
            "Figures marked “judged by models”, and the totals they are part of, do not measure the quality of writing."
        )


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}{name}").text = text


def _urn(about: str) -> str:
    """A stable identifier for ``about``: the first 128 bits of its SHA-256, marked as a version 8 UUID."""
    number = bytearray(hashlib.sha256(about.encode()).digest()[:16])
    number[6] = number[6] & 0x0F | 0x80
    number[8] = number[8] & 0x3F | 0x80
    return UUID(bytes=bytes(number)).urn


def _bytes(root: ET.Element) -> bytes:
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"
