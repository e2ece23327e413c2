import csv
import tomllib
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records import ScoreRules, TranslationTask
from generator.score import grade
from generator.score.translation import (
    TER_WORDS,
    Hypothesis,
    References,
    corpus,
    hypothesis,
    paired,
    sentence_chrf,
)
from tests.conftest import ROOT

FILE = tomllib.loads((ROOT / "tests" / "cases" / "translation.toml").read_text(encoding="utf-8"))
FLORES = ROOT.parent / "shared" / "data" / "gpt_mt_flores_idjv"
# The example that sacrebleu prints in its README, with the figures printed there.
README_SYSTEM = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
README_REFERENCES = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
]
# Two translations of one text, unlike in length, so that swapping them shows.
SHORT = ["Hujan turun sejak pagi.", "Pasar tutup.", "Kami menunggu di rumah."]
LONG = [
    "Hujan lebat turun tanpa henti sejak pagi buta.",
    "Semua pedagang di pasar memutuskan untuk tutup.",
    "Kami sekeluarga hanya menunggu di rumah saja.",
]


def hypotheses(texts: Iterable[str]) -> list[Hypothesis]:
    return [Hypothesis(text) for text in texts]


def references(*streams: Iterable[str]) -> list[References]:
    return [References(texts) for texts in zip(*streams, strict=True)]


def task(**more: object) -> TranslationTask:
    told = {
        "id": "t",
        "category": "c",
        "access": "public",
        "prompt": "Terjemahkan. Tulis terjemahannya saja.\n\nPasare tutup.",
        "source_text": FILE["source"],
        "references": tuple(FILE["references"]),
        "direction": "jv-id",
    }
    return TranslationTask(**(told | more))


@pytest.mark.parametrize(("metric", "published"), [("bleu", 48.53), ("ter", 40.00)])
def test_the_figures_of_sacrebleus_own_example(metric: str, published: float) -> None:
    score = corpus(metric, hypotheses(README_SYSTEM), references(*README_REFERENCES))
    assert round(score.value, 2) == published
    assert score.n == 3
    assert score.signature.startswith("nrefs:2|")


# chrF++ once more, from its definition (Popović 2017): character n-grams of 1 to 6 without spaces, word n-grams of 1
# and 2, precision and recall averaged over the orders that both sides have, F with beta 2. One reference, words without
# punctuation, so that nothing hangs on a tokeniser.


def ngrams(units: str | list[str], n: int) -> Counter:
    return Counter(tuple(units[at : at + n]) for at in range(len(units) - n + 1))


def chrf_by_definition(given: str, wanted: str) -> float:
    sides = [(given.replace(" ", ""), wanted.replace(" ", ""), n) for n in range(1, 7)]
    sides += [(given.split(), wanted.split(), n) for n in (1, 2)]
    precisions, recalls = [], []
    for one, other, n in sides:
        mine, theirs = ngrams(one, n), ngrams(other, n)
        if mine and theirs:
            common = sum((mine & theirs).values())
            precisions.append(Fraction(common, sum(mine.values())))
            recalls.append(Fraction(common, sum(theirs.values())))
    if not any(precisions):
        return 0.0
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return float(100 * 5 * precision * recall / (4 * precision + recall))


JAVANESE = ["aku", "kowe", "lunga", "pasar", "tuku", "jajan", "kalih", "maem", "mbok", "rene"]
WORDS = st.lists(st.sampled_from(JAVANESE), min_size=1, max_size=9)


@given(WORDS, WORDS)
def test_sentence_chrf_is_chrf_by_its_definition(given_words: list[str], wanted_words: list[str]) -> None:
    one, other = " ".join(given_words), " ".join(wanted_words)
    expected = chrf_by_definition(one, other)
    assert abs(float(sentence_chrf(Hypothesis(one), References((other,)))) - expected) <= 0.005 + 1e-9


def test_the_signature_says_that_it_is_chrf_plus_plus() -> None:
    assert "|nc:6|nw:2|" in corpus("chrf", hypotheses(SHORT), references(LONG)).signature


@pytest.mark.parametrize("metric", ["chrf", "bleu", "ter"])
def test_swapping_the_two_sides_would_change_the_figure_and_is_refused(metric: str) -> None:
    right = corpus(metric, hypotheses(SHORT), references(LONG))
    swapped = corpus(metric, hypotheses(LONG), references(SHORT))
    assert abs(right.value - swapped.value) > 0.3
    with pytest.raises(TypeError, match="found References where Hypothesis was expected"):
        corpus(metric, references(LONG), hypotheses(SHORT))
    with pytest.raises(TypeError, match="found References where Hypothesis was expected"):
        sentence_chrf(References((LONG[0],)), Hypothesis(SHORT[0]))
    with pytest.raises(TypeError, match="found str where Hypothesis was expected"):
        corpus(metric, SHORT, references(LONG))


