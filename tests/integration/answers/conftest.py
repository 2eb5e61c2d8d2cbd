"""A scripted OpenAI-compatible server over real HTTP on loopback, and a library of pages written here."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class Script:
    """What the server says, one entry a request, the last one for ever; and what it was asked."""

    says: list[Any] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    def next(self) -> Any:
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]


@dataclass(frozen=True)
class Raw:
    """An answer byte by byte: status, headers, body; `cut` closes the connection before the promised length."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    cut: bool = False


def claims(*pairs: tuple[str, str], passage: str = "p1") -> str:
    """Return the JSON of claims given as (quote, sentence)."""
    return json.dumps({"claims": [{"quotes": [{"passage": passage, "quote": q}], "text": t} for q, t in pairs]}, ensure_ascii=False)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.script.asked.append(body)
        self.script.headers.append({k.lower(): v for k, v in self.headers.items()})
        said = self.script.next()
        if isinstance(said, Raw):
            self.send_response(said.status)
            for name, value in said.headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(said.body) + (1000 if said.cut else 0)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(said.body)
            self.close_connection = True
            return
        if body.get("stream"):
            self._stream(said)
            return
        message = {"choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}]}
        data = json.dumps(message | {"usage": {"prompt_tokens": 10, "completion_tokens": 5}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, text: str) -> None:
        pieces = [text[i : i + 7] for i in range(0, len(text), 7)]
        events = [{"choices": [{"delta": {"content": p}}]} for p in pieces]
        events.append({"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
        data = b"".join(b"data: " + json.dumps(e).encode() + b"\n\n" for e in events) + b"data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        return None


@contextmanager
def serving(script: Script) -> Iterator[Script]:
    """Serve a script on a free port of loopback while the block runs."""
    handler = type("Handler", (_Handler,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture
def model_server() -> Iterator[Callable[..., Script]]:
    """Return a function that starts a server with what it shall say."""
    with contextmanager(_many)() as start:
        yield start


def _many() -> Iterator[Callable[..., Script]]:
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda *says: stack.enter_context(serving(Script(list(says))))


@pytest.fixture
def say() -> Callable[..., str]:
    return claims


@pytest.fixture
def raw() -> type[Raw]:
    return Raw
