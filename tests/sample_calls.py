"""Calls for tests, each field with a plain value unless the test says otherwise."""

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from generator.records import Call


def call(**changes: Any) -> Call:
    """A complete first attempt at task ``t`` by service ``x``; ``output`` carries its own hash."""
    output = changes.get("output", "jawaban")
    fields: dict[str, Any] = {
        "run_id": "r",
        "block_id": "1",
        "service": "x",
        "service_group": "g",
        "requested_model": "m",
        "returned_model": "m",
        "started_at": datetime(2026, 11, 2, 9, 0, tzinfo=UTC),
        "request_hash": "0" * 64,
        "status": "ok",
        "finish_reason": "stop",
        "latency_ms": 100,
        "qualified": None,
        "failure_reason": None,
        "artifact_path": None,
        "call_id": "c1",
        "task_id": "t",
        "repeat": 1,
        "attempt": 1,
        "output": output,
        "output_sha256": sha256(output.encode()).hexdigest() if output is not None else None,
        "input_tokens": 10,
        "output_tokens": 20,
        "reasoning_tokens": 0,
        "max_output_tokens": 512,
        "cost_usd": None,
        "system_fingerprint": None,
    }
    return Call(**(fields | changes))
