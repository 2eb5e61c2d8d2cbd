"""Clients that leave things unfinished: a head that never ends, a body that stops, a response that nobody reads."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial

import httpx
import pytest
import uvicorn

from pincite.library import Library
from pincite.serve import gate, wire
from pincite.serve.http import create_app
from pincite.settings import Settings


@pytest.fixture
def port(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Serve with short patience."""
    monkeypatch.setattr(wire, "HEAD_S", 0.5)
    monkeypatch.setattr(wire, "STALL_S", 0.5)
    monkeypatch.setattr(gate, "BODY_S", 0.5)
    app = create_app(partial(Library, settings=settings), settings)
    config = uvicorn.Config(app, host="127.0.0.1", port=0, http=wire.Wire, log_config=None, access_log=False, timeout_graceful_shutdown=2)
    bound, server = config.bind_socket(), uvicorn.Server(config)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    yield bound.getsockname()[1]
    server.should_exit = True
    thread.join(20)


def ended(link: socket.socket, within_s: float = 10) -> bytes:
    """Return what comes until the server closes the connection."""
    link.settimeout(within_s)
    got = b""
    try:
        while part := link.recv(65536):
            got += part
    except ConnectionResetError:
        pass
    return got


@pytest.mark.parametrize(
    "sent", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "], ids=["nothing", "half a line", "half a head"]
)
def test_a_head_that_does_not_come_ends_the_connection(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(sent)
        assert ended(link) == b""
    assert httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200


def test_a_head_in_drops_ends_the_connection_all_the_same(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        dropping = threading.Thread(target=drop, args=(link,))
        dropping.start()
        assert ended(link) == b""
        dropping.join()


def drop(link: socket.socket) -> None:
    """Send a short header now and then, until the connection is gone."""
    for _ in range(100):
        try:
            link.sendall(b"X-A: b\r\n")
        except OSError:
            return
        time.sleep(0.05)


@pytest.mark.parametrize("one", [True, False], ids=["one header", "many headers"])
def test_a_head_that_never_ends_is_refused(port: int, one: bool) -> None:
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
        try:
            for i in range(200):
                link.sendall(b"x" * 4096 if one else b"x\r\nX-%d: " % i + b"y" * 4096)
        except OSError:
            pass
        assert ended(link)[:12] in (b"", b"HTTP/1.1 400")
    assert httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200


def test_a_head_of_ordinary_size_is_taken(port: int) -> None:
    answer = httpx.get(f"http://127.0.0.1:{port}/health", headers={f"X-{i}": "a" * 1000 for i in range(20)})
    assert answer.status_code == 200


def test_a_body_that_stops_is_a_problem_and_frees_the_connection(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as link:
        head = b"POST /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
        link.sendall(head + b'{"question": ')
        got = ended(link)
    assert got.startswith(b"HTTP/1.1 408")
    assert b"application/problem+json" in got


def test_a_client_that_reads_nothing_is_left(port: int) -> None:
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(("127.0.0.1", port))
        link.sendall(b"GET /ask HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 50)
        time.sleep(3)
        assert httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200
        assert ended(link).count(b"HTTP/1.1 200") < 50


def test_a_connection_is_kept_for_the_next_request_of_a_patient_client(port: int) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        for _ in range(3):
            assert client.get("/health").status_code == 200
            time.sleep(0.7)


def test_a_client_that_goes_away_in_its_body_is_noted_as_gone_and_as_no_error(port: int) -> None:
    for path in (b"/mcp", b"/v1/answers"):
        with socket.create_connection(("127.0.0.1", port)) as link:
            link.sendall(b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{" % path)
            time.sleep(0.1)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        figures = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        if len(re.findall(r'_requests_total\{method="POST"', figures)) == 2:
            break
        time.sleep(0.05)
    assert 'status="499"' in figures
    assert 'status="500"' not in figures
