"""The end of a run, and the beginning of its re-run. In the collecting wing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import msgspec

from generator.collect.opening import Opened
from generator.findings import Finding
from generator.records import Entry, Rerun, RubricTask, Run, Setting, Value


def unfinished(opened: Opened, open_verdicts: int) -> Iterator[Finding]:
    """What keeps a run from being sealed: answers or verdicts still to come."""
    run = opened.contract.run_id
    if opened.todo:
        yield _fault(f"runs/{run}/calls.jsonl", "open-slots", f"{len(opened.todo)} answers still to come",
                     f"all {len(opened.slots)}", "finish it with `rapor run`")  # fmt: skip
    if open_verdicts:
        yield _fault(f"runs/{run}/verdicts.jsonl", "open-verdicts", f"{open_verdicts} verdicts still to come",
                     "every verdict that the jury rules want", "finish them with `rapor judge`")  # fmt: skip


def has_judged_tasks(opened: Opened) -> bool:
    """Whether the run asks anything that only judges can score."""
    return any(isinstance(task, RubricTask) for task in opened.tasks.values())


def rerun_of(contract: Run, run_id: str, services: Sequence[str], tolerance: Decimal) -> Run:
    """The contract of a re-run: the same in everything but its name, its services and its purpose."""
    return msgspec.structs.replace(
        contract,
        run_id=run_id,
        purpose="rerun",
        services=tuple(services),
        params={name: contract.params[name] for name in services},
        window=None,
        comparison=None,
        acknowledged=(),
        rerun=Rerun(of=contract.run_id, tolerance=tolerance),
    )


def contract_text(run: Run) -> str:
    """A contract as a person would write it: the TOML of ``run.toml``.

    Only what ``rapor rerun`` writes is written: a comparison and acknowledgements are always a person's own words.
    """
    suite, design = run.suite, run.design
    lines = [
        f"# Written before the first call; it repeats {run.rerun.of}."
        if run.rerun
        else "# Written before the first call.",
        "schema = 1",
        f"run_id = {_toml(run.run_id)}",
        f"purpose = {_toml(run.purpose)}",
        f"suite = {{ id = {_toml(suite.id)}, version = {_toml(suite.version)}, sha256 = {_toml(suite.sha256)} }}",
        f"services = {_toml(list(run.services))}",
        f"grader = {_toml(run.grader)}",
        f"place = {_toml(run.place)}",
        f"design = {{ blocks = {design.blocks}, order = {_toml(design.order)}, seed = {design.seed},"
        f" concurrency = {design.concurrency} }}",
        f"attempts = {run.attempts}",
        f"timeout_s = {run.timeout_s}",
    ]
    lines += [f"tasks = {_toml(list(run.tasks))}"] if run.tasks is not None else []
    lines += [f"repeats = {run.repeats}"] if run.repeats is not None else []
    lines += _settings("params", run.params) + _settings("judging", run.judging)
    if run.rerun:
        lines += ["", "[rerun]", f"of = {_toml(run.rerun.of)}", f"tolerance = {_toml(str(run.rerun.tolerance))}"]
    return "\n".join(lines) + "\n"


def _settings(table: str, settings: Mapping[str, Mapping[str, Setting]]) -> list[str]:
    """The tables of settings, one per service."""
    lines = []
    for service, values in settings.items():
        lines += ["", f"[{table}.{_toml(service)}]"]
        lines += [
            f"{name} = {{ asked = {_toml(value.asked)}, applied = {_toml(value.applied)} }}"
            for name, value in values.items()
        ]
    return lines


def _toml(value: Value | list[str]) -> str:
    """A value as TOML; its strings are those of JSON, which TOML reads the same way."""
    if isinstance(value, bool):
        return str(value).lower()
    return msgspec.json.encode(value).decode()


@dataclass
class Account:
    """What a run cost in a month."""

    calls: int = 0
    usd: Decimal = Decimal(0)
    projected: Decimal = Decimal(0)
    refused: int = 0
    assumed: bool = False


def by_run(ledger: Iterable[Entry], month: str) -> dict[tuple[str, str, str], Account]:
    """(suite, run, phase) -> what it cost in ``month``, in the order in which it began."""
    found: dict[tuple[str, str, str], Account] = {}
    for entry in ledger:
        if entry.month != month:
            continue
        account = found.setdefault((entry.suite, entry.run_id, entry.phase), Account())
        account.assumed |= entry.assumed
        if entry.kind == "charge":
            account.calls += entry.calls
            account.usd += entry.usd
        elif entry.status == "budget_exceeded":
            account.refused += 1
        else:
            account.projected += entry.usd
    return found


def _fault(file: str, slug: str, found: str, expected: str, todo: str) -> Finding:
    """A blocking finding."""
    return Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected, todo=todo)
