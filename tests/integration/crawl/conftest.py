"""A web site on loopback that behaves as badly as a test wants."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest

from pincite import urls
from pincite.crawl import flow, site
from pincite.crawl.credentials import Credentials
from pincite.crawl.http import GuardedFetcher
from pincite.sources import scope, seeds
from pincite.sources.resolve import resolve
from pincite.types import Capture, Fetched, PageOutcome, Policy, Source, Wanted, capture_of


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: Mapping[str, str]
    drop: Callable[[], None]
    """Breaks the connection with a reset."""


FILLER = "Kilns are fired slowly, so that water leaves the clay before it turns to stone. " * 4
"""Enough text for a page to count as one."""

Answer = bytes | Callable[[Request], Iterable[bytes]]


def response(body: bytes | str = b"", status: str = "200 OK", **headers: str) -> bytes:
    """Return a whole HTTP/1.1 answer; header names are written with underscores."""
    data = body.encode() if isinstance(body, str) else body
    fields = {"content_type": "text/html; charset=utf-8", "content_length": str(len(data))} | headers
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1") + data


def linking(*paths: str, text: str = "A page with links.") -> bytes:
    """Return a page that links to the paths."""
    return response(f"<html><body><p>{text}</p><p>{FILLER}</p>" + "".join(f'<a href="{p}">x</a>' for p in paths) + "</body></html>")


@dataclass(slots=True)
class LocalSite:
    """The site. `answers` maps request targets to what is sent; the rest is 404."""

    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    hits: list[Request] = field(default_factory=list)
    busiest: int = 0
    _busy: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def paths(self) -> list[str]:
        return [hit.path for hit in self.hits]

    def serve(self, connection: socket.socket) -> None:
        """Answer requests on one connection until it ends or an answer doesn't say its length."""

        def reset() -> None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

        with connection:
            try:
                while head := _head(connection):
                    target, headers = head
                    request = Request(target, headers, reset)
                    with self._lock:
                        self.hits.append(request)
                        self._busy += 1
                        self.busiest = max(self.busiest, self._busy)
                    try:
                        answer = self.answers.get(target, response("<p>nothing here</p>", "404 Not Found"))
                        for piece in [answer] if isinstance(answer, bytes) else answer(request):
                            connection.sendall(piece)
                    finally:
                        with self._lock:
                            self._busy -= 1
                    if not isinstance(answer, bytes):
                        return
            except OSError:
                return


def _head(connection: socket.socket) -> tuple[str, dict[str, str]] | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    first, *lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return first.split(" ")[1], {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}


@pytest.fixture
def local() -> Iterator[LocalSite]:
    site, stop = LocalSite(), threading.Event()
    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        site.port = listener.getsockname()[1]
        listener.settimeout(0.05)

        def accept() -> None:
            while not stop.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                connection.settimeout(10)
                threads.append(threading.Thread(target=site.serve, args=(connection,), daemon=True))
                threads[-1].start()

        main = threading.Thread(target=accept, daemon=True)
        main.start()
        yield site
        stop.set()
        main.join()
    for thread in threads:
        thread.join(timeout=12)


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base, self.found = "", list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and value and tag in ("a", "area"):
                self.found.append(value)
            if name == "href" and value and tag == "base":
                self.base = self.base or value


def links(page: Fetched) -> tuple[str, ...]:
    """Return the absolute URLs that a page links to: a small stand-in for the extractor."""
    parser = _Anchors()
    parser.feed(page.body.decode("utf-8", "replace"))
    base = urljoin(page.final_url, parser.base)
    return tuple(found for link in parser.found if (found := urls.join(base, link)))


@dataclass(frozen=True, slots=True)
class Run:
    """What a crawl emitted."""

    wanted: tuple[str, ...]
    pages: Mapping[str, PageOutcome]
    known: Mapping[str, Capture]

    def table(self, base: str) -> dict[str, str]:
        """Return path -> outcome and reason."""
        return {url.removeprefix(base): f"{p.outcome} {p.reason}".strip() for url, p in self.pages.items()}


Crawler = Callable[..., Run]


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def crawled(local: LocalSite) -> Crawler:
    """Crawl the local site from a path and gather what came of it."""

    def crawl(
        path: str = "/",
        known: Mapping[str, Capture] | None = None,
        left: tuple[tuple[str, int], ...] = (),
        only: tuple[str, ...] | None = None,
        credentials: Credentials | None = None,
        **policy: object,
    ) -> Run:
        settled = Policy(**({"seeds": False, "delay_s": 0.0, "timeout_s": 3.0, "allow_private": (f"127.0.0.1:{local.port}",)} | policy))  # type: ignore[arg-type]
        source = resolve(path if "://" in path else local.url + path, name=None, version="", policy=settled, now=now())
        return gathered(source, known or {}, left, only, credentials)

    return crawl


def gathered(
    source: Source,
    known: Mapping[str, Capture],
    left: tuple[tuple[str, int], ...] = (),
    only: tuple[str, ...] | None = None,
    credentials: Credentials | None = None,
) -> Run:
    async def crawl(fetcher: GuardedFetcher, emit: flow.Emit) -> None:
        await site.crawl(
            source, known, fetcher, emit, scoping=partial(scope.rule, source), links=links, clock=now, seeds=seeds, left=left, only=only
        )

    wanted: list[str] = []
    pages: dict[str, PageOutcome] = {}
    for group in flow.grouped(
        flow.bridged(crawl, lambda: GuardedFetcher(source.policy, user_agent="", clock=now, credentials=credentials))
    ):
        for item in group:
            if isinstance(item, Wanted):
                wanted += item.urls
            else:
                assert item.url not in pages, f"{item.url} was reported twice"
                pages[item.url] = item
    held = {url: capture_of(source.slug, p.fetched) for url, p in pages.items() if p.fetched is not None and p.outcome == "fetched"}
    return Run(tuple(wanted), pages, {url: c for url, c in known.items() if url in pages and pages[url].reason != "gone"} | held)


@pytest.fixture
def answer() -> Callable[..., bytes]:
    return response


@pytest.fixture
def page() -> Callable[..., bytes]:
    return linking
