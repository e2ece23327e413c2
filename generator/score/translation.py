"""Translations: chrF++ first, BLEU and TER beside it, all by sacrebleu and never without its signature. Room 1.

A hypothesis is the answer, a reference is what it is measured against. They have different types and are checked,
because chrF, BLEU and TER give plausible and wrong figures when the two are swapped. Corpus values are the figures;
the value of one sentence is a detail, and BLEU of one sentence is not computed at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from generator.records import Mark, Normaliser, ScoreRules, TranslationTask
from generator.score.exact import SHOWN, accepts
from generator.score.normalise import tidy

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Measure
    from sacrebleu.significance import Result

Metric = Literal["chrf", "bleu", "ter"]
SEED = 12345
"""sacrebleu's own default, given explicitly so that no environment variable decides a figure."""

TER_WORDS = 400
"""TER reads this many words of an answer, or four times its longest reference: what is longer has run away, its TER
is far above 100 anyway, and the search for shifts would take minutes."""


@dataclass(frozen=True)
class Hypothesis:
    """What a service answered, as one line; empty where it answered nothing."""

    text: str


@dataclass(frozen=True)
class References:
    """The references of one sentence, at least one."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class CorpusScore:
    """One metric over a whole corpus.

    Attributes:
        metric: its slug.
        value: 0..100 for chrF++ and BLEU, higher is better; TER from 0, lower is better.
        signature: sacrebleu's, such as ``nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0``.
        n: sentences.
    """

    metric: Metric
    value: float
    signature: str
    n: int


@dataclass(frozen=True)
class Paired:
    """Two systems on the same sentences.

    Attributes:
        first: score of the first system.
        second: score of the second.
        p_value: of a larger difference by chance, never below 1 / (samples + 1); 1 where there is no difference, of
            which sacrebleu's strict count would make its smallest value.
        signature: sacrebleu's, with test, samples and seed.
    """

    first: float
    second: float
    p_value: float
    signature: str


def mark(task: TranslationTask, answer: str, rules: ScoreRules) -> Mark:
    """The mark of one answer that is not empty: chrF++ of the sentence, rounded once to two decimals.

    A translation has no pass mark: ``passed`` says that the answer was complete and is not the source given back.
    """
    if copies_source(task, answer):
        return Mark(
            outcome="failed", score=Fraction(rules.exact.wrong), reason="source_copy", read=tidy(answer)[:SHOWN]
        )
    given = hypothesis(answer)
    score = sentence_chrf(given, References(task.references))
    return Mark(outcome="passed", score=score, reason="measured", read=given.text[:SHOWN])


def hypothesis(answer: str | None) -> Hypothesis:
    """An answer made ready for measuring: NFC, one line, nothing dropped; None becomes the empty hypothesis."""
    return Hypothesis(tidy(answer or ""))


def copies_source(task: TranslationTask, answer: str) -> bool:
    """Whether the answer is the sentence to translate, but for case, punctuation and a lead-in.

    Not where the source is itself a reference: some sentences are the same in both languages.
    """
    light: tuple[Normaliser, ...] = ("case", "punctuation")
    is_reference = accepts(task.source_text, task.references, light).right
    return not is_reference and accepts(answer, (task.source_text,), (*light, "lead_in_12"), task.prompt).right


def sentence_chrf(given: Hypothesis, references: References) -> Fraction:
    """chrF++ of one sentence, 0..100, rounded to two decimals: the float beyond is not the same everywhere."""
    _check([given], [references])
    return Fraction(round(_metric("chrf").sentence_score(given.text, references.texts).score * 100), 100)


def corpus(metric: Metric, hypotheses: Sequence[Hypothesis], references: Sequence[References]) -> CorpusScore:
    """One metric over the sentences of a system. Sentences may have different numbers of references.

    Args:
        metric: ``chrf`` is chrF++ (word order 2); ``bleu`` with sacrebleu's 13a tokeniser; ``ter``.
        hypotheses: the answers, empty ones included: leaving them out would flatter.
        references: those of each sentence, in the same order.

    Raises:
        TypeError: hypotheses and references swapped, or neither.
        ValueError: no sentence, different lengths, or a sentence without a reference.
    """
    _check(hypotheses, references)
    measure = _new_metric(metric)
    score = measure.corpus_score(_texts(metric, hypotheses, references), _streams(references))
    return CorpusScore(metric=metric, value=score.score, signature=str(measure.get_signature()), n=len(hypotheses))


def paired(
    metric: Metric,
    first: Sequence[Hypothesis],
    second: Sequence[Hypothesis],
    references: Sequence[References],
    *,
    test: Literal["ar", "bs"] = "ar",
    samples: int = 1000,
    seed: int = SEED,
) -> Paired:
    """Whether two systems differ by more than chance: approximate randomisation or paired bootstrap.

    Args:
        metric: as in ``corpus``.
        first: answers of one system.
        second: answers of the other to the same sentences.
        references: as in ``corpus``.
        test: ``ar`` (approximate randomisation, two-sided) or ``bs`` (paired bootstrap; Koehn 2004).
        samples: trials or resamples.
        seed: of the random source.

    Raises:
        TypeError: as ``corpus``.
        ValueError: as ``corpus``.
    """
    from sacrebleu.significance import PairedTest  # numpy only where a test is wanted

    _check(first, references)
    _check(second, references)
    given = (("first", first), ("second", second))
    systems: list[tuple[str, Sequence[str]]] = [(name, _texts(metric, answers, references)) for name, answers in given]
    trial = PairedTest(systems, {metric: _new_metric(metric)}, _streams(references), test, samples)
    trial._seed = seed  # noqa: SLF001 - sacrebleu takes its seed from the environment only
    signatures, scores = trial()
    [(name, signature)] = signatures.items()
    signature.update("seed", str(seed))
    one, other = cast("list[Result]", scores[name])
    return Paired(
        first=one.score,
        second=other.score,
        p_value=other.p_value if other.p_value and one.score != other.score else 1.0,
        signature=str(signature),
    )


def _check(hypotheses: Sequence[Hypothesis], references: Sequence[References]) -> None:
    """Raise where ``hypotheses`` and ``references`` are not what their names say."""
    for expected, given in ((Hypothesis, hypotheses), (References, references)):
        if wrong := next((each for each in given if not isinstance(each, expected)), None):
            raise TypeError(f"found {type(wrong).__name__} where {expected.__name__} was expected")
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(references)} sentences with references")
    if not all(each.texts for each in references):
        raise ValueError("a sentence without a reference")


def _texts(metric: Metric, hypotheses: Sequence[Hypothesis], references: Sequence[References]) -> list[str]:
    """The hypotheses as sacrebleu reads them: for TER, no more of each than ``TER_WORDS`` says."""
    if metric != "ter":
        return [each.text for each in hypotheses]
    texts = []
    for given, wanted in zip(hypotheses, references, strict=True):
        most = max(TER_WORDS, 4 * max(len(text.split()) for text in wanted.texts))
        words = given.text.split(" ")
        texts.append(" ".join(words[:most]))
    return texts


def _streams(references: Sequence[References]) -> list[list[str]]:
    """All first references, then all second ones …; sacrebleu takes None where a sentence has no further one."""
    most = max(len(each.texts) for each in references)
    streams = [[each.texts[at] if at < len(each.texts) else None for each in references] for at in range(most)]
    return cast("list[list[str]]", streams)


def _new_metric(metric: Metric) -> "Measure":
    from sacrebleu.metrics.bleu import BLEU  # heavy, and most answers need none of it
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    made: dict[Metric, Measure] = {"chrf": CHRF(word_order=2), "bleu": BLEU(force=True), "ter": TER()}
    return made[metric]


@cache
def _metric(metric: Metric) -> "Measure":
    """The metric for single sentences, made once: it keeps nothing of one sentence for the next."""
    return _new_metric(metric)
