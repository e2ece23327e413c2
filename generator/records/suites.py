"""What is asked: ``suite.toml``, the tasks and their lock."""

from typing import Annotated, Literal

from msgspec import Meta

from generator.records.base import Count, Ordinal, Record, Sha256, Slug, Source, Text
from generator.records.probes import Anchor, Variants
from generator.records.reveals import Reveal


class Category(Record, frozen=True, kw_only=True):
    """One of the parts of a suite; each weighs the same in the total."""

    id: Slug
    name: Text


class ExactScale(Record, frozen=True, kw_only=True):
    """Points for an exact answer."""

    right: int = 100
    wrong: int = 0


class RubricScale(Record, frozen=True, kw_only=True):
    """The judges' scale, mapped linearly to 0..100."""

    min: int = 1
    max: int = 5

    def __post_init__(self) -> None:
        """Refuse a scale without room: no score on it could be mapped."""
        if self.min >= self.max:
            raise ValueError("min is not less than max")


class ScoreRules(Record, frozen=True, kw_only=True):
    """How marks become scores; declared with the suite, before any answer."""

    exact: ExactScale = ExactScale()
    rubric: RubricScale = RubricScale()
    failed: int = 0
    """Score of a failed task."""
    incomplete_above: Annotated[str, Meta(pattern=r"^[0-9]{1,3}%\Z", description="a percentage such as 5%")] = "5%"
    """Strictly more failed tasks than this share: the service is shown but not ranked."""
    truncation: Literal["withhold", "count-as-failure"] = "withhold"

    @property
    def incomplete_percent(self) -> int:
        """``incomplete_above`` as an integer number of percent."""
        return int(self.incomplete_above.rstrip("%"))


class JuryRules(Record, frozen=True, kw_only=True):
    """Who judges whom, by rule."""

    pair: tuple[Slug, ...]
    """The default pair; a judge of the answer's vendor is replaced by the next of ``pair`` + ``third``."""
    third: tuple[Slug, ...] = ()
    """In order of preference."""
    forbid_same_vendor: bool = True
    third_if_gap_over: int = 1
    """Strictly more than this many points apart: the median of three, else the mean of two."""
    without_third: Literal["failed", "mean"] = "failed"
    """When the pool holds no eligible third judge: no verdict, or the mean of the two after all."""
    calibration: Literal["withhold", "warn"] = "warn"
    """What happens to judged figures when the judges fail the anchor answers."""


class StressRules(Record, frozen=True, kw_only=True):
    """Least acceptable shares in the grader stress test; missing them fails the build."""

    accept_at_least: Annotated[str, Meta(pattern=r"^[0-9]{1,3}%\Z", description="a percentage such as 5%")]
    reject_at_least: Annotated[str, Meta(pattern=r"^[0-9]{1,3}%\Z", description="a percentage such as 5%")]


class SuiteFile(Record, frozen=True, kw_only=True):
    """``suite.toml``."""

    schema: int
    id: Slug
    version: str
    language: str
    title: Text
    licence: str
    """Licence of the public tasks."""
    canary: str
    """Secret marker carried by held-out material; it must never be published."""
    category: tuple[Category, ...]
    score: ScoreRules = ScoreRules()
    jury: JuryRules | None = None
    stress: StressRules | None = None


Normaliser = Literal["case", "punctuation", "citation", "number_id", "fraction", "lead_in_12", "diacritics_jv"]


