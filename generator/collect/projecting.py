"""What is still to be asked and what it should cost, for the answers and for the jury that will judge them.

In the collecting wing; pure. The whole of a run is projected before its first call, so that a run whose answers can
be paid but whose jury cannot is not begun.
"""

from collections.abc import Iterable

from generator.collect.budget import Row, measured, row
from generator.collect.frame import blind_id, frame
from generator.collect.judging import judges
from generator.collect.opening import Opened
from generator.records import Call, RubricTask, Verdict
from generator.score.judged import pair_for


def project(opened: Opened, earlier: Iterable[Call]) -> list[Row]:
    """One row per service of the contract: the answers still to come."""
    use = measured(earlier)
    rows = []
    for name in opened.contract.services:
        tasks = [opened.tasks[item.slot.task_id] for item in opened.todo if item.slot.service == name]
        cap = opened.contract.params[name].get("max_output_tokens")
        prompts = [task.system + task.prompt for task in tasks]
        rows.append(row(opened.services[name], prompts, cap.asked if cap else None, use.get(name)))
    return rows


def project_jury(opened: Opened, earlier: Iterable[Verdict]) -> list[Row]:
    """One row per judge: two verdicts on every judged answer still to come, each answer at its longest.

    A third judge is asked only where two differ, which nobody knows beforehand; the margin is for that.
    """
    rules, use = opened.suite.file.jury, measured(earlier)
    if rules is None:
        return []
    vendors = {name: service.vendor for name, service in opened.services.items()}
    panel = {judge.id: judge for judge in judges(rules, vendors)}
    prompts: dict[str, list[str]] = {}
    for item in opened.todo:
        task, service = opened.tasks[item.slot.task_id], item.slot.service
        if isinstance(task, RubricTask):
            for judge in pair_for(vendors[service], panel, rules):
                prompts.setdefault(judge.id, []).append(_longest(opened, task, service))
    rows = []
    for name, texts in prompts.items():
        cap = opened.contract.judging[name].get("max_output_tokens") if name in opened.contract.judging else None
        rows.append(row(opened.services[name], texts, cap.asked if cap else None, use.get(name)))
    return rows


def _longest(opened: Opened, task: RubricTask, service: str) -> str:
    """A message to a judge with an answer as long as the service's cap lets it be."""
    cap = opened.contract.params[service].get("max_output_tokens")
    tokens = cap.asked if cap and isinstance(cap.asked, int) else 0
    rubric = opened.suite.rubric.id if opened.suite.rubric else ""
    return frame(task, rubric, "kata " * tokens, blind_id(b"", service), opened.suite.file.score)
