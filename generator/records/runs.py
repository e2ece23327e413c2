"""What happened: the contract of a run, its calls, verdicts, seal, score lock and corrections."""

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta

from generator.records.base import Count, Ordinal, Record, Sha256, Slug, Text, Time, Whole
from generator.records.duels import StoredDuel
from generator.records.services import Service
from generator.records.sources import SourceCheck
from generator.records.suites import Suite, SuiteRef


class Window(Record, frozen=True, kw_only=True):
    """From when to when the calls were to be made."""

    start: Time
    end: Time


class Design(Record, frozen=True, kw_only=True):
    """Order and pace of a run."""

    blocks: Ordinal = 1
    order: Literal["random", "fixed"] = "random"
    seed: Whole
    concurrency: Ordinal = 1


Value = Whole | float | str | bool | None


class Setting(Record, frozen=True, kw_only=True):
    """A setting as asked for and as applied, as far as we can know."""

    asked: Value
    applied: Value
    """The value, ``"unsupported"`` or ``"unknown"``."""


class Primary(Record, frozen=True, kw_only=True):
    """The one comparison declared beforehand."""

    metric: Literal["first_pass_rate"]
    between: tuple[Slug, Slug]
    alpha: float = 0.05
    test: Literal["fisher", "stratified"] = "stratified"


class Stop(Record, frozen=True, kw_only=True):
    """When the study ends."""

    rule: Literal["fixed", "sequential"]
    n_per_service: Ordinal | None = None
    method: Literal["e_process_2x2"] | None = None


class Comparison(Record, frozen=True, kw_only=True):
    """A service study: declared before the first call."""

    question: Text
    task: Slug
    """The one fixed task of the study."""
    primary: Primary
    stop: Stop
    exclude: Text
    """The rule for failures on our own side, written before unblinding."""
    equivalence_margin: (
        Annotated[str, Meta(pattern=r"^[0-9]{1,2}pp\Z", description="percentage points such as 10pp")] | None
    ) = None
    control: Slug | None = None


class Rerun(Record, frozen=True, kw_only=True):
    """Which run this one repeats, and how far apart the totals may be."""

    of: Slug
    tolerance: Decimal


class Acknowledged(Record, frozen=True, kw_only=True):
    """A finding that the publisher has seen and lets pass, with the reason."""

    slug: str
    service: Slug | None = None
    reason: Text


class Run(Record, frozen=True, kw_only=True):
    """``run.toml``: the contract, written before the first call."""

    schema: int
    run_id: Slug
    purpose: Literal["pilot", "formal", "rerun"]
    suite: SuiteRef
    services: tuple[Slug, ...]
    grader: str
    place: str
    window: Window | None = None
    design: Design
    attempts: Ordinal = 5
    timeout_s: Ordinal = 120
    tasks: tuple[Slug, ...] | None = None
    """A subset of the suite, where the run does not ask all of it."""
    repeats: Ordinal | None = None
    """Overrides the tasks' own repeats (a study asks one task many times)."""
    params: dict[Slug, dict[str, Setting]]
    """Per service, per setting: temperature, max_output_tokens, reasoning, seed …"""
    judging: dict[Slug, dict[str, Setting]] = {}  # noqa: RUF012 - msgspec copies an empty default
    """The same for the judges while they judge; ``response_format`` says whether a schema is sent."""
    comparison: Comparison | None = None
    rerun: Rerun | None = None
    acknowledged: tuple[Acknowledged, ...] = ()


Status = Literal["ok", "timeout", "error", "cut", "cancelled", "budget_exceeded"]


class Call(Record, frozen=True, kw_only=True):
    """One attempt at one answer: a line of ``calls.jsonl``; the fourteen columns of the call log first."""

    run_id: Slug
    block_id: str
    service: Slug
    service_group: str
    requested_model: str
    returned_model: str | None
    started_at: Time
    request_hash: Sha256
    """SHA-256 of the canonical request without model, route and credentials."""
    status: Status
    finish_reason: str | None
    """The provider's word; None where it gave none, never a guess."""
    latency_ms: Count | None
    qualified: bool | None
    """None when recorded: it is derived on every build, except where a person judged the call."""
    failure_reason: str | None
    artifact_path: str | None
    """The raw response body."""
    call_id: str
    task_id: Slug
    repeat: Ordinal
    attempt: Ordinal
    output: str | None
    output_sha256: Sha256 | None
    input_tokens: Count | None
    output_tokens: Count | None
    reasoning_tokens: Count | None
    max_output_tokens: Count | None
    cost_usd: Decimal | None
    system_fingerprint: str | None


