"""The numbers printed on a page, read by the names that its tables, rows and columns bear. The wing ``outside``.

Nothing of ``render`` is used: rounding is done again here, half-even, from exact values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from posixpath import basename

from lxml import etree, html

from generator.findings import Finding

Cells = Mapping[str, Sequence[str] | None]
"""Name of a column -> the values in its cell, in order; None where they stand in words that no value can be told of."""
Grid = Mapping[str, Cells]
"""Id that a row is about -> its cells."""


@dataclass(frozen=True)
class Row:
    """One row: the id that it is about, its line, and the values in each named column."""

    key: str
    line: int
    cells: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Printed:
    """What one page prints.

    Attributes:
        path: where it lies.
        heading: its first heading.
        tables: name -> rows, of every table with a name.
        facts: name -> values, of every named entry of a list and every named paragraph.
        scores: values beside single answers, in their order.
        figures: number of ``<data>`` elements on the page.
    """

    path: str
    heading: str
    tables: Mapping[str, tuple[Row, ...]]
    facts: Mapping[str, tuple[str, ...]]
    scores: tuple[str, ...]
    figures: int


def read_printed(path: str, data: bytes) -> Printed:
    """A page's tables, facts and scores."""
    root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    heading = root.find(".//h1")
    return Printed(
        path=path,
        heading="" if heading is None else " ".join(str(heading.text_content()).split()),
        tables={table.get("data-table", ""): _rows(table) for table in root.iterfind(".//table[@data-table]")},
        facts=_facts(root),
        scores=tuple(value for each in root.iterfind(".//span[@class='score']") for value in _values(each)),
        figures=sum(1 for _ in root.iter("data")),
    )


def _facts(root: html.HtmlElement) -> dict[str, tuple[str, ...]]:
    """The values of every named element that is no head of a column; those of one name together, in order."""
    found: dict[str, tuple[str, ...]] = {}
    for each in root.iterfind(".//*[@data-col]"):
        if each.tag != "th":
            name = str(each.get("data-col"))
            found[name] = found.get(name, ()) + _values(each)
    return found


def _rows(table: html.HtmlElement) -> tuple[Row, ...]:
    heads = table.findall("./thead/tr[last()]/th")
    columns = {index: str(head.get("data-col")) for index, head in enumerate(heads) if head.get("data-col")}
    rows = []
    for row in table.iterfind("./tbody/tr"):
        cells = row.xpath("./td|./th")
        named = {name: _values(cells[index]) for index, name in columns.items() if index < len(cells)}
        rows.append(Row(_key(row), row.sourceline or 0, named))
    return tuple(rows)


def _key(row: html.HtmlElement) -> str:
    """The id a row is about: as declared, or as the page is called that its head links to, or its head's first word."""
    for name in ("data-key", "data-service"):
        if row.get(name):
            return str(row.get(name))
    if row.get("data-a"):
        return f"{row.get('data-a')}--{row.get('data-b')}"
    head = row.find("th")
    if head is None:
        return ""
    link = head.find(".//a[@href]")
    if link is not None:
        return basename(str(link.get("href"))).removesuffix(".html")
    return next(iter(str(head.text_content()).split()), "")


def _values(element: etree._Element) -> tuple[str, ...]:
    return tuple(each.get("value", "") for each in element.iter("data"))


def written(value: Fraction | float, digits: int) -> str:
    """``value`` with ``digits`` decimals, rounded half-even from its exact value; there is no ``-0.0``."""
    scaled = round(Fraction(value) * 10**digits)
    sign, text = "-" if scaled < 0 else "", f"{abs(scaled):0{digits + 1}d}"
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


class Comparison:
    """Compares and counts.

    Attributes:
        compared: printed figures that were held against a computed one.
        faults: where they differ.
    """

    def __init__(self) -> None:
        """Start with nothing compared."""
        self.compared = 0
        self.faults: list[Finding] = []

    def table(self, page: Printed, name: str, expected: Grid, withheld: Mapping[str, int] | None = None) -> None:
        """Rows that are missing, surplus or twice, and cells of named columns with other values than expected.

        An audit may withhold what was measured: in the rows ``withheld`` a cell without a figure is right, and one
        with the number that the reason names, such as that of answers cut off.
        """
        rows = page.tables.get(name)
        if rows is None:
            if expected:
                self._note(page.path, 0, name, "no such table", "the table")
            return
        keys = [row.key for row in rows]
        for key in expected.keys() - set(keys):
            self._note(page.path, 0, f"{name} {key}", "no row", "a row")
        for row in rows:
            if row.key not in expected or keys.count(row.key) > 1:
                self._note(page.path, row.line, f"{name} {row.key}", "a row", "none, or one only")
                continue
            for column in row.cells.keys() & expected[row.key].keys():
                place = f"{name} {row.key} {column}"
                if withheld and row.key in withheld and row.cells[column] in {(), (str(withheld[row.key]),)}:
                    continue
                self.values(page.path, row.line, place, row.cells[column], expected[row.key][column])

    def values(self, path: str, line: int, field: str, found: Sequence[str], expected: Sequence[str] | None) -> None:
        """Values that stand together; nothing is compared where none is expected that could be told."""
        if expected is None:
            return
        self.compared += len(expected)
        if [*found] != [*expected]:
            self._note(path, line, field, " ".join(found) or "no figure", " ".join(expected) or "no figure")

    def _note(self, path: str, line: int, field: str, found: str, expected: str) -> None:
        self.faults.append(Finding(path, line, field, "printed-differs", found, expected))
