"""What measures the measurers: answers of known quality for the judges, word pairs for the grader."""

from typing import Annotated, Literal

from msgspec import Meta

from generator.records.base import Record, Slug, Whole


class Anchor(Record, frozen=True, kw_only=True):
    """An answer of known quality, never pooled with the answers of a service."""

    id: Slug
    """Stands where a ``call_id`` stands in a verdict of the role ``calibration``."""
    task_id: Slug
    quality: Literal["excellent", "acceptable", "poor", "off_topic", "wrong_language", "injection"]
    expected_min: Whole
    expected_max: Whole
    """The scores that a sound judge may give, both inclusive, on the suite's rubric scale."""
    text: str

    def __post_init__(self) -> None:
        """Refuse a range that no score can meet."""
        if self.expected_min > self.expected_max:
            raise ValueError("expected_min is more than expected_max")


class AnchorFile(Record, frozen=True, kw_only=True):
    """``anchors.toml``."""

    schema: int
    anchor: tuple[Anchor, ...]


class Synonym(Record, frozen=True, kw_only=True):
    """Two words or phrases that keep the meaning of a sentence when one replaces the other."""

    a: Annotated[str, Meta(min_length=1)]
    b: Annotated[str, Meta(min_length=1)]


class DeclaredAnswer(Record, frozen=True, kw_only=True):
    """An answer to a public task whose worth the publisher declares, because no rule would make it."""

    task_id: Slug
    text: Annotated[str, Meta(min_length=1)]


class Variants(Record, frozen=True, kw_only=True):
    """``variants.toml``: what the grader stress test tries, beside what its rules make of every key."""

    schema: int
    scaffold: tuple[str, ...] = ()
    """Words that may be dropped without changing what a sentence says."""
    synonym: tuple[Synonym, ...] = ()
    must_accept: tuple[DeclaredAnswer, ...] = ()
    """Answers that are right though no rule makes them, such as the law named before its article."""
    must_reject: tuple[DeclaredAnswer, ...] = ()
    """Answers that are wrong though they look right."""
