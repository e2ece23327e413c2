"""Where does the answer begin? Recognises a short lead-in such as ``Jawabannya adalah``. Serves exact scoring.

The normaliser ``lead_in_12`` lets an answer be introduced by at most twelve words. What counts as a lead-in is
decided by its form alone, so that nothing else can hide in it:

1. It ends in a colon, an arrow, ``=``, a linking word (``LINKS``), a label before a value (``LABELS``: "pada tahun
   1945"; "tahun" alone), or it is an opener (``OPENERS``) with its comma, full stop or exclamation mark; or it is an
   echo: all its words stand in the question, and the last one stands there right before a question word or the noun
   asked for, is a label or preposition of place or time, or ends in -nya. "Kota" and "Acara itu diadakan di" answer
   "Di kota mana acara itu diadakan?"; "uang kembaliannya" answers "Berapa uang kembaliannya?".
2. It is one clause. Before that clause only openers, clauses that are lead-ins themselves, and adverbial phrases
   (first word in ``ADVERBIAL``) with a comma may stand: "Jakarta. Jawabannya adalah Semarang" offers two answers.
3. No word of denial, doubt, choice or contrast (``DOUBT``) stands in it, unless the question has the same word and
   the lead-in echoes it: "Bentuk yang tidak baku adalah" answers "Mana bentuk yang tidak baku?".
4. No arithmetic stands in it: "12 + 5 = 17" is worked out, and "0,4 = 2/5" gives two answers.

The answer is what follows, to the very end: an explanation behind it makes it another answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.score.counting import ABBREVIATIONS

MOST_WORDS = 12

LINKS = frozenset({
    "adalah", "ialah", "yaitu", "yakni", "merupakan", "berupa", "bernama", "berjudul", "disebut",
    "dinamakan", "dinamai", "berbunyi", "menjadi", "berarti", "artinya", "sebesar", "sebanyak",
    "sejumlah", "selama", "jawabannya", "hasilnya", "jumlahnya", "totalnya", "namanya", "yaiku", "is", "are", "was",
})  # fmt: skip
"""Words that end a lead-in."""
LABELS = frozenset({
    "tahun", "tanggal", "hari", "pukul", "ada", "terdapat",
})  # fmt: skip
"""Words that stand before a value, alone or after ``pada``: "tahun 1945", "ada 47"."""
PLACE_OR_TIME = frozenset({"di", "pada"})
"""Prepositions that may end an echo of the question."""
ASKING = frozenset({
    "apa", "apakah", "siapa", "siapakah", "mana", "manakah", "berapa", "berapakah", "kapan", "kapankah",
})  # fmt: skip
"""Question words."""
OPENERS = frozenset(
    {
        "tentu", "tentu saja", "baik", "baiklah", "oke", "ok", "siap", "jadi", "maka", "dengan demikian",
        "oleh karena itu", "sure", "certainly", "of course", "halo", "hai", "terima kasih", "jawab", "jawaban",
        "jawabannya", "jawaban saya", "jawaban akhir",
    }
)  # fmt: skip
"""Words that open an answer and say nothing."""
ADVERBIAL = frozenset({
    "berdasarkan", "menurut", "sesuai", "merujuk", "mengacu", "pada", "dalam", "di", "dengan", "untuk",
    "jadi", "maka", "karena", "sebagai", "sejak",
})  # fmt: skip
"""First words of a phrase that may stand before the clause, with a comma."""
DOUBT = frozenset({
    "bukan", "bukanlah", "bukannya", "tidak", "tidaklah", "tak", "tiada", "jangan", "belum", "tanpa",
    "kecuali", "selain", "salah", "keliru", "not", "never", "no", "isn't", "mungkin", "barangkali",
    "kemungkinan", "sepertinya", "tampaknya", "kelihatannya", "kayaknya", "kira-kira", "kira", "pikir",
    "duga", "rasa", "entah", "ragu", "tebakan", "menebak", "sekitar", "maybe", "perhaps", "probably",
    "possibly", "think", "guess", "atau", "ataupun", "tetapi", "tapi", "namun", "melainkan", "or",
    "but", "either", "awalnya", "semula",
})  # fmt: skip
"""Words that make a lead-in say more than that the answer follows."""

_LONGEST = 300
"""Characters within reach: far more than twelve words need, and a bound on the work for a hostile text."""
_MARKS = str.maketrans(dict.fromkeys("*_`#~\"'‘’“”«»()[]"))
_LINK_MARKS = (":", "：", "=", "→", "->")
_OPERATOR = r"(?:[+×÷·*^]|[xX:/](?= )|(?<= )[-−–](?= ))"
_CALCULATION = re.compile(rf"[0-9)%] ?{_OPERATOR} ?\(?[A-Za-z]{{0,3}}\.? ?[0-9]")
_EQUATION = re.compile(r"[0-9] ?[-+−–×÷·*/:xX] ?[0-9][^=\n]{0,60}=")
_EQUALS = re.compile(r"[0-9%] ?[$}]{0,3} ?[=→]")
_TOKEN = re.compile(r"[^\s=→:：]*[=→:：]*>?")
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_DOTTED = re.compile(r"([A-Za-z]{1,9})\.")
_APPOSED = re.compile(r",(?=\s+(?:yaitu|yakni)\b)", re.IGNORECASE)
_CLAUSE_END = re.compile(r"(?<=[,.!?;:：])\s+|\n+")


def calculates(text: str) -> bool:
    """Whether ``text`` holds arithmetic: an operator between numbers, or a number right before an equals sign."""
    return any(pattern.search(text) for pattern in (_CALCULATION, _EQUATION, _EQUALS))


def rests(text: str, question: str) -> Iterator[str]:
    """What may be the answer proper: for every lead-in that ``text`` begins with, the text behind it.

    Args:
        text: the answer, NFC, with its line ends.
        question: what was asked; a lead-in may echo it.
    """
    asked = _Question.of(question)
    for cut in _cuts(text):
        rest = text[cut:]
        ends_line = rest.lstrip(" *_`").startswith("\n")
        if rest.strip() and _is_lead_in(text[:cut], asked, ends_line=ends_line):
            yield rest


@dataclass(frozen=True)
class _Question:
    """What a lead-in may echo: the words of the question, and those after which an answer may follow."""

    words: frozenset[str]
    ends: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "_Question":
        sentences = [_words(sentence) for sentence in re.split(r"[.?!\n]", question)]
        words = {word for sentence in sentences for word in sentence}
        ends = {
            word
            for sentence in sentences
            for at, asking in enumerate(sentence)
            if asking in ASKING
            for word in sentence[max(at - 2, 0) : at]
        }
        topics = {word for word in words if word.endswith("nya")}
        return cls(frozenset(words), frozenset(ends | topics | LABELS | PLACE_OR_TIME) - ASKING)

    def is_echoed_by(self, clause: str) -> bool:
        words = _words(clause)
        return bool(words) and words[-1] in self.ends and self.words.issuperset(words)


def _cuts(text: str) -> Iterator[int]:
    """Ends of the tokens within reach; a colon, ``=`` or arrow ends a token too, but not the colon of 10:30."""
    count = 0
    for found in _TOKEN.finditer(text, 0, _LONGEST):
        token, end = found[0], found.end()
        count += any(map(str.isalnum, token))
        if count > MOST_WORDS:
            return
        clock = token.endswith(":") and text[end - 2 : end - 1].isdecimal() and text[end : end + 1].isdecimal()
        if token and not clock:
            yield end


def _is_lead_in(head: str, asked: _Question, *, ends_line: bool) -> bool:
    words = _words(head)
    if not words or calculates(head) or any(word not in asked.words for word in _doubts(words)):
        return False
    *before, last = _clauses(head)
    introduces = (
        _links(last) or asked.is_echoed_by(last) or (_opens(last) and (ends_line or last.endswith((",", ".", "!"))))
    )
    return introduces and all(_opens(clause) or _links(clause) or _adverbial(clause) for clause in before)


def _clauses(head: str) -> list[str]:
    """The head cut after its commas, full stops, colons and lines.

    Markdown, quotes, the dots of abbreviations and the comma of ", yaitu" are dropped first.
    """
    bare = _APPOSED.sub("", _DOTTED.sub(_without_dot, head.translate(_MARKS)))
    return [clause.strip() for clause in _CLAUSE_END.split(bare.strip()) if _words(clause) or _links(clause)] or [""]


def _links(clause: str) -> bool:
    if clause.endswith(_LINK_MARKS):
        return True
    words = _words(clause)
    if not words or clause[-1] in ".!?;":
        return False
    label = words[-1] in LABELS and (len(words) == 1 or words[-2] == "pada")
    return words[-1] in LINKS or words[-2:] == ["sama", "dengan"] or label


def _opens(clause: str) -> bool:
    return " ".join(_words(clause)) in OPENERS


def _adverbial(clause: str) -> bool:
    return clause.endswith(",") and _words(clause)[0] in ADVERBIAL


def _doubts(words: list[str]) -> list[str]:
    """Words of doubt in a head; "salah satu" (one of) is none."""
    following = [*words[1:], ""]
    return [
        word
        for word, after in zip(words, following, strict=True)
        if word in DOUBT and (word, after) != ("salah", "satu")
    ]


def _without_dot(found: re.Match[str]) -> str:
    word = found[1]
    return word if word.casefold() in ABBREVIATIONS or (len(word) == 1 and word.isupper()) else found[0]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
