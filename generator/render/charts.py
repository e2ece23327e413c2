"""The five charts, each from a view and the words of one language to a static SVG. Part of ``render``.

A chart shows what its table says and nothing else. Rows keep the order of the view. Colour never carries meaning
alone: marks differ in shape, and numbers stand beside them.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from json import dumps
from typing import Any

from markupsafe import Markup

from generator.publish.board_views import BoardView, PairView
from generator.publish.study_views import StudyBlock, StudyView
from generator.records import Figure, Measured
from generator.render.language import Language, rounded
from generator.render.svg import GRID, GROUND, INK, MARK, OTHER, WIDTH, Labels, altair, label, svg

Datum = dict[str, str | float | None]
"""One row of a chart: names made safe by ``label``, numbers rounded for the plot, texts in the page's language."""

ROW = 40
"""Height of a row whose name stands above its mark, in pixels."""
CELL = 68
"""The same for a row of cells."""
HEAT_RANGE = [0.05, 0.4]
"""Opacity of a cell of 0 and of 100; the number on the strongest must stay readable."""
SIGNIFICANT = Fraction(1, 20)
"""Adjusted p at or below which two services count as told apart, as on the board."""


def interval_plot(board: BoardView, language: Language, labels: Labels) -> Markup:
    """Totals with their intervals, ranked services first, then the others.

    Words: ``withheld`` stands where a total is.
    """
    rows: list[Datum] = []
    for row in (*board.rows, *board.unranked):
        name = label(row.service.name, row.service.id)
        rows.append(_datum(name, row.total, language, labels.words["withheld"]))
    return svg(_intervals(rows, (0, 100), labels), language, labels)


def forest(board: BoardView, language: Language, labels: Labels, about: str = "") -> Markup:
    """Paired differences of totals in points; filled where the two were told apart, hollow where not.

    Args:
        board: with its pairs.
        language: of the page.
        labels: words ``apart``, ``not_apart`` and ``withheld``.
        about: a service id: only its pairs, as that service minus the other; empty: all pairs of the board.
    """
    shown = (*board.rows, *board.unranked)
    names = {row.service.id: label(row.service.name, row.service.id, limit=26) for row in shown}
    rows: list[Datum] = []
    for pair in board.pairs:
        if about and about not in (pair.a, pair.b):
            continue
        flip = pair.b == about
        first, second = (pair.b, pair.a) if flip else (pair.a, pair.b)
        difference = _flipped(pair.difference) if flip else pair.difference
        name = f"{names[first]} − {names[second]}"
        kind = "apart" if _is_apart(pair) else "not_apart"
        rows.append(_datum(name, difference, language, labels.words["withheld"], signed=True) | {"kind": kind})
    reach = _reach(rows)
    return svg(_intervals(rows, (-reach, reach), labels, kinds=("apart", "not_apart")), language, labels)


def heat_table(board: BoardView, language: Language, labels: Labels) -> Markup:
    """Services by categories: the score as a number, and as strength of colour.

    Words: ``withheld`` stands where a score is.
    """
    alt = altair()
    heads = {each.id: label(language.text(each.name), each.id, limit=24) for each in board.categories}
    rows = (*board.rows, *board.unranked)
    names: list[Datum] = [{"row": i, "name": label(row.service.name, row.service.id)} for i, row in enumerate(rows)]
    cells: list[Datum] = [
        _datum("", row.categories[key], language, labels.words["withheld"]) | {"row": index, "column": key}
        for index, row in enumerate(rows)
        for key in heads
    ]
    y = alt.Y("row:O", title=None, axis=None, scale=alt.Scale(paddingInner=0.4, paddingOuter=0.35))
    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("column:N", sort=list(heads), title=None, axis=_head_axis(alt, heads)),
        y=y,
    )
    opacity = alt.FillOpacity("point:Q", scale=alt.Scale(domain=[0, 100], range=HEAT_RANGE), legend=None)
    middle = {"align": "center", "baseline": "middle"}
    layers = (
        base.transform_filter("datum.point !== null").mark_rect(fill=MARK, stroke=GRID).encode(fillOpacity=opacity),
        base.mark_text(**middle).encode(text="text:N"),
        alt.Chart(alt.Data(values=names))
        .mark_text(align="left", baseline="bottom", dy=-24)
        .encode(x=alt.value(0), y=y, text="name:N"),
    )
    return svg(alt.layer(*layers).properties(width=WIDTH, height=CELL * max(1, len(rows))), language, labels)


