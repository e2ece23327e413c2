"""``rapor run``, ``judge``, ``seal`` and ``rerun``: the door of the collecting wing.

Everything that is printed, and every touch of clock, environment and signals, is here or in ``cli_ledger``.
"""

import asyncio
import fcntl
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

import click

from generator.cli import say_findings
from generator.cli_ledger import RESULTS, clock, faults_end, say_plan
from generator.collect.closing import contract_text, has_judged_tasks, rerun_of, unfinished
from generator.collect.desk import Desk
from generator.collect.guard import Guard
from generator.collect.jury import Jury, seat_jury, sit_jury
from generator.collect.opening import Opened, open_run, outside_window
from generator.collect.probing import probe_all
from generator.collect.progress import Progress
from generator.collect.projecting import project, project_jury
from generator.collect.sitting import Sitting, changed_models, guard, sit
from generator.findings import Faults, Finding
from generator.store.layout import PRIVATE, Layout
from generator.store.names import subdirectories
from generator.store.read import read_calls, read_contract, read_verdicts
from generator.store.write import seal_run, write_new

T = TypeVar("T")
_RUN = click.argument("run_id")
_PRIVATE = click.option(
    "--private",
    envvar="RAPOR_PRIVATE",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Held-out material that lies outside results; also RAPOR_PRIVATE.",
)
_PLAN = click.option("--plan", is_flag=True, help="Print calls, tokens, cost, caps and time; ask nothing.")
_PAUSE = click.option(
    "--pause", default=1.0, show_default=True, help="Seconds before a second attempt; it doubles from there."
)


@click.command()
@_RUN
@RESULTS
@_PRIVATE
@_PLAN
@click.option("--probe", is_flag=True, help="Before the first call: find the settings that a service rejects.")
@_PAUSE
def run(run_id: str, results: Path, private: Path | None, plan: bool, probe: bool, pause: float) -> None:
    """Ask what the contract of RUN_ID declares, from where it stopped, and keep every attempt.

    Ctrl-C lets the answers in flight come in; a second Ctrl-C gives them up. Both leave a run that goes on later.
    """
    layout, outside = _sides(results, private)
    with _one_at_a_time(layout), faults_end():
        opened = open_run(layout, _known(layout, run_id), outside, None if plan else os.environ)
        say_findings(opened.remarks)
        say_findings(outside_window(opened.contract, clock()))
        earlier, judged = _earlier(layout, outside, read_calls), _earlier(layout, outside, read_verdicts)
        if plan:
            say_plan(project(opened, earlier), project_jury(opened, judged), guard(opened, layout, clock))
        elif probe:
            _probe(opened, layout)
        else:
            _record(opened, Sitting(layout, clock, _tell_nobody, _stop_on_signal, earlier, judged, pause))


def _record(opened: Opened, sitting: Sitting) -> None:
    """One sitting of a run, seen by a person."""
    total, layout = Counter(item.slot.service for item in opened.todo), sitting.layout
    with _progress(total, guard(opened, layout, clock)) as progress:
        sitting.tell = progress.tell
        ended = asyncio.run(sit(opened, sitting)) if opened.todo else []
    run_id, calls = opened.contract.run_id, [*opened.calls, *sitting.stored]
    say_findings(changed := changed_models(calls))
    left = len(open_run(layout, run_id, opened.private, None).todo)
    click.echo(f"{run_id}: {len(opened.slots) - left} of {len(opened.slots)} answers settled")
    _end(ended, left, blocking=bool(changed))


def _probe(opened: Opened, layout: Layout) -> None:
    """Write into the contract what its services reject, and say it."""
    rejected = asyncio.run(probe_all(opened, layout, clock))
    for service, names in rejected.items():
        click.echo(f"{service}: {', '.join(names) + ' unsupported' if names else 'takes every setting'}")


@click.command()
@_RUN
@RESULTS
@_PRIVATE
@_PLAN
@click.option("--calibrate", is_flag=True, help="Let every judge judge the suite's anchor answers instead.")
@_PAUSE
def judge(run_id: str, results: Path, private: Path | None, plan: bool, calibrate: bool, pause: float) -> None:
    """Ask the jury of RUN_ID for every verdict that the rules of its suite want."""
    layout, outside = _sides(results, private)
    with _one_at_a_time(layout), faults_end():
        opened = open_run(layout, _known(layout, run_id), outside, None)
        judged = _earlier(layout, outside, read_verdicts)
        sitting = Sitting(layout, clock, _tell_nobody, _stop_on_signal, (), judged, pause)
        jury = seat_jury(opened, sitting, None if plan else os.environ, calibrate)
        say_findings((*opened.remarks, *jury.remarks))
        asks = jury.wanted()
        if plan:
            say_plan(jury.project(asks, judged), (), jury.guard)
            return
        total = Counter(ask.judge.id for ask in asks)
        with _progress(total, jury.guard) as progress:
            sitting.tell, sitting.expect = progress.tell, progress.expect
            ended = asyncio.run(sit_jury(jury, sitting))
        _say_jury(jury)
        _end(ended, len(jury.wanted()), blocking=False)


