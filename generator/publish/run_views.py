"""What a reader may see of any run: the run, its suite and services, its calls and public answers, its contract.

The only model output in a view is the answer to a public task.
"""

from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from generator.records import (
    Design,
    Outcome,
    Price,
    Record,
    Run,
    Saw,
    Setting,
    Source,
    Status,
    SuiteFile,
    TaskLock,
    Text,
    Window,
    Withheld,
)


class RunView(Record, frozen=True, kw_only=True):
    """A run in numbers: what was asked of whom, when, with what."""

    run_id: str
    purpose: str
    suite: str
    suite_version: str
    suite_sha256: str
    grader: str
    place: str
    design: Design
    attempts: int
    timeout_s: int
    window: Window | None
    first_call: datetime
    last_call: datetime
    services: int
    calls: int
    """Attempts stored, failed ones included."""
    answers: int
    """(service, task, repeat) slots of the contract."""
    sealed: bool


class SuiteView(Record, frozen=True, kw_only=True):
    """A suite in numbers."""

    id: str
    version: str
    sha256: str
    language: str
    title: Text
    licence: str
    tasks: int
    public: int
    held_out: int
    exact: int
    checks: int
    rubric: int
    translation: int
    vocabulary: int
    sources: int
    """Sources named by all tasks at hand."""
    sources_checked: int
    held_out_at_hand: bool
    """False: figures resting on held-out tasks come from the score lock and say so."""
    incomplete_percent: int
    truncation: str
    rubric_text: Text | None
    lock: tuple[TaskLock, ...]
    """As stored, in the stored order: the published lock has the bytes that the suite hash covers."""

    @property
    def has_parts(self) -> bool:
        """Whether judges score some tasks and programs the others, so that a total has two parts."""
        return 0 < self.rubric < self.tasks


class ServiceView(Record, frozen=True, kw_only=True):
    """Who was asked, by which route."""

    id: str
    name: str
    vendor: str
    group: str
    requested_model: str
    returned_models: tuple[str, ...]
    """Every model name that came back, sorted; empty: the interface returns none."""
    fingerprints: tuple[str, ...]
    about: Text | None
    owned_by_us: bool
    sponsor: bool
    price: Price | None
    """The newest price that may be displayed; None where there is none or it is assumed."""
    settings: dict[str, Setting]
    sources: tuple[Source, ...]


class VerdictView(Record, frozen=True, kw_only=True):
    """One judge's verdict on a public answer."""

    by: str
    vendor: str | None
    role: str
    score: int | None
    status: str
    reason: str | None


class AnswerView(Record, frozen=True, kw_only=True):
    """One answer to a public task. ``output`` is hostile text."""

    service: str
    repeat: int
    repeats_same: tuple[int, ...]
    """Further repeats with exactly this output."""
    attempt: int
    call_id: str
    output: str
    output_sha256: str | None
    outcome: Outcome | None
    """None where the score is withheld and no technical failure is to be told."""
    reason: str
    score: Fraction | Withheld
    read: str
    saw: tuple[Saw, ...]
    verdicts: tuple[VerdictView, ...]
    finish_reason: str | None
    output_tokens: int | None
    latency_ms: int | None
    disputed: bool = False
    """A person doubted it when judging; how it counts follows the rule that the contract declares."""


class CallView(Record, frozen=True, kw_only=True):
    """One stored attempt without what was said in it: the call log's fourteen columns, then its numbers.

    Neither the output nor its hash is here: the hash of a short answer to a held-out task can be guessed.
    """

    run_id: str
    block_id: str
    service: str
    service_group: str
    requested_model: str
    returned_model: str | None
    started_at: datetime
    request_hash: str
    status: Status
    finish_reason: str | None
    latency_ms: int | None
    qualified: bool | None
    """Derived on this build, except where a person judged the call; None: not known, or withheld."""
    failure_reason: str | None
    """Derived likewise."""
    artifact_path: str | None
    call_id: str
    task_id: str
    repeat: int
    attempt: int
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    max_output_tokens: int | None
    cost_usd: Decimal | None
    system_fingerprint: str | None


class Declared(Record, frozen=True, kw_only=True):
    """What was declared before the first call: whoever has it and the answers can score them again."""

    suite: SuiteFile
    """Its rules; the canary is empty."""
    run: Run
    vendors: dict[str, str]
    """Service id -> vendor, judges included: the jury rules read it."""
