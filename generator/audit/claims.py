"""A figure that somebody published, held against what its own answers give; and if they differ, why.

The usual accidents are tried in turn: answer and reference swapped, and an empty answer written as a word such as
``nan`` by the program that read it. An accident explains a claim when it gives the claimed figure to its last decimal.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Annotated, Literal

from msgspec import Meta

from generator.records import Record, Slug, Text
from generator.score.translation import Metric, References, corpus, hypothesis

NAN = "nan"
"""What a table reader makes of an empty cell when it is turned into text."""


class Claim(Record, frozen=True, kw_only=True):
    """One published figure and the table it rests on."""

    id: Slug
    table: str
    """Path of the table, relative to the file of claims."""
    hypothesis: str
    """Name of the column with the answers."""
    reference: str
    """Name of the column with the references."""
    metric: Metric
    claimed: Annotated[str, Meta(pattern=r"^[0-9]{1,4}(\.[0-9]{1,6})?\Z")]
    separator: Literal["tab", "comma"] = "tab"
    source: str = ""
    """Where the figure was published."""


class Claims(Record, frozen=True, kw_only=True):
    """A file of claims."""

    schema: int
    title: Text
    claim: tuple[Claim, ...]


class Recomputed(Record, frozen=True, kw_only=True):
    """A claim and what was found."""

    claim: Claim
    sentences: int
    empty: int
    """Answers that are empty: technical failures, measured as nothing and never as a word."""
    value: Decimal
    """The figure the right way round, to the decimals of the claim."""
    signature: str
    verdict: str
    """``confirmed``, ``swapped``, ``empty_as_word``, ``swapped_and_empty_as_word`` or ``differs``."""


def recompute(claim: Claim, hypotheses: Sequence[str], references: Sequence[str]) -> Recomputed:
    """Compute the figure again, and where it differs look for an accident that explains the claim.

    Raises:
        ValueError: no sentence, or columns of different lengths.
    """
    words = [text or NAN for text in hypotheses]
    score = corpus(claim.metric, list(map(hypothesis, hypotheses)), [References((text,)) for text in references])
    ways: dict[str, tuple[Sequence[str], Sequence[str]]] = {"confirmed": (hypotheses, references)}
    if all(hypotheses):
        ways["swapped"] = (references, hypotheses)
    else:
        ways |= {"empty_as_word": (words, references), "swapped_and_empty_as_word": (references, words)}
    verdict = next((name for name, way in ways.items() if _value(claim, *way) == Decimal(claim.claimed)), "differs")
    return Recomputed(
        claim=claim,
        sentences=len(hypotheses),
        empty=sum(not text for text in hypotheses),
        value=_rounded(claim, score.value),
        signature=score.signature,
        verdict=verdict,
    )


def _value(claim: Claim, answers: Sequence[str], references: Sequence[str]) -> Decimal:
    score = corpus(claim.metric, list(map(hypothesis, answers)), [References((text,)) for text in references])
    return _rounded(claim, score.value)


def _rounded(claim: Claim, value: float) -> Decimal:
    step = Decimal(1).scaleb(int(str(Decimal(claim.claimed).as_tuple().exponent)))
    return Decimal(value).quantize(step, ROUND_HALF_EVEN)
