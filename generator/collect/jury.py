"""One sitting of ``rapor judge``: what refuses it, what it should cost, round after round. In the collecting wing."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_bytes

import httpx

from generator.collect.budget import Row, measured, row, shown_cost
from generator.collect.desk import Desk
from generator.collect.guard import Guard
from generator.collect.judging import (
    Bench,
    Wanted,
    askable,
    hear,
    judges,
    message,
    subjects,
    wanted,
    wanted_for_calibration,
)
from generator.collect.opening import Opened, keys_of, service_faults
from generator.collect.sitting import Sitting, unreachable
from generator.findings import Faults, Finding
from generator.records import Call, JuryRules, RubricTask, Verdict
from generator.score.judged import Judge
from generator.store.layout import Layout
from generator.store.read import read_calls, read_contract, read_verdicts
from generator.store.write import keep_secret, repair, secret_of


@dataclass
class Jury:
    """The jury of an opened run.

    Attributes:
        opened: the run, with its answers.
        rules: who judges whom.
        panel: the judges that can be asked.
        bench: where they sit.
        guard: their money.
        calibrate: whether anchor answers are judged instead of the run's.
        verdicts: every line so far.
        before: the judged answers of the run that this one repeats.
        remarks: what is worth knowing and stops nothing.
    """

    opened: Opened
    rules: JuryRules
    panel: list[Judge]
    bench: Bench
    guard: Guard
    calibrate: bool
    verdicts: list[Verdict]
    before: list[Call]
    remarks: list[Finding] = field(default_factory=list)

    def wanted(self) -> list[Wanted]:
        """The verdicts to ask for next; empty when nothing more is to be had."""
        attempts = self.opened.contract.attempts
        if self.calibrate:
            asks = wanted_for_calibration(self.opened.suite.anchors, self.panel, self.verdicts, attempts)
        else:
            vendors = {name: service.vendor for name, service in self.opened.services.items()}
            answers = subjects(self.opened.calls, self.bench.tasks, vendors, self.rules, self.before)
            asks = wanted(answers, self.panel, self.rules, self.verdicts, attempts)
        return askable(asks, self.verdicts, self.bench)

    def project(self, asks: Sequence[Wanted], earlier: Sequence[Verdict]) -> list[Row]:
        """One row per judge; a third judge who may become necessary is not in it."""
        use = measured(earlier)
        rows = []
        for judge in self.panel:
            prompts = [message(self.bench, ask) for ask in asks if ask.judge == judge]
            cap = self.opened.contract.judging[judge.id].get("max_output_tokens")
            service = self.opened.services[judge.id]
            rows.append(row(service, prompts, cap.asked if cap else None, use.get(judge.id)))
        return rows


def seat_jury(opened: Opened, sitting: Sitting, environ: Mapping[str, str] | None, calibrate: bool) -> Jury:
    """The jury of a run, or every reason why it cannot sit.

    ``environ`` holds the keys; None where nobody is going to be asked.

    Raises:
        Faults: no jury rules, no rubric, unknown or unset judges, a missing key, answers that are still to come.
    """
    layout, contract, rules = sitting.layout, opened.contract, opened.suite.file.jury
    sides = [layout, opened.private] if opened.private else [layout]
    remarks = [found for side in sides if (found := repair(side.verdicts(contract.run_id)))]
    verdicts = [line for side in sides for line in read_verdicts(side, contract.run_id)]
    if faults := list(_faults(opened, rules, environ, calibrate)):
        raise Faults(faults)
    rules = rules or JuryRules(pair=())
    vendors = {name: service.vendor for name, service in opened.services.items()}
    panel = judges(rules, vendors)
    money = Guard(
        layout=layout, budget=opened.budget, ledger=opened.ledger, run=contract.run_id, suite=opened.suite.file.id,
        phase="verdicts", services=opened.services, clock=sitting.clock,
    )  # fmt: skip
    desk = Desk(
        services=opened.services,
        keys=keys_of([judge.id for judge in panel], opened.services, environ) if environ is not None else {},
        side=opened.side,
        clock=sitting.clock,
        timeout_s=contract.timeout_s,
        attempts=contract.attempts,
        cost=lambda name, tokens_in, tokens_out: shown_cost(opened.services[name], tokens_in, tokens_out),
        may_spend=money.may_spend,
        first_pause_s=sitting.first_pause_s,
        latest=max((line.at for line in verdicts), default=None),
    )
    answers = {call.call_id: call.output or "" for call in opened.calls}
    answers |= {anchor.id: anchor.text for anchor in opened.suite.anchors}
    bench = Bench(
        contract=contract,
        suite=opened.suite,
        answers=answers,
        tasks={task.id: task for task in opened.suite.tasks if isinstance(task, RubricTask)},
        desk=desk,
        secret=_secret(layout, contract.run_id, bool(verdicts)) if environ is not None else b"",
        on_verdict=_note(sitting, money, verdicts),
    )
    before = _judged_before(opened, sides)
    return Jury(opened, rules, panel, bench, money, calibrate, verdicts, before, remarks)


async def sit_jury(jury: Jury, sitting: Sitting) -> list[Finding]:
    """Ask round after round until nothing is wanted; gives what ended the sitting early."""
    jury.guard.settle(jury.verdicts)
    async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - the whole attempt has its own time limit
        asks = jury.wanted()
        named = dict.fromkeys(ask.judge.id for ask in asks)
        if missing := await unreachable([jury.opened.services[name] for name in named], client):
            return missing
        if asks and (refused := jury.guard.admit(jury.project(asks, sitting.judged), jury.opened.contract_sha256)):
            return [refused]
        sitting.started(jury.bench.desk)
        try:
            while asks and not jury.bench.desk.stop.is_set():
                await hear(jury.bench, asks, client)
                asks = jury.wanted()
                sitting.expect(Counter(ask.judge.id for ask in asks if ask.attempt == 1))
        finally:
            try:
                jury.guard.settle(jury.verdicts)
            except OSError as error:
                jury.bench.desk.halt_for(error)
    return jury.bench.desk.halted


def _judged_before(opened: Opened, sides: Sequence[Layout]) -> list[Call]:
    """The answers with verdicts of the run that a re-run repeats; none where its suite was another."""
    again = opened.contract.rerun
    if again is None or read_contract(sides[0], again.of).suite != opened.contract.suite:
        return []
    subjects_before = {line.subject for side in sides for line in read_verdicts(side, again.of)}
    return [call for side in sides for call in read_calls(side, again.of) if call.call_id in subjects_before]


def _note(sitting: Sitting, money: Guard, verdicts: list[Verdict]) -> Callable[[Verdict, str], None]:
    """What happens to every stored line: it is known to the next round, its cost is added and it is told."""

    def note(line: Verdict, cause: str) -> None:
        verdicts.append(line)
        sitting.tell(line.by, cause, None, money.note(line.by, line))

    return note


def _secret(layout: Layout, run: str, used: bool) -> bytes:
    """The key of the run's blind ids; made at the first verdict.

    Raises:
        Faults: verdicts were given under a key that this machine does not have.
    """
    secret = secret_of(layout, run)
    if secret is None and used:
        raise Faults([_fault(layout.secret(run).name, "missing-secret", "nothing", "the key of the blind ids so far",
                             "copy it from the machine that judged first, or judge there")])  # fmt: skip
    if secret is None:
        secret = token_bytes(32)
        keep_secret(layout, run, secret)
    return secret


def _faults(
    opened: Opened, rules: JuryRules | None, environ: Mapping[str, str] | None, calibrate: bool
) -> Iterator[Finding]:
    """Every reason why the jury cannot sit."""
    run, suite = opened.contract.run_id, opened.suite
    if rules is None:
        yield _fault(f"suites/{suite.file.id}/suite.toml", "missing-jury", "no [jury]", "the rules of a jury")
        return
    if suite.rubric is None:
        yield _fault(f"suites/{suite.file.id}/rubric.id.md", "missing-rubric", "nothing", "the rubric judges are shown")
    if calibrate and not suite.anchors:
        yield _fault(f"suites/{suite.file.id}/anchors.toml", "missing-anchors", "nothing", "answers of known quality")
    if not calibrate and opened.todo:
        yield _fault(f"runs/{run}/calls.jsonl", "open-slots", f"{len(opened.todo)} answers still to come",
                     "a finished run", "finish it with `rapor run` first")  # fmt: skip
    for name in dict.fromkeys((*rules.pair, *rules.third)):
        if name not in opened.services:
            continue  # the rules pass over a judge that nobody can ask
        if name not in opened.contract.judging:
            yield _fault(f"runs/{run}/run.toml", "missing-settings", f"no [judging.{name}]", "the judge's settings")
        yield from service_faults(opened.services[name], environ)


def _fault(file: str, slug: str, found: str, expected: str, todo: str = "") -> Finding:
    """A blocking finding."""
    return Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected, todo=todo)
