"""A large made-up run for measuring: real suite, invented answers, written to a temporary folder and never shown."""

import shutil
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import msgspec

from generator.records import Call, Service, Task, Verdict
from generator.store.layout import Layout
from generator.store.read import read_services, read_suite
from generator.store.write import encode, seal_run

SUITE = "nsid-v1"
RUN = "synthetic"


def write_results(source: Path, target: Path, services: int, repeats: int) -> None:
    """Copy suite and services of ``source`` and invent a sealed run of ``services`` × its tasks × ``repeats``.

    Every third answer is the reference, the others a piece of it; every judged answer gets two verdicts.
    """
    target.mkdir(parents=True)
    shutil.copytree(source / "suites" / SUITE, target / "suites" / SUITE)
    layout = Layout(target)
    names = [f"synthetic-{k:02d}" for k in range(services)]
    judges = read_services(Layout(source))
    layout.services.write_text(_services_toml(names, judges), "utf-8")
    suite = read_suite(layout, SUITE)
    run = layout.run_dir(RUN)
    run.mkdir(parents=True)
    layout.contract(RUN).write_text(_contract_toml(names, suite.sha256, repeats), "utf-8")
    calls, verdicts = [], []
    moment = datetime(2026, 1, 5, tzinfo=UTC)
    for number, name in enumerate(names):
        for position, task in enumerate(suite.tasks):
            for repeat in range(1, repeats + 1):
                moment += timedelta(seconds=1)
                call = _call(layout, name, task, repeat, moment, seed=number + position + repeat)
                calls.append(call)
                if task.__struct_config__.tag == "rubric":
                    verdicts += _verdicts(call, list(judges.values())[:2], seed=number + position)
    layout.calls(RUN).write_bytes(b"".join(map(encode, calls)))
    layout.verdicts(RUN).write_bytes(b"".join(map(encode, verdicts)))
    seal_run(layout, RUN, moment)


def _call(layout: Layout, name: str, task: Task, repeat: int, moment: datetime, seed: int) -> Call:
    reference = (getattr(task, "references", ()) or ("1. satu\n2. dua\n3. tiga",))[0]
    output = reference if seed % 3 == 0 else reference[: max(1, len(reference) * (seed % 7) // 7)]
    request = msgspec.json.encode({"messages": [{"role": "user", "content": task.prompt}]})
    digest = sha256(request).hexdigest()
    path = layout.artifact(digest, "json")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(request)
    return Call(
        run_id=RUN,
        block_id="b1",
        service=name,
        service_group="synthetic",
        requested_model=name,
        returned_model=name,
        started_at=moment,
        request_hash=digest,
        status="ok",
        finish_reason="stop",
        latency_ms=100 + seed,
        qualified=None,
        failure_reason=None,
        artifact_path=None,
        call_id=sha256(f"{name} {task.id} {repeat}".encode()).hexdigest()[:16],
        task_id=task.id,
        repeat=repeat,
        attempt=1,
        output=output,
        output_sha256=sha256(output.encode()).hexdigest(),
        input_tokens=100,
        output_tokens=len(output) // 3 + 1,
        reasoning_tokens=0,
        max_output_tokens=2048,
        cost_usd=Decimal(0),
        system_fingerprint=None,
    )


def _verdicts(call: Call, judges: list[Service], seed: int) -> list[Verdict]:
    return [
        Verdict(
            subject=call.call_id,
            task_id=call.task_id,
            blind_id=sha256(call.call_id.encode()).hexdigest()[:12],
            by=judge.id,
            vendor=judge.vendor,
            role=role,  # type: ignore[arg-type]
            score=1 + (seed + offset) % 2 + seed % 4,
            min=1,
            max=5,
            reason="synthetic",
            returned_model=judge.id,
            rubric_sha256=None,
            at=call.started_at,
            status="ok",
            artifact_path=None,
            input_tokens=1,
            output_tokens=1,
            cost_usd=Decimal(0),
        )
        for offset, (judge, role) in enumerate(zip(judges, ("first", "second"), strict=True))
    ]


def _services_toml(names: list[str], judges: dict[str, Service]) -> str:
    tables = [(name, f"Synthetic vendor {name}") for name in names] + [(j.id, j.vendor) for j in judges.values()]
    lines = ["schema = 1"]
    for name, vendor in tables:
        lines += [
            "[[service]]",
            f'id = "{name}"',
            f'name = "{name}"',
            f'vendor = "{vendor}"',
            'group = "synthetic"',
            f'requested_model = "{name}"',
            'protocol = "openai"',
            'base_url = "http://127.0.0.1:9/v1"',
        ]
    return "\n".join(lines) + "\n"


def _contract_toml(names: list[str], digest: str, repeats: int) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"""schema = 1
run_id = "{RUN}"
purpose = "formal"
suite = {{ id = "{SUITE}", version = "1.0.0", sha256 = "{digest}" }}
services = [{listed}]
grader = "nsid-v1-auto-1.0"
place = "synthetic: invented answers, for measuring only"
design = {{ blocks = 1, order = "fixed", seed = 1, concurrency = 1 }}
attempts = 1
timeout_s = 1
repeats = {repeats}
[params]
"""
