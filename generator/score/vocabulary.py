"""Vocabulary probes: one word, known or not known. In ``score``, room 1.

An answer shows that the word is known when an accepted sense stands in it as whole words, in a short answer, not
denied, without a wrong sense beside it, and not among a list of guesses. "I do not know" is recognised first, since
an honest answer must not be read for what it happens to mention. Case, punctuation and Javanese e-marks do not matter.
A guess ("mungkin bakwan") that names the sense is known: nobody hits a regional word by chance. A sense of nothing
but everyday function words ("saya", "tidak ada") would turn up in any sentence, so it must be a piece of the answer
of its own: "isun artinya saya", not "saya pikir telur".
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import dropwhile

from generator.records import Mark, ScoreRules, VocabularyTask
from generator.score.exact import SHOWN
from generator.score.normalise import normalise

MOST_WORDS = 40
"""A longer answer is not an answer to "what does it mean": it may mention anything."""
REACH = 4
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
"""How it says so of the word; this counts only where no accepted sense is named beside it."""
FUNCTION_WORDS = frozenset({
    "saya", "aku", "kamu", "dia", "ia", "kami", "kita", "mereka", "ini", "itu", "yang", "kalau", "jika", "apabila",
    "bila", "jikalau", "tidak", "ada", "tiada", "bisa", "dapat", "belum", "sudah", "akan", "apa", "bagaimana",
    "mengapa", "kenapa", "di", "ke", "dari", "dan", "atau", "juga", "baik", "seperti", "sedang", "lagi", "saat",
})  # fmt: skip
"""Words so common that they say nothing unless they stand alone."""
FILLERS = frozenset({
    "kata", "dalam", "bahasa", "indonesia", "indonesianya", "jawa", "mungkin", "kira-kira", "barangkali", "sepertinya",
    "kemungkinan", "jawaban", "jawabannya", "sama", "dengan", "in", "indonesian",
})  # fmt: skip
"""Words that may stand around such a piece."""

_SHORT_PIECE = 2
_LIST = re.compile(r"[,;/\n]|\b(?:atau|utawa|utawi|or|dan|lan|and)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:!?()\n]|\.(?=\s|\Z)|\b(?:tetapi|tapi|melainkan|namun|nanging|ananging|but)\b", re.IGNORECASE)
_PIECE = re.compile(
    r"[,;:!?()/=\n]|\.(?=\s|\Z)|\b(?:atau|utawa|utawi|or|alias|adalah|ialah|yaitu|yakni|artinya|berarti|bermakna"
    r"|maknanya|merupakan|tegese|means|is)\b",
    re.IGNORECASE,
)

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
        spans = [(at, at + size) for size in sorted(set(map(len, wanted))) for at in range(len(self.words) - size + 1)]
        return [(start, end) for start, end in spans if self.words[start:end] in wanted]

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
    named = read.spans(_that_count(wanted, answer))

    if _disclaims(read, named):
        return "does_not_know"
    if not named:
        return "no_match"
    if len(read.words) > MOST_WORDS:
        return "too_long"
    if all(map(read.denied, named)):
        return "negated"
    wrong = [span for span in read.spans(map(_words, distractors)) if not _lies_in(span, named)]
    if not all(map(read.denied, wrong)):
        return "distractor"
    return "alternatives" if _is_list(answer, wanted) else "match"


def _disclaims(read: _Answer, named: Sequence[Span]) -> bool:
    """Whether the answer says that it does not know; ``named`` are the accepted senses it names."""
    if any(not _lies_in(span, named) for span in read.spans(_phrases(I_DO_NOT_KNOW))):
        return True
    nobody = read.spans(_phrases(NOBODY_KNOWS))
    return bool(nobody) and (not named or any(_overlap(one, other) for one in nobody for other in named))


def _that_count(wanted: Sequence[Sequence[str]], answer: str) -> list[Sequence[str]]:
    """The senses that may count wherever they stand in ``answer``: those of function words only where one is alone."""
    alone = {tuple(_without_fillers(_words(piece))) for piece in _PIECE.split(answer)}
    return [sense for sense in wanted if not FUNCTION_WORDS.issuperset(sense) or tuple(sense) in alone]


def _without_fillers(words: Iterable[str]) -> list[str]:
    ahead = list(dropwhile(FILLERS.__contains__, words))
    return list(dropwhile(FILLERS.__contains__, reversed(ahead)))[::-1]


def _lies_in(span: Span, spans: Iterable[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


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
    pieces = [words for piece in _LIST.split(answer) if (words := _words(piece.lstrip("0123456789.) ")))]
    short = all(len(words) <= _SHORT_PIECE or _read(" ".join(words)).spans(wanted) for words in pieces[1:])
    return short and sum(not _read(" ".join(words)).spans(wanted) for words in pieces) >= 2


def _phrases(texts: Iterable[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def _words(text: str) -> list[str]:
    return normalise(text, ("case", "punctuation", "diacritics_jv")).split()
