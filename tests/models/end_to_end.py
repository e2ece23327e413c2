"""From a real model to a real site: SmolLM2 behind a real llama.cpp server, its jury, its seal, its pages.

``make test-models`` runs this file by name; it is no part of ``make test``, because it needs the weights of three
small models (about a gigabyte, fetched once) and a server built from source.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.store.layout import Layout
from generator.store.read import read_calls, read_results, read_suite, read_verdicts
from generator.store.suites import lock_suite
from generator.store.write import write_new

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
HERE = Path(__file__).parent
RUN = "2026-11-30-kecil"
MODELS = ("smollm2-135m", "gemma3-270m", "qwen-coder-0.5b")
SHIFT = 200
"""The example's own ports stay free."""


@pytest.fixture(scope="module")
def servers() -> Iterator[None]:
    """Three real models; fetched and built where they are not in the cache yet."""
    told = [sys.executable, str(ROOT / "scripts" / "models.py"), "serve", *MODELS, "--shift", str(SHIFT)]
    process = subprocess.Popen(told, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == "ready":
            break
    assert process.poll() is None, "the servers did not start"
    yield
    process.terminate()
    process.wait(30)
    process.stdout.close()


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A copy of the default results with one small suite and one small run more."""
    root = tmp_path / "results"
    shutil.copytree(ROOT / "results", root)
    place = Layout(root)
    services = place.services.read_text("utf-8")
    for port in range(8091, 8096):
        services = services.replace(f":{port}/", f":{port + SHIFT}/")
    place.services.write_text(services, "utf-8")
    suite = place.suite_dir("kecil-v1")
    shutil.copytree(HERE / "kecil-v1", suite)
    write_new(place.suite_lock("kecil-v1"), lock_suite(place, "kecil-v1"))
    contract = (HERE / "run.toml").read_text("utf-8").replace("SUITE_SHA256", read_suite(place, "kecil-v1").sha256)
    write_new(place.contract(RUN), contract.encode())
    return place


def rapor(layout: Layout, *told: str) -> subprocess.Popen[str]:
    command = [str(BIN / "rapor"), *told, "--results", str(layout.root)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finished(process: subprocess.Popen[str]) -> str:
    said, _ = process.communicate(timeout=900)
    assert process.returncode == 0, said
    return said


def test_a_real_run_from_the_first_question_to_the_site(servers: None, layout: Layout, tmp_path: Path) -> None:
    process = rapor(layout, "run", RUN)
    end = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < end:
        if layout.calls(RUN).exists() and layout.calls(RUN).read_bytes().count(b"\n") >= 2:
            os.kill(process.pid, signal.SIGKILL)
        time.sleep(0.05)
    process.communicate()
    before = layout.calls(RUN).read_bytes().count(b"\n")
    assert 2 <= before < 8
    finished(rapor(layout, "run", RUN))
    calls = list(read_calls(layout, RUN))
    assert len(calls) == len({(call.task_id, call.repeat) for call in calls}) == 8
    assert {call.status for call in calls} == {"ok"}
    assert {call.returned_model for call in calls} == {"smollm2-135m-instruct-q4_1"}
    assert all(call.output_tokens and call.latency_ms for call in calls)
    again = {call.output for call in calls if call.task_id == "kcl-01"}
    assert len(again) == 1, "at temperature 0 without a prompt cache the same question has the same answer"

    finished(rapor(layout, "judge", RUN))
    verdicts = list(read_verdicts(layout, RUN))
    assert {line.by for line in verdicts if line.role != "third"} == {"gemma3-270m", "qwen-coder-0.5b"}
    assert {line.status for line in verdicts} == {"ok"}, "a schema keeps even a small judge's verdict usable"

    finished(rapor(layout, "seal", RUN))
    results = read_results(layout.root)
    assert results.runs[RUN].seal is not None
    public = tmp_path / "public"
    told = [str(BIN / "build-site"), "--results", str(layout.root), "--out", str(public)]
    built = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    pages = b"".join(path.read_bytes() for path in public.rglob("*.html"))
    assert b"smollm2-135m-instruct-q4_1" in pages
