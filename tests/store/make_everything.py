"""Adds to the small ``results/`` one of every file that may lie there."""

from pathlib import Path

import msgspec
import zstandard

from generator.store.layout import Layout
from generator.store.reveals import new_reveals
from generator.store.write import append, hash_of, seal_run, write_new
from tests.conftest import ROOT
from tests.store.make_mini import RUN, START, SUITE

DUEL = """\
# Fixture, used only by tests: nobody judged anything.
schema = 1
id = "uji"
suite = {{ id = "mini-v1", version = "1.0.0", sha256 = "{sheet}" }}
run = "2026-01-05-mini"
service = "alpha"
made_at = 2026-01-05T08:00:00+07:00
question = {{ id = "a", en = "b" }}
pairs = 1
identical = 0
without_answer = 0
sheet_sha256 = "{sheet}"
key_sha256 = "{key}"
"""


def everything(root: Path) -> None:
    """Budget, ledger, corrections, sources, compressed calls, a score lock, metrics, a duel and a reveal."""
    layout = Layout(root)
    layout.seal(RUN).unlink()
    write_new(layout.budget, (ROOT / "results" / "budget.toml").read_bytes())
    write_new(layout.ledger, b"".join((ROOT / "results" / "ledger.jsonl").read_bytes().splitlines(keepends=True)[:3]))
    calls = layout.calls(RUN).read_bytes().splitlines(keepends=True)
    write_new(layout.calls(RUN), b"".join(calls[:9]))
    write_new(layout.run_dir(RUN) / "calls" / "b.jsonl.zst", zstandard.compress(b"".join(calls[9:])))
    translated = next(call for call in map(msgspec.json.decode, calls) if call["task_id"] == "f-terjemahan")
    names = {"service": "alpha", "task_id": "f-exact"}
    why = {"id": "a", "en": "b"}
    lines: dict[Path, dict[str, object]] = {
        layout.score_lock(RUN): names | {"score": "0", "failed": False, "grader": "x"},
        layout.metrics(RUN): {"subject": translated["call_id"], "task_id": "f-terjemahan", "metric": "COMET",
                              "signature": "s", "by": "b", "score": "0.5", "at": START},
        layout.corrections: names | {"run_id": RUN, "at": START, "old": "1/2", "new": "1", "old_grader": "x",
                                     "new_grader": "y", "reason": why},
        layout.sources: {"url": "https://a.example", "at": START, "status": 200, "final_url": "https://b.example",
                         "sha256": "0" * 64, "bytes": 9, "problem": None},
        layout.duel_sheet("uji"): {"pair": "p1", "task_id": "f-exact", "source": "s", "left": "l", "right": "r"},
        layout.duel_key("uji"): {"duel": "uji", "salt": "0" * 64, "left": {"p1": "reference"}},
    }  # fmt: skip
    for path, line in lines.items():
        write_new(path, msgspec.json.encode(line) + b"\n")
    sheet, key = hash_of(layout.duel_sheet("uji")), hash_of(layout.duel_key("uji"))
    ballot = {"duel": "uji", "sheet_sha256": sheet, "pair": "p1", "judge": "j", "choice": "tie", "at": START}
    write_new(layout.ballots("uji"), msgspec.json.encode(ballot) + b"\n")
    opening = {"at": START, "ballots_sha256": hash_of(layout.ballots("uji"))}
    write_new(layout.opening("uji"), msgspec.json.encode(opening) + b"\n")
    write_new(layout.duel("uji"), DUEL.format(sheet=sheet, key=key).encode())
    seal_run(layout, RUN, START)
    for reveal in new_reveals(layout, SUITE, ["f-terjemahan"], START):
        append(layout.reveals(SUITE), reveal)
