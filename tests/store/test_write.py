"""What is written is on the disk, comes back equal, and survives a crash at any byte."""

import hashlib
import json
import stat
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import Faults
from generator.records import Call, Seal
from generator.store.layout import Layout
from generator.store.read import read_calls, read_results, read_run
from generator.store.write import append, encode, keep, keep_secret, repair, seal_run, secret_of, write_new
from tests.store.make_mini import RUN, START

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
COUNT = st.none() | st.integers(0, 2**63 - 1)
SHA = st.binary(max_size=4).map(lambda data: hashlib.sha256(data).hexdigest())
SLUG = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,79}", fullmatch=True)
ZONE = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
CALLS = st.builds(
    Call,
    run_id=SLUG, block_id=TEXT, service=SLUG, service_group=TEXT, requested_model=TEXT,
    returned_model=st.none() | TEXT,
    started_at=st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=ZONE),  # noqa: DTZ001 - zones follow
    request_hash=SHA, status=st.sampled_from(["ok", "timeout", "cut"]), finish_reason=st.none() | TEXT,
    latency_ms=COUNT, qualified=st.none() | st.booleans(), failure_reason=st.none() | TEXT,
    artifact_path=st.none() | TEXT, call_id=TEXT, task_id=SLUG, repeat=st.integers(1, 9), attempt=st.integers(1, 9),
    output=st.none() | TEXT, output_sha256=st.none() | SHA, input_tokens=COUNT, output_tokens=COUNT,
    reasoning_tokens=COUNT, max_output_tokens=COUNT,
    cost_usd=st.none() | st.decimals(-(10**9), 10**9, places=12, allow_nan=False, allow_infinity=False),
    system_fingerprint=st.none() | TEXT,
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(calls=st.lists(CALLS, max_size=4))
def test_what_is_appended_is_read_equal(tmp_path_factory: pytest.TempPathFactory, calls: list[Call]) -> None:
    layout = Layout(tmp_path_factory.mktemp("results"))
    for call in calls:
        append(layout.calls(RUN), call)
    assert list(read_calls(layout, RUN)) == calls


@pytest.mark.parametrize("amount", ["1E-7", "0.0000001", "0", "0.10", "123456789.000001"])
def test_money_comes_back_digit_by_digit(mini: Path, amount: str) -> None:
    layout = Layout(mini)
    call = next(read_calls(layout, RUN))
    changed = Call(**{**{name: getattr(call, name) for name in Call.__struct_fields__}, "cost_usd": Decimal(amount)})
    layout.calls(RUN).unlink()
    append(layout.calls(RUN), changed)
    assert [str(each.cost_usd) for each in read_calls(layout, RUN)] == [str(Decimal(amount))]
    spaced = json.dumps(json.loads(layout.calls(RUN).read_bytes())).encode() + b"\n"
    layout.calls(RUN).write_bytes(spaced)  # the same line as another program would write it
    assert list(read_calls(layout, RUN)) == [changed]


def test_a_lone_surrogate_is_not_written(mini: Path) -> None:
    layout = Layout(mini)
    call = next(read_calls(layout, RUN))
    before = layout.calls(RUN).read_bytes()
    broken = Call(**{**{name: getattr(call, name) for name in Call.__struct_fields__}, "output": "\ud83d"})
    with pytest.raises(ValueError, match="surrogates"):
        append(layout.calls(RUN), broken)
    assert layout.calls(RUN).read_bytes() == before


def test_a_crash_at_any_byte_is_mended_and_loses_no_whole_line(mini: Path) -> None:
    layout = Layout(mini)
    calls = list(read_calls(layout, RUN))[:3]
    data = b"".join(map(encode, calls))
    path = layout.calls(RUN)
    ends = [at for at, byte in enumerate(data) if byte == ord("\n")]
    near = {at + step for at in (0, *ends) for step in range(-2, 4)} | set(range(0, len(data), 61))
    for size in sorted(size for size in near if 0 <= size <= len(data)):
        path.write_bytes(data[:size])
        finding = repair(path)
        whole = data[:size].count(b"\n") + data[:size].endswith(b"}")
        assert list(read_calls(layout, RUN)) == calls[:whole]
        assert (finding is None) == (size == 0 or data[:size].endswith(b"\n"))
        assert repair(path) is None


