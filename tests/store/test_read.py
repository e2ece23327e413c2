"""Reading: all faults of all files at once, a line at a time, within bounds, and never anything but ``Faults``."""

import itertools
import os
import re
import shutil
import tomllib
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import zstandard

from generator.findings import Faults
from generator.store.layout import Layout
from generator.store.lines import TooLongError, lines
from generator.store.read import read_calls, read_contract, read_ledger, read_results, read_services, read_verdicts
from generator.store.sheet import ADVICE, MAX_FAULTS
from generator.store.toml import lines_of
from tests.store.make_mini import MINI, RUN, SERVICES, SUITE, make
from tests.store.test_faults import ROWS


def test_the_fixture_is_what_its_maker_makes(tmp_path: Path) -> None:
    make(tmp_path / "results")
    made = {path.relative_to(tmp_path / "results"): path.read_bytes() for path in files_of(tmp_path / "results")}
    assert made == {path.relative_to(MINI): path.read_bytes() for path in files_of(MINI)}


def files_of(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def test_faults_of_all_files_are_told_together_and_sorted(mini: Path) -> None:
    layout = Layout(mini)
    for path, old, new in (
        (layout.services, "protocol", "protokol"),
        (layout.contract(RUN), "attempts = 2", "attempts = -2"),
        (layout.suite_dir(SUITE) / "tasks.toml", 'kind = "checks"', 'kind = "cheque"'),
        (layout.suite_dir(SUITE) / "anchors.toml", 'quality = "poor"', "quality = 1"),
        (layout.suite_lock(SUITE), '"repeats":1', '"repeats":"1"'),
    ):
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(Faults) as raised:
        read_results(mini)
    findings = raised.value.findings
    assert {finding.file for finding in findings} == {
        "services.toml",
        f"runs/{RUN}/run.toml",
        f"suites/{SUITE}/tasks.toml",
        f"suites/{SUITE}/anchors.toml",
        f"suites/{SUITE}/suite.lock.jsonl",
    }
    assert list(findings) == sorted(findings)


def test_every_kind_of_finding_has_a_case() -> None:
    elsewhere = {
        "file-too-large",  # needs a file of 64 MiB
        "held-out-absent",  # test_suites
        "line-too-long",  # below
        "too-many-faults",  # below
    }
    shown = {row["slug"] for row in ROWS} | {slug for row in ROWS for slug in row.get("also", ())}
    assert ADVICE.keys() - shown == elsewhere


def test_compressed_and_plain_calls_are_one_log(mini: Path) -> None:
    layout = Layout(mini)
    layout.seal(RUN).unlink()
    before = read_results(mini).runs[RUN].calls
    whole = layout.calls(RUN).read_bytes().splitlines(keepends=True)
    layout.calls(RUN).write_bytes(b"".join(whole[:4]))
    further = layout.run_dir(RUN) / "calls"
    further.mkdir()
    (further / "a.jsonl").write_bytes(b"".join(whole[4:9]))
    frames = [zstandard.compress(b"".join(part)) for part in (whole[9:11], whole[11:])]
    (further / "b.jsonl.zst").write_bytes(b"".join(frames))
    assert read_results(mini).runs[RUN].calls == before
    for size in (3, len(frames[0]) - 1, len(frames[0]) + 5, len(b"".join(frames)) - 1):
        (further / "b.jsonl.zst").write_bytes(b"".join(frames)[:size])
        with pytest.raises(Faults, match=r"b\.jsonl\.zst:\d+: damaged-compression"):
            read_results(mini)


def test_a_call_twice_is_found_across_files(mini: Path) -> None:
    layout = Layout(mini)
    layout.seal(RUN).unlink()
    further = layout.run_dir(RUN) / "calls"
    further.mkdir()
    (further / "b.jsonl").write_bytes(layout.calls(RUN).read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(Faults, match=rf"runs/{RUN}/calls/b\.jsonl:1: attempt: duplicate-call: .*calls\.jsonl:1"):
        read_results(mini)


def test_held_out_calls_and_tasks_may_lie_in_a_private_directory(mini: Path, tmp_path: Path) -> None:
    layout, private = Layout(mini), Layout(tmp_path / "private")
    layout.seal(RUN).unlink()
    before = read_results(mini)
    private.suite_dir(SUITE).mkdir(parents=True)
    private.run_dir(RUN).mkdir(parents=True)
    shutil.move(layout.suite_dir(SUITE) / "tasks.held_out.toml", private.suite_dir(SUITE))
    whole = layout.calls(RUN).read_bytes().splitlines(keepends=True)
    layout.calls(RUN).write_bytes(b"".join(whole[:7]))
    private.calls(RUN).write_bytes(b"".join(whole[7:]))
    shutil.copytree(layout.artifacts, private.artifacts)

    assert read_results(mini, private.root) == before
    alone = read_results(mini)
    assert len(alone.runs[RUN].calls) == 7
    assert alone.suites[SUITE].sha256 == before.suites[SUITE].sha256

    private.calls(RUN).write_bytes(private.calls(RUN).read_bytes().replace(b"Saya", b"Sayu", 1))
    (private.run_dir(RUN) / "run.toml").write_text("")
    with pytest.raises(Faults) as raised:
        read_results(mini, private.root)
    assert [(each.file, each.line, each.slug) for each in raised.value.findings] == [
        (f"private/runs/{RUN}/calls.jsonl", 1, "hash-differs"),
        (f"private/runs/{RUN}/run.toml", 0, "unknown-file"),
    ]


def test_calls_are_read_a_line_at_a_time(mini: Path) -> None:
    layout = Layout(mini)
    line = layout.calls(RUN).read_bytes().splitlines(keepends=True)[0]
    line = line.replace(b'"output":"2"', b'"output":"' + b"x" * 100_000 + b'"')
    layout.calls(RUN).write_bytes(line * 300)
    tracemalloc.start()
    try:
        count = sum(len(call.output or "") for call in read_calls(layout, RUN))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 300 * 100_000
    assert peak < 3_000_000, "thirty megabytes were read in less than three"


def test_good_lines_are_yielded_and_the_bad_ones_raised_at_the_end(mini: Path) -> None:
    layout = Layout(mini)
    whole = layout.calls(RUN).read_bytes().splitlines(keepends=True)
    layout.calls(RUN).write_bytes(whole[0] + b"{}\n" + whole[1] + b"nonsense\n")
    calls = read_calls(layout, RUN)
    assert [call.call_id for call in itertools.islice(calls, 2)] == ["c01", "c02"]
    with pytest.raises(Faults) as raised:
        next(calls)
    assert {finding.line for finding in raised.value.findings} == {2, 4}


def test_what_is_not_there_is_empty_where_it_may_be(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert list(read_calls(layout, RUN)) == []
    assert list(read_verdicts(layout, RUN)) == []
    assert read_ledger(layout) == ()
    with pytest.raises(Faults, match=r"services\.toml: missing-file"):
        read_services(layout)
    with pytest.raises(Faults, match=r"run\.toml: missing-file"):
        read_contract(layout, RUN)


def test_results_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(Faults, match="missing-file"):
        read_results(tmp_path / "nowhere")


def test_a_line_beyond_the_bound_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jsonl.zst"
    bomb.write_bytes(zstandard.compress(b"{}\n" + b"\0" * 60_000_000))
    assert bomb.stat().st_size < 50_000
    reader = lines(bomb, limit=100_000)
    assert next(reader) == b"{}\n"
    tracemalloc.start()
    try:
        with pytest.raises(TooLongError) as raised:
            next(reader)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert raised.value.args == (2,)
    assert peak < 30_000_000


def test_a_long_line_is_a_finding(mini: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "__defaults__", (500,))
    with pytest.raises(Faults, match=rf"runs/{RUN}/calls\.jsonl:1: line-too-long"):
        list(read_calls(Layout(mini), RUN))


def test_a_file_of_faults_is_told_up_to_a_bound(mini: Path) -> None:
    layout = Layout(mini)
    layout.calls(RUN).write_bytes(b"\n" * 100_000)
    with pytest.raises(Faults) as raised:
        list(read_calls(layout, RUN))
    assert len(raised.value.findings) == MAX_FAULTS
    assert [each.line for each in raised.value.findings if each.slug == "too-many-faults"] == [0]


def test_a_file_that_the_system_refuses_is_a_finding(mini: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may run as root, whom no permission stops; so the refusal is made here."""
    refused = Layout(mini).services
    real = Path.open

    def opened(path: Path, *arguments: Any, **named: Any) -> Any:
        if path == refused:
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **named)

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(Faults, match=r"services\.toml: unreadable-file: found Permission denied"):
        read_results(mini)


@pytest.mark.parametrize("name", ["runs", f"runs/{RUN}/calls", f"suites/{SUITE}"])
def test_a_directory_that_cannot_be_listed_is_a_finding(mini: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    refused = mini / name
    refused.mkdir(exist_ok=True)
    real = os.listdir

    def listed(path: Any) -> list[str]:
        if Path(path) == refused:
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "listdir", listed)
    with pytest.raises(Faults, match=rf"(?m)^{name}: unreadable-file: found Permission denied"):
        read_results(mini)


def test_names_that_are_no_text_are_told_printably(mini: Path) -> None:
    (mini / "runs" / "\udcff\n\x1b[31m").mkdir()
    with pytest.raises(Faults) as raised:
        read_results(mini)
    (finding,) = raised.value.findings
    assert finding.slug == "wrong-name"
    assert str(finding).isprintable()
    str(finding).encode("utf-8")


def test_lines_of_fields_in_toml() -> None:
    text = SERVICES + '\n[a.b]\n"c d" = 1\ntext = """\nid = "no key"\n[[service]]\n"""\ne.f = 2\n'
    places = lines_of(text)
    numbered = text.split("\n")
    assert numbered[places["service[2].price[0].currency"] - 1] == 'currency = "USD"'
    assert numbered[places["service[3].id"] - 1] == 'id = "delta"'
    assert numbered[places["a.b.c d"] - 1] == '"c d" = 1'
    assert numbered[places["a.b.e.f"] - 1] == "e.f = 2"
    assert "service[4]" not in places
    for path in places:  # every place is a field that the file has
        value: Any = tomllib.loads(text)
        for step in re.findall(r"[^.\[\]]+", path):
            value = value[int(step)] if step.isdigit() else value[step]
