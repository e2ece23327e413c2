"""Was the declared design kept? A study that was not run as declared carries no verdict, and each breach is named."""

from collections import Counter

from generator.publish.scored import ScoredRun
from generator.records import Comparison, Withheld


def breaches(scored: ScoredRun, comparison: Comparison) -> tuple[Withheld, ...]:
    """Every way in which the stored calls depart from the contract."""
    calls = scored.run.calls
    contract = scored.run.contract
    found: list[Withheld] = []
    first = Counter(call.service for call in calls if call.attempt == 1)
    expected = comparison.stop.n_per_service
    if comparison.stop.rule == "fixed" and expected is not None:
        found += [
            Withheld(slug="stop_rule", facts={"service": name, "n": first[name], "declared": expected})
            for name in comparison.primary.between
            if first[name] != expected
        ]
    again = sum(call.attempt > 1 for call in calls)
    if again:
        found.append(Withheld(slug="repeated_attempts", facts={"calls": again}))
    if contract.window:
        outside = sum(not contract.window.start <= call.started_at <= contract.window.end for call in calls)
        if outside:
            found.append(Withheld(slug="outside_window", facts={"calls": outside}))
    other = sum(call.task_id != comparison.task for call in calls)
    if other:
        found.append(Withheld(slug="other_task", facts={"calls": other}))
    for name in contract.services:
        caps = {call.max_output_tokens for call in calls if call.service == name}
        if len(caps) > 1:
            found.append(Withheld(slug="settings_changed", facts={"service": name, "settings": "max_output_tokens"}))
        models = {call.returned_model for call in calls if call.service == name and call.returned_model}
        if len(models) > 1:
            found.append(Withheld(slug="model_changed", facts={"service": name, "models": len(models)}))
    return tuple(found)
