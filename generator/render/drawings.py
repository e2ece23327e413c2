"""The charts with their words, for templates. Part of ``render``; altair is loaded when the first one is drawn."""

from collections.abc import Callable

from markupsafe import Markup

from generator.publish.views import BoardView, StudyView
from generator.render.language import Language
from generator.render.sheet import Sheet
from generator.render.svg import Labels

Draw = Callable[[BoardView | StudyView, Language, Labels], Markup]

WORDS = ("withheld", "apart", "not_apart", "block", "overall")
"""Words of the group ``chart`` that charts put beside their marks."""


def chart(sheet: Sheet, kind: str, view: BoardView | StudyView) -> Markup:
    """One chart as an SVG element.

    Args:
        sheet: the page it stands on.
        kind: name of a function of ``charts``; its title, description and axis are words of the group ``chart``.
        view: what it shows.
    """
    from generator.render import charts  # drawing needs altair, which costs a third of a second to load

    say = sheet.language.word
    labels = Labels(
        key=kind.replace("_", "-"),
        title=say("chart", kind),
        description=say("chart", f"{kind}_about"),
        axis=say("chart", f"{kind}_axis") if sheet.language.has_word("chart", f"{kind}_axis") else "",
        words={word: say("chart", word) for word in WORDS},
    )
    draw: Draw = getattr(charts, kind)
    return draw(view, sheet.language, labels)
