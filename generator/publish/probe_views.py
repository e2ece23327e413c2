"""What a reader may see of words, translations and blind ballots: views, without held-out material.

Shares are 0 to 1, scores 0 to 100. Counts and corpus values may include held-out tasks; texts never come from them.
"""

from datetime import datetime

from generator.records import Figure, Pair, Record, Text


class ReasonCount(Record, frozen=True, kw_only=True):
    """How one service's answers to vocabulary probes came out."""

    service: str
    known: int | None
    """None: its figures are withheld."""
    reasons: dict[str, int]
    """Reason slug -> probes that were not known; empty where its figures are withheld."""


class WordView(Record, frozen=True, kw_only=True):
    """A public word."""

    task_id: str
    word: str
    region: str | None
    senses: tuple[str, ...]
    known_by: tuple[str, ...]


class RegionView(Record, frozen=True, kw_only=True):
    """The words of one region; of all regions where ``region`` is empty."""

    region: str
    words: int
    known: dict[str, Figure]
    """Service -> share of words known, Wilson."""


class VocabularyView(Record, frozen=True, kw_only=True):
    """The tail of the vocabulary in one run."""

    run_id: str
    suite: str
    words: int
    services: tuple[ReasonCount, ...]
    regions: tuple[RegionView, ...]
    """All regions together first, then by name."""
    public: tuple[WordView, ...]
    counted: int
    """Services whose figures stand; the others take no part in what nobody knew."""
    nobody: tuple[WordView, ...]
    """Public words that no counted service knew."""
    nobody_held_out: int
    """Held-out words that no counted service knew."""


class MetricView(Record, frozen=True, kw_only=True):
    """One metric over a corpus with its signature."""

    metric: str
    value: Figure
    signature: str


class CorpusView(Record, frozen=True, kw_only=True):
    """One service's translations."""

    service: str
    sentences: int
    metrics: tuple[MetricView, ...]
    """chrF++ first."""
    copies: int | None
    """Answers that give the source back; None: its figures are withheld."""
    technical: int
    """No complete answer: measured as empty."""
    registers: dict[str, Figure]
    """chrF++ over the sentences of one register, recorded apart from meaning."""


class ImportedView(Record, frozen=True, kw_only=True):
    """A metric that somebody else computed: taken over, never recomputed."""

    metric: str
    signature: str
    by: str
    means: dict[str, Figure]
    """Service -> mean over its sentences; withheld where a sentence has no score."""


class TranslationPairView(Record, frozen=True, kw_only=True):
    """Two services on the same sentences, by paired bootstrap."""

    a: str
    b: str
    difference: Figure
    """chrF++ of a minus chrF++ of b."""
    p: Figure
    p_adjusted: Figure
    """Holm over all pairs."""


class TranslationView(Record, frozen=True, kw_only=True):
    """Translation metrics of one run and direction."""

    run_id: str
    suite: str
    direction: str
    sentences: int
    public: int
    services: tuple[CorpusView, ...]
    imported: tuple[ImportedView, ...]
    pairs: tuple[TranslationPairView, ...]
    test: str
    """Signature of the paired test."""


class NoteView(Record, frozen=True, kw_only=True):
    """What a judge wrote about one pair of a duel."""

    judge: str
    pair: str
    choice: str
    """``reference``, ``service`` or ``tie``."""
    note: str


class DuelResultView(Record, frozen=True, kw_only=True):
    """One judge's ballots, opened. The reference is the first side."""

    judge: str
    reference: int
    service: int
    ties: int
    p: Figure
    """Sign test."""
    decisive: Figure
    """Share of decisive ballots that the reference won."""
    tie_rate: Figure
    net: Figure
    """Reference minus service, -1..1."""
    log_ratio: Figure
    """Davidson: ln of the strength of the reference over the service's."""
    nu: Figure
    """Davidson's tie parameter."""
    sentence: str
    """Slug of what the ballots support: ``reference_preferred``, ``service_preferred``, ``not_distinguished``."""


class DuelView(Record, frozen=True, kw_only=True):
    """One blind test of a key."""

    duel: str
    suite: str
    run_id: str
    service: str
    made_at: datetime
    question: Text
    pairs: int
    identical: int
    """Tasks left out because the answer is the reference."""
    without_answer: int
    sheet: tuple[Pair, ...]
    """What a judge sees; only public tasks are on a sheet."""
    sheet_sha256: str
    key_sha256: str
    state: str
    """``untested`` (no ballots), ``unfinished``, ``sealed`` (all ballots, key closed) or ``opened``."""
    ballots: dict[str, int]
    """Judge -> ballots so far."""
    results: tuple[DuelResultView, ...]
    notes: tuple[NoteView, ...]
