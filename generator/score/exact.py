"""Exact answers: right or wrong, after the normalisers that the task declares. In ``score``, room 1.

The whole answer must be one of the references, once both are normalised; nothing may stand before it but a lead-in
(where ``lead_in_12`` is declared), nothing behind it. So a denial ("bukan Semarang"), a hedge ("mungkin Semarang"),
a choice ("Semarang atau Solo"), an explanation and worked-out steps are wrong: the task asks for the final answer.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.records import ExactTask, Mark, Normaliser, ScoreRules
from generator.score.lead_in import calculates, rests
from generator.score.normalise import normalise

SHOWN = 200
"""Characters of an answer that a mark repeats in ``read``."""


@dataclass(frozen=True)
class Reading:
    """How an answer was read.

    Attributes:
        right: whether it is one of the references.
        reason: ``match``; ``working_shown``: a reference stands in it as a whole, with arithmetic; ``extra_text``: a
            reference stands in it among other words; ``no_match``.
        read: the answer after normalising, without its lead-in where it matched.
    """

    right: bool
    reason: str
    read: str


def mark(task: ExactTask, answer: str, rules: ScoreRules) -> Mark:
    """The mark of one answer that is not empty."""
    reading = accepts(answer, task.references, task.normalise, task.prompt)
    points = rules.exact.right if reading.right else rules.exact.wrong
    return Mark(
        outcome="passed" if reading.right else "failed",
        score=Fraction(points),
        reason=reading.reason,
        read=reading.read[:SHOWN],
    )


def accepts(answer: str, references: Sequence[str], normalisers: Sequence[Normaliser], question: str = "") -> Reading:
    """Read ``answer`` against ``references``.

    Args:
        answer: as the service gave it.
        references: right answers; one that normalises to nothing matches nothing.
        normalisers: those the task declares, in any order.
        question: what was asked, so that a lead-in may echo it.
    """
    wanted = {normalised for reference in references if (normalised := normalise(reference, normalisers))}
    for candidate in _candidates(answer, normalisers, question):
        read = normalise(candidate, normalisers)
        if read in wanted:
            return Reading(right=True, reason="match", read=read)
    read = normalise(answer, normalisers)
    if not any(_holds(read, reference) for reference in wanted):
        return Reading(right=False, reason="no_match", read=read)
    reason = "working_shown" if calculates(answer) else "extra_text"
    return Reading(right=False, reason=reason, read=read)


def _candidates(answer: str, normalisers: Sequence[Normaliser], question: str) -> Iterator[str]:
    """The answer itself, then the answer without each lead-in it begins with."""
    yield answer
    if "lead_in_12" in normalisers:
        lined = unicodedata.normalize("NFC", answer).replace("\r\n", "\n").replace("\r", "\n").strip()
        yield from rests(lined, question)


def _holds(text: str, part: str) -> bool:
    """Whether ``part`` stands in ``text``, not as a piece of a longer word or number."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if not text[max(at - 1, 0) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(part, end)
    return False