CALL_LOG_COLUMNS = Call.__struct_fields__[:14]
"""The fourteen columns of the call log, in their published order."""


class Verdict(Record, frozen=True, kw_only=True):
    """One judgment of one answer: a line of ``verdicts.jsonl``."""

    subject: str
    """A call_id, or the id of an anchor answer."""
    task_id: Slug
    blind_id: str
    by: str
    vendor: str | None
    role: Literal["first", "second", "third", "human", "calibration"]
    attempt: Ordinal = 1
    score: Whole | None
    """None: this judge gave no usable verdict; ``status`` says why."""
    min: Whole
    max: Whole
    reason: str | None
    returned_model: str | None
    rubric_sha256: Sha256 | None
    at: Time
    status: Literal["ok", "unusable", "timeout", "error", "cut", "budget_exceeded"]
    artifact_path: str | None
    input_tokens: Count | None
    output_tokens: Count | None
    cost_usd: Decimal | None


class MetricScore(Record, frozen=True, kw_only=True):
    """What a metric that is not computed here, such as COMET, gave one translation: a line of ``metrics.jsonl``.

    A stored verdict of somebody else's program: taken over with its signature, shown apart, never recomputed.
    """

    subject: str
    """The call_id of the translation."""
    task_id: Slug
    metric: Annotated[str, Meta(min_length=1)]
    signature: Annotated[str, Meta(min_length=1)]
    """Model, version and settings: everything without which the number cannot be compared."""
    by: Annotated[str, Meta(min_length=1)]
    """Who computed it."""
    score: Decimal
    at: Time
    """When it was taken over."""


class Seal(Record, frozen=True, kw_only=True):
    """``seal.json``: closes a run."""

    run_id: Slug
    at: Time
    sha256: dict[str, Sha256]
    """File name inside the run directory -> SHA-256 of its bytes."""
    calls: Count
    verdicts: Count


class ScoreLock(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One line of ``scores.lock.jsonl``: a task's score as last published."""

    service: Slug
    task_id: Slug
    score: str
    """An exact fraction such as ``"200/3"``."""
    failed: bool
    grader: str
    correction: Sha256 | None = None
    """SHA-256 of the newest line of ``corrections.jsonl`` about it, its line feed included; None: never corrected."""


class Correction(Record, frozen=True, kw_only=True):
    """A published score that changed: one line of ``corrections.jsonl``, append only."""

    at: Time
    run_id: Slug
    service: Slug
    task_id: Slug
    old: str
    """Exact, as in the lock."""
    new: str
    old_failed: bool = False
    """Whether the task counted as failed; a score may change in this alone."""
    new_failed: bool = False
    old_grader: str
    new_grader: str
    reason: Text
    previous: Sha256 | None = None
    """SHA-256 of the line before it, its line feed included; None in the first line."""


class StoredRun(Record, frozen=True, kw_only=True):
    """A run as read: contract, calls in stored order, verdicts, seal, lock."""

    contract: Run
    calls: tuple[Call, ...]
    verdicts: tuple[Verdict, ...]
    seal: Seal | None
    score_lock: tuple[ScoreLock, ...]
    metrics: tuple[MetricScore, ...] = ()
    """Scores of metrics that are not computed here, in stored order; no part of any score of the suite."""


class Results(Record, frozen=True, kw_only=True):
    """Everything in ``results/`` that a build needs, checked."""

    services: dict[str, Service]
    suites: dict[str, Suite]
    runs: dict[str, StoredRun]
    corrections: tuple[Correction, ...]
    sources: tuple[SourceCheck, ...] = ()
    """Every look at a source, in stored order."""
    duels: dict[str, StoredDuel] = {}  # noqa: RUF012 - msgspec copies an empty default
