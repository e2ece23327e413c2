"""An Indonesian translation whose metrics are known: BLEU by hand, the others by sacrebleu.

The sentences lie outside the project; without them nothing is checked.
"""

import json
from typing import Any

import pytest

from generator.score.translation import References, corpus, hypothesis
from tests.conftest import ROOT

ORACLES = ROOT.parent / "shared" / "oracles.json"
pytestmark = pytest.mark.skipif(not ORACLES.exists(), reason="the sentences are not at hand")


def oracle(name: str) -> dict[str, Any]:
    entries: list[dict[str, Any]] = json.loads(ORACLES.read_text("utf-8"))["oracles"]
    return next(entry for entry in entries if entry["id"] == name)


@pytest.mark.parametrize(("metric", "name"), [("bleu", "bleu_13a"), ("chrf", "chrfpp"), ("ter", "ter")])
def test_an_indonesian_corpus_scores_as_published(metric: Any, name: str) -> None:
    entry = oracle("id_translation_A")
    references = [References(texts) for texts in zip(*entry["input"]["refs"], strict=True)]
    score = corpus(metric, [hypothesis(text) for text in entry["input"]["sys"]], references)
    assert score.value == pytest.approx(entry["expect"][name], abs=entry["tol"])
