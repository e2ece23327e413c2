"""Whatever a network does ends in the right class, with nothing lost: each case against a real server."""

import asyncio
import time
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from generator.collect.sitting import sit
from tests.collect.conftest import Place
from tests.collect.misbehaving import Server

CASES = tomllib.loads((Path(__file__).parent.parent / "cases" / "network.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_attempt_is_a_line_of_the_right_class(case: dict[str, Any], place: Place, server: Server) -> None:
    place.fields["tasks"] = '["t-01"]'
    place.write()
    server.script = list(case["does"])
    started = time.monotonic()
    ended = place.record()

    calls = place.calls
    assert [call.status for call in calls] == case["status"]
    assert [finding.slug for finding in ended] == [case["ends"]] if "ends" in case else not ended
    assert [call.attempt for call in calls] == list(range(1, len(calls) + 1))
    assert len(server.requests) == len(calls)
    assert calls[-1].finish_reason == case.get("finish")
    assert time.monotonic() - started >= case.get("waits", 0)
    first, last = calls[0], calls[-1]
    assert (first.artifact_path or ".").rpartition(".")[2] == case["kept"]
    if last.status == "ok":
        assert last.output is not None
        assert last.output_sha256 == sha256(last.output.encode()).hexdigest()
        assert (last.input_tokens is not None) == case.get("tokens", True)
        assert last.returned_model == case.get("model", "test-model")
        assert case.get("output", last.output) == last.output
        assert len(last.output) == case.get("output_chars", len(last.output))
    for call in calls:
        if call.status != "ok":
            assert (call.output, call.output_sha256, call.finish_reason) == (None, None, None)
        assert (call.qualified, call.failure_reason) == (None, None)


def test_what_came_back_is_kept_byte_for_byte(place: Place, server: Server) -> None:
    place.fields["tasks"] = '["t-01"]'
    place.write()
    server.script = ["cut-quietly", "http-503 after 0", "ok"]
    place.record()
    torn, refused, answered = place.calls
    assert place.artifact(torn).startswith(b'{"id": "chatcmpl-1"')
    assert place.artifact(refused).split(b"\r\n\r\n") == [
        b"HTTP/1.1 503\r\ncontent-type: application/json\r\nretry-after: 0",
        b'{"error": {"message": "no"}}',
    ]
    assert place.artifact(answered).endswith(b'"total_tokens": 18}}')
    assert b"secret-cookie" not in place.everything()


def test_the_stored_request_is_the_one_that_was_sent(place: Place, server: Server) -> None:
    place.write()
    place.record()
    sent = {request.body for request in server.requests}
    for call in place.calls:
        path = place.layout.artifact(call.request_hash, "json")
        stored = path.read_bytes()
        assert sha256(stored).hexdigest() == call.request_hash
        with_model = b'{"model":"test-model",' + stored[1:]
        assert {bytes(sorted(body)) for body in sent} >= {bytes(sorted(with_model))}
    system = [request.data["messages"][0] for request in server.requests if len(request.data["messages"]) == 2]
    assert system == [{"role": "system", "content": "Jawab singkat."}] * 2


def test_the_cap_on_waiting_calls_is_the_declared_concurrency(place: Place, server: Server) -> None:
    place.fields["design"] = '{ blocks = 1, order = "random", seed = 7, concurrency = 2 }'
    place.fields["repeats"] = "4"
    place.write()
    server.delay_s = 0.02
    place.record()
    assert len(place.calls) == 8
    assert server.most_at_once == 2


def test_nobody_listens(place: Place) -> None:
    place.services["satu"]["base_url"] = '"http://127.0.0.1:9/v1"'
    place.write()
    (finding,) = place.record()
    assert (finding.slug, finding.field) == ("unreachable", "satu.base_url")
    assert place.calls == []


def test_a_service_that_goes_away_ends_the_sitting_after_its_attempts(place: Place, server: Server) -> None:
    place.write()
    opened = place.open()

    def leave(*_: object) -> None:
        if len(server.requests) == 1:
            server.leave()

    sitting = place.sitting()
    sitting.tell = leave
    (finding,) = asyncio.run(sit(opened, sitting))
    assert finding.slug == "unreachable"
    assert [call.status for call in place.calls] == ["ok", "error", "error", "error"]


def test_an_anthropic_service_is_recorded_like_any_other(
    place: Place, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.services["satu"] |= {"protocol": '"anthropic"', "key_env": '"UJI_KEY"'}
    place.params["seed"] = '{ asked = 7, applied = "unsupported" }'
    place.params["reasoning"] = '{ asked = "low", applied = "unknown" }'
    place.write()
    server.script = ["http-529", "message", "message", "message"]
    assert place.record({"UJI_KEY": "kunci"}) == []
    assert [call.status for call in place.calls] == ["error", "ok", "ok", "ok"]
    last = place.calls[-1]
    assert (last.returned_model, last.finish_reason) == ("test-model-2", "end_turn")
    assert (last.input_tokens, last.output_tokens) == (12, 8)
    request = server.requests[-1]
    assert request.head.startswith(b"POST /v1/messages ")
    assert b"x-api-key: kunci" in request.head.lower()
    assert b"anthropic-version: 2023-06-01" in request.head.lower()
    assert "seed" not in request.data
    assert request.data["output_config"] == {"effort": "low"}
