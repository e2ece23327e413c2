"""Retired tasks as readers see them, and runs that were answered when their tasks were public already. Pure."""

from collections.abc import Iterable, Iterator

import msgspec

from generator.findings import Finding
from generator.publish.reveal_views import RevealedTask, RevealView
from generator.records import Results, Suite, Task


def reveal_views(results: Results, boards: Iterable[str]) -> tuple[RevealView, ...]:
    """One view for each suite that has revealed tasks.

    Args:
        results: everything that was read.
        boards: ids of the suites that have a board, whose lock is published with it.
    """
    with_lock = frozenset(boards)
    return tuple(
        _view(suite, with_board=name in with_lock) for name, suite in sorted(results.suites.items()) if suite.reveals
    )


def _view(suite: Suite, *, with_board: bool) -> RevealView:
    names = {category.id: category.name for category in suite.file.category}
    locks = {line.id: line for line in suite.lock}
    return RevealView(
        suite=suite.file.id,
        title=suite.file.title,
        licence=suite.file.licence,
        lock=suite.lock,
        with_board=with_board,
        tasks=tuple(
            RevealedTask(
                line=line,
                category=names[locks[line.id].category],
                commitment=locks[line.id].commitment,
                prompt=msgspec.json.decode(line.task, type=Task).prompt,
            )
            for line in suite.reveals
        ),
    )


def reveal_findings(results: Results) -> Iterator[Finding]:
    """A blocking finding for each run in which a revealed task was answered after it was revealed."""
    for name, run in sorted(results.runs.items()):
        since = {line.id: line.at for line in results.suites[run.contract.suite.id].reveals}
        late = sorted(
            {call.task_id for call in run.calls if call.task_id in since and call.started_at > since[call.task_id]}
        )
        if late and run.contract.purpose != "pilot":
            yield Finding(
                file=f"runs/{name}/calls.jsonl",
                line=0,
                field=", ".join(late[:5]),
                slug="answered-after-reveal",
                found=f"{len(late)} tasks answered when their text was public already",
                expected="tasks that were still held out",
                todo="leave the run out, or record it with a suite that has other tasks",
            )
