"""Answers that are certainly wrong though they may look like the right one. Serves ``variants``.

A grader that accepts everything passes every test of what is still right; these show whether it can say no.
"""

import re
from collections.abc import Iterator, Sequence

from generator.audit.still_right import NUMERALS
from generator.records import ExactTask, TranslationTask, VocabularyTask

NOT = {"id": "bukan {}", "en": "not {}"}
"""Language -> a key denied."""
UNTRUE = {"id": "Tidak benar bahwa {}"}
"""Language -> a sentence denied."""
DENIALS = {"id": ("tidak", "bukan", "belum", "jangan", "tak")}
"""Language -> words whose loss turns a statement round."""
DOES_NOT_KNOW = {"id": ("Tidak tahu", "Saya tidak tahu arti kata itu."), "en": ("I do not know",)}
OR = {"id": " atau ", "en": " or "}
ADDRESS = frozenset({"Anda", "Bapak", "Ibu", "Pak", "Bu", "Mas", "Mbak"})
"""Capitalised words that name nobody in particular."""

Key = ExactTask | TranslationTask | VocabularyTask
Made = Iterator[tuple[str, str]]


def of(task: Key, others: Sequence[Key], language: str) -> Made:
    """Every wrong answer to ``task``, with the name of its transform.

    Args:
        task: whose keys are spoilt.
        others: further tasks of its kind and category, nearest first; their keys answer other questions.
        language: of the suite.
    """
    yield "empty", ""
    match task:
        case ExactTask():
            yield from _exact(task, [each.references[0] for each in others if isinstance(each, ExactTask)], language)
        case VocabularyTask():
            yield from _vocabulary(
                task, [each.senses[0] for each in others if isinstance(each, VocabularyTask)], language
            )
        case TranslationTask():
            alike = [each for each in others if isinstance(each, TranslationTask) and each.direction == task.direction]
            yield from _translation(task, [each.references[0] for each in alike])


def _exact(task: ExactTask, others: Sequence[str], language: str) -> Made:
    yield "copy", task.prompt
    yield from (("other_answer", other) for other in others[:2])
    key = task.references[0]
    if language in NOT:
        yield "negation", NOT[language].format(key)
    yield from (("other_number", text) for text in _next_number(key))
    if others and language in OR:
        yield "alternatives", OR[language].join([key, *others[:2]])
        yield "alternatives", ", ".join([*others[:2], key])


def _vocabulary(task: VocabularyTask, others: Sequence[str], language: str) -> Made:
    key = task.senses[0]
    yield "copy", task.word
    yield from (("other_answer", other) for other in others[:2])
    yield from (("distractor", distractor) for distractor in task.distractors)
    yield from (("does_not_know", text) for text in DOES_NOT_KNOW.get(language, ()))
    if language in NOT:
        yield "negation", NOT[language].format(key)
    guesses = [*task.distractors[:2], *others[:2]]
    if len(guesses) >= 2 and language in OR:
        yield "alternatives", OR[language].join([guesses[0], key, *guesses[1:]])
        yield "alternatives", ", ".join([*guesses, key])


def _translation(task: TranslationTask, others: Sequence[str]) -> Made:
    language = task.direction.partition("-")[2]
    yield "copy", task.source_text
    yield from (("other_answer", other) for other in others[:2])
    if others:
        yield "alternatives", " / ".join([others[0], task.references[0], *others[1:2]])
    for key in task.references:
        yield from (("negation", text) for text in _denied(key, language))
        yield from (("other_number", text) for text in _next_number(key))
        yield from (("other_name", text) for text in _other_name(key, others))
        words = key.split()
        if len(words) >= 4:
            yield "cut_off", " ".join(words[: len(words) // 2])


def _denied(key: str, language: str) -> Iterator[str]:
    """A statement turned round: by dropping the word that denies, or by denying the whole. A question is left alone."""
    if language not in UNTRUE or key.rstrip().endswith("?"):
        return
    words = "|".join(DENIALS[language])
    without = re.sub(rf"\b(?:{words})\b ?", "", key, count=1, flags=re.IGNORECASE)
    yield without if without != key else UNTRUE[language].format(key[:1].lower() + key[1:])


def _next_number(key: str) -> Iterator[str]:
    """The last digit of each number, or a number word, one step further on."""
    for found in re.finditer(r"[0-9](?![0-9.,]*[0-9])", key):
        yield f"{key[: found.start()]}{(int(found[0]) + 1) % 10}{key[found.end() :]}"
    following = dict(zip(NUMERALS, [*list(NUMERALS)[1:], "dua"], strict=True))
    for word, other in following.items():
        changed = re.sub(rf"\b{word}\b", other, key, count=1, flags=re.IGNORECASE)
        if changed != key:
            yield changed


def _other_name(key: str, others: Sequence[str]) -> Iterator[str]:
    """Each name in a sentence replaced by one from another sentence."""
    own = _names(key)
    strange = [name for other in others for name in _names(other) if name not in own]
    for name in own:
        if strange:
            yield re.sub(rf"\b{re.escape(name)}\b", strange[0], key)


def _names(text: str) -> list[str]:
    """Capitalised words that do not open a sentence."""
    words = re.findall(r"(?<![.!?“\"] )(?<!\A)\b[A-Z][a-z]+\b", text)
    return [word for word in dict.fromkeys(words) if word not in ADDRESS]
