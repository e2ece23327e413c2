"""Everything that may not start says so at once, with its name; nothing is asked and nothing is lost."""

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from generator.collect.opening import open_run, outside_window
from generator.findings import Faults
from generator.records import Entry
from generator.store.layout import PRIVATE, Layout
from generator.store.reveals import new_reveals
from generator.store.write import append, seal_run, write_new
from tests.collect.conftest import RAPOR, ROOT, RUN, SUITE, TASKS, Place, start
from tests.collect.misbehaving import Server


def slugs(place: Place, environ: dict[str, str] | None = None) -> list[str]:
    """What keeps the run from starting."""
    with pytest.raises(Faults) as raised:
        place.open(environ)
    return [finding.slug for finding in raised.value.findings]


def test_all_faults_at_once(place: Place, server: Server) -> None:
    place.services["satu"] |= {"key_env": '"UJI_KEY"', "price": ""}
    place.fields |= {"services": '["satu", "tiada"]', "tasks": '["t-01", "t-99"]'}
    place.write()
    with pytest.raises(Faults) as raised:
        place.open()
    found = {(finding.slug, finding.field) for finding in raised.value.findings}
    assert found >= {
        ("missing-key", "satu.key_env"),
        ("missing-price", "satu.price"),
        ("unknown-service", "services[1]"),
    }
    assert server.requests == []


def test_an_unknown_task(place: Place) -> None:
    place.fields["tasks"] = '["t-99"]'
    place.write()
    assert slugs(place) == ["unknown-task"]


def test_a_sealed_run_stays_as_it_is(place: Place, server: Server) -> None:
    place.write()
    place.record()
    seal_run(place.layout, RUN, datetime(2026, 11, 30, 9, tzinfo=UTC))
    assert slugs(place) == ["sealed"]


def test_a_contract_changed_after_its_first_call(place: Place, server: Server) -> None:
    place.write()
    place.record()
    path = place.layout.contract(RUN)
    declared = path.read_bytes()
    path.write_bytes(declared.replace(b"asked = 0", b"asked = 1"))
    assert slugs(place) == ["contract-changed"]
    path.write_bytes(declared)
    assert place.open().todo == ()


def test_a_finding_may_be_acknowledged_after_the_first_call(place: Place, server: Server) -> None:
    place.write()
    server.script = ["ok", "http-401"]
    place.record()
    path = place.layout.contract(RUN)
    reason = 'reason = { id = "Diketahui.", en = "Known." }'
    path.write_text(f'{path.read_text()}\n[[acknowledged]]\nslug = "truncated"\nservice = "satu"\n{reason}\n')
    assert place.record() == []
    assert place.open().todo == ()


def test_a_contract_may_change_before_its_first_call(place: Place) -> None:
    place.write()
    path = place.layout.contract(RUN)
    path.write_bytes(path.read_bytes().replace(b"asked = 0", b"asked = 1"))
    assert len(place.open().todo) == 3


def test_calls_without_the_ledger_that_declared_them(place: Place, server: Server) -> None:
    place.write()
    place.record()
    place.layout.ledger.unlink()
    assert slugs(place) == ["undeclared"]


def test_a_suite_changed_since_the_contract(place: Place, server: Server) -> None:
    place.write()
    rules = place.layout.suite_dir("uji-v1") / "suite.toml"
    rules.write_bytes(SUITE.replace("Uji", "Ujian").encode())
    assert slugs(place) == ["suite-changed"]
    rules.write_bytes(SUITE.encode())
    assert len(place.open().todo) == 3


def test_a_task_changed_since_its_lock(place: Place) -> None:
    place.write()
    tasks = place.layout.suite_dir("uji-v1") / "tasks.toml"
    tasks.write_bytes(TASKS.replace("2 + 3", "2 + 4").encode())
    assert slugs(place) == ["lock-differs"]


def test_a_setting_that_the_interface_cannot_have(place: Place) -> None:
    place.services["satu"]["protocol"] = '"anthropic"'
    place.write()
    assert slugs(place) == ["rejected-setting"]
    place.params["seed"] = '{ asked = 7, applied = "unsupported" }'
    place.write()
    assert len(place.open().todo) == 3


def test_a_clock_that_goes_back(place: Place, server: Server) -> None:
    place.write()
    times = iter(
        [datetime(2026, 11, 30, 8, tzinfo=UTC) + timedelta(minutes=n) for n in (0, 1, 2, 3, 4, 5, -50, -49, -48)]
    )
    forward = place.clock
    place.clock = lambda: next(times)
    (finding,) = place.record()
    assert finding.slug == "clock-went-back"
    answered = len(place.calls)
    assert 0 < answered < 3
    place.clock = lambda: forward() + timedelta(hours=1)
    assert place.record() == []
    assert len(place.calls) == 3
    assert len(server.requests) == 3


def test_a_clock_behind_the_stored_lines(place: Place, server: Server) -> None:
    place.fields["tasks"] = '["t-01"]'
    place.write()
    server.script = ["http-401"]
    place.record()
    place.clock = lambda: datetime(2026, 11, 29, tzinfo=UTC)
    (finding,) = place.record()
    assert finding.slug == "clock-went-back"
    assert len(server.requests) == 1


