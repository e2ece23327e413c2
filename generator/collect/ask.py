"""One attempt over the network, and what became of it. Third in the collecting wing.

Nothing raises here except cancellation of a task that had not asked yet: whatever a network can do to a
request ends in one ``Asked``.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx
import msgspec

from generator.collect.protocols import Protocol, Reply, UnreadableError, headers, reply, url
from generator.records import Service, Status

MAX_BODY = 64 * 2**20
"""Most bytes of a response that are kept; more is no answer."""
ENCODINGS = frozenset({"identity", "gzip"})
"""What a response may be packed in, though none is asked for: others unfold a piece without bound."""
KEPT_HEADERS = ("content-type", "retry-after", "date")
"""Headers of a refusal that are stored with it; others may carry cookies or account names."""
Next = Literal["done", "again", "final", "halt"]
"""``again``: a technical failure worth another attempt; ``halt``: the fault is ours (key, account)."""
Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Asked:
    """One attempt.

    Attributes:
        started_at: when it was sent.
        latency_ms: until the last byte, network included; None where no answer came.
        status: as stored.
        cause: slug that says why it is not ``ok``: ``http-429``, ``unreachable``, ``timeout`` …
        then: what the recorder does next.
        reply: the answer, where ``status`` is ``ok``.
        data: what came back, to be kept as it is; None where nothing did.
        ext: ``json`` for a body, ``http`` for a refusal with its status line, ``bin`` for a torn body.
        retry_after: seconds that the service asks us to wait.
    """

    started_at: datetime
    latency_ms: int | None
    status: Status
    cause: str
    then: Next
    reply: Reply | None = None
    data: bytes | None = None
    ext: str = "json"
    retry_after: float | None = None


@dataclass
class _Received:
    """What had come back when the exchange ended, however it ended."""

    code: int | None = None
    headers: Mapping[str, str] | None = None
    body: bytearray | None = None


async def ask(
    client: httpx.AsyncClient,
    service: Service,
    key: str | None,
    body: dict[str, Any],
    timeout_s: float,
    clock: Clock,
) -> Asked:
    """Post ``body`` with the service's model name and wait at most ``timeout_s`` for the whole reply."""
    content = msgspec.json.encode({"model": service.requested_model, **body})
    got, started_at, started = _Received(), clock(), time.monotonic()
    try:
        async with asyncio.timeout(timeout_s):
            await _exchange(client, url(service), headers(service, key), content, got)
    except (TimeoutError, httpx.TimeoutException):
        return _broken(started_at, got, "timeout", "timeout")
    except asyncio.CancelledError:
        return _broken(started_at, got, "cancelled", "cancelled")
    except httpx.ConnectError:
        return Asked(started_at, None, "error", "unreachable", "again")
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
        cut = got.code is not None
        return _broken(started_at, got, "cut" if cut else "error", "cut" if cut else "connection-lost")
    latency = round((time.monotonic() - started) * 1000)
    return _complete(started_at, latency, got, service.protocol)


async def _exchange(
    client: httpx.AsyncClient, address: str, head: dict[str, str], content: bytes, got: _Received
) -> None:
    """Send and receive, noting what has come as it comes."""
    async with client.stream("POST", address, headers=head, content=content) as response:
        got.code, got.headers, got.body = response.status_code, response.headers, bytearray()
        if response.headers.get("content-encoding", "identity") not in ENCODINGS:
            raise httpx.StreamError("an encoding that was not asked for")
        async for piece in response.aiter_bytes():
            got.body += piece
            if len(got.body) > MAX_BODY:
                raise httpx.StreamError("body too large")


def _complete(started_at: datetime, latency: int, got: _Received, protocol: Protocol) -> Asked:
    """A response that came to its end: an answer, a refusal, or something unreadable."""
    body = bytes(got.body or b"")
    if got.code != 200:
        return _refusal(started_at, latency, got)
    try:
        read = reply(protocol, body)
    except UnreadableError as error:
        cut = str(error) == "not-json" and _is_torn(body)
        status: Status = "cut" if cut else "error"
        return Asked(started_at, latency, status, str(error), "again", None, body, "bin")
    return Asked(started_at, latency, "ok", "", "done", read, body)


def _refusal(started_at: datetime, latency: int, got: _Received) -> Asked:
    """A response with another status than 200; kept as a message, so that its code is not lost."""
    code, head = got.code or 0, got.headers or {}
    wait = _seconds(head.get("retry-after"), started_at)
    return Asked(started_at, latency, "error", f"http-{code}", then(code), None, message(got), "http", wait)


def then(code: int) -> Next:
    """What a status code other than 200 means for the next attempt."""
    if code in (401, 402, 403):
        return "halt"
    return "again" if code in (408, 409, 425, 429) or code >= 500 else "final"


def message(got: _Received) -> bytes:
    """The refusal as a small HTTP message: status line, the headers that matter, body."""
    head = got.headers or {}
    kept = [f"{name}: {head[name]}" for name in KEPT_HEADERS if name in head]
    lines = [f"HTTP/1.1 {got.code}", *kept, "", ""]
    return "\r\n".join(lines).encode("utf-8", "replace") + bytes(got.body or b"")


def code_of(data: bytes) -> int:
    """The status code of a stored refusal (the inverse of ``message``)."""
    return int(data.split(b"\r\n", 1)[0].split()[1])


def _broken(started_at: datetime, got: _Received, status: Status, cause: str) -> Asked:
    """An exchange that did not come to its end; what had come is kept."""
    data = bytes(got.body) if got.body else None
    return Asked(started_at, None, status, cause, "again", None, data, "bin")


def _is_torn(body: bytes) -> bool:
    """Whether a body that is not JSON is the beginning of some: the stream ended, the object did not."""
    try:
        msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        return "truncated" in str(error)
    except RecursionError:
        return False
    return False


def _seconds(value: str | None, now: datetime) -> float | None:
    """``Retry-After`` in seconds from ``now``: a number, or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())
