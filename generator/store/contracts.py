"""What a run rests on: the services, and the contract held against them and against its suite."""

from collections.abc import Iterable
from dataclasses import dataclass

from generator.records import Run, Service, Services, Suite
from generator.store.sheet import Sheet
from generator.store.strict import told
from generator.store.toml import table


@dataclass(frozen=True)
class Known:
    """What the runs may refer to; a ``None`` was not sound itself, and nothing is held against it.

    Attributes:
        services: id -> service.
        suites: id -> suite.
        runs: ids of the runs that have a directory.
    """

    services: dict[str, Service] | None
    suites: dict[str, Suite | None]
    runs: frozenset[str]


def services_in(sheet: Sheet) -> dict[str, Service] | None:
    """Id -> service, in the order of ``services.toml``; None where a fault was noted."""
    read = table(sheet, Services)
    if read is None:
        return None
    services = read[0].service
    distinct(sheet, [(f"service[{i}].id", service.id) for i, service in enumerate(services)])
    for index, service in enumerate(services):
        if not service.base_url.startswith(("https://", "http://")):
            expected = "an address with http:// or https://"
            sheet.fault("wrong-value", told(service.base_url), expected, field=f"service[{index}].base_url")
        for number, price in enumerate(service.price):
            for name in ("input_per_mtok", "output_per_mtok"):
                if getattr(price, name) < 0:
                    field = f"service[{index}].price[{number}].{name}"
                    sheet.fault("wrong-value", told(getattr(price, name)), "zero or more", field=field)
    return None if sheet.count else {service.id: service for service in services}


def check_contract(sheet: Sheet, run: Run, name: str, known: Known) -> None:
    """``run.toml`` against its place, the services, its suite and itself."""
    if run.run_id != name:
        sheet.fault("wrong-name", told(run.run_id), f'the name of its directory, "{name}"', field="run_id")
    distinct(sheet, [(f"services[{i}]", service) for i, service in enumerate(run.services)])
    if not run.services:
        sheet.fault("wrong-value", "no services", "one service or more", field="services")
    if known.services is not None:
        _check_services(sheet, run, known.services)
    _check_settings(sheet, run)
    _check_suite(sheet, run, known.suites)
    _check_comparison(sheet, run)
    _check_dates(sheet, run, known.runs)


def _check_services(sheet: Sheet, run: Run, services: dict[str, Service]) -> None:
    """Every service that the contract asks or lets judge is one that can be asked."""
    named = [*((f"services[{i}]", name) for i, name in enumerate(run.services)),
             *((f"judging.{name}", name) for name in run.judging)]  # fmt: skip
    for field, name in named:
        if name not in services:
            sheet.fault("unknown-service", told(name), "a service of services.toml", field=field)


def _check_settings(sheet: Sheet, run: Run) -> None:
    """Settings and acknowledgements belong to services of this run."""
    named = [*((f"params.{name}", name) for name in run.params),
             *((f"acknowledged[{i}].service", item.service) for i, item in enumerate(run.acknowledged))]  # fmt: skip
    for field, name in named:
        if name is not None and name not in run.services:
            sheet.fault("unknown-service", told(name), "a service of this run", field=field)


def _check_suite(sheet: Sheet, run: Run, suites: dict[str, Suite | None]) -> None:
    """The suite at hand is the one that was declared, byte for byte."""
    if run.suite.id not in suites:
        sheet.fault("unknown-suite", told(run.suite.id), "a directory under suites/", field="suite.id")
    suite = suites.get(run.suite.id)
    if suite is None:
        return
    if run.suite.sha256 != suite.sha256:
        sheet.fault("suite-differs", told(run.suite.sha256), f"{suite.sha256}, the suite at hand", field="suite.sha256")
    if run.suite.version != suite.file.version:
        sheet.fault("suite-differs", told(run.suite.version), told(suite.file.version), field="suite.version")
    tasks = {line.id for line in suite.lock}
    named = [(f"tasks[{i}]", task) for i, task in enumerate(run.tasks or ())]
    distinct(sheet, named)
    if run.comparison:
        named.append(("comparison.task", run.comparison.task))
    for field, task in named:
        if task not in tasks:
            sheet.fault("unknown-task", told(task), f"a task of {run.suite.id}", field=field)


def _check_comparison(sheet: Sheet, run: Run) -> None:
    """A service study compares two services of the run, by a test that can be made, until a declared end."""
    study = run.comparison
    if study is None:
        return
    named = [(f"comparison.primary.between[{i}]", name) for i, name in enumerate(study.primary.between)]
    distinct(sheet, named)
    for field, name in [*named, ("comparison.control", study.control)]:
        if name is not None and name not in run.services:
            sheet.fault("unknown-service", told(name), "a service of this run", field=field)
    if not 0 < study.primary.alpha < 1:
        sheet.fault("wrong-value", told(study.primary.alpha), "between 0 and 1", field="comparison.primary.alpha")
    if study.stop.rule == "fixed" and study.stop.n_per_service is None:
        sheet.fault("missing-field", "nothing", "the declared number", field="comparison.stop.n_per_service")
    if study.stop.rule == "sequential" and study.stop.method is None:
        sheet.fault("missing-field", "nothing", "the declared method", field="comparison.stop.method")


def _check_dates(sheet: Sheet, run: Run, runs: frozenset[str]) -> None:
    """The window is one, and a re-run names the run that it repeats."""
    if run.window and run.window.start > run.window.end:
        sheet.fault("contradiction", "an end before its start", "a window", field="window")
    if (run.purpose == "rerun") != (run.rerun is not None):
        found = "no [rerun]" if run.rerun is None else "a [rerun]"
        sheet.fault("contradiction", f'purpose "{run.purpose}" and {found}', "both or neither", field="purpose")
    if run.rerun and (run.rerun.of not in runs or run.rerun.of == run.run_id):
        sheet.fault("unknown-run", told(run.rerun.of), "another run under runs/", field="rerun.of")
    if run.rerun and run.rerun.tolerance < 0:
        sheet.fault("wrong-value", told(run.rerun.tolerance), "zero or more", field="rerun.tolerance")


def distinct(sheet: Sheet, places: Iterable[tuple[str, str]], slug: str = "duplicate-id") -> None:
    """A fault for every value that occurred before; ``places`` are fields with their values."""
    seen: set[str] = set()
    for field, value in places:
        if value in seen:
            sheet.fault(slug, told(value), "each one once", field=field)
        seen.add(value)
