"""Variants: every transform makes exactly what a person would agree to, and nothing held out gets into a public one."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator.audit import certainly_wrong, still_right
from generator.audit.variants import variants
from generator.records import DeclaredAnswer, Synonym, Variants
from tests.audit.samples import exact, pairs, suite, translation, vocabulary

CASES = tomllib.loads((Path(__file__).parent.parent / "cases" / "variants.toml").read_text("utf-8"))


def made(module: Any, case: dict[str, Any]) -> list[str]:
    further: list[Any] = []
    if "pairs" in case:
        further.append([Synonym(a=a, b=b) for a, b in case["pairs"]])
    further += [case[name] for name in ("words", "language", "others") if name in case]
    result = getattr(module, case["function"])(case["text"], *further)
    texts = [result] if isinstance(result, str) else list(result)
    return [text for text in texts if text != case["text"]]


@pytest.mark.parametrize("case", CASES["still_right"], ids=lambda case: f"{case['function']}: {case['text'][:30]}")
def test_still_right(case: dict[str, Any]) -> None:
    assert made(still_right, case) == case["made"]


@pytest.mark.parametrize("case", CASES["certainly_wrong"], ids=lambda case: f"{case['function']}: {case['text'][:30]}")
def test_certainly_wrong(case: dict[str, Any]) -> None:
    assert made(certainly_wrong, case) == case["made"]


def transforms(*tasks: Any, right: bool, **other: Any) -> set[str]:
    return {each.transform for each in variants(suite(*tasks, **other)) if each.right is right}


def test_an_exact_task_is_tried_with_what_it_declares_and_no_more() -> None:
    plain = exact("a", "Semarang", normalise=())
    assert transforms(plain, right=True) == {"unicode"}
    declared = exact("a", "Rp21.500", normalise=("case", "citation", "number_id", "lead_in_12"))
    assert transforms(declared, right=True) == {"unicode", "case", "citation", "number", "lead_in"}


def test_a_key_that_is_a_sentence_is_tried_with_other_words_for_the_same() -> None:
    """So that an exact-match grader on translations cannot hide."""
    words = pairs(("aku", "saya"), scaffold=("itu",))
    sentence = exact("a", "Aku membawa buku itu, mau kubaca nanti.")
    assert {"clause_order", "synonym", "scaffold"} <= transforms(sentence, right=True, words=words)
    title = exact("a", "Nomor 27 Tahun 2022 tentang aku")
    assert not transforms(title, right=True, words=words) & {"clause_order", "synonym", "scaffold"}


def test_a_wrong_variant_that_reads_like_a_reference_is_left_out() -> None:
    """“Senin” answers both; it must not be held against the first."""
    two = (exact("a", "Senin", "Selasa"), exact("b", "SELASA."), exact("c", "Rabu"))
    others = [v.text for v in variants(suite(*two)) if v.task_id == "a" and v.transform == "other_answer"]
    assert others == ["Rabu"]


def test_variants_of_a_public_task_hold_nothing_held_out() -> None:
    tasks = [
        make(f"{make.__name__}{k}", f"rahasia {k}" if k % 2 else f"umum {k}", access="held_out" if k % 2 else "public")
        for make in (exact, translation, vocabulary)
        for k in range(6)
    ]
    public = {task.id for task in tasks if task.access == "public"}
    shown = [v.text for v in variants(suite(*tasks)) if v.task_id in public]
    assert shown
    assert not [text for text in shown if "rahasia" in text.lower()]


def test_what_the_publisher_declares_is_tried_too() -> None:
    words = Variants(
        schema=1,
        must_accept=(DeclaredAnswer(task_id="a", text="Kitab 1 pasal 2"),),
        must_reject=(DeclaredAnswer(task_id="a", text="Pasal 9"), DeclaredAnswer(task_id="a", text="PASAL 2!")),
    )
    made = variants(suite(exact("a", "Pasal 2"), exact("b", "x"), words=words))
    declared = [(v.task_id, v.right, v.text) for v in made if v.transform.startswith("declared")]
    assert declared == [("a", True, "Kitab 1 pasal 2"), ("a", False, "Pasal 9")]


def test_every_kind_is_given_an_empty_answer_and_its_question_back() -> None:
    tasks = (exact("a", "x y"), translation("b", "Aku pulang sekarang."), vocabulary("c", "duduk"))
    wrong = {(v.task_id, v.transform): v.text for v in variants(suite(*tasks)) if not v.right}
    assert wrong["a", "copy"] == "Soal a?"
    assert wrong["b", "copy"] == "Ukara b."
    assert wrong["c", "copy"] == "c"
    assert all(wrong[name, "empty"] == "" for name in "abc")
