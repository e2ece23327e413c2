"""A real HTTP server on loopback that misbehaves on command, and remembers every byte it was sent."""

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import zstandard

Answer = Callable[[dict[str, Any]], str]


@dataclass(frozen=True)
class Request:
    """One request as it came: head and body."""

    head: bytes
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def prompt(self) -> str:
        return str(self.data["messages"][-1]["content"])


@dataclass
class Server:
    """Plays ``script`` one entry per request, then ``ok`` for ever.

    ``answer`` makes the text of an ``ok``; ``delay_s`` is how long each answer takes.
    """

    answer: Answer = lambda data: f"Jawaban {data.get('seed', '')}"
    script: list[str] = field(default_factory=list)
    delay_s: float = 0.0
    requests: list[Request] = field(default_factory=list)
    most_at_once: int = 0
    port: int = 0

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._at_once = 0
        self._thread = threading.Thread(target=self._serve, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(5)
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Stop listening and drop every connection; a second time does nothing."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def _serve(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(asyncio.start_server(self._client, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    async def _close(self) -> None:
        self._server.close()
        mine = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not mine]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if head.startswith(b"HEAD"):
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    await writer.drain()
                    continue
                length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                request = Request(head, await reader.readexactly(length))
                self.requests.append(request)
                self._at_once += 1
                self.most_at_once = max(self.most_at_once, self._at_once)
                try:
                    if not await self._behave(request, writer):
                        return
                finally:
                    self._at_once -= 1
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _behave(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; gives whether the connection stays open."""
        name = self.script.pop(0) if self.script else "ok"
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        if name in _CONNECTION:
            await _CONNECTION[name](self, request, writer)
            return False
        status, headers, body = self._response(name, request.data)
        writer.write(message(status, headers, body))
        await writer.drain()
        return True

    def _response(self, name: str, data: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
        """Status line, headers and body of a response that comes whole."""
        if name.startswith("http-"):
            code, _, rest = name.removeprefix("http-").partition(" ")
            headers = {"Retry-After": rest.removeprefix("after ")} if rest.startswith("after ") else {}
            text = rest.removeprefix("says ") if rest.startswith("says ") else "no"
            return f"{code} Refused", headers, json.dumps({"error": {"message": text}}).encode()
        if name in _BODIES:
            return "200 OK", {}, _BODIES[name]
        if name == "zstd":
            return "200 OK", {"Content-Encoding": "zstd"}, zstandard.compress(json.dumps(completion("x")).encode())
        done = completion(self.answer(data)) if name != "message" else _message(self.answer(data))
        if name in _CHANGES:
            _CHANGES[name](done)
        return "200 OK", {}, json.dumps(done).encode()


def completion(text: str) -> dict[str, Any]:
    """A chat completion as services send it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "test-model",
        "system_fingerprint": "fp-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def _message(text: str) -> dict[str, Any]:
    """The same in Anthropic's words."""
    usage = {"input_tokens": 12, "output_tokens": 8}
    parts = [{"type": "text", "text": text}]
    return {"type": "message", "model": "test-model-2", "content": parts, "stop_reason": "end_turn", "usage": usage}


def _content(text: str | None) -> Callable[[dict[str, Any]], None]:
    return lambda done: done["choices"][0]["message"].update(content=text)


_CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "ok": lambda done: None,
    "empty": _content(""),
    "null": _content(None),
    "10-mb": _content("a" * 10_000_000),
    "length": lambda done: done["choices"][0].update(finish_reason="length"),
    "no-finish": lambda done: done["choices"][0].pop("finish_reason"),
    "no-usage": lambda done: done.pop("usage"),
    "wordy": lambda done: done["usage"].update(completion_tokens=14),
    "other-model": lambda done: done.update(model="another-model"),
}
"""Complete answers with something amiss."""
_BODIES = {
    "invalid-json": b"<html>not an answer</html>",
    "no-choices": b'{"choices":[]}',
    "latin-1": json.dumps(completion("caf\xe9"), ensure_ascii=False).encode("latin-1"),
    "surrogate": json.dumps(completion("@")).replace("@", "\\ud800").encode(),
}
"""Complete bodies that are no answers."""


def message(status: str, headers: dict[str, str], body: bytes, length: int | None = None) -> bytes:
    """A response as bytes."""
    told = {"Content-Type": "application/json", "Set-Cookie": "session=secret-cookie"} | headers
    told["Content-Length"] = str(len(body) if length is None else length)
    head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


async def _hang(server: Server, request: Request, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def _reset(server: Server, request: Request, writer: asyncio.StreamWriter) -> None:
    """RST instead of an answer."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _hang_up(server: Server, request: Request, writer: asyncio.StreamWriter) -> None:
    """The connection ends without a word."""


async def _cut(server: Server, request: Request, writer: asyncio.StreamWriter) -> None:
    """Fewer bytes than promised."""
    body = json.dumps(completion("terpotong di tengah")).encode()
    writer.write(message("200 OK", {}, body[: len(body) // 2], len(body)))
    await writer.drain()


async def _cut_quietly(server: Server, request: Request, writer: asyncio.StreamWriter) -> None:
    """Half a JSON object, and nothing in HTTP that says so."""
    body = json.dumps(completion("terpotong di tengah")).encode()
    writer.write(message("200 OK", {}, body[: len(body) // 2]))
    await writer.drain()


async def _drip(server: Server, request: Request, writer: asyncio.StreamWriter) -> None:
    """A byte now and then: never idle, never done."""
    body = json.dumps(completion("pelan")).encode()
    writer.write(message("200 OK", {}, b"", len(body)))
    for byte in body:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


_CONNECTION = {
    "hang": _hang,
    "reset": _reset,
    "hang-up": _hang_up,
    "cut": _cut,
    "cut-quietly": _cut_quietly,
    "drip": _drip,
}
