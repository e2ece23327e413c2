"""One HTML page as the facts that the other checks need: language, links, resources, figures, moments.

In the room ``verify``. Parsing costs more than any single check, so a page is parsed once, by lxml, which takes
a tenth of the time of the standard library's parser.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree, html

RESOURCE = {
    "audio": ("src",),
    "embed": ("src",),
    "form": ("action",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src", "formaction"),
    "button": ("formaction",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""Tag -> attributes whose address a browser loads or sends to by itself."""
UNSEEN = frozenset({"script", "style"})
DIGITS = re.compile(r"[0-9]+")
ALTERNATE, CANONICAL = "alternate", "canonical"
POINTERS = frozenset({ALTERNATE, CANONICAL, "next", "prev", "license", "author", "help"})
"""``rel`` of a ``<link>`` that only points; every other one is loaded."""


@dataclass(frozen=True)
class Link:
    """An address in a page."""

    address: str
    line: int
    tag: str
    hreflang: str = ""
    integrity: str = ""


@dataclass(frozen=True)
class Fact:
    """A ``<data value>`` or ``<time datetime>``: a value for machines and the same for readers."""

    tag: str
    value: str
    text: str
    line: int


@dataclass
class Page:
    """What one page says of itself.

    Attributes:
        path: where it lies in the site.
        lang: of its root element, ``""`` where it has none.
        ids: every ``id``, and every ``name`` of an anchor.
        twice: ids that occur more than once.
        anchors: ``<a href>`` and ``<area href>``.
        resources: what a browser loads by itself.
        pointers: ``<link>`` elements that load nothing, hreflang alternates among them.
        facts: figures and moments in document order.
        policy: content of the Content-Security-Policy, ``""`` where there is none.
        digits: every run of digits in what a reader sees, with its count.
    """

    path: str
    lang: str = ""
    ids: set[str] = field(default_factory=set)
    twice: set[str] = field(default_factory=set)
    anchors: list[Link] = field(default_factory=list)
    resources: list[Link] = field(default_factory=list)
    pointers: list[Link] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    policy: str = ""
    digits: Counter[str] = field(default_factory=Counter)

    @property
    def alternates(self) -> dict[str, str]:
        """Language -> address, from ``<link rel="alternate" hreflang>``."""
        return {link.hreflang: link.address for link in self.pointers if link.hreflang}


def read_page(path: str, data: bytes) -> Page:
    """Parse one page; markup errors are mended as a browser would, and are another checker's business."""
    page = Page(path)
    if not data.strip():
        return page
    root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    page.lang = root.get("lang", "")
    seen: list[str] = []
    for element in root.iter(etree.Element):
        _read(page, element)
        if element.tag not in UNSEEN:
            seen.append(element.text or "")
        seen.append(element.tail or "")
    page.digits = Counter(DIGITS.findall(" ".join(seen)))
    return page


def _read(page: Page, element: html.HtmlElement) -> None:
    tag, line = element.tag, element.sourceline or 0
    for name in {element.get("id"), element.get("name") if tag == "a" else None} - {None, ""}:
        (page.twice if name in page.ids else page.ids).add(name)
    if tag in {"a", "area"} and (address := element.get("href")) is not None:
        page.anchors.append(Link(address, line, tag, element.get("hreflang", "")))
    elif tag == "link":
        _read_link(page, element, line)
    elif tag == "meta":
        _read_meta(page, element, line)
    elif tag in RESOURCE:
        integrity = element.get("integrity", "")
        page.resources += (Link(address, line, tag, "", integrity) for address in _loaded(element, tag))
    elif tag == "data":
        page.facts.append(Fact(tag, element.get("value", ""), _text(element), line))
    elif tag == "time" and (moment := element.get("datetime")) is not None:
        page.facts.append(Fact(tag, moment, _text(element), line))


def _read_link(page: Page, element: html.HtmlElement, line: int) -> None:
    rel = set(element.get("rel", "").lower().split())
    hreflang = element.get("hreflang", "") if ALTERNATE in rel else ""
    link = Link(element.get("href", ""), line, "link", hreflang, element.get("integrity", ""))
    (page.pointers if rel & POINTERS else page.resources).append(link)


def _read_meta(page: Page, element: html.HtmlElement, line: int) -> None:
    kind, content = element.get("http-equiv", "").lower(), element.get("content", "")
    if kind == "content-security-policy":
        page.policy = content
    elif kind == "refresh":
        _, _, address = content.partition("url=")
        page.resources.append(Link(address.strip("'\" "), line, "meta"))


def _loaded(element: html.HtmlElement, tag: str) -> Iterator[str]:
    for name in RESOURCE[tag]:
        address = element.get(name)
        if address is None:
            continue
        if name == "srcset":
            yield from (part.split()[0] for part in address.split(",") if part.strip())
        else:
            yield address


def _text(element: html.HtmlElement) -> str:
    return " ".join("".join(element.itertext()).split())
