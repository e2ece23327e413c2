"""Was the declared design kept? A study that was not run as declared carries no verdict, and each breach is named."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from generator.publish.scored import ScoredRun
from generator.records import Call, Comparison, Run, Setting, Withheld


def breaches(scored: ScoredRun, comparison: Comparison) -> tuple[Withheld, ...]:
    """Every way in which the stored calls depart from the contract."""
    calls, contract = scored.run.calls, scored.run.contract
    return (
        *_number(calls, contract, comparison),
        *_blocks(calls, contract, comparison),
        *_single_calls(calls, contract, comparison),
        *_repeats(calls, contract, comparison),
        *_services([call for call in calls if call.task_id == comparison.task], contract),
    )


def _number(calls: tuple[Call, ...], contract: Run, comparison: Comparison) -> Iterator[Withheld]:
    """Requests a service: exactly as many as declared, or at most as many where the study may stop early."""
    declared = comparison.stop.n_per_service
    sent = Counter(call.service for call in calls if call.attempt == 1)
    if declared is None:
        return
    for name in contract.services:
        n = sent[name]
        if n > declared or (n != declared and comparison.stop.rule == "fixed"):
            yield Withheld(slug="stop_rule", facts={"service": name, "n": n, "declared": declared})


def _blocks(calls: tuple[Call, ...], contract: Run, comparison: Comparison) -> Iterator[Withheld]:
    """As many blocks as declared, and in each as many requests to one compared service as to the other."""
    sent = Counter((call.block_id, call.service) for call in calls if call.attempt == 1)
    blocks = {block for block, _ in sent}
    declared = contract.design.blocks
    if len(blocks) > declared or (len(blocks) != declared and comparison.stop.rule == "fixed"):
        yield Withheld(slug="blocks_differ", facts={"blocks": len(blocks), "declared": declared})
    a, b = comparison.primary.between
    uneven = sum(sent[block, a] != sent[block, b] for block in blocks)
    if uneven:
        yield Withheld(slug="uneven_blocks", facts={"blocks": uneven})


def _single_calls(calls: tuple[Call, ...], contract: Run, comparison: Comparison) -> Iterator[Withheld]:
    again = sum(call.attempt > contract.attempts for call in calls)
    if again:
        yield Withheld(slug="repeated_attempts", facts={"calls": again, "attempts": contract.attempts})
    window = contract.window
    outside = sum(not window.start <= call.started_at <= window.end for call in calls) if window else 0
    if outside:
        yield Withheld(slug="outside_window", facts={"calls": outside})
    other = sum(call.task_id != comparison.task for call in calls)
    if other:
        yield Withheld(slug="other_task", facts={"calls": other})


def _repeats(calls: tuple[Call, ...], contract: Run, comparison: Comparison) -> Iterator[Withheld]:
    """Services that were asked without chance and gave the same text each time: many requests, one observation.

    All counting of passes assumes that requests are independent draws.
    """
    for name in comparison.primary.between:
        texts = [c.output for c in calls if c.service == name and c.status == "ok" and c.task_id == comparison.task]
        if len(texts) > 1 and len(set(texts)) == 1 and _without_chance(contract.params.get(name, {})):
            yield Withheld(slug="identical_answers", facts={"service": name, "n": len(texts)})


def _without_chance(settings: Mapping[str, Setting]) -> bool:
    """Whether every call was to give the same: a temperature of 0, or one seed for all calls."""
    temperature, seed = settings.get("temperature"), settings.get("seed")
    return bool(temperature and temperature.applied == 0) or bool(seed and isinstance(seed.applied, int))


KEPT = ("max_output_tokens", "requested_model", "service_group", "request_hash")
"""What a line of the log records of the settings. The hash is that of the whole request but its model and route."""


def _services(calls: Sequence[Call], contract: Run) -> Iterator[Withheld]:
    """Settings that changed on the way or are not those declared, and services that named more than one model."""
    for name in contract.services:
        own = [call for call in calls if call.service == name]
        for setting in KEPT:
            values = {getattr(call, setting) for call in own}
            if values - _allowed(setting, values, contract.params.get(name, {})):
                yield Withheld(slug="settings_changed", facts={"service": name, "settings": setting})
        models = {call.returned_model for call in own if call.returned_model}
        if len(models) > 1:
            yield Withheld(slug="model_changed", facts={"service": name, "models": len(models)})


def _allowed(setting: str, values: set[object], declared: Mapping[str, Setting]) -> set[object]:
    """The values of one setting that keep the design: all where it is meant to vary, else the declared or only one."""
    seed, cap = declared.get("seed"), declared.get("max_output_tokens")
    if setting == "request_hash" and seed and seed.asked == "per_call":
        return values
    if setting == "max_output_tokens" and cap and isinstance(cap.applied, int):
        return {cap.applied}
    return values if len(values) == 1 else set()
