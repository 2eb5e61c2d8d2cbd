"""The fetcher: the only module that holds an HTTP client.

In: a URL and what is known of it. Out: `Fetched`, whatever its status, with redirects followed by hand through the same door.
Every connection is opened by `dialling.Door`; header, raw and decoded bytes are capped; one deadline covers the whole request.
"""

from __future__ import annotations

import functools
import selectors
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import anyio
import certifi
import httpcore
from anyio.abc import ByteStream, SocketAttribute
from anyio.streams.tls import TLSStream

from pincite import urls
from pincite.crawl import addresses, decoding
from pincite.crawl.credentials import Credentials, Jar
from pincite.crawl.dialling import Dialler, Door, Resolver, dialled, resolved
from pincite.errors import Refused, SourceError
from pincite.protocols import Clock
from pincite.types import Fetched, Policy

MAX_REDIRECTS = 5
CONNECT_S = 10.0
HEAD_BYTES = 256 * 1024
"""Of an answer before its body, interim answers (1xx) among it, of which HTTP knows no end; the first piece of the body may be in it."""
ACCEPT = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.5"
Admit = Callable[[str], Awaitable[None]]
"""Asked before each redirect is followed; raises Refused to stop it."""


class GuardedFetcher:
    """Fetches pages within the policy. Use it as an async context manager; one serves a whole crawl."""

    def __init__(
        self,
        policy: Policy,
        *,
        user_agent: str,
        clock: Clock,
        resolver: Resolver = resolved,
        dialler: Dialler = dialled,
        credentials: Credentials | None = None,
    ) -> None:
        self._policy = policy
        self._agent = user_agent or default_agent()
        self._clock = clock
        self._credentials = credentials or Credentials("")
        self._jar = Jar()
        self._door = Door(policy.allow_private, resolver=resolver, dialler=dialler)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            max_connections=max(8, 2 * policy.concurrency),
            max_keepalive_connections=max(4, policy.concurrency),
            keepalive_expiry=15.0,
            network_backend=_Backend(self._door),
        )

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._pool.__aexit__(kind, error, trace)

    @property
    def agent(self) -> str:
        """Return the User-Agent that is sent."""
        return self._agent

    async def fetch(
        self,
        url: str,
        *,
        etag: str = "",
        last_modified: str = "",
        limit_bytes: int | None = None,
        admit: Admit | None = None,
        readable: Callable[[str], bool] | None = None,
    ) -> Fetched:
        """Return the answer. A body past `limit_bytes` is cut there and flagged `too large`; no body is read of a type not `readable`.

        Raises Refused (rule `scheme`, `address`, `redirect`, or what `admit` raises) and SourceError (rule `dns`, `connect`, `tls`,
        `timeout`, `protocol`, `encoding`, `redirects`).
        """
        conditions = [("If-None-Match", etag)] * bool(etag) + [("If-Modified-Since", last_modified)] * bool(last_modified)
        limit = self._policy.limit_bytes if limit_bytes is None else limit_bytes
        first, hops, seen = addresses.target(url, self._policy.allow_private), list[str](), set[tuple[str, int]]()
        at = first
        with _translated(url), anyio.fail_after(self._policy.timeout_s):
            while True:
                changes = self._jar.changes
                answer = await self._once(at, conditions if at is first else [], limit, readable)
                if answer.location is None:
                    break
                hops.append(at.url)
                seen.add((at.url, changes))
                at = self._next(at, answer.location, hops)
                if (at.url, self._jar.changes) in seen:
                    raise SourceError(f"{url} redirects in a circle.", url=url, rule="redirects")
                if admit is not None:
                    await admit(at.url)
        media_type = answer.header("content-type").partition(";")[0].strip().lower()
        final = at.url
        return Fetched(
            url=url,
            final_url=final,
            path=url,
            status=answer.status,
            headers=tuple((name, value) for name, value in answer.headers if name != "set-cookie"),
            media_type=media_type,
            body=answer.body,
            fetched_at=self._clock(),
            redirects=tuple(hops),
            flags=("too large",) if answer.cut else (),
        )

    def _next(self, at: addresses.Target, location: str, hops: list[str]) -> addresses.Target:
        """Return where a redirect leads, by the same rule as the first URL. Raises Refused and SourceError (rule `redirects`)."""
        if len(hops) > MAX_REDIRECTS:
            raise SourceError(f"{hops[0]} redirects more than {MAX_REDIRECTS} times.", url=hops[0], rule="redirects")
        following = addresses.target(urls.join(at.url, location).split("#", 1)[0], self._policy.allow_private)
        if at.scheme == "https" and following.scheme == "http":
            raise Refused(f"{hops[0]} redirects from https to http, which anyone on the way could forge.", url=hops[0], rule="redirect")
        return following

    async def _once(
        self, at: addresses.Target, conditions: list[tuple[str, str]], limit: int, readable: Callable[[str], bool] | None
    ) -> _Answer:
        headers = [
            ("Host", at.authority),
            ("User-Agent", self._agent),
            ("Accept", ACCEPT),
            ("Accept-Encoding", decoding.OFFERED),
            *conditions,
            *self._credentials.headers_for(at),
        ]
        if cookies := self._jar.cookies_for(at) | self._credentials.cookies_for(at):
            headers.append(("Cookie", "; ".join(f"{name}={value}" for name, value in cookies.items())))
        where = httpcore.URL(scheme=at.scheme.encode(), host=at.host.encode(), port=at.port, target=at.request.encode())
        async with self._pool.stream("GET", where, headers=headers, extensions={"timeout": {"connect": CONNECT_S}}) as response:
            stream = response.extensions.get("network_stream")
            if isinstance(stream, _Stream):
                stream.head_is_read()
            received = tuple((k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in response.headers)
            answer = _Answer(response.status, received)
            self._jar.take(at, received)
            if response.status in (301, 302, 303, 307, 308) and answer.header("location"):
                return _Answer(response.status, received, location=_quoted(answer.header("location")))
            media_type = answer.header("content-type").partition(";")[0].strip()
            if response.status in (204, 304) or (response.status < 400 and readable is not None and not readable(media_type)):
                return answer
            body, cut = await _read(response.aiter_stream(), answer.header("content-encoding"), limit)
            return _Answer(response.status, received, body, cut)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One response, before it is known whether it is the last."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""
    cut: bool = False
    location: str | None = None

    def header(self, name: str) -> str:
        return next((v for k, v in reversed(self.headers) if k == name), "")


def default_agent() -> str:
    """Return `Pincite/x.y (+url)`."""
    from pincite import __version__

    return f"Pincite/{__version__} (+https://pypi.org/project/pincite/)"


async def _read(chunks: Any, coding: str, limit: int) -> tuple[bytes, bool]:
    """Read and decode up to `limit` bytes, counted both raw and decoded; say whether it was cut."""
    decode, body, raw = decoding.decoder(coding), decoding.Bounded(limit), 0
    async for chunk in chunks:
        raw += len(chunk)
        for piece in decode.feed(chunk):
            if not body.take(piece):
                return body.value(), True
        if raw > limit:
            return body.value(), True
    if not decode.is_done():
        raise SourceError("The answer ended in the middle of its compression.", rule="protocol")
    return body.value(), False


def _quoted(location: str) -> str:
    """Return a Location as ASCII: servers send raw UTF-8; the host part is left to the address rule."""
    try:
        text = location.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        text = location
    return quote(text.strip(" \t"), safe="/%:@!$&'()*+,;=?~#-._[]\\\t\r\n" + "".join(c for c in text if not c.isascii()))


class _Backend(httpcore.AsyncNetworkBackend):
    """Gives httpcore streams that the door opened."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return _Stream(await self._door.connect(host, port, timeout or CONNECT_S))

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


class _Stream(httpcore.AsyncNetworkStream):
    """A byte stream as httpcore wants it, with a cap on what comes before a body. Times are kept by the request's own deadline."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._head: int | None = 0

    def head_is_read(self) -> None:
        """Note that what comes now is the body, which has a cap of its own."""
        self._head = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        try:
            data = await self._stream.receive(max_bytes)
        except anyio.EndOfStream:
            return b""
        if self._head is not None:
            self._head += len(data)
            if self._head > HEAD_BYTES:
                raise httpcore.RemoteProtocolError("too much before the body")
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        if buffer:
            self._head = 0
            await self._stream.send(buffer)

    async def aclose(self) -> None:
        await anyio.aclose_forcefully(self._stream)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        with anyio.fail_after(timeout or CONNECT_S):
            return _Stream(await TLSStream.wrap(self._stream, ssl_context=trusted(), hostname=server_hostname, standard_compatible=False))

    def get_extra_info(self, info: str) -> Any:
        """Answer the one question that a pool asks: has the server closed a kept connection?"""
        return _is_readable(self._stream.extra(SocketAttribute.raw_socket, None)) if info == "is_readable" else None


@functools.cache
def trusted() -> ssl.SSLContext:
    """Return the TLS settings: the system's certificates and certifi's, names checked. Read at the first secure connection."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _is_readable(connection: Any) -> bool:
    if connection is None:
        return False
    if connection.fileno() < 0:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(0))


class _translated:
    """Turns foreign exceptions into SourceError; a context manager."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        found = _reason(error)
        if found is not None:
            raise SourceError(f"{self._url}: {found[1]}.", url=self._url, rule=found[0]) from error
        if isinstance(error, SourceError) and error.url is None:
            error.url = self._url


def _reason(error: BaseException | None) -> tuple[str, str] | None:
    if isinstance(error, TimeoutError | httpcore.TimeoutException):
        return "timeout", "the server did not answer in time"
    if isinstance(error, ssl.SSLError):
        return "tls", f"the secure connection failed ({error.reason or 'TLS error'})"
    if isinstance(error, httpcore.ProtocolError):
        return "protocol", "the server broke off or answered against the HTTP rules"
    if isinstance(error, OSError | anyio.BrokenResourceError | anyio.ClosedResourceError | httpcore.NetworkError):
        return "connection", "the connection broke"
    return None
