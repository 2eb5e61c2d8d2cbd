"""The filtering proxy: one credential, one request per connection, the address rule."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from pincite.crawl.proxy import FilteringProxy
from pincite.errors import Refused
from pincite.types import Policy


@dataclass(slots=True)
class Upstream:
    """A server that never closes by itself and notes what it was sent."""

    port: int = 0
    got: list[bytes] = field(default_factory=list)

    async def serve(self, stream: SocketStream) -> None:
        async with stream:
            while True:
                try:
                    self.got.append(await stream.receive())
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return
                await stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi")


@asynccontextmanager
async def serving() -> AsyncIterator[Upstream]:
    upstream = Upstream()
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    async with listener, anyio.create_task_group() as tasks:
        upstream.port = listener.extra(SocketAttribute.local_port)
        tasks.start_soon(listener.serve, upstream.serve)
        yield upstream
        tasks.cancel_scope.cancel()


async def asked(proxy: FilteringProxy, head: str, *, credential: str | None = None, then: bytes = b"") -> bytes:
    """Send a request head with the credential and return what comes back until the proxy closes."""
    shown = base64.b64encode(f"{proxy.user}:{credential or proxy.password}".encode()).decode()
    async with await anyio.connect_tcp("127.0.0.1", int(proxy.server.rpartition(":")[2])) as stream:
        await stream.send(f"{head}\r\nProxy-Authorization: Basic {shown}\r\n\r\n".encode() + then)
        data = b""
        with anyio.move_on_after(2):
            try:
                while True:
                    data += await stream.receive()
                    if then == b"" and b"hi" in data:
                        break
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass
        return data


def run(play: Callable[[FilteringProxy, Upstream], object], **options: object) -> object:
    async def main() -> object:
        async with serving() as upstream:
            policy = Policy(allow_private=(f"127.0.0.1:{upstream.port}",))
            async with FilteringProxy(policy, **options) as proxy:  # type: ignore[arg-type]
                return await play(proxy, upstream)  # type: ignore[misc]

    return anyio.run(main)


def test_a_request_is_rebuilt_and_its_answer_closes_the_connection() -> None:
    async def play(proxy: FilteringProxy, upstream: Upstream) -> tuple[bytes, list[bytes]]:
        head = f"GET http://127.0.0.1:{upstream.port}/a?b HTTP/1.1\r\nHost: other.example\r\nProxy-Connection: keep-alive"
        return await asked(proxy, head), upstream.got

    answer, (sent,) = run(play)  # type: ignore[misc]
    assert b"Connection: close" in answer
    assert b"keep-alive" not in answer
    assert sent.startswith(b"GET /a?b HTTP/1.1\r\nhost: 127.0.0.1:")
    assert b"other.example" not in sent
    assert b"roxy" not in sent


def test_a_second_request_on_one_connection_is_never_passed_on() -> None:
    async def play(proxy: FilteringProxy, upstream: Upstream) -> list[bytes]:
        head = f"GET http://127.0.0.1:{upstream.port}/a HTTP/1.1\r\nHost: x"
        await asked(proxy, head, then=b"GET http://elsewhere.example/ HTTP/1.1\r\n\r\n")
        return upstream.got

    got = run(play)
    assert not any(b"elsewhere" in piece for piece in got)  # type: ignore[attr-defined]


def test_without_the_credential_nothing_is_passed_on() -> None:
    async def play(proxy: FilteringProxy, upstream: Upstream) -> tuple[bytes, list[bytes]]:
        return await asked(proxy, f"GET http://127.0.0.1:{upstream.port}/ HTTP/1.1", credential="guess"), upstream.got

    answer, got = run(play)  # type: ignore[misc]
    assert answer.startswith(b"HTTP/1.1 407 ")
    assert got == []


REFUSED = {
    "another port": "GET http://127.0.0.1:1/ HTTP/1.1",
    "a tunnel to metadata": "CONNECT 169.254.169.254:443 HTTP/1.1",
    "a tunnel to a WebSocket port": "CONNECT 127.0.0.1:80 HTTP/1.1",
    "a tunnel to a mail port": "CONNECT docs.example:25 HTTP/1.1",
    "a file": "GET file:///etc/hosts HTTP/1.1",
}


@pytest.mark.parametrize("head", REFUSED.values(), ids=REFUSED)
def test_what_the_address_rule_forbids_is_refused(head: str) -> None:
    async def play(proxy: FilteringProxy, upstream: Upstream) -> tuple[bytes, list[tuple[str, str]]]:
        return await asked(proxy, head), proxy.refused

    answer, refused = run(play)  # type: ignore[misc]
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert len(refused) == 1


def test_a_tunnel_carries_bytes_both_ways() -> None:
    async def play(proxy: FilteringProxy, upstream: Upstream) -> tuple[bytes, list[bytes]]:
        return await asked(proxy, f"CONNECT 127.0.0.1:{upstream.port} HTTP/1.1", then=b"hello"), upstream.got

    answer, got = run(play)  # type: ignore[misc]
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"hi" in answer
    assert got == [b"hello"]


def test_the_caller_may_refuse_more() -> None:
    async def never(url: str) -> None:
        raise Refused("no", url=url, rule="tracker")

    async def play(proxy: FilteringProxy, upstream: Upstream) -> list[tuple[str, str]]:
        await asked(proxy, f"GET http://127.0.0.1:{upstream.port}/ HTTP/1.1")
        return proxy.refused

    assert [rule for _, rule in run(play, admit=never)] == ["tracker"]  # type: ignore[attr-defined]
