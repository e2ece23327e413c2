"""The chart of one study over time: a line only joins what may be joined. Part of ``render``."""

from json import dumps

from markupsafe import Markup

from generator.publish.series_views import SeriesView
from generator.render.charts import Datum, placed
from generator.render.language import Language
from generator.render.svg import INK, MARK, OTHER, WIDTH, Labels, altair, label, svg

HEIGHT = 240
COLOURS = (MARK, OTHER, INK)
SHAPES = ("circle", "diamond", "square")


def series(view: SeriesView, language: Language, labels: Labels) -> Markup:
    """First-pass rates run by run with their intervals, a mark per service told apart by shape and colour.

    The lines end where something besides time changed; a dashed line stands there, with the reason.
    Words: ``break_suite`` and so on, by reason.
    """
    alt = altair()
    names = {name: label(view.names.get(name, name), name) for name in view.services}
    order = list(names.values())
    last = len(view.points) - 1
    days = [point.at.date().isoformat() for point in view.points]
    ticks = alt.Axis(values=list(range(last + 1)), grid=False, labelExpr=f"{dumps(days)}[datum.value]", labelAngle=-45)
    x = alt.X("run:Q", title=None, scale=alt.Scale(domain=[-0.5, last + 0.5]), axis=ticks)
    scale = alt.Scale(domain=[0, 100])
    y = alt.Y("point:Q", title=label(labels.axis, limit=60), scale=scale, axis=alt.Axis(tickCount=5, format=",d"))
    colour = alt.Color("name:N", scale=alt.Scale(domain=order, range=list(COLOURS[: len(order)])))
    shape = alt.Shape("name:N", scale=alt.Scale(domain=order, range=list(SHAPES[: len(order)])))
    known = alt.Chart(alt.Data(values=_rows(view, names))).encode(x=x, color=colour)
    ends = alt.Chart(alt.Data(values=_breaks(view, labels)))
    layers = (
        ends.mark_rule(strokeDash=[3, 3], color=INK).encode(x=x),
        ends.mark_text(align="left", baseline="top", dx=4, dy=2).encode(x=x, y=alt.value(0), text="text:N"),
        known.mark_line(strokeWidth=2).encode(y=y, detail=["stretch:N"]),
        known.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=2)
        .encode(y=alt.Y("low:Q", scale=scale), y2="high:Q"),
        known.mark_point(filled=True, opacity=1, size=80).encode(y=y, shape=shape),
    )
    return svg(alt.layer(*layers).properties(width=WIDTH - 80, height=HEIGHT), language, labels)


def _rows(view: SeriesView, names: dict[str, str]) -> list[Datum]:
    """One row a run and service with a rate; ``stretch`` counts the breaks so far. Services stand a little apart."""
    rows: list[Datum] = []
    stretch = 0
    for run, point in enumerate(view.points):
        stretch += bool(point.breaks)
        for place, (service, name) in enumerate(names.items()):
            figure = point.rates.get(service)
            if figure is not None and (shown := placed(figure)):
                aside = (place - (len(names) - 1) / 2) * 0.08
                rows.append({"run": run + aside, "name": name, "stretch": str(stretch), **shown})
    return rows


def _breaks(view: SeriesView, labels: Labels) -> list[Datum]:
    """Where a line ends, halfway between two runs, and why."""
    return [
        {"run": run - 0.5, "text": label(", ".join(labels.words[f"break_{each}"] for each in point.breaks), limit=60)}
        for run, point in enumerate(view.points)
        if run and point.breaks
    ]
