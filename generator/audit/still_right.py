"""Ways to write a right answer differently that certainly leave it right. Serves ``variants``.

Each function takes a text and yields rewritten texts; one that does not apply yields nothing. Whether one is applied
to a task depends on what the task declares: an exact task lists what does not matter, a translation lives on meaning.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from generator.records import ExactTask, Normaliser, Synonym, TranslationTask, Variants, VocabularyTask

LEAD_INS = {
    "id": ("Jawaban: {}", "Jawabannya adalah {}", "Berdasarkan pertanyaan di atas, jawaban yang benar adalah {}"),
    "en": ("Answer: {}", "The answer is {}"),
}
"""Language of the suite -> sentences that introduce an answer in at most twelve words."""
MEANS = {"id": ("Artinya {}", "Artinya: {}.", "“{word}” berarti {}", "Kata “{word}” artinya {}.")}
"""Language -> sentences that give the meaning of a word."""
BOUND = frozenset({
    "jadi", "karena", "oleh", "sebab", "tetapi", "tapi", "namun", "dan", "atau", "lalu", "kemudian", "sehingga",
    "makanya", "maka", "ternyata", "padahal", "sedangkan", "melainkan", "bahkan", "yaitu", "yakni",
})  # fmt: skip
"""First words that tie a clause to the one before it: the order of the two is then part of the meaning."""
NUMERALS = {
    "dua": 2, "tiga": 3, "empat": 4, "lima": 5, "enam": 6, "tujuh": 7, "delapan": 8, "sembilan": 9, "sepuluh": 10,
}  # fmt: skip
"""Indonesian number words that stand alone; *satu* is left out because *sebuah* and *se-* say it too."""
SENTENCE = 5
"""Words from which an exact key that ends like a sentence is treated as one."""
_GROUPED = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.,]*[0-9])")
_FRACTION = re.compile(r"(?<![0-9/])([0-9])/([0-9])(?![0-9/])")
_VULGAR = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘",
           "1/6": "⅙", "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞"}  # fmt: skip
_MULTIPLIED = r"(?! (?:belas|puluh|ratus|ribu|juta|miliar|per)\b)"

Made = Iterator[tuple[str, str]]


def of(task: ExactTask | TranslationTask | VocabularyTask, words: Variants, language: str) -> Made:
    """Every rewriting of every key of ``task``, with the name of its transform; the key itself is not among them."""
    match task:
        case ExactTask():
            return _exact(task, words, language)
        case TranslationTask():
            return _translation(task, words)
        case VocabularyTask():
            return _vocabulary(task, language)


def _exact(task: ExactTask, words: Variants, language: str) -> Made:
    for key in task.references:
        yield from _changed(key, "unicode", unicode_forms(key))
        for name, make in _DECLARED.items():
            if name in task.normalise:
                yield from _changed(key, _SHORT.get(name, name), make(key))
        if "lead_in_12" in task.normalise:
            yield from _changed(key, "lead_in", (form.format(key) for form in LEAD_INS.get(language, ())))
        if key.rstrip().endswith((".", "!")) and len(key.split()) >= SENTENCE:
            yield from _reworded(key, words)


def _translation(task: TranslationTask, words: Variants) -> Made:
    for key in task.references:
        yield from _changed(key, "unicode", unicode_forms(key))
        yield from _changed(key, "case", [key.lower()])
        yield from _changed(key, "punctuation", [unpunctuated(key)])
        yield from _reworded(key, words)
        if task.direction.endswith("-id"):
            yield from _changed(key, "number", numerals(key))


def _vocabulary(task: VocabularyTask, language: str) -> Made:
    for key in task.senses:
        yield from _changed(key, "unicode", unicode_forms(key))
        yield from _changed(key, "case", case_forms(key))
        yield from _changed(key, "punctuation", marked(key))
        forms = MEANS.get(language, ())
        yield from _changed(key, "lead_in", (form.format(key, word=task.word) for form in forms))


def _reworded(key: str, words: Variants) -> Made:
    yield from _changed(key, "clause_order", clauses_swapped(key))
    yield from _changed(key, "synonym", synonyms(key, words.synonym))
    yield from _changed(key, "scaffold", dropped(key, words.scaffold))


def _changed(key: str, name: str, texts: Iterable[str]) -> Made:
    return ((name, text) for text in texts if text != key)


def unicode_forms(text: str) -> Iterator[str]:
    """Decomposed letters, no-break spaces, and white space around: what copying and pasting does."""
    yield unicodedata.normalize("NFD", text)
    yield text.replace(" ", "\u00a0")
    yield f"\n {text} \n"


def case_forms(text: str) -> Iterator[str]:
    """Small letters, capitals, and a capital first."""
    yield text.lower()
    yield text.upper()
    yield text[:1].upper() + text[1:]


def marked(text: str) -> Iterator[str]:
    """A full stop, quotes, Markdown."""
    bare = text.rstrip(".")
    yield f"{bare}."
    yield f"“{text}”"
    yield f"**{text}**"


def unpunctuated(text: str) -> str:
    """Without marks at the edges of words, but for the question mark: a question is no statement.

    Hyphens and apostrophes inside a word are spelling.
    """
    return " ".join(word for each in text.split() if (word := each.strip(".,;:!…“”\"'()")))


def numbers(text: str) -> Iterator[str]:
    """Grouping dots left out, a space after ``Rp``, idle decimals."""
    yield _GROUPED.sub(lambda found: found[0].replace(".", ""), text)
    yield re.sub(r"\bRp(?=[0-9])", "Rp ", text)
    if re.search(r"\bRp ?[0-9.]+\Z", text):
        yield f"{text},00"


def fractions(text: str) -> Iterator[str]:
    """A fraction as one character, and as LaTeX."""
    yield _FRACTION.sub(lambda found: _VULGAR.get(found[0], found[0]), text)
    yield _FRACTION.sub(lambda found: rf"\frac{{{found[1]}}}{{{found[2]}}}", text)


def numerals(text: str) -> Iterator[str]:
    """Each Indonesian number word from two to ten as a digit, and back, one at a time."""
    for word, value in NUMERALS.items():
        yield re.sub(rf"\b{word}\b{_MULTIPLIED}", str(value), text, count=1, flags=re.IGNORECASE)
        yield re.sub(rf"(?<!\S){value}(?=\s|[.,!?]?\Z){_MULTIPLIED}", word, text, count=1)


def clauses_swapped(text: str) -> Iterator[str]:
    """``A, b.`` as ``B, a.``: one comma, two words or more on both sides, nothing that ties one to the other."""
    first, comma, second = text.removesuffix(".").partition(", ")
    if not comma or "," in second or text.endswith(("?", "!")):
        return
    before, after = first.split(), second.split()
    if min(len(before), len(after)) < 2 or after[0].lower() in BOUND:
        return
    yield f"{_capital(second)}, {first[0].lower()}{first[1:]}{'.' if text.endswith('.') else ''}"


def synonyms(text: str, pairs: Sequence[Synonym]) -> Iterator[str]:
    """Every place where one of a declared pair stands, with the other in its place, one place at a time."""
    for pair in pairs:
        for old, new in ((pair.a, pair.b), (pair.b, pair.a)):
            for found in re.finditer(rf"(?<![\w-]){re.escape(old)}(?![\w-])", text, re.IGNORECASE):
                word = _capital(new) if found[0][:1].isupper() else new
                yield text[: found.start()] + word + text[found.end() :]


def dropped(text: str, scaffold: Sequence[str]) -> Iterator[str]:
    """Every place where a declared word stands, without it."""
    for word in scaffold:
        for found in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text, re.IGNORECASE):
            kept = f"{text[: found.start()].rstrip(' ,')} {text[found.end() :].lstrip()}".strip()
            kept = re.sub(r" (?=[.,!?])", "", kept)
            yield _capital(kept) if text[:1].isupper() else kept


def _cited(text: str) -> Iterator[str]:
    yield f"{text} [1]"


def _without_e_marks(text: str) -> Iterator[str]:
    yield re.sub("[éèêëě]", "e", text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_DECLARED: dict[Normaliser, Callable[[str], Iterator[str]]] = {
    "case": case_forms,
    "punctuation": marked,
    "citation": _cited,
    "number_id": numbers,
    "fraction": fractions,
    "diacritics_jv": _without_e_marks,
}
"""What an exact task may declare not to matter -> texts that differ in just that."""
_SHORT: dict[str, str] = {"number_id": "number", "diacritics_jv": "e_marks"}
