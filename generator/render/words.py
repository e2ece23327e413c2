"""Sentences put into words: slots filled with figures, names and lists of a page. Part of ``render``."""

from fractions import Fraction

from markupsafe import Markup

from generator.publish.run_views import ServiceView
from generator.records import Measured, Text, Withheld
from generator.render.sentences import Sentence, Slot
from generator.render.sheet import Sheet
from generator.render.visible import visible


def say(sheet: Sheet, sentence: Sentence, suite: str) -> Markup:
    """A conclusion in words.

    Args:
        sheet: the page it stands on.
        sentence: the rule that applies, with its slots.
        suite: whose model pages the names link to.
    """
    return sheet.language.sentence(
        sentence.slug, {name: _slot(sheet, value, suite) for name, value in sentence.slots.items()}
    )


def name(sheet: Sheet, service: ServiceView, suite: str) -> Markup:
    """A service's name, linked to its page where the suite has one."""
    if not sheet.has("model", suite, service.id):
        return Markup("<b>{}</b>").format(visible(service.name))
    return Markup('<a class="name" href="{}">{}</a>').format(
        sheet.link("model", suite, service.id), visible(service.name)
    )


def _slot(sheet: Sheet, value: Slot, suite: str) -> object:
    if isinstance(value, ServiceView):
        return name(sheet, value, suite)
    if isinstance(value, tuple):
        return sheet.listed([name(sheet, each, suite) for each in value])
    if isinstance(value, Measured | Withheld):
        return sheet.figure(value)
    if isinstance(value, Text):
        return sheet.language.text(value)
    if isinstance(value, str):
        return visible(value)
    return sheet.number(value, 1 if isinstance(value, Fraction) else 0)
