"""May this run start, or go on? Everything that refuses it, all at once, before anything is asked.

In the collecting wing, between the stored files and ``recording``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from generator.collect.order import PER_CALL, Slot, slots
from generator.collect.recording import Open, still_open, stored_refusal
from generator.findings import Faults, Finding
from generator.records import Budget, Call, Entry, Run, Service, Suite, Task
from generator.store.acknowledged import adds_only_acknowledgements
from generator.store.layout import Layout
from generator.store.read import (
    read_budget,
    read_calls,
    read_contract,
    read_ledger,
    read_services,
    read_suite,
)
from generator.store.write import repair

NOT_ANTHROPIC = frozenset({"seed"})
"""Settings that the Anthropic interface has no field for; a contract says ``unsupported`` for them."""


@dataclass(frozen=True)
class Opened:
    """A run that may start or go on.

    Attributes:
        contract: as declared.
        contract_sha256: of its bytes.
        services: id -> service, everything in ``services.toml``.
        suite: the suite of the contract.
        tasks: id -> task, for the tasks of the contract.
        keys: service id -> key.
        calls: the stored lines so far, in stored order.
        todo: what is still to be asked, in order.
        slots: everything the contract asks for, in order.
        budget: the caps.
        ledger: its lines so far.
        private: the private directory, where one was given.
        side: where the lines about a task belong.
        remarks: what is worth knowing and stops nothing, such as a mended last line.
    """

    contract: Run
    contract_sha256: str
    services: dict[str, Service]
    suite: Suite
    tasks: dict[str, Task]
    keys: dict[str, str]
    calls: tuple[Call, ...]
    todo: tuple[Open, ...]
    slots: tuple[Slot, ...]
    budget: Budget
    ledger: tuple[Entry, ...]
    private: Layout | None
    side: Callable[[str], Layout]
    remarks: tuple[Finding, ...]


def open_run(layout: Layout, run: str, private: Layout | None, environ: Mapping[str, str] | None) -> Opened:
    """Read everything that ``run`` rests on, mend torn last lines, and check that it may go on.

    ``environ`` holds the keys; None where no service of the contract is going to be asked.

    Raises:
        Faults: with everything that keeps it from going on.
    """
    sides = [layout, private] if private else [layout]
    remarks = [found for side in sides if (found := repair(side.calls(run)))]
    contract = read_contract(layout, run)
    services = read_services(layout)
    suite = read_suite(layout, contract.suite.id, private)
    tasks = {task.id: task for task in suite.tasks if contract.tasks is None or task.id in contract.tasks}
    calls = tuple(call for side in sides for call in read_calls(side, run))
    budget, ledger = read_budget(layout), read_ledger(layout)
    data = layout.contract(run).read_bytes()
    faults = [
        *_contract_faults(layout, run, data, calls, ledger),
        *_suite_faults(contract, suite),
        *_service_faults(contract, services, environ),
    ]
    if faults:
        raise Faults(faults)
    held_out = {task.id for task in tasks.values() if task.access == "held_out"}
    order = slots(contract, {lock.id: lock.repeats for lock in suite.lock})

    def side(task_id: str) -> Layout:
        return private if private is not None and task_id in held_out else layout

    return Opened(
        contract=contract,
        contract_sha256=sha256(data).hexdigest(),
        services=services,
        suite=suite,
        tasks=tasks,
        keys=keys_of(contract.services, services, environ) if environ is not None else {},
        calls=calls,
        todo=tuple(still_open(order, calls, contract.attempts, stored_refusal(side))),
        slots=order,
        budget=budget,
        ledger=ledger,
        private=private,
        side=side,
        remarks=tuple(remarks),
    )


def _contract_faults(
    layout: Layout, run: str, data: bytes, calls: tuple[Call, ...], ledger: tuple[Entry, ...]
) -> Iterator[Finding]:
    """A sealed run, or a contract that is not the one the first call was made under, acknowledgements apart."""
    if layout.seal(run).exists():
        yield _fault(f"runs/{run}/seal.json", "", "sealed", "a seal", "a run that is still open",
                     "leave it as it is; rapor rerun writes a new contract")  # fmt: skip
    declared = declared_hash(ledger, run)
    if calls and declared is None:
        yield _fault(f"runs/{run}/calls.jsonl", "", "undeclared", f"{len(calls)} calls", "a projection in ledger.jsonl",
                     "restore the ledger that was written with these calls")  # fmt: skip
    if calls and declared is not None and not adds_only_acknowledgements(data, declared):
        yield _fault(f"runs/{run}/run.toml", "", "contract-changed", f"SHA-256 {sha256(data).hexdigest()[:12]}…",
                     f"{declared[:12]}… as before its first call",
                     "put the declared contract back; a changed one is a new run")  # fmt: skip


def declared_hash(ledger: tuple[Entry, ...], run: str) -> str | None:
    """The hash of the contract under which the run's first call was made.

    A projection that was refused by the budget declared nothing: nothing was asked then.
    """
    for entry in ledger:
        if (entry.run_id, entry.kind, entry.phase, entry.status) == (run, "projection", "calls", "ok"):
            return entry.contract_sha256
    return None


def outside_window(contract: Run, now: datetime) -> list[Finding]:
    """A remark where ``now`` lies outside the declared window: the calls are kept, and their times tell."""
    window = contract.window
    if window is None or window.start <= now <= window.end:
        return []
    return [
        Finding(
            file=f"runs/{contract.run_id}/run.toml", line=0, field="window", slug="outside-window",
            found=now.isoformat(timespec="seconds"),
            expected=f"{window.start.isoformat()} to {window.end.isoformat()}",
            todo="the calls go on and their times tell; another window is another run", blocking=False,
        )
    ]  # fmt: skip


def _suite_faults(contract: Run, suite: Suite) -> Iterator[Finding]:
    """A suite that is not the declared one, tasks that are not at hand, tasks that everybody can read by now."""
    file = f"runs/{contract.run_id}/run.toml"
    if suite.sha256 != contract.suite.sha256:
        yield _fault(file, "suite.sha256", "suite-changed", f"{contract.suite.sha256[:12]}…",
                     f"{suite.sha256[:12]}…, the hash of the suite at hand",
                     "put the declared suite back, or declare a new run")  # fmt: skip
    if suite.file.version != contract.suite.version:
        yield _fault(file, "suite.version", "suite-changed", contract.suite.version, suite.file.version)
    known, here = {lock.id for lock in suite.lock}, {task.id for task in suite.tasks}
    for index, task in enumerate(contract.tasks or ()):
        if task not in known:
            yield _fault(file, f"tasks[{index}]", "unknown-task", task, f"a task of {suite.file.id}")
    missing = sorted((known if contract.tasks is None else known & {*contract.tasks}) - here)
    if missing:
        yield _fault(f"suites/{suite.file.id}", "", "missing-tasks", f"no text of {', '.join(missing[:5])} …",
                     "every task of the contract", "name the directory that holds them with --private")  # fmt: skip
    asked = known if contract.tasks is None else known & {*contract.tasks}
    revealed = [reveal.id for reveal in suite.reveals if reveal.id in asked]
    if revealed and contract.purpose != "pilot":
        yield _fault(file, "suite", "tasks-revealed", f"{', '.join(revealed[:5])} of {suite.file.id}, which are public",
                     "tasks that are still held out: what was revealed may be remembered",
                     "make a new suite without them, or list the others under tasks")  # fmt: skip


def _service_faults(
    contract: Run, services: Mapping[str, Service], environ: Mapping[str, str] | None
) -> Iterator[Finding]:
    """Services that are not known, have no price or no settings, or whose key is not in the environment."""
    file = f"runs/{contract.run_id}/run.toml"
    for index, name in enumerate(contract.services):
        service = services.get(name)
        if service is None:
            yield _fault(file, f"services[{index}]", "unknown-service", name, "a service of services.toml")
            continue
        if name not in contract.params:
            yield _fault(file, f"params.{name}", "missing-settings", "nothing", "what is asked of the service")
        yield from service_faults(service, environ)
        yield from _setting_faults(file, contract, service)


def service_faults(service: Service, environ: Mapping[str, str] | None) -> Iterator[Finding]:
    """What keeps a service from being asked at all: no key, no price."""
    if environ is not None and service.key_env is not None and not environ.get(service.key_env):
        yield _fault("services.toml", f"{service.id}.key_env", "missing-key", f"no {service.key_env}",
                     "a key in the environment", f"export {service.key_env} and run again")  # fmt: skip
    if not any(price.currency == "USD" for price in service.price):
        yield _fault("services.toml", f"{service.id}.price", "missing-price", "no price in USD",
                     "a price, at least an assumed one", "the budget cannot guard what has no price")  # fmt: skip


def _setting_faults(file: str, contract: Run, service: Service) -> Iterator[Finding]:
    """Settings that say of themselves what cannot be."""
    for name, setting in contract.params.get(service.id, {}).items():
        if service.protocol == "anthropic" and name in NOT_ANTHROPIC and setting.applied != "unsupported":
            yield _fault(file, f"params.{service.id}.{name}", "rejected-setting", f"applied = {setting.applied!r}",
                         '"unsupported": the interface has no such field')  # fmt: skip
        if setting.asked == PER_CALL and name != "seed":
            yield _fault(
                file, f"params.{service.id}.{name}", "wrong-value", PER_CALL, "a value; only seeds differ by call"
            )


def keys_of(names: Sequence[str], services: Mapping[str, Service], environ: Mapping[str, str]) -> dict[str, str]:
    """The keys of the services that need one."""
    wanted = {name: services[name].key_env for name in names}
    return {name: environ[variable] for name, variable in wanted.items() if variable is not None}


def _fault(file: str, field: str, slug: str, found: str, expected: str, todo: str = "") -> Finding:
    """A blocking finding."""
    return Finding(file=file, line=0, field=field, slug=slug, found=found, expected=expected, todo=todo)
