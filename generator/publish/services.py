"""Services and runs as a reader sees them."""

from collections.abc import Collection, Sequence
from datetime import date

from msgspec.structs import replace

from generator.publish.run_views import CallView, Declared, RunView, ServiceView, SuiteView
from generator.publish.scored import NOT_AT_HAND, ScoredRun, technical_reason
from generator.records import CALL_LOG_COLUMNS, Call, Kind, Price, Run, Service, StoredRun, Suite


def service_view(service: Service, contract: Run, calls: Sequence[Call]) -> ServiceView:
    """A service with what came back from it in this run.

    Args:
        service: as declared in ``services.toml``.
        contract: for the settings asked and applied.
        calls: all calls of the run; those of other services are passed over.
    """
    own = [call for call in calls if call.service == service.id]
    return ServiceView(
        id=service.id,
        name=service.name,
        vendor=service.vendor,
        group=service.group,
        requested_model=service.requested_model,
        returned_models=tuple(sorted({call.returned_model for call in own if call.returned_model})),
        fingerprints=tuple(sorted({call.system_fingerprint for call in own if call.system_fingerprint})),
        about=service.about,
        owned_by_us=service.owned_by_us,
        sponsor=service.sponsor,
        price=shown_price(service),
        settings=contract.params.get(service.id, {}),
        sources=service.sources,
    )


def shown_price(service: Service) -> Price | None:
    """The newest price that may be displayed; an assumed price counts in the budget and is never shown."""
    prices = [price for price in service.price if not price.assumed]
    return max(prices, key=lambda price: price.checked or date.min, default=None)


def run_view(run: StoredRun, answers: int) -> RunView:
    """A run in numbers.

    Args:
        run: with at least one call.
        answers: (service, task, repeat) slots that the contract promises.
    """
    contract = run.contract
    moments = [call.started_at for call in run.calls]
    return RunView(
        run_id=contract.run_id,
        purpose=contract.purpose,
        suite=contract.suite.id,
        suite_version=contract.suite.version,
        suite_sha256=contract.suite.sha256,
        grader=contract.grader,
        place=contract.place,
        design=contract.design,
        attempts=contract.attempts,
        timeout_s=contract.timeout_s,
        window=contract.window,
        first_call=min(moments),
        last_call=max(moments),
        services=len(contract.services),
        calls=len(run.calls),
        answers=answers,
        sealed=run.seal is not None,
    )


def suite_view(suite: Suite) -> SuiteView:
    """A suite in numbers, with its public rubric and its lock."""
    kinds: list[Kind] = [lock.kind for lock in suite.lock]
    sources = [source for task in suite.tasks for source in task.sources]
    public = sum(lock.access == "public" for lock in suite.lock)
    return SuiteView(
        id=suite.file.id,
        version=suite.file.version,
        sha256=suite.sha256,
        language=suite.file.language,
        title=suite.file.title,
        licence=suite.file.licence,
        tasks=len(suite.lock),
        public=public,
        held_out=len(suite.lock) - public,
        exact=kinds.count("exact"),
        checks=kinds.count("checks"),
        rubric=kinds.count("rubric"),
        translation=kinds.count("translation"),
        vocabulary=kinds.count("vocabulary"),
        sources=len(sources),
        sources_checked=sum(source.checked is not None for source in sources),
        held_out_at_hand=len(suite.tasks) == len(suite.lock),
        incomplete_percent=suite.file.score.incomplete_percent,
        truncation=suite.file.score.truncation,
        rubric_text=suite.rubric,
        lock=suite.lock,
    )


NUMBERS = (
    "call_id",
    "task_id",
    "repeat",
    "attempt",
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "max_output_tokens",
    "cost_usd",
    "system_fingerprint",
)
"""What a published call carries after the fourteen columns; the output is not among them."""


def declared(scored: ScoredRun) -> Declared:
    """What was declared before the first call of a run: rules without their canary, contract, vendors."""
    return Declared(suite=replace(scored.suite.file, canary=""), run=scored.run.contract, vendors=scored.vendors)


def call_view(call: Call, scored: ScoredRun, hidden: Collection[tuple[str, str]] = ()) -> CallView:
    """A stored attempt without what was said, with ``qualified`` and ``failure_reason`` derived where it decided.

    What is ``hidden``, by (service, task), is not told here either: of its calls only technical failures are.
    """
    fields = {name: getattr(call, name) for name in (*CALL_LOG_COLUMNS, *NUMBERS)}
    slot = (call.service, call.task_id, call.repeat)
    if call.qualified is None and scored.last.get(slot) is call:
        mark, technical = scored.marks[slot], technical_reason(scored, slot)
        scored_here = mark.reason != NOT_AT_HAND and (call.service, call.task_id) not in hidden
        fields["qualified"] = mark.outcome == "passed" if technical or scored_here else None
        reason = technical or (mark.reason if scored_here and mark.outcome != "passed" else None)
        fields["failure_reason"] = call.failure_reason or reason
    return CallView(**fields)