def block_panel(study: StudyView, language: Language, labels: Labels) -> Markup:
    """First-pass rate over all requests, a row per block and one over all, with Wilson intervals and counts.

    Words: ``block`` before a block's name, ``overall`` for the last row, ``withheld``.
    """
    names = {each.id: label(each.name, each.id) for each in study.services}
    blocks = list(dict.fromkeys(each.block for each in study.blocks))
    heads = [label(f"{labels.words['block']} {block}") for block in blocks] + [label(labels.words["overall"])]
    rows: list[Datum] = []
    for each in (*study.blocks, *study.overall):
        head = heads[blocks.index(each.block)] if each.block else heads[-1]
        rows.append(_block(each, names, language, labels.words["withheld"]) | {"head": head})
    return svg(_panel(rows, heads, list(names.values()), labels), language, labels)


def discrimination(board: BoardView, language: Language, labels: Labels) -> Markup:
    """How far apart the best and the worst service are on each public task; a task of 0 separates nobody."""
    alt = altair()
    rows: list[Datum] = [
        {"name": label(item.task_id), "point": float(item.spread), "text": language.digits(rounded(item.spread, 0))}
        for item in board.discrimination
        if item.access == "public"
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("name:N", sort=None, title=None))
    scale = alt.X("point:Q", title=label(labels.axis, limit=60), scale=alt.Scale(domain=[0, 100]), axis=_axis(alt))
    layers = (
        base.mark_bar(color=MARK, height=2).encode(x=scale),
        base.mark_point(filled=True, color=MARK, opacity=1, size=60).encode(x=scale),
        base.mark_text(align="left", dx=8).encode(x="point:Q", text="text:N"),
    )
    return svg(alt.layer(*layers).properties(width=WIDTH - 80, height=24 * max(1, len(rows))), language, labels)


def _datum(name: str, figure: Figure, language: Language, withheld: str, *, signed: bool = False) -> Datum:
    """A figure as a row: where its marks stand, and what is written beside it."""
    if not isinstance(figure, Measured):
        return {"name": name, "point": None, "low": None, "high": None, "text": label(withheld)}
    shown = rounded(figure.point, 1)
    sign = "+" if signed and shown > 0 else ""
    return {
        "name": name,
        "point": _place(figure.point),
        "low": None if figure.low is None else _place(figure.low),
        "high": None if figure.high is None else _place(figure.high),
        "text": sign + language.digits(shown),
    }


def placed(figure: Figure) -> dict[str, float | None] | None:
    """Where a figure and its interval stand; None where it is withheld."""
    if not isinstance(figure, Measured):
        return None
    bounds = (figure.low, figure.high)
    low, high = (None if bound is None else _place(bound) for bound in bounds)
    return {"point": _place(figure.point), "low": low, "high": high}


def _place(value: Fraction | float) -> float:
    """A position, to a hundredth of a point: finer than a pixel, coarser than the last bits of a float."""
    return float(rounded(value, 2))


def _is_apart(pair: PairView) -> bool:
    return isinstance(pair.p_adjusted, Measured) and pair.p_adjusted.point <= SIGNIFICANT


def _flipped(figure: Figure) -> Figure:
    """The same difference seen from the other side."""
    if not isinstance(figure, Measured):
        return figure
    low = None if figure.high is None else -figure.high
    high = None if figure.low is None else -figure.low
    return Measured(point=-figure.point, low=low, high=high, recipe=figure.recipe)


