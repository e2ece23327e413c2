"""A run: contract, calls, verdicts, seal and score lock, read from one or two directories and held together."""

import re
from collections.abc import Iterator
from pathlib import Path

from generator.findings import Finding
from generator.records import Call, Run, ScoreLock, Seal, StoredRun, Suite, Verdict
from generator.store.acknowledged import adds_only_acknowledgements
from generator.store.answers import CallCheck, VerdictCheck
from generator.store.contracts import Known, check_contract
from generator.store.jsonl import document, records
from generator.store.layout import CALLS_DIR, COMPRESSED, CONTRACT, PRIVATE, Layout
from generator.store.metrics import stored_metrics
from generator.store.names import Sides
from generator.store.sheet import Sheet
from generator.store.strict import told
from generator.store.toml import table
from generator.store.vault import Vault
from generator.store.write import hash_of, sealed_files


def gather_run(sides: Sides, name: str, known: Known) -> StoredRun | None:
    """A run, or None where its contract is not sound; all faults of its files are added to ``sides``."""
    layout = sides.layout
    sheet = Sheet(layout, layout.contract(name), sides.faults)
    read = table(sheet, Run)
    if read is None:
        return None
    contract = read[0]
    check_contract(sheet, contract, name, known)
    suite = known.suites.get(contract.suite.id)
    vault = Vault(sides.both)
    check = CallCheck(contract, {line.id: line for line in suite.lock} if suite else None, vault)
    calls = tuple(_calls(sides, name, check))
    verdicts = tuple(_verdicts(sides, name, _verdict_check(check, suite, known)))
    seal = _seal(sides, name, len(calls), len(verdicts))
    lock = tuple(_score_lock(Sheet(layout, layout.score_lock(name), sides.faults), contract, suite))
    metrics = tuple(stored_metrics(Sheet(layout, layout.metrics(name), sides.faults), check.ids, suite))
    return StoredRun(contract=contract, calls=calls, verdicts=verdicts, seal=seal, score_lock=lock, metrics=metrics)


def call_sheets(layout: Layout, name: str, faults: list[Finding]) -> list[Sheet]:
    """The files with calls of a run in one directory; names that are none of them are a fault."""
    sheets: list[Sheet] = []
    try:
        files = layout.call_files(name)
    except OSError as error:
        Sheet(layout, layout.run_dir(name) / CALLS_DIR, faults).unreadable(error)
        return sheets
    for path in files:
        sheet = Sheet(layout, path, faults)
        if path.name.endswith((".jsonl", f".jsonl{COMPRESSED}")):
            sheets.append(sheet)
        elif not path.name.startswith("."):
            sheet.fault("unknown-file", told(path.name), "a name in .jsonl or .jsonl.zst")
    return sheets


def _calls(sides: Sides, name: str, check: CallCheck) -> Iterator[Call]:
    """The calls of a run in stored order, checked."""
    for side in sides.both:
        for sheet in call_sheets(side, name, sides.faults):
            if sheet.readable():
                for line, call in records(sheet, Call):
                    check.see(sheet, line, call)
                    yield call
    check.close()


def _verdict_check(check: CallCheck, suite: Suite | None, known: Known) -> VerdictCheck:
    """What the verdicts of a run are held against."""
    return VerdictCheck(
        calls=check.ids,
        anchors={anchor.id: anchor.task_id for anchor in suite.anchors} if suite else None,
        services=known.services,
        vault=check.vault,
    )


def _verdicts(sides: Sides, name: str, check: VerdictCheck) -> Iterator[Verdict]:
    """The verdicts of a run in stored order, checked."""
    for side in sides.both:
        sheet = Sheet(side, side.verdicts(name), sides.faults)
        if sheet.there() and sheet.readable():
            for line, verdict in records(sheet, Verdict):
                check.see(sheet, line, verdict)
                yield verdict


def _seal(sides: Sides, name: str, calls: int, verdicts: int) -> Seal | None:
    """The seal of a run, held against the bytes that it closes; None where there is none or it is unsound."""
    sheet = Sheet(sides.layout, sides.layout.seal(name), sides.faults)
    if not sheet.there() or not sheet.readable():
        return None
    seal = document(sheet, Seal)
    if seal is None:
        return None
    if seal.run_id != name:
        sheet.fault("wrong-name", told(seal.run_id), f'the name of its directory, "{name}"', field="run_id")
    try:
        files = sealed_files(sides.layout, name, sides.private)
    except OSError:  # told when the calls were read
        return None
    for file in sorted(files.keys() - seal.sha256.keys()):
        sheet.fault("not-sealed", file, "only files that the seal names")
    for file, stored in seal.sha256.items():
        if file in files:
            _check_sealed(sides, file, files[file], stored)
        elif sides.private or not file.startswith(PRIVATE):
            sheet.fault("seal-broken", f"no {told(file)}", "every file that was sealed", field=f"sha256.{file}")
    is_whole = not any(fault.blocking for fault in sides.faults) and seal.sha256.keys() <= files.keys()
    for field, stored_count, count in (("calls", seal.calls, calls), ("verdicts", seal.verdicts, verdicts)):
        if is_whole and stored_count != count:
            sheet.fault("seal-broken", f"{stored_count}", f"{count} lines", field=field)
    return seal


def _check_sealed(sides: Sides, file: str, path: Path, stored: str) -> None:
    """One sealed file has the bytes that were sealed; a contract may have acknowledgements behind them."""
    side = sides.private if sides.private and file.startswith(PRIVATE) else sides.layout
    sheet = Sheet(side, path, sides.faults)
    if sheet.readable():
        try:
            made = hash_of(path)
        except OSError as error:
            sheet.unreadable(error)
        else:
            if made != stored and not (file == CONTRACT and adds_only_acknowledgements(path.read_bytes(), stored)):
                sheet.fault("seal-broken", f"SHA-256 {made}", f"{stored}, as sealed")


def _score_lock(sheet: Sheet, run: Run, suite: Suite | None) -> Iterator[ScoreLock]:
    """The scores as last published."""
    if not sheet.there() or not sheet.readable():
        return
    tasks = {line.id for line in suite.lock} if suite else None
    seen: set[tuple[str, str]] = set()
    for line, lock in records(sheet, ScoreLock):
        if (lock.service, lock.task_id) in seen:
            found = f"{lock.service}, {lock.task_id}"
            sheet.fault("duplicate-id", found, "one line a service and task", line=line, field="task_id")
        seen.add((lock.service, lock.task_id))
        if lock.service not in run.services:
            expected = "a service of this run"
            sheet.fault("unknown-service", told(lock.service), expected, line=line, field="service")
        if tasks is not None and lock.task_id not in tasks:
            sheet.fault("unknown-task", told(lock.task_id), "a task of the suite", line=line, field="task_id")
        check_score(sheet, line, "score", lock.score)
        yield lock


def check_score(sheet: Sheet, line: int, field: str, score: str) -> None:
    """A stored score is a whole number or a fraction of two, of a sane length."""
    if not re.fullmatch(r"-?[0-9]{1,40}(/[1-9][0-9]{0,39})?", score):
        expected = 'an exact fraction such as "200/3"'
        sheet.fault("wrong-value", told(score), expected, line=line, field=field)
