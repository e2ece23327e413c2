"""A question in a service's words, and its reply in ours. Second in the collecting wing; pure.

Two protocols: OpenAI-compatible chat completions (OpenAI, OpenRouter, DeepSeek, Perplexity, llama.cpp …) and
Anthropic messages. Nothing is sent here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from generator.records import Service, Value

Protocol = Literal["openai", "anthropic"]
Schema = Mapping[str, Any]
"""A JSON schema that the answer must follow."""

ANTHROPIC_VERSION = "2023-06-01"
"""Value of the header that the Anthropic interface insists on."""
_PATHS: dict[Protocol, str] = {"openai": "/chat/completions", "anthropic": "/messages"}
_NAMES: dict[Protocol, dict[str, str]] = {
    "openai": {"max_output_tokens": "max_tokens", "reasoning": "reasoning_effort"},
    "anthropic": {"max_output_tokens": "max_tokens"},
}
"""Our name of a setting -> the field of the request; every other name is sent as it is."""
_OPENAI_HOST = "//api.openai.com/"
_OPENAI_CAP = "max_completion_tokens"
"""OpenAI itself renamed the field and refuses the old name for its newer models; the others kept it."""


class UnreadableError(ValueError):
    """A complete reply that is not what the protocol promises; the text is a slug that says why."""


@dataclass(frozen=True)
class Reply:
    """What a service answered; None where it did not say."""

    output: str
    finish_reason: str | None
    returned_model: str | None
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    system_fingerprint: str | None


def url(service: Service) -> str:
    """Where a question to ``service`` is posted."""
    return service.base_url.rstrip("/") + _PATHS[service.protocol]


def headers(service: Service, key: str | None) -> dict[str, str]:
    """Request headers; the only place where a key is put into anything."""
    fixed = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
    if service.protocol == "anthropic":
        fixed["anthropic-version"] = ANTHROPIC_VERSION
        return fixed | ({"x-api-key": key} if key else {})
    return fixed | ({"authorization": f"Bearer {key}"} if key else {})


def question(
    service: Service, system: str, prompt: str, settings: Mapping[str, Value], schema: Schema | None = None
) -> dict[str, Any]:
    """The request body without its model: messages, settings under the protocol's names, a schema if any."""
    body: dict[str, Any] = {"messages": [{"role": "user", "content": prompt}]}
    if system and service.protocol == "anthropic":
        body["system"] = system
    elif system:
        body["messages"].insert(0, {"role": "system", "content": system})
    for name, value in settings.items():
        if name == "reasoning" and service.protocol == "anthropic":
            body.setdefault("output_config", {})["effort"] = value
        else:
            body[_field(service, name)] = value
    if schema is not None and service.protocol == "anthropic":
        body.setdefault("output_config", {})["format"] = {"type": "json_schema", "schema": schema}
    elif schema is not None:
        named = {"name": "verdict", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def reply(protocol: Protocol, body: bytes) -> Reply:
    """Read a complete response body.

    Raises:
        UnreadableError: it is not UTF-8, not JSON, or has no answer where the protocol puts it.
    """
    try:
        body.decode("utf-8")
        data = msgspec.json.decode(body)
    except UnicodeDecodeError:
        raise UnreadableError("not-utf8") from None
    except (msgspec.DecodeError, RecursionError):
        raise UnreadableError("not-json") from None
    if not isinstance(data, dict):
        raise UnreadableError("no-answer")
    return _openai(data) if protocol == "openai" else _anthropic(data)


def rejected_setting(body: bytes, settings: Mapping[str, Value], service: Service) -> str | None:
    """The setting that a refusal (HTTP 400 or 422) names, by our name; None where it names none of them."""
    text = body.decode("utf-8", "replace")
    for name in settings:
        for word in (_field(service, name), name):
            if any(f"{quote}{word}{quote}" in text for quote in ("'", '"', "`", '\\"')):
                return name
    return None


def _field(service: Service, name: str) -> str:
    """The request field of a setting."""
    if name == "max_output_tokens" and _OPENAI_HOST in f"{service.base_url}/":
        return _OPENAI_CAP
    return _NAMES[service.protocol].get(name, name)


def _openai(data: dict[str, Any]) -> Reply:
    """Read a chat completion."""
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise UnreadableError("no-answer")
    usage = _dict(data.get("usage"))
    details = _dict(usage.get("completion_tokens_details"))
    return Reply(
        output=_text(message.get("content")),
        finish_reason=_word(choice.get("finish_reason")),
        returned_model=_word(data.get("model")),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_count(details.get("reasoning_tokens")),
        system_fingerprint=_word(data.get("system_fingerprint")),
    )


def _anthropic(data: dict[str, Any]) -> Reply:
    """Read a message."""
    if not isinstance(data.get("content"), list):
        raise UnreadableError("no-answer")
    usage = _dict(data.get("usage"))
    return Reply(
        output=_text(data["content"]),
        finish_reason=_word(data.get("stop_reason")),
        returned_model=_word(data.get("model")),
        input_tokens=_count(usage.get("input_tokens")),
        output_tokens=_count(usage.get("output_tokens")),
        reasoning_tokens=None,
        system_fingerprint=None,
    )


def _text(content: object) -> str:
    """The answer: a string, or the text parts of a list joined; nothing is ``""``."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if not isinstance(content, list):
        raise UnreadableError("no-answer")
    parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(part for part in parts if isinstance(part, str))


def _dict(value: object) -> dict[str, Any]:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def _word(value: object) -> str | None:
    """``value`` if it is a string, else None."""
    return value if isinstance(value, str) else None


def _count(value: object) -> int | None:
    """``value`` if it is a whole number from 0, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
