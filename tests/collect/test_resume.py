"""Kill -9 at any moment: the next run goes on exactly where it stopped, asks nothing twice, loses nothing."""

import fcntl
import os
import random
import signal
import subprocess
import time
from collections import Counter

import pytest

from generator.collect.order import slots
from generator.store.read import read_results, read_run
from tests.collect.conftest import RUN, Place, start
from tests.collect.misbehaving import Server

KILLS = 10


def wait_for_requests(server: Server, count: int, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 60
    while len(server.requests) < count and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)


def test_ten_kills_leave_the_same_answers_as_none(place: Place, server: Server) -> None:
    place.services["dua"] = {"base_url": f'"{server.url}"'}
    place.fields |= {
        "repeats": "15",
        "design": '{ blocks = 3, order = "random", seed = 7, concurrency = 2 }',
        "timeout_s": "30",
    }
    place.write()
    opened = place.open()
    everything = {(slot.service, slot.task_id, slot.repeat) for slot in opened.slots}
    assert len(everything) == 60
    server.delay_s = 0.01
    chance = random.Random(20261130)  # noqa: S311 - where a test kills guards no secret
    killed = 0
    for _ in range(KILLS):
        process = start(place, "run", RUN, "--pause", "0.01")
        wait_for_requests(server, len(server.requests) + chance.randint(1, 4), process)
        time.sleep(chance.uniform(0, 0.02))
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate()
    assert killed == KILLS
    last = start(place, "run", RUN, "--pause", "0.01")
    said, _ = last.communicate(timeout=60)
    assert last.returncode == 0, said

    calls = place.calls
    assert {(call.service, call.task_id, call.repeat) for call in calls} == everything
    assert len(calls) == len({call.call_id for call in calls}) == 60
    assert {(call.status, call.attempt) for call in calls} == {("ok", 1)}
    assert [call.block_id for call in calls] == sorted(call.block_id for call in calls)
    assert len(server.requests) <= 60 + 2 * KILLS, "only what was in flight at a kill may be asked again"
    charged = Counter({entry.service: 0 for entry in place.ledger if entry.kind == "charge"})
    for entry in place.ledger:
        charged.update({entry.service: entry.calls} if entry.kind == "charge" else {})
    assert charged == {"satu": 30, "dua": 30}
    read_run(place.layout, RUN)


def test_a_torn_last_line_is_mended_with_a_finding(place: Place, server: Server) -> None:
    place.write()
    place.record()
    path = place.layout.calls(RUN)
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines(keepends=True)[0][:100])
    asked = len(server.requests)
    process = start(place, "run", RUN)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "torn-line" in said
    assert path.read_bytes() == whole
    assert len(server.requests) == asked


def test_a_lost_last_line_is_asked_again(place: Place, server: Server) -> None:
    place.write()
    place.record()
    path = place.layout.calls(RUN)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:40])
    asked = len(server.requests)
    place.record()
    assert len(server.requests) == asked + 1
    assert len(place.calls) == len(lines)
    assert {call.attempt for call in place.calls} == {1}


def test_attempts_are_counted_across_sittings(place: Place, server: Server) -> None:
    place.fields["tasks"] = '["t-01"]'
    place.write()
    server.script = ["http-500", "http-401", "http-500", "http-500"]
    (finding,) = place.record()
    assert finding.slug == "refused"
    assert [call.attempt for call in place.calls] == [1, 2]
    place.record()
    assert [(call.attempt, call.status) for call in place.calls] == [(1, "error"), (2, "error"), (3, "error")]
    assert place.open().todo == ()


def test_a_refusal_for_good_is_not_asked_again(place: Place, server: Server) -> None:
    place.fields["tasks"] = '["t-01"]'
    place.write()
    server.script = ["http-400 says context size exceeded"]
    place.record()
    assert place.open().todo == ()


def test_a_study_of_first_submissions_asks_once(place: Place, server: Server) -> None:
    place.fields |= {"tasks": '["t-01"]', "repeats": "4", "attempts": "1"}
    place.write()
    server.script = ["http-500", "ok", "http-429", "ok"]
    place.record()
    assert [call.status for call in place.calls] == ["error", "ok", "error", "ok"]
    assert place.open().todo == ()


@pytest.mark.parametrize(("signals", "statuses"), [(1, ["ok"]), (2, ["cancelled"])])
def test_ctrl_c_ends_cleanly_and_the_run_goes_on(
    place: Place, server: Server, signals: int, statuses: list[str]
) -> None:
    place.fields |= {"timeout_s": "30"}
    place.write()
    server.delay_s = 1.0
    process = start(place, "run", RUN)
    wait_for_requests(server, 1, process)
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "stopped" in said
    assert "Traceback" not in said
    assert [call.status for call in place.calls] == statuses
    server.delay_s = 0
    again = start(place, "run", RUN)
    said, _ = again.communicate(timeout=60)
    assert again.returncode == 0, said
    assert Counter(call.status for call in place.calls)["ok"] == len(
        slots(place.open().contract, {"t-01": 1, "t-02": 2})
    )
    read_results(place.layout.root)


def test_a_second_recording_waits_outside(place: Place, server: Server) -> None:
    place.write()
    handle = os.open(place.layout.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    second = start(place, "run", RUN)
    said, _ = second.communicate(timeout=60)
    os.close(handle)
    assert second.returncode == 1
    assert "another recording" in said
    assert server.requests == []