def _reach(rows: Sequence[Datum]) -> int:
    """Half the width of a symmetric scale, in tens, that holds every mark."""
    ends = [abs(float(value)) for row in rows for value in (row["low"], row["point"], row["high"]) if value is not None]
    return max(10, -int(-max(ends, default=Decimal(0)) // 10) * 10)


def _axis(alt: Any, grid: bool = True) -> Any:
    return alt.Axis(tickCount=5, grid=grid, format=",d")


def _head_axis(alt: Any, heads: dict[str, str]) -> Any:
    """Category names above the columns, a word a line, the last line nearest to the rows."""
    lines = {key: name.split() for key, name in heads.items()}
    choice = " : ".join(f"datum.value === {dumps(key)} ? {dumps(words)}" for key, words in lines.items())
    return alt.Axis(
        orient="top",
        labelAngle=0,
        labelExpr=f"{choice} : datum.label",
        labelFontSize=11,
        labelLimit=0,
        labelPadding=2 + 13 * max(map(len, lines.values()), default=1),
        labelBaseline="top",
    )


def _intervals(rows: Sequence[Datum], domain: tuple[int, int], labels: Labels, kinds: Sequence[str] = ()) -> Any:
    """One row a name: the name and the number above, the interval and the point below."""
    alt = altair()
    numbered = [row | {"row": index} for index, row in enumerate(rows)]
    scale = alt.Scale(domain=list(domain))
    base = alt.Chart(alt.Data(values=numbered)).encode(y=alt.Y("row:O", axis=None, title=None))
    known = base.transform_filter("datum.point !== null")
    x = alt.X("point:Q", scale=scale, title=label(labels.axis, limit=60), axis=_axis(alt))
    above = {"baseline": "bottom", "dy": -6}
    layers = [
        base.mark_text(align="left", **above).encode(x=alt.value(0), text="name:N"),
        base.mark_text(align="right", fontWeight="bold", **above).encode(x=alt.value(WIDTH), text="text:N"),
        known.transform_filter("datum.low !== null")
        .mark_rule(color=MARK, strokeWidth=3, yOffset=6)
        .encode(x=alt.X("low:Q", scale=scale), x2="high:Q"),
        _points(alt, known, x, kinds, labels),
    ]
    if domain[0] < 0:
        layers.insert(0, alt.Chart(alt.Data(values=[{}])).mark_rule(color=INK).encode(x=alt.datum(0, scale=scale)))
    return alt.layer(*layers).properties(width=WIDTH, height=ROW * max(1, len(rows)))


def _points(alt: Any, known: Any, x: Any, kinds: Sequence[str], labels: Labels) -> Any:
    """The points of an interval plot: all alike, or filled and hollow by ``kind`` with a legend."""
    drawn = known.mark_point(filled=True, color=MARK, opacity=1, size=90, yOffset=6).encode(x=x)
    if not kinds:
        return drawn
    words = [label(labels.words[kind], limit=60) for kind in kinds]
    legend = alt.Legend(symbolStrokeColor=MARK, labelExpr=f"{dumps(words)}[datum.index ? 1 : 0]")
    fill = alt.Fill("kind:N", scale=alt.Scale(domain=list(kinds), range=[MARK, GROUND]), legend=legend)
    return known.mark_point(stroke=MARK, strokeWidth=2, opacity=1, size=90, yOffset=6).encode(x=x, fill=fill)


def _block(block: StudyBlock, names: dict[str, str], language: Language, withheld: str) -> Datum:
    datum = _datum(names[block.service], block.all_rate, language, withheld)
    return datum | {"text": f"{language.digits(Decimal(block.passed))}/{language.digits(Decimal(block.requests))}"}


def _panel(rows: Sequence[Datum], heads: Sequence[str], names: Sequence[str], labels: Labels) -> Any:
    """Rows of blocks, within them a mark per service, told apart by shape and colour."""
    alt = altair()
    scale = alt.Scale(domain=list(names), range=[MARK, OTHER, INK][: len(names)])
    shapes = alt.Scale(domain=list(names), range=["circle", "diamond", "square"][: len(names)])
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        y=alt.Y("head:N", sort=list(heads), title=None, axis=alt.Axis(minExtent=72)),
        yOffset=alt.YOffset("name:N", sort=list(names)),
        color=alt.Color("name:N", scale=scale),
    )
    known = base.transform_filter("datum.point !== null")
    axis = _axis(alt)
    x = alt.X("point:Q", title=label(labels.axis, limit=60), scale=alt.Scale(domain=[0, 100]), axis=axis)
    layers = (
        known.transform_filter("datum.low !== null").mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q"),
        known.mark_point(filled=True, opacity=1, size=80).encode(x=x, shape=alt.Shape("name:N", scale=shapes)),
        base.mark_text(align="left").encode(x=alt.value(WIDTH - 72), text="text:N", color=alt.value(INK)),
    )
    return alt.layer(*layers).properties(width=WIDTH - 80, height=28 * len(names) * len(heads))
