"""What holds for every text, however hostile, and for every service, whoever owns it."""

import inspect
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import score
from generator.records import (
    Check,
    ChecksTask,
    Contains,
    EndsWith,
    ExactTask,
    Excludes,
    JsonShape,
    JuryRules,
    Lines,
    ListItems,
    Mark,
    Pantun,
    Paragraphs,
    RubricTask,
    ScoreRules,
    Sentences,
    StartsWith,
    Task,
    TranslationTask,
    Uppercase,
    VocabularyTask,
    Words,
)
from generator.score import exact, grade, judged
from generator.score.counting import words
from generator.score.normalise import ORDER, normalise, tidy
from generator.score.pantun import rhyme

from .verdicts import verdict

# Texts made of what the rules look for, and any texts at all, lone surrogates left out: the reader refuses them.
PIECES = [
    *"0123456789.,/-–—+=:*_`#$\\{}[]()%?!'\"“”’…⅔½²⁄₃éêě\u0301\u200b\u00a0\u202e\u0000\n\r\t ",
    "Rp", "rupiah", "persen", "adalah", "Jawaban:", "bukan", "yang tidak", "tahun", "\\frac{2}{3}", "\\boxed{", "[1]",
    "【1†source】", "1.250", "2,5", "Semarang", "1. ", "- ", "```", "dll.", "Ir. ", "ng", "ai", "{\"a\": 1}",
    "tidak tahu", "atau",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=40)

CHECKS: tuple[Check, ...] = (
    ListItems(min=1), Words(max=5), Sentences(equals=1), Paragraphs(min=1), Lines(max=3), Uppercase(), Pantun(),
    JsonShape(required={"a": "integer"}), Contains(text="a b"), Excludes(text="-"), StartsWith(text="“a"),
    EndsWith(text="a."), Contains(text=""), StartsWith(text=""), EndsWith(text=""),
)  # fmt: skip
COMMON = {"id": "t", "category": "c", "access": "public", "prompt": "Apa ibu kota Jawa Tengah, bukan kota lain?"}
TASKS: list[Task] = [
    ExactTask(references=("Semarang", "1.250", "2/3"), normalise=(*ORDER, "lead_in_12"), **COMMON),
    ChecksTask(checks=CHECKS, **COMMON),
    RubricTask(criteria=("…",), references=("…",), **COMMON),
    TranslationTask(references=("Pasarnya tutup.",), source_text="Pasare tutup.", direction="jv-id", **COMMON),
    VocabularyTask(word="x", word_language="jv", senses=("bakwan", "tidak ada"), distractors=("tempe",), **COMMON),
]
JURY = JuryRules(pair=("judge-a", "judge-b"))
VERDICTS = (verdict("judge-a", score=4), verdict("judge-b", "second", 3))


def marked(task: Task, answer: str) -> Mark:
    return grade(task, answer, VERDICTS, ScoreRules(), JURY)


@pytest.mark.parametrize("name", [*ORDER, "tidy"])
@settings(max_examples=300)
@given(text=TEXTS)
def test_a_normaliser_applied_twice_changes_nothing_more(name: str, text: str) -> None:
    apply = {**ORDER, "tidy": tidy}[name]
    once = apply(tidy(text))
    assert tidy(apply(once)) == tidy(once)


@given(TEXTS, st.permutations([*ORDER]))
def test_the_order_in_a_task_file_decides_nothing(text: str, names: list) -> None:
    assert normalise(text, names) == normalise(text, ORDER)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
@given(text=TEXTS)
def test_both_unicode_forms_of_an_answer_get_one_mark(task: Task, text: str) -> None:
    composed, decomposed = (marked(task, unicodedata.normalize(form, text)) for form in ("NFC", "NFD"))
    assert (composed.score, composed.outcome, composed.reason) == (
        decomposed.score, decomposed.outcome, decomposed.reason,
    )  # fmt: skip


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
@settings(max_examples=200)
@given(text=TEXTS)
def test_grading_never_raises_and_stays_on_the_scale(task: Task, text: str) -> None:
    mark = marked(task, text)
    assert 0 <= mark.score <= 100
    assert mark.reason
    assert mark.outcome in ("technical", "failed", "passed")
    assert len(mark.read) <= exact.SHOWN
    assert all(len(each.saw) <= 150 for each in mark.saw)


@given(st.sampled_from(["Semarang", "1.250", "2/3", "1⅔", "Kowé", "Pasal 1 ayat (3)"]), TEXTS)
def test_a_right_answer_with_something_behind_it_is_right_only_if_that_says_nothing(key: str, behind: str) -> None:
    names = ("case", "punctuation", "citation")
    reading = exact.accepts(f"{key} {behind}", [key], names)
    assert reading.right is (normalise(f"{key} {behind}", names) == normalise(key, names))