class Bounds(Record, frozen=True, kw_only=True):
    """An exact count, or a least and a most (both inclusive)."""

    equals: Count | None = None
    min: Count | None = None
    max: Count | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that say nothing or contradict themselves."""
        if self.equals is None and self.min is None and self.max is None:
            raise ValueError("needs equals, min or max")
        if self.equals is not None and (self.min is not None or self.max is not None):
            raise ValueError("equals excludes min and max")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("min is more than max")

    def admit(self, count: int) -> bool:
        """Whether ``count`` lies within."""
        if self.equals is not None:
            return count == self.equals
        return (self.min is None or count >= self.min) and (self.max is None or count <= self.max)


class ListItems(Bounds, frozen=True, tag_field="type", tag="list_items", kw_only=True):
    """Number of list items."""


class Words(Bounds, frozen=True, tag_field="type", tag="words", kw_only=True):
    """Number of words."""


class Sentences(Bounds, frozen=True, tag_field="type", tag="sentences", kw_only=True):
    """Number of sentences."""


class Paragraphs(Bounds, frozen=True, tag_field="type", tag="paragraphs", kw_only=True):
    """Number of paragraphs."""


class Lines(Bounds, frozen=True, tag_field="type", tag="lines", kw_only=True):
    """Number of lines that are not blank."""


class JsonShape(Record, frozen=True, tag_field="type", tag="json", kw_only=True):
    """The answer is one JSON object with these keys and types."""

    required: dict[str, Literal["string", "integer", "number", "boolean", "array", "object", "null"]]


class Uppercase(Record, frozen=True, tag_field="type", tag="uppercase", kw_only=True):
    """Every cased letter is a capital."""


class Contains(Record, frozen=True, tag_field="type", tag="contains", kw_only=True):
    """The answer contains ``text``."""

    text: str
    case: bool = False
    """True: letter case matters."""


class Excludes(Record, frozen=True, tag_field="type", tag="excludes", kw_only=True):
    """The answer does not contain ``text``."""

    text: str
    case: bool = False


class StartsWith(Record, frozen=True, tag_field="type", tag="starts_with", kw_only=True):
    """The answer starts with ``text``."""

    text: str
    case: bool = False


class EndsWith(Record, frozen=True, tag_field="type", tag="ends_with", kw_only=True):
    """The answer ends with ``text``."""

    text: str
    case: bool = False


class Pantun(Record, frozen=True, tag_field="type", tag="pantun", kw_only=True):
    """Four lines rhyming a-b-a-b."""


Check = (
    ListItems | Words | Sentences | Paragraphs | Lines | JsonShape
    | Uppercase | Contains | Excludes | StartsWith | EndsWith | Pantun
)  # fmt: skip


class TaskBase(Record, frozen=True, kw_only=True):
    """What every task has."""

    id: Slug
    category: Slug
    access: Literal["public", "held_out"]
    prompt: str
    system: str = ""
    repeats: Ordinal = 1
    sources: tuple[Source, ...] = ()
    licence: str | None = None
    salt: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z", description="32 hex digits")] | None = None
    """Held-out tasks only: keeps the commitment from being guessed."""
    note: Text | None = None


class ExactTask(TaskBase, frozen=True, tag_field="kind", tag="exact", kw_only=True):
    """One final answer, right or wrong."""

    references: Annotated[tuple[str, ...], Meta(min_length=1)]
    normalise: tuple[Normaliser, ...] = ()


class ChecksTask(TaskBase, frozen=True, tag_field="kind", tag="checks", kw_only=True):
    """Instructions that a program can check; the score is the share that passed."""

    checks: Annotated[tuple[Check, ...], Meta(min_length=1)]


class RubricTask(TaskBase, frozen=True, tag_field="kind", tag="rubric", kw_only=True):
    """Free writing, judged by models against criteria and a reference."""

    criteria: Annotated[tuple[str, ...], Meta(min_length=1)]
    references: Annotated[tuple[str, ...], Meta(min_length=1)]
    combine: Literal["median"] = "median"
    """How the repeats become one score."""


class TranslationTask(TaskBase, frozen=True, tag_field="kind", tag="translation", kw_only=True):
    """A sentence to translate, measured against one or more references."""

    references: Annotated[tuple[str, ...], Meta(min_length=1)]
    source_text: str
    """The sentence to translate, as it stands in the prompt: a copy of it is recognised as such."""
    direction: Annotated[str, Meta(pattern=r"^[a-z]{2,3}-[a-z]{2,3}\Z", description="two language codes such as jv-id")]
    register: Literal["ngoko", "krama", "krama-inggil", "neutral"] | None = None
    region: str | None = None


class VocabularyTask(TaskBase, frozen=True, tag_field="kind", tag="vocabulary", kw_only=True):
    """One word: the service knows its meaning or it does not."""

    word: str
    word_language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}\Z", description="a language code such as jv")]
    region: str | None = None
    senses: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Accepted meanings."""
    distractors: tuple[str, ...] = ()
    """Meanings that are wrong even where they share a word with an accepted one."""


Task = ExactTask | ChecksTask | RubricTask | TranslationTask | VocabularyTask
Kind = Literal["exact", "checks", "rubric", "translation", "vocabulary"]


class TaskFile(Record, frozen=True, kw_only=True):
    """``tasks.toml`` and ``tasks.held_out.toml``."""

    schema: int
    task: tuple[Task, ...]


class TaskLock(Record, frozen=True, kw_only=True):
    """One line of ``suite.lock.jsonl``: pins a task without showing it."""

    id: Slug
    category: Slug
    kind: Kind
    access: Literal["public", "held_out"]
    repeats: Ordinal
    commitment: Sha256
    """SHA-256(salt ‖ canonical JSON of the task without its salt)."""


class Suite(Record, frozen=True, kw_only=True):
    """A suite as read: its rules, its tasks in the order of the files, its lock and its hash."""

    file: SuiteFile
    tasks: tuple[Task, ...]
    """Public and, where they are at hand, held-out tasks."""
    lock: tuple[TaskLock, ...]
    sha256: Sha256
    """SHA-256(suite.toml bytes ‖ suite.lock.jsonl bytes)."""
    rubric: Text | None = None
    """The public rubric as Markdown, written by the publisher."""
    anchors: tuple[Anchor, ...] = ()
    """Answers of known quality, for the calibration of the judges."""
    variants: Variants | None = None
    """Words for the grader stress test."""
    reveals: tuple[Reveal, ...] = ()
    """Retired tasks, in stored order."""


class SuiteRef(Record, frozen=True, kw_only=True):
    """Which suite a run was made with."""

    id: Slug
    version: str
    sha256: Sha256
