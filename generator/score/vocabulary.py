"""Vocabulary probes: one word, known or not known. In ``score``, room 1.

An answer shows that the word is known when an accepted sense stands in it as whole words, in a short answer, not
denied, without a wrong sense beside it, and not among a list of guesses. "I do not know" is recognised first, since
an honest answer must not be read for what it happens to mention. Case, punctuation and Javanese e-marks do not matter.
A guess ("mungkin bakwan") that names the sense is known: nobody hits a regional word by chance.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.records import Mark, ScoreRules, VocabularyTask
from generator.score.exact import SHOWN
from generator.score.normalise import normalise

MOST_WORDS = 40
"""A longer answer is not an answer to "what does it mean": it may mention anything."""
REACH = 3
"""Words before a sense within which a denial denies it."""
DENIALS = frozenset({
    "bukan", "bukanlah", "tidak", "tak", "tanpa", "dudu", "dede", "ora", "mboten", "not", "no", "isn't",
})  # fmt: skip
"""Words that deny what follows."""
I_DO_NOT_KNOW = frozenset({
    "tidak tahu", "tidak mengetahui", "tidak yakin", "tidak mengenal", "tidak mengerti", "tidak memahami",
    "tidak paham", "tidak menemukan", "tidak familiar", "tidak memiliki informasi", "tidak punya informasi",
    "tidak dapat menemukan", "tidak bisa menemukan", "tidak dapat menjawab", "tidak bisa menjawab",
    "tidak dapat memastikan", "tidak bisa memastikan", "kurang tahu", "kurang yakin", "kurang paham", "belum tahu",
    "belum mengetahui", "belum pernah mendengar", "tak tahu", "tak yakin", "ora ngerti", "ora weruh",
    "mboten ngertos", "mboten mangertos", "don't know", "do not know", "not sure", "not familiar", "no idea",
    "i'm unsure", "cannot find", "can't find",
})  # fmt: skip
"""How a service says that it does not know; this counts even beside a right guess."""
NOBODY_KNOWS = frozenset({
    "tidak diketahui", "tidak dikenal", "tidak ditemukan", "tidak ada informasi", "tidak ada arti", "tidak ada makna",
    "tidak memiliki arti", "tidak memiliki makna", "tidak mempunyai arti", "tidak mempunyai makna",
    "tidak terdapat dalam", "tidak ada dalam", "unknown", "no meaning",
})  # fmt: skip
"""How it says so of the word; this counts only where no accepted sense is named."""

_SHORT_PIECE = 2
_PIECE = re.compile(r"[,;/\n]|\b(?:atau|utawa|utawi|or|dan|lan|and)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:!?()\n]|\.(?=\s|\Z)|\b(?:tetapi|tapi|melainkan|namun|nanging|ananging|but)\b", re.IGNORECASE)

Span = tuple[int, int]
"""First word and the word behind the last."""


@dataclass(frozen=True)
class _Answer:
    """The words of an answer and where its clauses begin."""

    words: tuple[str, ...]
    clause_of: tuple[int, ...]

    def spans(self, phrases: Iterable[Sequence[str]]) -> list[Span]:
        """Where one of ``phrases`` stands, as whole words."""
        wanted = {tuple(phrase) for phrase in phrases if phrase}
        lengths = sorted(set(map(len, wanted)))
        starts = range(len(self.words))
        return [(at, at + size) for at in starts for size in lengths if self.words[at : at + size] in wanted]

    def denied(self, span: Span) -> bool:
        """Whether a word of denial stands at most ``REACH`` words before ``span``, in the same clause."""
        start, _ = span
        before = range(max(start - REACH, 0), start)
        return any(self.words[at] in DENIALS and self.clause_of[at] == self.clause_of[start] for at in before)


def mark(task: VocabularyTask, answer: str, rules: ScoreRules) -> Mark:
    """The mark of one answer that is not empty: known or not, with the reason."""
    reason = known(answer, task.senses, task.distractors)
    right = reason == "match"
    return Mark(
        outcome="passed" if right else "failed",
        score=Fraction(rules.exact.right if right else rules.exact.wrong),
        reason=reason,
        read=" ".join(_words(answer))[:SHOWN],
    )


def known(answer: str, senses: Sequence[str], distractors: Sequence[str]) -> str:
    """The reason slug for ``answer``: ``match`` when the word is known.

    Args:
        answer: as the service gave it.
        senses: accepted meanings. One that itself says "tidak tahu" (the meaning of *embuh*) may be named.
        distractors: meanings that are wrong even where they share a word with an accepted one. One that lies wholly
            inside an accepted sense, or that is denied ("bukan tempe"), is not held against the answer.

    Returns:
        ``match``, or the first of these that holds: ``does_not_know``, ``no_match``, ``too_long`` (more than
        ``MOST_WORDS``), ``negated``, ``distractor``, ``alternatives`` (short pieces, two or more of them no sense).
    """
    wanted = [_words(sense) for sense in senses]
    read = _read(answer)
    named = read.spans(wanted)

    def outside(spans: Iterable[Span]) -> list[Span]:
        return [span for span in spans if not any(a <= span[0] and span[1] <= b for a, b in named)]

    if outside(read.spans(_phrases(I_DO_NOT_KNOW))) or (not named and read.spans(_phrases(NOBODY_KNOWS))):
        return "does_not_know"
    if not named:
        return "no_match"
    if len(read.words) > MOST_WORDS:
        return "too_long"
    if all(map(read.denied, named)):
        return "negated"
    wrong = outside(read.spans(map(_words, distractors)))
    if not all(map(read.denied, wrong)):
        return "distractor"
    return "alternatives" if _is_list(answer, wanted) else "match"


def _read(answer: str) -> _Answer:
    clauses = [_words(clause) for clause in _CLAUSE.split(answer)]
    return _Answer(
        words=tuple(word for clause in clauses for word in clause),
        clause_of=tuple(at for at, clause in enumerate(clauses) for _ in clause),
    )


def _is_list(answer: str, wanted: Sequence[Sequence[str]]) -> bool:
    """Whether ``answer`` is a row of short pieces of which two or more name no accepted sense.

    The first piece may be longer: it may introduce the row.
    """
    pieces = [words for piece in _PIECE.split(answer) if (words := _words(piece.lstrip("0123456789.) ")))]
    short = all(len(words) <= _SHORT_PIECE or _read(" ".join(words)).spans(wanted) for words in pieces[1:])
    return short and sum(not _read(" ".join(words)).spans(wanted) for words in pieces) >= 2


def _phrases(texts: Iterable[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def _words(text: str) -> list[str]:
    return normalise(text, ("case", "punctuation", "diacritics_jv")).split()
