"""Calls and verdicts held against the contract, the suite, the artifacts and each other, a line at a time."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from generator.findings import shown
from generator.records import Call, Run, TaskLock, Verdict
from generator.store.sheet import Sheet
from generator.store.strict import told
from generator.store.vault import Vault


@dataclass
class CallCheck:
    """What has been seen of the calls of one run.

    Attributes:
        run: its contract.
        tasks: id -> lock line, for every task of the suite; None where the suite is not sound.
        vault: where the artifacts lie.
        ids: call_id -> task, of every call so far.
        slots: (service, task, repeat, attempt) -> sheet and line, of every call so far.
    """

    run: Run
    tasks: Mapping[str, TaskLock] | None
    vault: Vault
    ids: dict[str, str] = field(default_factory=dict)
    slots: dict[tuple[str, str, int, int], tuple[Sheet, int]] = field(default_factory=dict)

    def see(self, sheet: Sheet, line: int, call: Call) -> None:
        """Check one more call."""
        if call.run_id != self.run.run_id:
            sheet.fault("unknown-run", told(call.run_id), self.run.run_id, line=line, field="run_id")
        if call.service not in self.run.services:
            expected = "a service of this run"
            sheet.fault("unknown-service", told(call.service), expected, line=line, field="service")
        self._check_task(sheet, line, call)
        self._check_twins(sheet, line, call)
        self._check_output(sheet, line, call)
        if call.cost_usd is not None and call.cost_usd < 0:
            sheet.fault("wrong-value", told(call.cost_usd), "zero or more", line=line, field="cost_usd")
        request = f"artifacts/{call.request_hash[:2]}/{call.request_hash}.json"
        check_artifact(sheet, line, "request_hash", request, self.vault)
        if call.artifact_path is not None:
            check_artifact(sheet, line, "artifact_path", call.artifact_path, self.vault)

    def close(self) -> None:
        """Check what shows only at the end: no attempt without the one before it."""
        for (service, task, repeat, attempt), (sheet, line) in self.slots.items():
            if attempt > 1 and (service, task, repeat, attempt - 1) not in self.slots:
                found = f"attempt {attempt} without attempt {attempt - 1}"
                sheet.fault("missing-attempt", found, "every attempt, as a line", line=line, field="attempt")

    def _check_task(self, sheet: Sheet, line: int, call: Call) -> None:
        """The task is one of the contract, and the repeat one of the task's."""
        if self.tasks is None:
            return
        lock = self.tasks.get(call.task_id)
        if lock is None or (self.run.tasks is not None and call.task_id not in self.run.tasks):
            sheet.fault("unknown-task", told(call.task_id), "a task of this run", line=line, field="task_id")
        elif call.repeat > (repeats := self.run.repeats or lock.repeats):
            sheet.fault("wrong-value", told(call.repeat), f"at most {repeats}", line=line, field="repeat")

    def _check_twins(self, sheet: Sheet, line: int, call: Call) -> None:
        """No call_id twice, and no place in the design twice."""
        if call.call_id in self.ids:
            sheet.fault("duplicate-id", told(call.call_id), "each call_id once", line=line, field="call_id")
        self.ids[call.call_id] = call.task_id
        slot = (call.service, call.task_id, call.repeat, call.attempt)
        if slot in self.slots:
            first, first_line = self.slots[slot]
            found = f"{call.service}, {call.task_id}, repeat {call.repeat}, attempt {call.attempt}"
            expected = f"one line only; the first is {first.layout.named(first.path)}:{first_line}"
            sheet.fault("duplicate-call", shown(found, 200), expected, line=line, field="attempt")
        else:
            self.slots[slot] = (sheet, line)

    def _check_output(self, sheet: Sheet, line: int, call: Call) -> None:
        """The output is the one that was hashed when it was stored."""
        made = None if call.output is None else sha256(call.output.encode()).hexdigest()
        if made == call.output_sha256:
            return
        if made is None or call.output_sha256 is None:
            found = "an output without its hash" if made else "a hash without its output"
            sheet.fault("contradiction", found, "both or neither", line=line, field="output_sha256")
        else:
            expected = f"{call.output_sha256}, as stored"
            sheet.fault("hash-differs", f"SHA-256 {made}", expected, line=line, field="output")


@dataclass
class VerdictCheck:
    """What has been seen of the verdicts of one run.

    Attributes:
        calls: call_id -> task, of every call of the run.
        anchors: id -> task, of every anchor of the suite; None where the suite is not sound.
        services: ids of the services, any of which may judge; None where they are not sound.
        vault: where the artifacts lie.
    """

    calls: Mapping[str, str]
    anchors: Mapping[str, str] | None
    services: Collection[str] | None
    vault: Vault
    seen: set[tuple[str, str, str, int]] = field(default_factory=set)

    def see(self, sheet: Sheet, line: int, verdict: Verdict) -> None:
        """Check one more verdict."""
        self._check_subject(sheet, line, verdict)
        if self.services is not None and verdict.role != "human" and verdict.by not in self.services:
            sheet.fault("unknown-judge", told(verdict.by), "a service of services.toml", line=line, field="by")
        key = (verdict.subject, verdict.by, verdict.role, verdict.attempt)
        if key in self.seen:
            found = f"{verdict.by} on {verdict.subject}, {verdict.role}, attempt {verdict.attempt}"
            sheet.fault("duplicate-verdict", shown(found, 200), "one line only", line=line, field="attempt")
        self.seen.add(key)
        self._check_score(sheet, line, verdict)
        if not re.fullmatch("[0-9a-f]{12}", verdict.blind_id):
            sheet.fault("wrong-value", told(verdict.blind_id), "12 hex digits", line=line, field="blind_id")
        if verdict.cost_usd is not None and verdict.cost_usd < 0:
            sheet.fault("wrong-value", told(verdict.cost_usd), "zero or more", line=line, field="cost_usd")
        if verdict.artifact_path is not None:
            check_artifact(sheet, line, "artifact_path", verdict.artifact_path, self.vault)

    def _check_subject(self, sheet: Sheet, line: int, verdict: Verdict) -> None:
        """What was judged exists, and belongs to the task that the verdict names."""
        is_anchor = verdict.role == "calibration"
        subjects = self.anchors if is_anchor else self.calls
        if subjects is None:
            return
        task = subjects.get(verdict.subject)
        if task is None:
            expected = "an anchor of the suite" if is_anchor else "a call of this run"
            sheet.fault("unknown-subject", told(verdict.subject), expected, line=line, field="subject")
        elif task != verdict.task_id:
            expected = f'"{task}", the task of its subject'
            sheet.fault("contradiction", told(verdict.task_id), expected, line=line, field="task_id")

    def _check_score(self, sheet: Sheet, line: int, verdict: Verdict) -> None:
        """A score on its own scale where the status says there is one, and only there."""
        if (verdict.score is not None) != (verdict.status == "ok"):
            found = f"status {verdict.status} and score {told(verdict.score)}"
            expected = "a score exactly where the status is ok"
            sheet.fault("contradiction", found, expected, line=line, field="score")
        elif verdict.score is not None and not verdict.min <= verdict.score <= verdict.max:
            expected = f"{verdict.min} to {verdict.max}"
            sheet.fault("wrong-value", told(verdict.score), expected, line=line, field="score")


def check_artifact(sheet: Sheet, line: int, field: str, path: str, vault: Vault) -> None:
    """The artifact that a line names is there, inside the directory, with the bytes its name promises."""
    if fault := vault.fault(path):
        sheet.fault(fault.slug, shown(fault.found, 100), shown(fault.expected, 120), line=line, field=field)
