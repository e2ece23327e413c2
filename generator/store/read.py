"""``results/`` -> records, checked: everything for a build, or one thing at a time for recording.

Every function raises ``Faults`` with all that is wrong in what it reads, never only the first. A function that
yields raises when it has yielded everything sound: what was made of it until then must be thrown away.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from generator.findings import Faults, Finding
from generator.records import (
    Budget,
    Call,
    Correction,
    Entry,
    Record,
    Results,
    Run,
    Service,
    SourceCheck,
    StoredRun,
    Suite,
    Verdict,
)
from generator.store.contracts import Known, check_contract, distinct, services_in
from generator.store.duels import gather_duel
from generator.store.jsonl import records
from generator.store.keys import check_keys, written_by_models
from generator.store.layout import PRIVATE, Layout
from generator.store.names import Sides, check_root, directories, subdirectories
from generator.store.runs import call_sheets, check_score, gather_run
from generator.store.sheet import Sheet
from generator.store.strict import told
from generator.store.suites import gather_suite
from generator.store.toml import table

R = TypeVar("R", bound=Record)
T = TypeVar("T")


def read_results(root: Path, private: Path | None = None) -> Results:
    """Everything in ``root`` and, where one is given, in the private directory, checked.

    Raises:
        Faults: with every fault of every file.
    """
    sides = Sides(Layout(root), Layout(private, PRIVATE) if private else None, [])
    layout, faults = sides.layout, sides.faults
    check_root(sides)
    services = services_in(Sheet(layout, layout.services, faults))
    suites = {
        name: gather_suite(layout, name, sides.private, services, faults) for name in directories(sides, "suites")
    }
    names = directories(sides, "runs")
    known = Known(services, suites, frozenset(names))
    runs = {name: gather_run(sides, name, known) for name in names}
    corrections = tuple(_corrections(Sheet(layout, layout.corrections, faults), known.runs))
    duels = {name: gather_duel(sides, name, known.suites, known.runs) for name in directories(sides, "duels")}
    sources = tuple(_sources(Sheet(layout, layout.sources, faults)))
    _check_money(layout, faults)
    check_keys(sides, written_by_models(run for run in runs.values() if run))
    _raise(faults)
    return Results(
        services=services or {},
        suites={name: suite for name, suite in suites.items() if suite},
        runs={name: run for name, run in runs.items() if run},
        corrections=corrections,
        sources=sources,
        duels={name: duel for name, duel in duels.items() if duel},
    )


def read_run(layout: Layout, run: str, private: Layout | None = None) -> StoredRun:
    """One run, held against its services, its suite and its artifacts, without looking at any other."""
    sides = Sides(layout, private, [])
    services = services_in(Sheet(layout, layout.services, sides.faults))
    read = table(Sheet(layout, layout.contract(run), sides.faults.copy()), Run)
    suites: dict[str, Suite | None] = dict.fromkeys(subdirectories(layout.suites))
    if read and read[0].suite.id in suites:
        suite = read[0].suite.id
        suites[suite] = gather_suite(layout, suite, private, services, sides.faults)
    known = Known(services, suites, frozenset(subdirectories(layout.runs)))
    return _sound(gather_run(sides, run, known), sides.faults)


def read_services(layout: Layout) -> dict[str, Service]:
    """Id -> service, in the order of ``services.toml``."""
    faults: list[Finding] = []
    return _sound(services_in(Sheet(layout, layout.services, faults)), faults)


def read_suite(layout: Layout, suite: str, private: Layout | None = None) -> Suite:
    """A suite, held against itself and its lock, not against the services."""
    faults: list[Finding] = []
    return _sound(gather_suite(layout, suite, private, None, faults), faults)


def read_contract(layout: Layout, run: str) -> Run:
    """A contract, held against itself; its services and the bytes of its suite are left to the caller."""
    sheet = Sheet(layout, layout.contract(run), [])
    contract = _whole(sheet, Run)
    suites: dict[str, Suite | None] = dict.fromkeys(subdirectories(layout.suites))
    check_contract(sheet, contract, run, Known(None, suites, frozenset(subdirectories(layout.runs))))
    _raise(sheet.faults)
    return contract


def read_calls(layout: Layout, run: str) -> Iterator[Call]:
    """The calls of a run in one directory, a line at a time, in stored order; none where there is no file."""
    faults: list[Finding] = []
    for sheet in call_sheets(layout, run, faults):
        if sheet.readable():
            for _, call in records(sheet, Call):
                yield call
    _raise(faults)


def read_verdicts(layout: Layout, run: str) -> Iterator[Verdict]:
    """The verdicts of a run in one directory, a line at a time, in stored order; none where there is no file."""
    return _lines(Sheet(layout, layout.verdicts(run), []), Verdict)


def read_budget(layout: Layout) -> Budget:
    """``budget.toml``."""
    sheet = Sheet(layout, layout.budget, [])
    budget = _whole(sheet, Budget)
    _check_budget(sheet, budget)
    _raise(sheet.faults)
    return budget


def read_ledger(layout: Layout) -> tuple[Entry, ...]:
    """The lines of ``ledger.jsonl``; none where there is no file."""
    return tuple(_lines(Sheet(layout, layout.ledger, []), Entry))


def read_corrections(layout: Layout) -> tuple[Correction, ...]:
    """The lines of ``corrections.jsonl``; none where there is no file."""
    return tuple(_lines(Sheet(layout, layout.corrections, []), Correction))


def _corrections(sheet: Sheet, runs: frozenset[str]) -> Iterator[Correction]:
    """Every correction, of a run that is there."""
    if sheet.there() and sheet.readable():
        for line, correction in records(sheet, Correction):
            if correction.run_id not in runs:
                sheet.fault("unknown-run", told(correction.run_id), "a run under runs/", line=line, field="run_id")
            check_score(sheet, line, "old", correction.old)
            check_score(sheet, line, "new", correction.new)
            yield correction


def _sources(sheet: Sheet) -> Iterator[SourceCheck]:
    """Every look at a source; none where there is no file."""
    if sheet.there() and sheet.readable():
        for _, check in records(sheet, SourceCheck):
            yield check


def _check_money(layout: Layout, faults: list[Finding]) -> None:
    """Caps and ledger, where they are kept here: a build needs neither, but a broken file is told."""
    sheet = Sheet(layout, layout.budget, faults)
    if sheet.there() and (read := table(sheet, Budget)):
        _check_budget(sheet, read[0])
    sheet = Sheet(layout, layout.ledger, faults)
    if sheet.there() and sheet.readable():
        for _ in records(sheet, Entry):
            pass


def _check_budget(sheet: Sheet, budget: Budget) -> None:
    """Each account once, no cap below zero."""
    distinct(sheet, [(f"cap[{index}].account", cap.account) for index, cap in enumerate(budget.cap)])
    for index, cap in enumerate(budget.cap):
        if cap.usd_per_month < 0:
            sheet.fault("wrong-value", told(cap.usd_per_month), "zero or more", field=f"cap[{index}].usd_per_month")


def _lines(sheet: Sheet, kind: type[R]) -> Iterator[R]:
    """The records of a file that may be absent; raises at the end."""
    if sheet.there() and sheet.readable():
        for _, record in records(sheet, kind):
            yield record
    _raise(sheet.faults)


def _whole(sheet: Sheet, kind: type[R]) -> R:
    """The record of a TOML file that must be there."""
    read = table(sheet, kind)
    if read is None:
        raise Faults(sheet.faults)
    return read[0]


def _sound(value: T | None, faults: list[Finding]) -> T:
    """``value``, where nothing blocks; a missing value always has a fault that says why."""
    _raise(faults)
    if value is None:
        raise Faults(faults)
    return value


def _raise(faults: list[Finding]) -> None:
    """Raise what blocks, if anything does."""
    if blocking := [fault for fault in faults if fault.blocking]:
        raise Faults(blocking)
