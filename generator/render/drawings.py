"""The charts with their words, for templates. Part of ``render``; altair is loaded when the first one is drawn."""

from typing import Any

from markupsafe import Markup

from generator.publish.board_views import BoardView
from generator.publish.series_views import SeriesView
from generator.publish.study_views import StudyView
from generator.render.sheet import Sheet
from generator.render.svg import Labels

View = BoardView | StudyView | SeriesView

WORDS = ("withheld", "apart", "not_apart", "block", "overall")
"""Words of the group ``chart`` that charts put beside their marks."""

BREAKS = ("suite", "task", "grader", "settings", "breach")
"""Reasons for which a line over time may end, words of the group ``break``."""


def chart(sheet: Sheet, kind: str, view: View) -> Markup:
    """One chart as an SVG element.

    Args:
        sheet: the page it stands on.
        kind: name of a function of ``charts``, or ``series``; title, description and axis are words of the group
            ``chart``.
        view: what it shows.
    """
    from generator.render import charts, timeline  # drawing needs altair, which costs a third of a second to load

    say = sheet.language.word
    labels = Labels(
        key=kind.replace("_", "-"),
        title=say("chart", kind),
        description=say("chart", f"{kind}_about"),
        axis=say("chart", f"{kind}_axis") if sheet.language.has_word("chart", f"{kind}_axis") else "",
        words={word: say("chart", word) for word in WORDS} | {f"break_{each}": say("break", each) for each in BREAKS},
    )
    draw: Any = timeline.series if kind == "series" else getattr(charts, kind)
    drawn: Markup = draw(view, sheet.language, labels)
    return drawn
