"""A site that breaks the rules of HTTP itself, and one that lies about what it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from pincite.errors import SourceError

if TYPE_CHECKING:
    from conftest import Crawler, LocalSite, Request

Page = Callable[..., bytes]
TEXT = b"<html><body><p>" + b"Kilns are fired slowly, so that water leaves the clay. " * 8 + b"</p>"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def raw(*pieces: bytes, pause_s: float = 0.0) -> Callable[[Request], Iterator[bytes]]:
    """Return an answer that sends these pieces as they are and closes the connection."""

    def send(_: Request) -> Iterator[bytes]:
        for piece in pieces:
            time.sleep(pause_s)
            yield piece

    return send


def for_ever(piece: bytes, first: bytes = b"", pause_s: float = 0.0) -> Callable[[Request], Iterator[bytes]]:
    def send(_: Request) -> Iterator[bytes]:
        yield first
        while True:
            time.sleep(pause_s)
            yield piece

    return send


WIRE = {
    "HTTP/1.0": (raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + TEXT), "fetched"),
    "HTTP/0.9": (raw(TEXT), "failed protocol"),
    "another protocol": (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "failed protocol"),
    "nothing but line ends": (for_ever(b"\r\n" * 1000), "failed protocol"),
    "chunks of garbage": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n<p>x</p>\r\n0\r\n\r\n"), "failed protocol"),
    "a chunk of 2^64 bytes": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\nx"), "failed protocol"),
    "a negative length": (raw(OK + b"Content-Length: -5\r\n\r\n" + TEXT), "failed protocol"),
    "two lengths": (raw(OK + b"Content-Length: 5\r\nContent-Length: 500\r\n\r\n" + TEXT), "failed protocol"),
    "chunked and a length": (
        raw(OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>xx\r\n0\r\n\r\n"),
        "failed too little text",
    ),
    "cut in a chunk": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n" + TEXT), "failed protocol"),
    "a flood of 1xx": (for_ever(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 50), "failed protocol"),
    "a status of four digits": (raw(b"HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"), "failed protocol"),
    "a switch of protocols": (raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"), "failed protocol"),
    "headers without end": (for_ever(b"X-A: " + b"a" * 8000 + b"\r\n", OK), "failed protocol"),
    "a header without end": (for_ever(b"a" * 8000, OK + b"X-A: "), "failed protocol"),
    "a NUL in a header": (raw(OK + b"X-A: a\0b\r\nContent-Length: 0\r\n\r\n"), "failed protocol"),
    "bytes one by one": (for_ever(b"x", OK + b"Content-Length: 100000\r\n\r\n", pause_s=0.2), "failed timeout"),
    "headers one by one": (for_ever(b"a", OK + b"X-A: ", pause_s=0.2), "failed timeout"),
    "206": (raw(b"HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + TEXT), "failed http 206"),
    "203": (raw(b"HTTP/1.1 203 Through a Proxy\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + TEXT), "fetched"),
    "304 unasked": (raw(b"HTTP/1.1 304 Not Modified\r\n\r\n"), "failed http 304"),
    "a redirect to nowhere": (raw(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), "failed http 302"),
    "a redirect to data:": (
        raw(b"HTTP/1.1 302 Found\r\nLocation: data:text/html,x\r\nContent-Length: 0\r\n\r\n"),
        "skipped blocked address",
    ),
    "a redirect to javascript:": (
        raw(b"HTTP/1.1 302 Found\r\nLocation: javascript:alert(1)\r\nContent-Length: 0\r\n\r\n"),
        "skipped blocked address",
    ),
    "a redirect with a line end": (raw(b"HTTP/1.1 302 Found\r\nLocation: /a%0d%0aX:%20y\r\nContent-Length: 0\r\n\r\n"), "failed http 404"),
    "a redirect to a user": (
        raw(b"HTTP/1.1 302 Found\r\nLocation: http://a@b:c@127.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
        "failed blocked address",
    ),
    "no type": (raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + TEXT), "fetched"),
    "an odd type": (raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html;;;charset=;=utf-8\r\nConnection: close\r\n\r\n" + TEXT), "fetched"),
    "UTF-16 called UTF-8": (raw(OK + b"\r\n" + b"\xff\xfe" + TEXT.decode().encode("utf-16-le")), "fetched"),
    "a second answer behind the first": (
        raw(OK + b"Content-Length: %d\r\n\r\n" % len(TEXT) + TEXT + OK + b"Content-Length: 0\r\n\r\n"),
        "fetched",
    ),
    "a picture called a page": (raw(OK + b"\r\n\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0" * 500), "skipped binary"),
}


def test_every_answer_against_the_rules_is_explained_in_time(local: LocalSite, crawled: Crawler, page: Page) -> None:
    local.answers = {"/": page(*(f"/{n}" for n in range(len(WIRE))))}
    local.answers |= {f"/{n}": answer for n, (answer, _) in enumerate(WIRE.values())}
    began = time.monotonic()
    run = crawled("/", timeout_s=8.0, limit_bytes=300_000, concurrency=8)
    assert time.monotonic() - began < 60
    table = {name: run.table(local.url).get(f"/{n}") for n, name in enumerate(WIRE)}
    expected = {name: outcome for name, (_, outcome) in WIRE.items()}
    same = {"skipped duplicate": "fetched"}
    assert {name: same.get(found or "", found) for name, found in table.items()} == expected
    assert sorted(run.wanted) == sorted(run.pages)


def test_a_jar_of_endless_cookies_stays_small_enough_to_be_sent(local: LocalSite, crawled: Crawler, page: Page) -> None:
    whole = page("/a", text="A page that sets cookies.")
    cookies = b"".join(b"Set-Cookie: c%d=%s\r\n" % (n, b"x" * 2000) for n in range(30))
    local.answers = {"/": whole.replace(b"\r\n", b"\r\n" + cookies, 1), "/a": page(text="Another page.")}
    assert crawled("/").table(local.url) == {"/": "fetched", "/a": "fetched"}
    assert 2000 < max(len(hit.headers.get("cookie", "")) for hit in local.hits) < 9000


LOGIN = "<html><title>{}</title><form action=/session><input name=u><input type='password' name=p><button>Go</button></form><p>{}</p>"


def test_pages_that_only_ask_for_a_login_are_told_as_such(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {f"/{n}": answer(b"", "302 Found", location=f"/login?next=/{n}") for n in range(3)}
    local.answers |= {f"/login?next=/{n}": answer(LOGIN.format("Kiln", f"Before you read page {n}. " * 9)) for n in range(3)}
    local.answers |= {"/here": answer(LOGIN.format("Sign in to Kiln", "This is for members only. " * 10))}
    local.answers |= {"/about": answer(LOGIN.format("How the password form is built", "A form like the one above. " * 10))}
    local.answers["/"] = page("/0", "/1", "/2", "/here", "/about")
    table = crawled("/").table(local.url)
    assert [table[path] for path in ("/here", "/about")] == ["failed login", "fetched"]
    assert [table[f"/login?next=/{n}"] for n in range(3)] == ["failed login"] * 3
    with pytest.raises(SourceError) as caught:
        crawled("/here")
    assert caught.value.rule == "login"


def test_a_page_of_links_that_are_too_long_or_odd_costs_nothing(local: LocalSite, crawled: Crawler, page: Page) -> None:
    odd = [
        "/" + "x" * 100_000,
        "http://[",
        "http://127.0.0.1:99999/",
        "//",
        "http:///a",
        "/a\r\nX: y",
        "\0",
        "javascript:1",
        "http://a b/",
        "/ok",
    ]
    local.answers = {"/": page(*odd), "/ok": page(text="A page with an ordinary address.")}
    run = crawled("/")
    assert run.table(local.url)["/ok"] == "fetched"
    assert max(map(len, run.pages)) < 3000
    assert "/a\r\nX: y" not in "".join(local.paths())


def test_spellings_of_one_address_are_fetched_once(local: LocalSite, crawled: Crawler, page: Page) -> None:
    local.answers = {
        "/": page("/~kiln/a", "/%7Ekiln/a", "/%7ekiln/%61", "/b/../~kiln/a", "/~kiln/./a", "/~kiln/a#x", "/~kiln/a?utm_source=y")
    }
    local.answers["/~kiln/a"] = page(text="The one page.")
    assert crawled("/").table(local.url) == {"/": "fetched", "/~kiln/a": "fetched"}
    assert local.paths().count("/~kiln/a") == 1


def test_every_page_that_calls_itself_the_first_one_is_read_nevertheless(local: LocalSite, crawled: Crawler, answer: Page) -> None:
    def made(n: int, more: str = "") -> bytes:
        return answer(f"<link rel=canonical href='/'><p>Page {n} of the manual. " + "It tells how clay is fired. " * 10 + more)

    local.answers = {f"/{n}": made(n) for n in range(1, 4)} | {"/": made(0, "".join(f"<a href=/{n}>x</a>" for n in range(1, 4)))}
    assert crawled("/").table(local.url) == dict.fromkeys(("/", "/1", "/2", "/3"), "fetched")


def test_sitemaps_that_name_each_other_end(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    index = "<sitemapindex>" + "".join(f"<sitemap><loc>{local.url}/sitemap{n}.xml</loc></sitemap>" for n in range(3)) + "</sitemapindex>"
    local.answers = {f"/sitemap{n}.xml": answer(index, content_type="text/xml") for n in range(3)}
    local.answers |= {"/sitemap.xml": answer(index, content_type="text/xml"), "/": page(text="The only page.")}
    assert crawled("/", seeds=True).table(local.url) == {"/": "fetched"}
    assert [local.paths().count(f"/sitemap{n}.xml") for n in range(3)] == [1, 1, 1]