def test_a_full_disk(place: Place, server: Server) -> None:
    """No file may grow beyond 2000 bytes: the third line does not fit, as on a full disk."""
    place.write()
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); {RAPOR[-1]}"
    told = [*RAPOR[:-1], limited, "run", RUN, "--results", str(place.layout.root)]
    done = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "not-written: found File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(place.calls) == 2
    again = start(place, "run", RUN)
    said, _ = again.communicate(timeout=60)
    assert again.returncode == 0, said
    assert len({call.call_id for call in place.calls}) == 3


def test_a_model_that_changes_midway_is_named_and_nothing_is_lost(place: Place, server: Server) -> None:
    place.write()
    server.script = ["ok", "other-model", "ok"]
    process = start(place, "run", RUN)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "returned-model-changed: found another-model (1), test-model (2)" in said
    assert [call.status for call in place.calls] == ["ok"] * 3


@pytest.mark.parametrize("command", ["run", "judge", "seal"])
def test_an_unknown_run_is_wrong_usage(place: Place, command: str) -> None:
    place.write()
    process = start(place, command, "tidak-ada")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"runs here: {RUN}" in said


def test_a_missing_key_is_named_by_its_variable(place: Place, server: Server) -> None:
    place.services["satu"]["key_env"] = '"UJI_KEY"'
    place.write()
    process = start(place, "run", RUN)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "export UJI_KEY" in said
    assert server.requests == []


KEY = "sk-kunci-yang-tidak-boleh-bocor-0123456789"


def test_a_key_goes_to_the_service_and_nowhere_else(
    place: Place, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UJI_KEY", KEY)
    place.services["satu"]["key_env"] = '"UJI_KEY"'
    place.write()
    server.script = ["http-500", "cut", "hang", "http-401", "ok"]
    said = ""
    for _ in range(2):
        process = start(place, "run", RUN, "--pause", "0.01")
        said += process.communicate(timeout=60)[0]
    assert all(f"Bearer {KEY}".encode() in request.head for request in server.requests)
    assert {call.status for call in place.calls} >= {"cut", "timeout", "error", "ok"}
    assert KEY not in said
    assert KEY.encode() not in place.everything()


def test_held_out_tasks_and_their_answers_may_lie_elsewhere(place: Place, server: Server) -> None:
    hidden = '[[task]]\nid = "t-09"\ncategory = "satu"\nkind = "exact"\naccess = "held_out"\n'
    hidden += 'prompt = "Rahasia?"\nreferences = ["ya"]\nsalt = "0123456789abcdef0123456789abcdef"\n'
    private = Layout(place.layout.root.parent / "private", PRIVATE)
    held_out = f"# canary 11111111-2222-3333-4444-555555555555\nschema = 1\n{hidden}".encode()
    beside = place.layout.suite_dir("uji-v1") / "tasks.held_out.toml"
    write_new(beside, held_out)
    place.write()
    write_new(private.suite_dir("uji-v1") / "tasks.held_out.toml", held_out)
    beside.unlink()
    assert slugs(place) == ["missing-tasks"]

    process = start(place, "run", RUN, "--private", str(private.root))
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert {call.task_id for call in place.calls} == {"t-01", "t-02"}
    inside = b"".join(path.read_bytes() for path in place.layout.root.rglob("*") if path.is_file())
    assert b"Rahasia" not in inside
    assert b"Rahasia" in b"".join(path.read_bytes() for path in private.root.rglob("*") if path.is_file())
    assert open_run(place.layout, RUN, private, {}).todo == ()


def test_a_task_that_was_revealed_is_asked_in_a_pilot_only(place: Place, server: Server) -> None:
    hidden = '[[task]]\nid = "t-09"\ncategory = "satu"\nkind = "exact"\naccess = "held_out"\n'
    hidden += 'prompt = "Rahasia?"\nreferences = ["ya"]\nsalt = "0123456789abcdef0123456789abcdef"\n'
    canary = "11111111-2222-3333-4444-555555555555"
    write_new(place.layout.suite_dir("uji-v1") / "tasks.held_out.toml", f"# {canary}\nschema = 1\n{hidden}".encode())
    place.write()
    contract = place.layout.contract(RUN)
    declared = contract.read_bytes()
    contract.unlink()
    (line,) = new_reveals(place.layout, "uji-v1", ["t-09"], datetime(2026, 11, 30, 7, tzinfo=UTC))
    append(place.layout.reveals("uji-v1"), line)
    contract.write_bytes(declared)
    assert slugs(place) == ["tasks-revealed"]
    contract.write_bytes(declared.replace(b'purpose = "formal"', b'purpose = "pilot"'))
    assert place.open().todo
    place.fields["tasks"] = '["t-01"]'
    place.write()
    assert place.open().todo


def test_the_first_projection_pins_the_contract(place: Place, server: Server) -> None:
    place.write()
    digest = place.open().contract_sha256
    place.record()
    first: Entry = place.ledger[0]
    assert (first.kind, first.contract_sha256, first.calls) == ("projection", digest, 3)


@pytest.mark.parametrize(("hour", "told"), [(7, True), (8, False), (10, False), (11, True)])
def test_calls_outside_the_declared_window_are_told(place: Place, hour: int, told: bool) -> None:
    place.fields["window"] = "{ start = 2026-11-30T08:00:00Z, end = 2026-11-30T10:30:00Z }"
    place.write()
    found = outside_window(place.open().contract, datetime(2026, 11, 30, hour, tzinfo=UTC))
    assert [(finding.slug, finding.blocking) for finding in found] == [("outside-window", False)] * told
