"""A small ``results/`` that can be recorded into, and the servers it is recorded from."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generator.collect.desk import Desk
from generator.collect.jury import Jury, seat_jury, sit_jury
from generator.collect.opening import Opened, open_run
from generator.collect.sitting import Sitting, sit
from generator.findings import Finding
from generator.records import Call, Entry, Verdict
from generator.store.layout import Layout
from generator.store.read import read_calls, read_ledger, read_suite, read_verdicts
from generator.store.suites import lock_suite
from generator.store.write import write_new
from tests.collect.misbehaving import Server

RUN = "2026-11-30-uji"
SUITE = """\
schema = 1
id = "uji-v1"
version = "1.0.0"
language = "id"
title = { id = "Uji", en = "Test" }
licence = "CC-BY-4.0"
canary = "11111111-2222-3333-4444-555555555555"
[[category]]
id = "satu"
name = { id = "Satu", en = "One" }
"""
JURY = """\
[jury]
pair = ["juri-a", "juri-b"]
third = ["juri-c"]
"""
TASKS = """\
schema = 1
[[task]]
id = "t-01"
category = "satu"
kind = "exact"
access = "public"
prompt = "Berapa 2 + 3?"
references = ["5"]
[[task]]
id = "t-02"
category = "satu"
kind = "exact"
access = "public"
prompt = "Ibu kota Jawa Tengah?"
system = "Jawab singkat."
references = ["Semarang"]
repeats = 2
"""
RUBRIC_TASK = """\
[[task]]
id = "t-03"
category = "satu"
kind = "rubric"
access = "public"
prompt = "Tulis salam."
criteria = ["Sopan.", "Singkat."]
references = ["Selamat pagi."]
"""
ANCHORS = """\
schema = 1
[[anchor]]
id = "t-03-baik"
task_id = "t-03"
quality = "excellent"
expected_min = 4
expected_max = 5
text = "Selamat pagi, Bu."
[[anchor]]
id = "t-03-buruk"
task_id = "t-03"
quality = "off_topic"
expected_min = 1
expected_max = 1
text = "Kucing."
"""


def ticking(start: datetime = datetime(2026, 11, 30, 8, tzinfo=UTC), step_s: float = 1.0) -> Callable[[], datetime]:
    """A clock that moves on by ``step_s`` with every look."""
    now = [start]

    def look() -> datetime:
        now[0] += timedelta(seconds=step_s)
        return now[0]

    return look


@dataclass
class Place:
    """``results/`` under a temporary directory, written by a test and read back by it.

    Attributes:
        layout: where it lies.
        services: id -> what differs from the default service.
        params: settings of every service.
        fields: what differs from the default contract.
        cap: USD that may be spent in a month.
        judged: whether the suite has a judged task and a jury.
        extra: tables at the end of the contract.
        clock: moves on a second with every look.
    """

    layout: Layout
    services: dict[str, dict[str, Any]] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=lambda: {
        "temperature": "{ asked = 0, applied = 0 }",
        "max_output_tokens": "{ asked = 64, applied = 64 }",
        "seed": '{ asked = "per_call", applied = "unknown" }',
    })  # fmt: skip
    fields: dict[str, str] = field(default_factory=dict)
    cap: str = "10"
    judged: bool = False
    extra: str = ""
    clock: Callable[[], datetime] = field(default_factory=ticking)

    def write(self) -> None:
        """Write everything; a second call rewrites the contract and the services."""
        suite = self.layout.suite_dir("uji-v1")
        write_new(suite / "suite.toml", (SUITE + (JURY if self.judged else "")).encode())
        write_new(suite / "tasks.toml", (TASKS + (RUBRIC_TASK if self.judged else "")).encode())
        if self.judged:
            write_new(suite / "rubric.id.md", b"# Rubrik\n\nSkor 1 sampai 5.\n")
            write_new(suite / "rubric.en.md", b"# Rubric\n\nScores 1 to 5.\n")
            write_new(suite / "anchors.toml", ANCHORS.encode())
        write_new(self.layout.suite_lock("uji-v1"), lock_suite(self.layout, "uji-v1"))
        write_new(self.layout.services, self._services().encode())
        budget = f'schema = 1\n[[cap]]\naccount = "semua"\nusd_per_month = "{self.cap}"\n'
        write_new(self.layout.budget, budget.encode())
        write_new(self.layout.contract(RUN), self._contract().encode())

    def _services(self) -> str:
        text = "schema = 1\n"
        for name, changes in self.services.items():
            values = {
                "name": f'"{name}"', "vendor": f'"Vendor {name}"', "group": '"uji/lokal"',
                "requested_model": '"test-model"', "protocol": '"openai"',
            } | changes  # fmt: skip
            price = values.pop(
                "price", '{ source = "local", currency = "USD", input_per_mtok = "0", output_per_mtok = "0" }'
            )
            text += f'[[service]]\nid = "{name}"\n'
            text += "".join(f"{key} = {value}\n" for key, value in values.items())
            text += f"price = [{price}]\n" if price else ""
        return text

    def _contract(self) -> str:
        suite = read_suite(self.layout, "uji-v1")
        asked = [name for name in self.services if not name.startswith("juri")]
        values = {
            "schema": "1", "run_id": f'"{RUN}"', "purpose": '"formal"',
            "suite": f'{{ id = "uji-v1", version = "1.0.0", sha256 = "{suite.sha256}" }}',
            "services": str(asked).replace("'", '"'), "grader": '"uji-1"', "place": '"uji"',
            "design": '{ blocks = 1, order = "random", seed = 7, concurrency = 1 }', "attempts": "3", "timeout_s": "1",
        } | self.fields  # fmt: skip
        text = "".join(f"{key} = {value}\n" for key, value in values.items())
        for name in self.services:
            table = "judging" if name.startswith("juri") else "params"
            text += f"[{table}.{name}]\n" + "".join(f"{key} = {value}\n" for key, value in self.params.items())
        return text + self.extra

    def open(self, environ: dict[str, str] | None = None) -> Opened:
        return open_run(self.layout, RUN, None, environ or {})

    def sitting(self, started: Callable[[Desk], None] = lambda _: None) -> Sitting:
        return Sitting(self.layout, self.clock, lambda *_: None, started, (), (), 0.01)

    def record(self, environ: dict[str, str] | None = None, **told: Any) -> list[Finding]:
        """One sitting; gives what ended it early."""
        return asyncio.run(sit(self.open(environ), self.sitting(**told)))

    @property
    def calls(self) -> list[Call]:
        return list(read_calls(self.layout, RUN))

    @property
    def verdicts(self) -> list[Verdict]:
        return list(read_verdicts(self.layout, RUN))

    @property
    def ledger(self) -> tuple[Entry, ...]:
        return read_ledger(self.layout)

    def artifact(self, line: Call | Verdict) -> bytes:
        assert line.artifact_path is not None
        return (self.layout.root / line.artifact_path).read_bytes()

    def everything(self) -> bytes:
        """Every byte that was written, the secrets' directory included."""
        files = sorted(path for path in self.layout.root.parent.rglob("*") if path.is_file())
        return b"\n".join(path.read_bytes() for path in files)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def place(tmp_path: Path, server: Server) -> Place:
    """One service, asked from the server."""
    root = tmp_path / "results"
    root.mkdir()
    return Place(Layout(root), {"satu": {"base_url": f'"{server.url}"'}})


