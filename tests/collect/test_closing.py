"""The end of a run and the contract of its re-run."""

import json
import tomllib
from decimal import Decimal

import msgspec

from generator.collect.closing import contract_text, rerun_of
from generator.store.read import read_contract, read_results
from tests.collect.conftest import RUN, Place, judge_all, rapor
from tests.collect.misbehaving import Server

AGAIN = f"{RUN}-rerun"


def test_a_run_with_open_slots_is_not_sealed(place: Place, server: Server) -> None:
    place.write()
    server.script = ["ok", "http-401"]
    place.record()
    code, said = rapor(place, "seal", RUN)
    assert code == 1
    assert "open-slots: found 2 answers still to come, expected all 3" in said
    assert not place.layout.seal(RUN).exists()


def test_a_seal_pins_what_is_there(place: Place, server: Server) -> None:
    place.write()
    place.record()
    code, said = rapor(place, "seal", RUN)
    assert (code, said) == (0, f"{RUN}: sealed with 3 calls and 0 verdicts\n")
    assert set(json.loads(place.layout.seal(RUN).read_bytes())["sha256"]) == {"run.toml", "calls.jsonl"}
    read_results(place.layout.root)
    code, said = rapor(place, "run", RUN)
    assert code == 1
    assert "sealed" in said


def test_a_rerun_repeats_everything_but_its_name(place: Place, server: Server) -> None:
    place.services["dua"] = {"base_url": f'"{server.url}"'}
    place.fields |= {
        "tasks": '["t-01"]',
        "repeats": "2",
        "window": "{ start = 2026-11-30T01:00:00Z, end = 2026-11-30T02:00:00Z }",
    }
    place.write()
    code, said = rapor(place, "rerun", RUN, "--services", "dua", "--tolerance", "3.00")
    assert code == 0, said
    first, again = read_contract(place.layout, RUN), read_contract(place.layout, AGAIN)
    assert again.purpose == "rerun"
    assert again.rerun is not None
    assert (again.rerun.of, str(again.rerun.tolerance)) == (RUN, "3.00")
    assert again.services == ("dua",)
    assert again.params == {"dua": first.params["dua"]}
    for name in ("suite", "grader", "place", "design", "attempts", "timeout_s", "tasks", "repeats", "judging"):
        assert getattr(again, name) == getattr(first, name)
    code, said = rapor(place, "rerun", RUN, "--services", "dua", "--tolerance", "3.00")
    assert code == 2
    assert "has its contract already" in said


def test_a_rerun_of_an_unknown_service_is_wrong_usage(place: Place) -> None:
    place.write()
    code, said = rapor(place, "rerun", RUN, "--services", "tiga", "--tolerance", "3.00")
    assert code == 2
    assert "not in" in said


def test_contract_text_survives_odd_words(place: Place) -> None:
    place.write()
    contract = read_contract(place.layout, RUN)
    odd = msgspec.structs.replace(contract, place='Kota "Solo" \\ jalan\n\t', grader="é …")
    table = tomllib.loads(contract_text(rerun_of(odd, AGAIN, ["satu"], Decimal("0.5"))))
    assert table["place"] == odd.place
    assert table["grader"] == odd.grader


def test_an_answer_that_the_first_run_gave_is_not_judged_again(judged: Place, server: Server) -> None:
    judge_all(judged)
    assert rapor(judged, "rerun", RUN, "--services", "model-x", "--tolerance", "3.00")[0] == 0
    assert rapor(judged, "run", AGAIN)[0] == 0
    asked = len(server.requests)
    code, said = rapor(judged, "judge", AGAIN)
    assert code == 0, said
    assert len(server.requests) == asked
    assert rapor(judged, "seal", AGAIN)[0] == 0
    read_results(judged.layout.root)