def test_lengths_must_agree_and_every_sentence_needs_a_reference() -> None:
    for given_texts, wanted in [(SHORT[:2], references(LONG)), ([], []), (SHORT[:1], [References(())])]:
        with pytest.raises(ValueError, match=r"hypotheses for|without a reference"):
            corpus("chrf", hypotheses(given_texts), wanted)


def test_sentences_may_have_different_numbers_of_references() -> None:
    wanted = [References((LONG[0], SHORT[0])), References((LONG[1],)), References((LONG[2],))]
    some = corpus("chrf", hypotheses(SHORT), wanted)
    one = corpus("chrf", hypotheses(SHORT), references(LONG))
    assert some.signature.startswith("nrefs:var|")
    assert some.value > one.value


def test_an_empty_answer_lowers_the_figure_of_its_system() -> None:
    whole = corpus("chrf", hypotheses(LONG), references(LONG))
    holed = corpus("chrf", [hypothesis(None), *hypotheses(LONG[1:])], references(LONG))
    assert whole.value == 100 > holed.value
    assert holed.n == 3


def test_register_is_recorded_and_no_part_of_the_score() -> None:
    marks = {grade(task(register=each), "Pasarnya tutup", (), ScoreRules(), None) for each in (None, "ngoko", "krama")}
    assert len(marks) == 1


@pytest.mark.parametrize("case", FILE["case"], ids=lambda case: case["id"])
def test_one_answer_is_worth_what_the_case_says(case: dict) -> None:
    mark = grade(task(), case["answer"], (), ScoreRules(), None)
    assert (mark.reason, mark.score) == (case["reason"], Fraction(case["score"])), case["why"]
    assert mark.outcome == ("passed" if case["reason"] == "measured" else "failed")


def test_a_sentence_that_is_the_same_in_both_languages_may_be_given_back() -> None:
    mark = grade(task(references=("Pasare tutup.",)), "Pasare tutup.", (), ScoreRules(), None)
    assert (mark.outcome, mark.reason, mark.score) == ("passed", "measured", 100)


def test_nothing_answered_is_a_technical_failure() -> None:
    assert grade(task(), " \n", (), ScoreRules(), None).reason == "empty"


def test_two_decimals_and_no_more() -> None:
    score = sentence_chrf(Hypothesis(SHORT[0]), References((LONG[0],)))
    assert (100 * score).denominator == 1


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_a_paired_test_says_how_it_was_made(test: str) -> None:
    half = [*LONG[:1], *SHORT[1:]]
    result = paired("chrf", hypotheses(SHORT * 5), hypotheses(half * 5), references(LONG * 5), test=test, samples=99)
    assert f"|{test}:99|seed:12345|" in result.signature
    assert result.second > result.first
    assert 0.01 <= result.p_value <= 0.05


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_only_the_seed_decides_the_chance(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ups, downs = [*LONG[:2], SHORT[2]], [*SHORT[:2], LONG[2]]
    texts = (hypotheses((ups + downs) * 3), hypotheses((downs + ups) * 2 + ups * 2), references(LONG * 6))
    first, other = (paired("chrf", *texts, test=test, samples=99, seed=seed) for seed in (1, 2))
    assert first.p_value != other.p_value
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert paired("chrf", *texts, test=test, samples=99, seed=1) == first


def test_no_difference_is_no_finding() -> None:
    same = hypotheses(SHORT)
    assert paired("chrf", same, same, references(LONG), samples=50).p_value == 1


def test_an_answer_that_ran_away_does_not_stop_the_build() -> None:
    endless = " ".join(str(n) for n in range(6000))
    assert corpus("ter", hypotheses([endless]), references(["satu dua tiga"])).value >= 100 * (TER_WORDS - 3) / 3


@pytest.mark.skipif(not FLORES.is_dir(), reason="the published translations are not at hand")
@pytest.mark.parametrize(("language", "right", "claimed"), [("jav", 41.99, 41.17), ("ind", 68.87, 68.51)])
def test_a_published_table_had_its_sides_swapped(language: str, right: float, claimed: float) -> None:
    path = FLORES / "outputs" / f"gpt-3.5-turbo_tt-zero_{language}_Latn.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    given_texts, wanted = [row["predictions"] for row in rows], [row["label"] for row in rows]
    assert round(corpus("chrf", hypotheses(given_texts), references(wanted)).value, 2) == right
    assert round(corpus("chrf", hypotheses(wanted), references(given_texts)).value, 2) == claimed