PRICED = '{ source = "https://example.org/harga", currency = "USD", input_per_mtok = "100", output_per_mtok = "1000" }'
"""A price at which one answer of the server (11 tokens in, 7 out) costs USD 0.0081."""
ONE_ANSWER = Decimal("0.0081")


JUDGES = ("juri-a", "juri-b", "juri-c")


@pytest.fixture
def judged(place: Place, server: Server) -> Place:
    """Two services that answered, and three judges; a judge's model is its own name, so the server can tell them."""
    place.judged = True
    place.services = {"model-x": place.services["satu"], "model-y": {"base_url": f'"{server.url}"'}}
    for name in JUDGES:
        place.services[name] = {"base_url": f'"{server.url}"', "requested_model": f'"{name}"'}
    place.fields["tasks"] = '["t-03"]'
    place.write()
    contract = place.layout.contract(RUN)
    schema = 'response_format = { asked = "json_schema", applied = "json_schema" }\n'
    text = contract.read_text()
    for name in JUDGES:
        text = text.replace(f"[judging.{name}]\n", f"[judging.{name}]\n{schema}")
    contract.write_text(text)
    server.answer = says({})
    place.record()
    server.requests.clear()
    return place


def says(scores: dict[str, int | str]) -> Any:
    """Answers of services are theirs; a judge gives the score that is set for it, 4 without one."""

    def answer(data: dict[str, Any]) -> str:
        if not data["model"].startswith("juri"):
            return f"Selamat pagi {data['seed']}"
        score = scores.get(data["model"], 4)
        return score if isinstance(score, str) else json.dumps({"reason": "cukup", "score": score})

    return answer


def judge_all(place: Place, calibrate: bool = False) -> tuple[Jury, list[Finding]]:
    sitting = place.sitting()
    jury = seat_jury(place.open(), sitting, {}, calibrate)
    return jury, asyncio.run(sit_jury(jury, sitting))


ROOT = Path(__file__).resolve().parent.parent.parent
RAPOR = [sys.executable, "-W", "error", "-c", "from generator.cli import rapor; rapor()"]


def start(place: Place, *arguments: str) -> subprocess.Popen[str]:
    """``rapor`` in a process of its own."""
    told = [*RAPOR, *arguments, "--results", str(place.layout.root)]
    return subprocess.Popen(told, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def rapor(place: Place, *told: str) -> tuple[int, str]:
    """``rapor`` until it ends: exit code and everything it said."""
    process = start(place, *told)
    said, _ = process.communicate(timeout=60)
    return process.returncode, said