@click.command()
@_RUN
@RESULTS
@_PRIVATE
def seal(run_id: str, results: Path, private: Path | None) -> None:
    """Close RUN_ID: nothing is added to it any more, and its bytes are pinned."""
    layout, outside = _sides(results, private)
    with _one_at_a_time(layout), faults_end():
        opened = open_run(layout, _known(layout, run_id), outside, None)
        open_verdicts = 0
        if opened.suite.file.jury is not None and has_judged_tasks(opened) and not opened.todo:
            sitting = Sitting(layout, clock, _tell_nobody, _stop_on_signal)
            open_verdicts = len(seat_jury(opened, sitting, None, calibrate=False).wanted())
        if faults := list(unfinished(opened, open_verdicts)):
            raise Faults(faults)
        say_findings(changed_models(opened.calls))
        closed = seal_run(layout, run_id, clock(), outside)
        click.echo(f"{run_id}: sealed with {closed.calls} calls and {closed.verdicts} verdicts")


@click.command()
@_RUN
@RESULTS
@click.option("--services", required=True, help="Services to ask again, separated by commas.")
@click.option("--tolerance", required=True, type=Decimal, help="Most points that two totals may differ by.")
@click.option("--as", "new_id", help="Id of the re-run; RUN_ID-rerun by default.")
def rerun(run_id: str, results: Path, services: str, tolerance: Decimal, new_id: str | None) -> None:
    """Write the contract of a run that repeats RUN_ID for some of its services; it asks nothing yet."""
    layout, named = Layout(results), services.split(",")
    with faults_end():
        contract = read_contract(layout, _known(layout, run_id))
        if unknown := [name for name in named if name not in contract.services]:
            raise click.UsageError(f"{', '.join(unknown)}: not in {run_id}, which asked {', '.join(contract.services)}")
        again = rerun_of(contract, new_id or f"{run_id}-rerun", named, tolerance)
        path = layout.contract(again.run_id)
        if path.exists():
            raise click.UsageError(f"{again.run_id} has its contract already")
        write_new(path, contract_text(again).encode())
        click.echo(f"{path}: read it, commit it, then `rapor run {again.run_id}`")


def _sides(results: Path, private: Path | None) -> tuple[Layout, Layout | None]:
    """The two directories in which a run may lie."""
    return Layout(results), Layout(private, PRIVATE) if private else None


def _known(layout: Layout, run_id: str) -> str:
    """``run_id``, if there is such a run."""
    if not layout.contract(run_id).is_file():
        known = ", ".join(subdirectories(layout.runs)) if layout.runs.is_dir() else "none"
        raise click.UsageError(f"{layout.contract(run_id)} does not exist; runs here: {known}")
    return run_id


def _tell_nobody(*_: object) -> None:
    """Stands in until there is a display."""


@contextmanager
def _one_at_a_time(layout: Layout) -> Iterator[None]:
    """Keep a second recording away from the same directory: both would ask, and share one ledger."""
    handle = os.open(layout.root, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        click.echo(f"{layout.root}: another recording is at work here; wait for it", err=True)
        sys.exit(1)
    finally:
        os.close(handle)


def _stop_on_signal(desk: Desk) -> None:
    """Ctrl-C: the first lets answers in flight come in, the second gives them up; their lines say so."""
    loop, mine = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        if desk.stop.is_set():
            for task in asyncio.all_tasks(loop) - {mine}:
                task.cancel()
            return
        desk.halt(_stopped())
        click.echo("stopping after the answers in flight; Ctrl-C again gives them up", err=True)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)


def _stopped() -> Finding:
    """The person at the keyboard ended the sitting."""
    return Finding(
        file="", line=0, field="", slug="stopped", found="a signal to stop", expected="the end of the run",
        todo="run again: it goes on where it stopped",
    )  # fmt: skip


def _earlier(layout: Layout, private: Layout | None, read: Callable[[Layout, str], Iterable[T]]) -> list[T]:
    """The lines of every run so far, for measured use; a run with faults is told and left out of the measuring."""
    found: list[T] = []
    for name in subdirectories(layout.runs):
        try:
            found += [line for side in (layout, private) if side for line in read(side, name)]
        except Faults as faults:
            click.echo(f"{name} is not used to project: {faults.findings[0]}", err=True)
    return found


def _progress(total: Counter[str], money: Guard) -> Progress:
    """The display of a sitting."""
    from rich.console import Console

    return Progress(total, money.left(), Console(stderr=True))


def _say_jury(jury: Jury) -> None:
    """How the verdicts stand."""
    lines = Counter((line.by, line.status) for line in jury.verdicts if (line.role == "calibration") == jury.calibrate)
    for (name, status), count in sorted(lines.items()):
        click.echo(f"{name}: {count} x {status}")


def _end(ended: Sequence[Finding], left: int, *, blocking: bool) -> None:
    """Say what ended the sitting and leave with the right code."""
    say_findings(ended)
    if left:
        click.echo(f"{left} still to come", err=True)
    if ended or left or blocking:
        sys.exit(1)
