"""An answer held against the nearest reference, word by word. Part of ``render``."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from markupsafe import Markup

from generator.render.visible import visible

MOST_WORDS = 300
"""Longer answers are not compared: matching them costs time and shows nothing."""
_WORDS = re.compile(r"\S+")


def against_reference(answer: str, references: Sequence[str]) -> Markup | None:
    """What would turn ``answer`` into the reference that it is nearest to.

    Returns:
        The words of both in order: ``<del>`` for those that only the answer has, ``<ins>`` for those that only the
        reference has. None where they are the same, share no word, or one is longer than ``MOST_WORDS``.
    """
    said = _WORDS.findall(answer)
    wanted = [_WORDS.findall(reference) for reference in references]
    if not said or not wanted or max(len(said), *map(len, wanted)) > MOST_WORDS:
        return None
    matchers = [SequenceMatcher(None, _bare(said), _bare(words), autojunk=False) for words in wanted]
    nearest, reference = max(zip(matchers, wanted, strict=True), key=lambda pair: pair[0].ratio())
    if not 0 < nearest.ratio() < 1:
        return None
    parts = []
    for what, i, j, k, m in nearest.get_opcodes():
        if what == "equal":
            parts.append(visible(" ".join(said[i:j])))
            continue
        if i < j:
            parts.append(Markup("<del>{}</del>").format(visible(" ".join(said[i:j]))))
        if k < m:
            parts.append(Markup("<ins>{}</ins>").format(visible(" ".join(reference[k:m]))))
    return Markup(" ").join(parts)


def _bare(words: Sequence[str]) -> list[str]:
    """Words without case and edge punctuation, which do not make another word."""
    return [word.casefold().strip(".,;:!?\"'“”‘’()") or word for word in words]
