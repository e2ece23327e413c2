"""A run over the real Javanese suite on disk, with answers that a test makes up: for faults planted in files."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.records import Call, Task, TranslationTask, VocabularyTask
from generator.store.layout import Layout
from generator.store.read import read_suite
from generator.store.suites import lock_suite
from generator.store.write import append, keep, seal_run, write_new

RESULTS = Path(__file__).resolve().parent.parent.parent / "results"
SUITE, RUN = "jawa-v1", "uji-jawa"
SERVICES = ("qwen-coder-1.5b", "smollm2-135m")
START = datetime(2026, 11, 30, 1, 0, tzinfo=UTC)
CONTRACT = """\
schema = 1
run_id = "{run}"
purpose = "formal"
suite = {{ id = "{suite}", version = "1.0.0", sha256 = "{sha256}" }}
services = {services}
grader = "nsid-v1-auto-1.0"
place = "a test: no service was asked"
design = {{ seed = 1 }}

{params}
"""
PARAMS = "[params.{}]\nmax_output_tokens = {{ asked = {cap}, applied = {cap} }}\n"


def answer(service: str, task: Task) -> str:
    """What a test says that a service said: one knows half of everything, the other copies."""
    if isinstance(task, TranslationTask):
        if service == SERVICES[1]:
            return task.source_text
        return f"{task.references[-1].rstrip('.')}, begitu."
    assert isinstance(task, VocabularyTask)
    return task.senses[0] if service == SERVICES[0] and sum(map(ord, task.id)) % 2 else "tidak tahu"


def jawa(
    root: Path,
    answers: Callable[[str, Task], str] = answer,
    *,
    suite_text: Callable[[str], str] = str,
    cap: int = 512,
    seal: bool = True,
    **call: Any,
) -> Path:
    """Write everything under ``root``.

    Args:
        root: a directory that does not exist.
        answers: (service, task) -> what came back.
        suite_text: changes the text of each of the suite's task files before it is locked.
        cap: the contract's cap on output tokens.
        seal: whether the run is closed.
        call: fields that every call of the first service has instead.
    """
    layout = Layout(root)
    shutil.copytree(RESULTS / "suites" / SUITE, layout.suite_dir(SUITE))
    shutil.copy(RESULTS / "services.toml", layout.services)
    for path in layout.suite_dir(SUITE).glob("tasks*.toml"):
        path.write_text(suite_text(path.read_text("utf-8")), "utf-8")
    layout.suite_lock(SUITE).unlink(missing_ok=True)
    lock = lock_suite(layout, SUITE)
    write_new(layout.suite_lock(SUITE), lock)
    suite = read_suite(layout, SUITE)
    params = "\n".join(PARAMS.format(f'"{name}"', cap=cap) for name in SERVICES)
    contract = CONTRACT.format(run=RUN, suite=SUITE, sha256=suite.sha256, services=json.dumps(SERVICES), params=params)
    write_new(layout.contract(RUN), contract.encode())
    places = [(service, task) for task in suite.tasks for service in SERVICES]
    for number, (service, task) in enumerate(places, 1):
        changes = call if service == SERVICES[0] else {}
        append(layout.calls(RUN), _call(layout, number, service, task, answers(service, task), cap, changes))
    if seal:
        seal_run(layout, RUN, START + timedelta(hours=1))
    return root


def _call(
    layout: Layout, number: int, service: str, task: Task, output: str, cap: int, changes: dict[str, Any]
) -> Call:
    request = json.dumps({"test": task.id}, sort_keys=True, separators=(",", ":")).encode()
    keep(layout, request, "json")
    fields: dict[str, Any] = {
        "run_id": RUN,
        "block_id": "1",
        "service": service,
        "service_group": "llama.cpp/local",
        "requested_model": service,
        "returned_model": service,
        "started_at": START + timedelta(seconds=number),
        "request_hash": sha256(request).hexdigest(),
        "status": "ok",
        "finish_reason": "stop",
        "latency_ms": 100,
        "qualified": None,
        "failure_reason": None,
        "artifact_path": keep(layout, json.dumps({"test": output}).encode(), "json"),
        "call_id": f"c{number:03d}",
        "task_id": task.id,
        "repeat": 1,
        "attempt": 1,
        "output": output,
        "output_sha256": sha256(output.encode()).hexdigest(),
        "input_tokens": 40,
        "output_tokens": 5 + len(output) // 3,
        "reasoning_tokens": 0,
        "max_output_tokens": cap,
        "cost_usd": None,
        "system_fingerprint": None,
    }
    return Call(**(fields | changes))
