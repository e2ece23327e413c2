"""Calls and verdicts for the tests of the jury."""

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from generator.records import Call, Verdict

AT = datetime(2026, 11, 2, tzinfo=UTC)


def verdict(
    by: str = "judge-a", role: str = "first", score: int | None = 4, subject: str = "call-1", **more: Any
) -> Verdict:
    """A verdict on ``subject``; without a score it was unusable."""
    told = {
        "task_id": "t1",
        "blind_id": "0" * 12,
        "vendor": f"vendor of {by}",
        "min": 1,
        "max": 5,
        "reason": None,
        "returned_model": None,
        "rubric_sha256": None,
        "at": AT,
        "status": "unusable" if score is None else "ok",
        "artifact_path": None,
        "input_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
    }
    return Verdict(subject=subject, by=by, role=role, score=score, **(told | more))


def call(call_id: str, service: str, output: str = "jawaban", task_id: str = "t1") -> Call:
    """A complete call."""
    return Call(
        run_id="r",
        block_id="b",
        service=service,
        service_group="g",
        requested_model="m",
        returned_model=None,
        started_at=AT,
        request_hash="0" * 64,
        status="ok",
        finish_reason="stop",
        latency_ms=None,
        qualified=None,
        failure_reason=None,
        artifact_path=None,
        call_id=call_id,
        task_id=task_id,
        repeat=1,
        attempt=1,
        output=output,
        output_sha256=sha256(output.encode()).hexdigest(),
        input_tokens=None,
        output_tokens=None,
        reasoning_tokens=None,
        max_output_tokens=None,
        cost_usd=None,
        system_fingerprint=None,
    )
