"""The grader stress test on small suites and on the real ones."""

from fractions import Fraction
from pathlib import Path

import pytest

from generator.audit.stress import EXACT_MATCH, Stress, stress, stress_findings
from generator.records import StressRules
from generator.store.layout import Layout
from generator.store.read import read_suite
from tests.audit.samples import exact, pairs, suite, translation, vocabulary

ROOT = Path(__file__).resolve().parent.parent.parent
WORDS = pairs(("aku", "saya"), ("tertinggal", "ketinggalan"), scaffold=("itu",))
SENTENCES = (
    "Payung itu tertinggal di warung, nanti sore kuambil.",
    "Kalau airnya kurang bersih, lebih baik direbus dulu.",
    "Aku masih lapar, padahal tadi sudah makan.",
)

REFUSED = {
    "nsid-v1": (
        "UUD 1945 Pasal 1 ayat (3)",
        "Pasal 1 ayat (3) UUD NRI Tahun 1945",
        "Kalimantan Tengah (Kalteng)",
        "Bentuk bakunya apotek.",
    ),
    "jawa-v1": (),
}
"""Right answers that the graders are known to refuse; the page of the test shows them as such."""


def of(grader: str, *tasks: object) -> Stress:
    results = stress(suite(*tasks, words=WORDS))  # type: ignore[arg-type]
    return next(result for result in results if result.grader == grader)


def test_exact_match_rejects_good_translations_and_chrf_does_not() -> None:
    tasks = [translation(f"t{k}", text) for k, text in enumerate(SENTENCES)]
    exact_match = of(EXACT_MATCH, *tasks)
    assert not exact_match.in_use
    for transform in ("synonym", "clause_order", "scaffold"):
        assert {w for cluster in exact_match.clusters(right=True, transform=transform) for w in cluster} == {0}
    for transform in ("case", "punctuation"):
        assert {w for cluster in exact_match.clusters(right=True, transform=transform) for w in cluster} == {1}
    assert exact_match.share(right=False) == 1
    assert min(t.score for t in of("chrf", *tasks).trials if t.variant.right) > 50


def test_a_grader_without_a_pass_mark_is_judged_by_what_it_puts_above_what() -> None:
    """One sentence, by hand: every right variant must outscore the empty answer and the untranslated copy."""
    result = of("chrf", *[translation(f"t{k}", text) for k, text in enumerate(SENTENCES)])
    for transform in ("empty", "copy", "other_answer"):
        assert {w for c in result.clusters(right=False, transform=transform) for w in c} == {1}
    share = result.share(right=True)
    assert share is not None
    assert 0 < share < 1, "a denied sentence keeps nearly all its letters, so some variants fall below it"


def test_clusters_are_tasks() -> None:
    result = of("vocabulary", vocabulary("a", "duduk", "bersila"), vocabulary("b", "lapar"), vocabulary("c", "ayah"))
    assert len(result.clusters(right=True)) == 3
    assert sum(map(len, result.clusters(right=True))) == sum(t.variant.right for t in result.trials)


def test_thresholds_of_the_suite_block_and_their_absence_remarks() -> None:
    """The pilot's fault: a translation graded by exact match."""
    tasks = [exact(f"t{k}", text, normalise=("case", "punctuation")) for k, text in enumerate(SENTENCES)]
    loose = suite(*tasks, words=WORDS)
    (remark,) = stress_findings(loose, stress(loose))
    assert (remark.slug, remark.blocking) == ("grader-refuses-right", False)
    strict = suite(*tasks, words=WORDS, stress=StressRules(accept_at_least="95%", reject_at_least="95%"))
    (fault,) = stress_findings(strict, stress(strict))
    assert fault.blocking
    assert fault.field == "stress.accept_at_least"
    lax = suite(*tasks, words=WORDS, stress=StressRules(accept_at_least="10%", reject_at_least="95%"))
    assert stress_findings(lax, stress(lax)) == []


def test_a_grader_that_says_yes_to_everything_is_found() -> None:
    """A vocabulary task whose accepted senses include nearly every word accepts lists and other answers."""
    everything = ("duduk", "lapar", "ayah")
    tasks = [vocabulary(name, *everything, distractors=()) for name in "abc"]
    tasks += [vocabulary(f"d{k}", word) for k, word in enumerate(("bukan duduk", "tidak tahu", "tahu"))]
    spoilt = suite(*tasks)
    result = next(each for each in stress(spoilt) if each.grader == "vocabulary")
    share = result.share(right=False)
    assert share is not None
    assert share < 1


def test_suites_without_a_key_have_nothing_to_try() -> None:
    assert stress(suite()) == ()


@pytest.mark.parametrize("name", ["nsid-v1", "jawa-v1"])
def test_the_graders_of_the_real_suites_pass(name: str) -> None:
    """Whatever a rule makes is graded as it should be, where there is a pass mark; declared answers need not be."""
    real = read_suite(Layout(ROOT / "results"), name)
    results = stress(real)
    assert results
    for result in results:
        if result.in_use and not result.graded:
            wrong = [(t.variant.transform, t.variant.text) for t in result.trials if t.worth < 1]
            assert wrong == [("declared_right", text) for text in REFUSED[name]]
    assert not stress_findings(real, results)
    assert all(isinstance(trial.worth, Fraction) for result in results for trial in result.trials)