def test_a_torn_line_moves_to_the_side_and_keeps_the_build_sound(mini: Path) -> None:
    layout = Layout(mini)
    layout.seal(RUN).unlink()
    path = layout.calls(RUN)
    first, whole = next(read_calls(layout, RUN)), path.read_bytes()
    path.write_bytes(whole + b'{"run_id":"2026-01')
    with pytest.raises(ValueError, match="repair it"):
        append(path, first)
    finding = repair(path)
    assert finding is not None
    assert (finding.file, finding.slug, finding.blocking) == ("calls.jsonl", "torn-line", False)
    assert path.read_bytes() == whole
    assert path.with_name("calls.jsonl.torn").read_bytes() == b'{"run_id":"2026-01\n'
    assert len(read_results(mini).runs[RUN].calls) == 15


def test_zeros_left_by_a_crashed_disk_are_cut_off(mini: Path) -> None:
    path = Layout(mini).calls(RUN)
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 4096)
    assert repair(path) is not None
    assert path.read_bytes() == whole


def test_repair_has_nothing_to_do_where_there_is_no_file(tmp_path: Path) -> None:
    assert repair(tmp_path / "calls.jsonl") is None
    assert list(tmp_path.iterdir()) == []


def test_artifacts_lie_under_their_hash_once(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    path = keep(layout, b"abc", "json")
    assert path == "artifacts/ba/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.json"
    assert keep(layout, b"abc", "json") == path
    assert [each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()] == [b"abc"]


@pytest.mark.parametrize("ending", ["", "JSON", "../x", "a.b", "a/b", "waytoolong", "j\n"])
def test_an_ending_that_could_be_a_path_is_refused(tmp_path: Path, ending: str) -> None:
    with pytest.raises(ValueError, match="file ending"):
        keep(Layout(tmp_path), b"abc", ending)


def test_a_file_is_replaced_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    write_new(path, b"one")
    write_new(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_the_secret_lies_beside_results_unreadable_for_others_and_ignored_by_git(mini: Path) -> None:
    layout = Layout(mini)
    assert secret_of(layout, RUN) is None
    keep_secret(layout, RUN, b"\x00\xff secret")
    assert secret_of(layout, RUN) == b"\x00\xff secret"
    path = layout.secret(RUN)
    assert not path.is_relative_to(mini)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (path.parent / ".gitignore").read_text() == "*\n"
    with pytest.raises(FileExistsError):
        keep_secret(layout, RUN, b"another")


def test_a_seal_closes_the_run_in_both_directories(mini: Path, tmp_path: Path) -> None:
    layout, private = Layout(mini), Layout(tmp_path / "private", "private/")
    layout.seal(RUN).unlink()
    split_calls(layout, private)
    seal = seal_run(layout, RUN, START, private)
    assert seal == Seal(
        run_id=RUN,
        at=START,
        sha256={
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in {
                "run.toml": layout.contract(RUN),
                "calls.jsonl": layout.calls(RUN),
                "verdicts.jsonl": layout.verdicts(RUN),
                "private/calls.jsonl": private.calls(RUN),
            }.items()
        },
        calls=15,
        verdicts=5,
    )
    assert read_run(layout, RUN, private).seal == seal
    assert len(read_run(layout, RUN).calls) == 7, "without the private directory the run is still readable"
    with pytest.raises(Faults, match="already-sealed"):
        seal_run(layout, RUN, START, private)
    private.calls(RUN).write_bytes(private.calls(RUN).read_bytes().replace(b'"latency_ms":1', b'"latency_ms":2', 1))
    with pytest.raises(Faults, match=r"private/runs/.*/calls.jsonl: seal-broken"):
        read_run(layout, RUN, private)


def split_calls(layout: Layout, private: Layout) -> None:
    """Move the calls of held-out tasks to the private directory, with the artifacts they name."""
    calls = list(read_calls(layout, RUN))
    layout.calls(RUN).unlink()
    for call in calls:
        side = layout if call.task_id in {"f-exact", "f-checks", "f-rubric"} else private
        append(side.calls(RUN), call)
        for name in (f"artifacts/{call.request_hash[:2]}/{call.request_hash}.json", call.artifact_path):
            if name and side is private and (layout.root / name).exists():
                write_new(private.root / name, (layout.root / name).read_bytes())
                (layout.root / name).unlink()


def test_a_run_without_a_contract_or_with_a_torn_line_is_not_sealed(mini: Path) -> None:
    layout = Layout(mini)
    layout.seal(RUN).unlink()
    with pytest.raises(Faults, match="missing-file"):
        seal_run(layout, "2026-01-06", START)
    with layout.verdicts(RUN).open("ab") as file:
        file.write(b'{"subject"')
    with pytest.raises(Faults, match=r"verdicts\.jsonl:6: torn-line"):
        seal_run(layout, RUN, START)
    assert not layout.seal(RUN).exists()
