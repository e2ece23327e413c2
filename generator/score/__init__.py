"""Room 1: one answer at a time becomes a mark. Pure: no clock, no file, no socket, no random source.

``grade`` takes a task, an answer and stored verdicts. Who answered, at what price and who paid are not among its
arguments, so they cannot matter.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from generator.records import (
    ChecksTask,
    ExactTask,
    JuryRules,
    Mark,
    RubricTask,
    ScoreRules,
    Task,
    TranslationTask,
    Verdict,
    VocabularyTask,
)
from generator.score import checks, exact, judged, translation, vocabulary
from generator.score.normalise import tidy

GRADER = "nsid-v1-auto-1.0"
"""Name and version of this room, part of every recipe. A change that can change a score raises it."""


def grade(task: Task, answer: str, verdicts: Sequence[Verdict], rules: ScoreRules, jury: JuryRules | None) -> Mark:
    """The mark of one answer that was returned completely.

    Args:
        task: what was asked.
        answer: what came back, whole.
        verdicts: those on this answer; only judged tasks read them.
        rules: the suite's points.
        jury: the suite's jury rules; without them a judged task has no verdict.

    Returns:
        A mark of 0..100. An answer that shows nothing is a technical failure, ``empty``.
    """
    if not tidy(answer):
        return Mark(outcome="technical", score=Fraction(rules.failed), reason="empty")
    match task:
        case ExactTask():
            return exact.mark(task, answer, rules)
        case ChecksTask():
            return checks.mark(task, answer)
        case RubricTask():
            return judged.mark(verdicts, rules, jury)
        case TranslationTask():
            return translation.mark(task, answer, rules)
        case VocabularyTask():
            return vocabulary.mark(task, answer, rules)
        case _:
            assert_never(task)
