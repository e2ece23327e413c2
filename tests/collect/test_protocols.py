"""A question in a service's words, and replies of both protocols in ours."""

import json
from typing import Any

import pytest

from generator.collect.protocols import UnreadableError, headers, question, rejected_setting, reply, url
from generator.collect.request import canonical
from generator.records import Service

SETTINGS = {"temperature": 0, "max_output_tokens": 512, "reasoning": "low", "seed": 5, "cache_prompt": False}


def service(protocol: str, base_url: str = "https://example.org/v1/") -> Service:
    return Service(
        id="a", name="A", vendor="V", group="v/direct", requested_model="m", base_url=base_url,
        protocol="anthropic" if protocol == "anthropic" else "openai",
    )  # fmt: skip


def test_a_chat_completion_is_asked_in_its_own_words() -> None:
    assert question(service("openai"), "Jawab singkat.", "Apa?", SETTINGS) == {
        "messages": [{"role": "system", "content": "Jawab singkat."}, {"role": "user", "content": "Apa?"}],
        "temperature": 0, "max_tokens": 512, "reasoning_effort": "low", "seed": 5, "cache_prompt": False,
    }  # fmt: skip
    assert url(service("openai")) == "https://example.org/v1/chat/completions"


def test_openai_itself_has_another_name_for_the_cap() -> None:
    own = service("openai", "https://api.openai.com/v1")
    assert question(own, "", "Apa?", {"max_output_tokens": 9}) == {
        "messages": [{"role": "user", "content": "Apa?"}], "max_completion_tokens": 9,
    }  # fmt: skip


def test_an_anthropic_message_is_asked_in_its_own_words() -> None:
    settings = {"temperature": 0, "max_output_tokens": 512, "reasoning": "low"}
    assert question(service("anthropic"), "Jawab singkat.", "Apa?", settings, {"type": "object"}) == {
        "messages": [{"role": "user", "content": "Apa?"}], "system": "Jawab singkat.", "temperature": 0,
        "max_tokens": 512,
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object"}}},
    }  # fmt: skip
    assert url(service("anthropic")) == "https://example.org/v1/messages"


def test_a_key_goes_into_one_header() -> None:
    assert headers(service("openai"), "k")["authorization"] == "Bearer k"
    assert headers(service("anthropic"), "k")["x-api-key"] == "k"
    assert not {"authorization", "x-api-key"} & headers(service("openai"), None).keys()


def test_a_schema_is_asked_for_where_the_protocol_has_one() -> None:
    body = question(service("openai"), "", "Apa?", {}, {"type": "object"})
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}


PARTS = [
    {"type": "thinking", "thinking": "…"},
    {"type": "text", "text": "Sema"},
    {"type": "text", "text": "rang"},
]
ANTHROPIC = {
    "model": "m-2",
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 3, "output_tokens": 4},
    "content": PARTS,
}


def test_an_anthropic_reply() -> None:
    read = reply("anthropic", json.dumps(ANTHROPIC).encode())
    assert (read.output, read.finish_reason, read.returned_model) == ("Semarang", "end_turn", "m-2")
    assert (read.input_tokens, read.output_tokens, read.reasoning_tokens) == (3, 4, None)


def test_a_chat_completion_with_reasoning_and_parts() -> None:
    data = {
        "choices": [{"message": {"content": [{"type": "text", "text": "ya"}]}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 8}},
    }
    read = reply("openai", json.dumps(data).encode())
    assert (read.output, read.output_tokens, read.reasoning_tokens) == ("ya", 9, 8)
    assert (read.returned_model, read.system_fingerprint) == (None, None)


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        (b"", "not-json"),
        (b"[1]", "no-answer"),
        (b'{"choices": 1}', "no-answer"),
        (b'{"choices": [{}]}', "no-answer"),
        (b'{"choices": [{"message": {"content": 5}}]}', "no-answer"),
        (b'{"choices": [{"message": {"content": "caf\xe9"}}]}', "not-utf8"),
        ("{}".encode("utf-16"), "not-utf8"),
        (b"[" * 100_000, "not-json"),
    ],
)
def test_what_is_no_answer_says_why(body: bytes, slug: str) -> None:
    with pytest.raises(UnreadableError, match=slug):
        reply("openai", body)


@pytest.mark.parametrize("usage", [{"prompt_tokens": "7"}, {"prompt_tokens": -1}, {"prompt_tokens": True}, [], None])
def test_odd_token_counts_are_not_known(usage: Any) -> None:
    read = reply("openai", json.dumps({"choices": [{"message": {"content": "a"}}], "usage": usage}).encode())
    assert read.input_tokens is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        ("Unsupported parameter: 'max_tokens' is not supported", "max_output_tokens"),
        ("Unknown name \"seed\": Cannot find field.", "seed"),
        ("`reasoning_effort` is not available", "reasoning"),
        ("the request exceeds the available context size", None),
        ("the temperature outside is fine", None),
    ],
)  # fmt: skip
def test_a_refusal_that_names_a_setting(text: str, name: str | None) -> None:
    body = json.dumps({"error": {"message": text}}).encode()
    assert rejected_setting(body, SETTINGS, service("openai")) == name


def test_a_request_hashes_the_same_however_it_is_spelt() -> None:
    decomposed, composed = {"b": "cafe\u0301", "a": 1}, {"a": 1, "b": "caf\u00e9"}
    assert canonical(decomposed) == canonical(composed) == b'{"a":1,"b":"caf\xc3\xa9"}'
