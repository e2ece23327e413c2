"""``metrics.jsonl`` of a run: scores that programs elsewhere gave its translations. In the third room."""

from collections.abc import Iterator, Mapping

from generator.records import MetricScore, Suite
from generator.store.jsonl import records
from generator.store.sheet import Sheet
from generator.store.strict import told


def stored_metrics(sheet: Sheet, calls: Mapping[str, str], suite: Suite | None) -> Iterator[MetricScore]:
    """The lines of the file, each on a translation of the run, one a metric, signature and call.

    Args:
        sheet: the file; a run need not have one.
        calls: call_id -> task, of every call of the run.
        suite: of the run; None where it is not sound itself.
    """
    if not sheet.there() or not sheet.readable():
        return
    translations = {lock.id for lock in suite.lock if lock.kind == "translation"} if suite else None
    seen: set[tuple[str, str, str]] = set()
    for line, score in records(sheet, MetricScore):
        task = calls.get(score.subject)
        if task is None:
            sheet.fault("unknown-subject", told(score.subject), "a call of this run", line=line, field="subject")
        elif task != score.task_id:
            expected = f'"{task}", the task of its subject'
            sheet.fault("contradiction", told(score.task_id), expected, line=line, field="task_id")
        elif translations is not None and task not in translations:
            sheet.fault("unknown-task", told(score.task_id), "a translation task", line=line, field="task_id")
        key = (score.subject, score.metric, score.signature)
        if key in seen:
            expected = "one line a call, metric and signature"
            sheet.fault("duplicate-id", f"{score.metric} of {score.subject}", expected, line=line, field="subject")
        seen.add(key)
        yield score
