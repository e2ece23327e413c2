"""The page being written: where it is, in which language, and the notes its figures refer to. Part of ``render``.

Every figure of the site passes through here. A measured figure becomes a ``<data>`` element whose ``value`` is the
figure as rounded for display, with a decimal point, and whose text is the same digits in the language of the page;
units stand outside the element. It links to a note at the end of the page: its recipe. A withheld figure becomes its
reason in words.
"""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from markupsafe import Markup

from generator.records import Measured, Recipe, Record, Text, Withheld
from generator.render.addresses import Address, Addresses, relative
from generator.render.language import Language, Number, rounded, shortest
from generator.render.visible import plain, visible

NO_BREAK = "\u00a0"
SECOND = Fraction(1, 1000)
_CLOSING = Markup("</a>")


class Note(Record, frozen=True, kw_only=True):
    """What the end of a page says about some of its figures."""

    anchor: str
    recipe: Recipe | None
    reason: Markup | None
    """Why a figure is withheld, in words."""
    opening: Markup
    """Start of a link to this note, with its gist as title."""


class Sheet:
    """One page in one language, while it is being written."""

    def __init__(self, language: Language, address: Address, addresses: Addresses) -> None:
        """Take a fresh page at ``address``."""
        self.language = language
        self.address = address
        self.path = address.paths[language.code]
        self._addresses = addresses
        self._notes: dict[object, Note] = {}
        self._headed: set[str] = set()

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes that the figures written so far refer to, in order of first reference."""
        return tuple(self._notes.values())

    def link(self, kind: str, *keys: str) -> str:
        """Relative link to a page of this language."""
        return relative(self.path, self._addresses.get(kind, *keys).paths[self.language.code])

    def file(self, path: str) -> str:
        """Relative link to a file, given from the root of the site."""
        return relative(self.path, path)

    def has(self, kind: str, *keys: str) -> bool:
        """Whether there is such a page to link to."""
        return (kind, *keys) in self._addresses

    def page_link(self, target: str) -> str | None:
        """What a link of a prose page points to: ``slug.md`` or ``page:kind`` of this site, an anchor, a web address.

        Returns:
            The address, or None where there is no such page or the scheme is not one of the web.
        """
        if target.startswith(("#", "https://", "http://")):
            return target
        name, mark, anchor = target.partition("#")
        kind = name.removeprefix("page:") if name.startswith("page:") else self._addresses.prose(name)
        found = self._addresses.main(kind)
        return relative(self.path, found.paths[self.language.code]) + mark + anchor if found else None

    def number(self, value: Number | None, digits: int | None = None) -> Markup:
        """A plain number from the data. Integers have no decimals, others one, unless ``digits`` says so."""
        if value is None:
            return self.unknown()
        if digits is None:
            digits = 0 if value.as_integer_ratio()[1] == 1 else 1
        return self.data(rounded(value, digits))

    def exactly(self, value: Number) -> Markup:
        """A number with as many decimals as it has: a price, a setting."""
        return self.data(shortest(value))

    def data(self, number: Decimal) -> Markup:
        """The element that carries a rounded number."""
        return self.language.data(number)

    def figure(self, figure: Measured | Withheld, digits: int = 1, scale: Fraction | None = None) -> Markup:
        """The point of a figure, linked to its recipe; or the reason why there is none, in words."""
        if isinstance(figure, Withheld):
            return Markup('<span class="withheld">{}</span>').format(self.reason(figure))
        return self._linked(figure.recipe, self.data(rounded(figure.point * scale if scale else figure.point, digits)))

    def cell(self, figure: Measured | Withheld, digits: int = 1, scale: Fraction | None = None) -> Markup:
        """The same for a dense table: not a link where a head leads to its very recipe; withheld is one linked word."""
        if isinstance(figure, Withheld):
            note = self._note(figure)
            return Markup('<a class="withheld" href="#{}" title="{}">{}</a>').format(
                note.anchor, plain(self.reason(figure).striptags()), self.language.gettext("withheld")
            )
        number = self.data(rounded(figure.point * scale if scale else figure.point, digits))
        return number if self._note(figure.recipe).anchor in self._headed else self._linked(figure.recipe, number)

    def bare(self, figure: Measured, digits: int = 1) -> Markup:
        """A point without its link, for a cell that leads elsewhere; the caption of its table leads to the recipe."""
        return self.data(rounded(figure.point, digits))

    def score(self, score: Fraction | Withheld) -> Markup:
        """The score on a task or of an answer, to one decimal; one linked word where it is withheld."""
        return self.cell(score) if isinstance(score, Withheld) else self.number(score, 1)

    def interval(self, figure: Measured | Withheld, digits: int = 1, scale: Fraction | None = None) -> Markup:
        """Both bounds of a figure's interval; empty where it has none."""
        if isinstance(figure, Withheld) or figure.low is None or figure.high is None:
            return Markup("")
        low, high = (
            self.data(rounded(Fraction(bound) * scale if scale else bound, digits))
            for bound in (figure.low, figure.high)
        )
        between = Markup(" {} ").format(self.language.gettext("to")) if figure.low < 0 else Markup("–")
        return Markup('<span class="interval">{}{}{}</span>').format(low, between, high)

    def points(self, value: Number | Measured | Withheld, digits: int = 1) -> Markup:
        """A number of score points with its unit."""
        if isinstance(value, Withheld):
            return self.figure(value)
        number = self.figure(value, digits) if isinstance(value, Measured) else self.number(value, digits)
        return Markup("{}{}{}").format(number, NO_BREAK, self.language.gettext("points"))

    def percent(self, value: Number | Measured | Withheld, whole: int | None = None, digits: int = 1) -> Markup:
        """A percentage: ``value`` out of ``whole``; without ``whole`` the value is in percent already."""
        if isinstance(value, Withheld):
            return self.figure(value)
        if isinstance(value, Measured):
            return Markup("{}%").format(self.figure(value, digits))
        if whole == 0:
            return self.unknown()
        return Markup("{}%").format(self.number(Fraction(value) * 100 / whole if whole else value, digits))

    def money(self, amount: Decimal | None) -> Markup:
        """An amount in US dollars with its sign."""
        return self.amount(amount) if amount is None else Markup("US${}{}").format(NO_BREAK, self.amount(amount))

    def amount(self, amount: Decimal | None) -> Markup:
        """An amount where the head of the column names the currency: two decimals, four for less than ten cents."""
        if amount is None:
            return self.unknown()
        return self.data(rounded(amount, 4 if 0 < amount < Decimal("0.1") else 2))

    def seconds(self, figure: Measured | Withheld) -> Markup:
        """A figure of milliseconds, in seconds."""
        return self.figure(figure, 1, SECOND)

    def seconds_cell(self, figure: Measured | Withheld) -> Markup:
        """The same in a dense table."""
        return self.cell(figure, 1, SECOND)

    def seconds_interval(self, figure: Measured | Withheld) -> Markup:
        """Bounds in seconds of a figure of milliseconds."""
        return self.interval(figure, 1, SECOND)

    def fraction(self, score: str) -> Markup:
        """A stored exact score such as ``200/3``, to two decimals."""
        return self.number(Fraction(score), 2)

    def chance(self, p: Fraction | Measured | Withheld) -> Markup:
        """A p-value to four decimals; smaller ones as less than the smallest."""
        if isinstance(p, Withheld):
            return self.figure(p)
        value = p.point if isinstance(p, Measured) else p
        least = Fraction(1, 10000)
        number = self.data(rounded(max(value, least), 4))
        if value < least:
            number = Markup("&lt;{}{}").format(NO_BREAK, number)
        return number if isinstance(p, Fraction) else self._linked(p.recipe, number)

    def date(self, moment: date | datetime | None) -> Markup:
        """A day."""
        if moment is None:
            return self.unknown()
        day = moment.date() if isinstance(moment, datetime) else moment
        return Markup('<time datetime="{}">{}</time>').format(day.isoformat(), self.language.day(day))

    def moment(self, moment: datetime) -> Markup:
        """A day and the time of day, in the moment's own offset."""
        words = f"{self.language.day(moment.date())}, {self.language.clock(moment)}"
        return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(timespec="minutes"), words)

    def text(self, text: Text | None) -> str:
        """The publisher's text in this language."""
        return self.language.text(text) if text else ""

    def listed(self, items: Iterable[object]) -> Markup:
        """a, b and c; plain strings are taken for somebody else's words."""
        return self.language.listed(visible(each) if type(each) is str else each for each in items)

    def unknown(self) -> Markup:
        """What stands where nothing is known."""
        return Markup('<span class="unknown">{}</span>').format(self.language.gettext("not known"))

    def reason(self, withheld: Withheld) -> Markup:
        """Why a figure is missing."""
        facts = {
            name: self.number(fact) if isinstance(fact, int) else plain(fact) for name, fact in withheld.facts.items()
        }
        return self.language.fill(self.language.word("withheld", withheld.slug), facts)

    def gist(self, recipe: Recipe) -> str:
        """A recipe in one plain line."""
        unit = self.language.word("unit", recipe.unit)
        parts = (self.language.word("method", recipe.method), f"n = {recipe.n} {unit}", recipe.grader)
        return "; ".join(part for part in parts if part)

    def recipe_link(self, figures: Iterable[Measured | Withheld]) -> Markup:
        """Attributes of a link in the head of a column: to the recipe of its first measured figure, with its gist.

        Where no figure is measured, to why one is withheld.
        """
        first: Measured | Withheld | None = None
        for figure in figures:
            if isinstance(figure, Measured):
                first = figure
                break
            first = figure
        if first is None:
            return Markup('href="#main"')
        if isinstance(first, Measured):
            note = self._note(first.recipe)
            self._headed.add(note.anchor)
            return Markup('href="#{}" title="{}"').format(note.anchor, self.gist(first.recipe))
        return Markup('href="#{}" title="{}"').format(self._note(first).anchor, plain(self.reason(first).striptags()))

    def _linked(self, recipe: Recipe, number: Markup) -> Markup:
        """A number that leads to its recipe."""
        note = self._note(recipe)
        return note.opening + number + _CLOSING

    def _note(self, about: Recipe | Withheld) -> Note:
        key: object = about
        reason = None
        if isinstance(about, Withheld):
            key = (about.slug, *sorted(about.facts.items()))
        note = self._notes.get(key)
        if note is None:
            if isinstance(about, Withheld):
                reason = self.reason(about)
            recipe = about if isinstance(about, Recipe) else None
            anchor = f"note-{len(self._notes) + 1}"
            gist = self.gist(recipe) if recipe else ""
            opening = Markup('<a class="figure" href="#{}" title="{}">').format(anchor, gist)
            note = Note(anchor=anchor, recipe=recipe, reason=reason, opening=opening)
            self._notes[key] = note
        return note
