"""``--probe``: what a service rejects is written into the contract before the first call, and not sent by the run."""

import pytest

from generator.collect.probing import declared
from generator.store.read import read_contract
from tests.collect.conftest import RUN, Place, rapor
from tests.collect.misbehaving import Server

NO_TEMPERATURE = "http-400 says 'temperature' does not support 0 with this model"
NO_SEED = "http-400 says Unrecognized request argument supplied: 'seed'"


def test_a_rejected_setting_is_found_declared_and_left_out(place: Place, server: Server) -> None:
    place.services["dua"] = {"base_url": f'"{server.url}"'}
    place.write()
    before = place.layout.contract(RUN).read_text()
    server.script = [NO_TEMPERATURE, NO_SEED, "ok", "ok"]
    code, said = rapor(place, "run", RUN, "--probe")
    assert (code, said) == (0, "satu: temperature, seed unsupported\ndua: takes every setting\n")
    contract = read_contract(place.layout, RUN)
    assert {name: setting.applied for name, setting in contract.params["satu"].items()} == {
        "temperature": "unsupported", "max_output_tokens": 64, "seed": "unsupported",
    }  # fmt: skip
    assert contract.params["satu"]["temperature"].asked == 0
    assert contract.params["dua"]["temperature"].applied == 0
    after = place.layout.contract(RUN).read_text()
    changed = [new for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new]
    assert changed == [
        'temperature = { asked = 0, applied = "unsupported" }',
        'seed = { asked = "per_call", applied = "unsupported" }',
    ]
    assert place.calls == []
    assert [(line.phase, line.calls) for line in place.ledger] == [("probe", 3), ("probe", 1)]

    server.requests.clear()
    assert rapor(place, "run", RUN)[0] == 0
    assert len(server.requests) == 6
    fields = [request.data.keys() & {"temperature", "seed"} for request in server.requests]
    assert sorted(map(len, fields)) == [0, 0, 0, 2, 2, 2]


def test_after_the_first_call_it_is_too_late(place: Place, server: Server) -> None:
    place.write()
    place.record()
    text = place.layout.contract(RUN).read_bytes()
    code, said = rapor(place, "run", RUN, "--probe")
    assert code == 1
    assert "too-late" in said
    assert place.layout.contract(RUN).read_bytes() == text


def test_a_service_that_does_not_answer_changes_nothing(place: Place, server: Server) -> None:
    place.write()
    text = place.layout.contract(RUN).read_bytes()
    server.script = ["http-500"]
    code, said = rapor(place, "run", RUN, "--probe")
    assert code == 1
    assert "satu: http-500" in said
    assert place.layout.contract(RUN).read_bytes() == text


def test_a_setting_rejected_in_the_run_ends_it_and_is_a_line(place: Place, server: Server) -> None:
    place.write()
    server.script = [NO_TEMPERATURE]
    code, said = rapor(place, "run", RUN)
    assert code == 1
    assert "rejected-setting" in said
    assert "--probe" in said
    (call,) = place.calls
    assert (call.status, call.attempt) == ("error", 1)
    assert b"does not support 0" in place.artifact(call)


def test_a_setting_written_unusually_is_told() -> None:
    text = "[params.satu.temperature]\nasked = 0\napplied = 0\n"
    with pytest.raises(ValueError, match="temperature"):
        declared(text, {"satu": ("temperature",)})