@given(TEXTS)
def test_a_denial_before_an_answer_is_never_right(text: str) -> None:
    assert not exact.accepts(f"bukan {text}", ["Semarang"], (*ORDER, "lead_in_12")).right


@given(TEXTS)
def test_a_key_is_its_own_right_answer(text: str) -> None:
    names = (*ORDER, "lead_in_12")
    assert exact.accepts(text, [text], names).right or not normalise(text, names)


@given(TEXTS)
def test_only_white_space_is_empty(text: str) -> None:
    assert all((marked(task, text).reason == "empty") is (not tidy(text)) for task in TASKS)


@given(st.lists(st.sampled_from(["kucing", "terbang", "12", "-", "**", "dan/atau"]), max_size=20))
def test_words_are_counted_one_by_one(pieces: list) -> None:
    assert len(words(" ".join(pieces))) == sum(any(map(str.isalnum, piece)) for piece in pieces)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ,.!*", max_size=30), st.sampled_from([" ", ",", ".", "!**", " ;)"]))
def test_what_stands_behind_the_last_letter_is_no_part_of_a_rhyme(line: str, behind: str) -> None:
    assert rhyme(line + behind) == rhyme(line) == rhyme(line.upper())


# Nothing about the service, its vendor, its price or its owner.


def test_the_grader_takes_a_task_an_answer_verdicts_and_rules_and_nothing_else() -> None:
    assert list(inspect.signature(grade).parameters) == ["task", "answer", "verdicts", "rules", "jury"]
    takers = {score.exact.mark, score.checks.mark, score.translation.mark, score.vocabulary.mark, judged.mark}
    names = {name for taker in takers for name in inspect.signature(taker).parameters}
    assert names == {"task", "answer", "verdicts", "rules", "jury"}
    assert set(inspect.signature(judged.panel).parameters) == {"verdicts", "jury"}


@given(
    st.lists(st.none() | st.integers(0, 6), min_size=3, max_size=3),
    st.lists(st.sampled_from(["OpenAI", "Google", "ours", None]), min_size=3, max_size=3),
    st.lists(st.none() | st.decimals(0, 9, places=2), min_size=3, max_size=3),
)
def test_who_judged_and_what_it_cost_cannot_change_a_score(scores: list, vendors: list, costs: list) -> None:
    plain = [verdict(f"j{n}", role, scores[n]) for n, role in enumerate(("first", "second", "third"))]
    dressed = [
        replace(line, by=f"other {n}", vendor=vendors[n], cost_usd=costs[n] and Decimal(costs[n]), blind_id="f" * 12)
        for n, line in enumerate(plain)
    ]
    assert grade(TASKS[2], "jawaban", plain, ScoreRules(), JURY) == grade(
        TASKS[2], "jawaban", dressed, ScoreRules(), JURY
    )


# Sixty thousand characters that drive a careless pattern into endless backtracking.

LONG = {
    "one line": "a" * 60_000,
    "one number": "1." * 30_000,
    "groups": "1.000" * 12_000,
    "commas": "1,000," * 10_000,
    "citations": "[1" * 20_000 + "]" * 20_000,
    "citation lists": "[1, 1, 1, 1" * 5_000,
    "lenticular": "【" * 60_000,
    "math": "$1 " * 20_000,
    "boxes": "\\boxed{" * 8_000,
    "fractions": "\\frac{1}" * 7_000,
    "slashes": "1 / " * 15_000,
    "rupiah": "1 rupia" * 8_000,
    "leads": "Jawaban: " * 6_600,
    "equals": "=" * 60_000,
    "arithmetic": "1 + " * 15_000,
    "stars": "*" * 60_000,
    "lists": "1. a\n" * 12_000,
    "indented": " " * 60_000 + "- a",
    "blank lines": "\n" * 60_000 + "a",
    "full stops": "." * 60_000,
    "quotes": "“" * 30_000 + "”" * 30_000,
    "consonants": "ng" * 30_000,
    "nested json": "[" * 60_000,
    "long number in json": "1" * 60_000,
    "fences": "```" * 20_000,
    "key in a row": "Semarang" * 7_500,
    "bakwan": "bakwan, " * 7_500,
    "unknown": "tidak tahu kata " * 4_000,
    "combining": "e" + "\u0301" * 59_999,
    "zero width": "\u200b" * 59_999 + "a",
    "controls": "".join(map(chr, range(32))) * 1_900,
    "not characters": "\ufffe\uffff" * 30_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_line_of_sixty_thousand_characters_is_graded_like_any_other(text: str) -> None:
    for task in TASKS:
        assert marked(task, text).score < 100 or isinstance(task, RubricTask)
