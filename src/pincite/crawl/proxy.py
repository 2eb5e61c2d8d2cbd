"""A filtering proxy on loopback for the browser: the same door, the same rule as the fetcher.

In: connections of one browser that shows this launch's credential. Out: plain requests to one vetted host each, or tunnels to it.
One request per connection, so that an answer can't be taken for another host's. What was refused is kept for the report.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Self

import anyio
from anyio.abc import ByteStream, SocketAttribute, SocketStream, TaskGroup

from pincite.crawl import addresses
from pincite.crawl.dialling import Dialler, Door, Resolver, dialled, resolved
from pincite.errors import Refused, SourceError
from pincite.types import Policy

HEAD_BYTES = 64 * 1024
HEAD_S = 15.0
CONNECT_S = 10.0
TUNNEL_S = 120.0
"""The longest that one connection lives."""
_HOP = frozenset({b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization", b"te", b"trailer", b"upgrade"})
_REQUEST = re.compile(rb"([A-Z]{3,10}) (\S+) HTTP/1\.[01]")


class FilteringProxy:
    """Serves one browser. Use it as an async context manager; `server`, `user` and `password` are what the browser is given.

    `admit` is asked for each URL before it is dialled and may raise Refused: trackers, budgets. `limit_bytes` bounds what comes in over one
    connection.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        resolver: Resolver = resolved,
        dialler: Dialler = dialled,
        admit: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._policy, self._admit = policy, admit
        self._door = Door(policy.allow_private, resolver=resolver, dialler=dialler)
        self.user, self.password = "pincite", secrets.token_urlsafe(24)
        self._expected = b"Basic " + base64.b64encode(f"{self.user}:{self.password}".encode())
        self.server = ""
        self.refused: list[tuple[str, str]] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
        await self._stack.enter_async_context(listener)
        tasks: TaskGroup = await self._stack.enter_async_context(anyio.create_task_group())
        self._tasks = tasks
        tasks.start_soon(listener.serve, self._serve)
        self.server = f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tasks.cancel_scope.cancel()
        await self._stack.__aexit__(kind, error, trace)

    async def _serve(self, client: SocketStream) -> None:
        async with client:
            try:
                with anyio.move_on_after(TUNNEL_S):
                    await self._answer(client)
            except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream):
                return

    async def _answer(self, client: ByteStream) -> None:
        head, rest = await _head(client)
        first, *lines = head.split(b"\r\n")
        request = _REQUEST.fullmatch(first)
        headers = [(name.strip().lower(), value.strip()) for name, colon, value in (line.partition(b":") for line in lines) if colon]
        if request is None:
            return await _say(client, "400 Bad Request", "Malformed request.")
        if not secrets.compare_digest(dict(headers).get(b"proxy-authorization", b""), self._expected):
            return await _say(
                client, "407 Proxy Authentication Required", "Show the credential.", 'Proxy-Authenticate: Basic realm="pincite"'
            )
        method, where = request[1], request[2].decode("utf-8", "replace")
        tunnel = method == b"CONNECT"
        url = _tunnel_url(where) if tunnel else where
        try:
            target = addresses.target(url, self._policy.allow_private)
            if self._admit is not None:
                await self._admit(target.url)
            server = await self._door.connect(target.host, target.port, CONNECT_S)
        except (Refused, SourceError, TimeoutError) as error:
            rule = getattr(error, "rule", None) or "timeout"
            self.refused.append((url, rule))
            return await _say(client, "403 Forbidden" if isinstance(error, Refused) else "502 Bad Gateway", f"Not fetched: {rule}.")
        async with server:
            if tunnel:
                await client.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await self._tunnel(client, server, rest)
            elif b"transfer-encoding" in dict(headers):
                await _say(client, "411 Length Required", "Say how long the body is.")
            else:
                await server.send(_forwarded(method, target, headers))
                await self._exchange(client, server, rest, int(dict(headers).get(b"content-length", b"0") or 0))
        return None

    async def _tunnel(self, client: ByteStream, server: ByteStream, rest: bytes) -> None:
        """Carry bytes both ways until one side is done or the cap is reached; inside, TLS names the one host."""
        async with anyio.create_task_group() as tasks:

            async def upward() -> None:
                await server.send(rest) if rest else None
                await _pump(client, server, self._policy.limit_bytes)
                tasks.cancel_scope.cancel()

            tasks.start_soon(upward)
            await _pump(server, client, self._policy.limit_bytes)
            tasks.cancel_scope.cancel()

    async def _exchange(self, client: ByteStream, server: ByteStream, rest: bytes, length: int) -> None:
        """Carry one request's body up and one answer down; whatever else the client sends ends the connection."""
        async with anyio.create_task_group() as tasks:

            async def upward() -> None:
                if rest or length:
                    await server.send(rest[:length])
                    await _pump(client, server, length - len(rest))
                with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
                    await client.receive(1)
                tasks.cancel_scope.cancel()

            tasks.start_soon(upward)
            head, begun = await _head(server)
            await client.send(_closing(head) + begun)
            await _pump(server, client, self._policy.limit_bytes)
            tasks.cancel_scope.cancel()


async def _pump(source: ByteStream, sink: ByteStream, limit_bytes: int) -> None:
    left = limit_bytes
    try:
        while left > 0:
            piece = await source.receive(min(65536, left))
            left -= len(piece)
            await sink.send(piece)
    except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        return


async def _head(client: ByteStream) -> tuple[bytes, bytes]:
    data = b""
    with anyio.fail_after(HEAD_S):
        while b"\r\n\r\n" not in data:
            if len(data) > HEAD_BYTES:
                raise anyio.EndOfStream
            data += await client.receive(8192)
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def _tunnel_url(authority: str) -> str:
    """Return the URL that a CONNECT stands for; port 80 is a WebSocket's or a downgraded page's."""
    return f"{'http' if authority.endswith(':80') else 'https'}://{authority}/"


def _forwarded(method: bytes, target: addresses.Target, headers: list[tuple[bytes, bytes]]) -> bytes:
    """Return the request head as the server gets it: rebuilt from the vetted target, for this one request."""
    kept = [(name, value) for name, value in headers if name not in _HOP and name != b"host"]
    lines = [b"%s %s HTTP/1.1" % (method, target.request.encode()), b"host: " + target.authority.encode(), b"connection: close"]
    return b"\r\n".join(lines + [name + b": " + value for name, value in kept]) + b"\r\n\r\n"


def _closing(head: bytes) -> bytes:
    """Return an answer's head that tells the client to open a new connection for its next request."""
    first, *lines = head.split(b"\r\n")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() not in _HOP]
    return b"\r\n".join([first, *kept, b"Connection: close"]) + b"\r\n\r\n"


async def _say(client: ByteStream, status: str, text: str, *lines: str) -> None:
    body = text.encode()
    head = [f"HTTP/1.1 {status}", "Content-Type: text/plain", f"Content-Length: {len(body)}", "Connection: close", *lines]
    await client.send("\r\n".join(head).encode() + b"\r\n\r\n" + body)
