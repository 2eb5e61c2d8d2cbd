"""A crawl of a small site on loopback: what is wanted, what is had, and why not the rest."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest

from pincite.errors import Refused, SourceError

if TYPE_CHECKING:
    from conftest import Crawler, LocalSite, Request

Page = Callable[..., bytes]


def test_all_linked_pages_are_wanted_and_explained(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {
        "/docs/": page("a.html", "b.html#part", "../other/", "https://elsewhere.example/", "pic.png", "data"),
        "/docs/a.html": page("/docs/", "missing.html", text="A"),
        "/docs/b.html": page("closed/x.html", text="B"),
        "/docs/data": answer(b"\0\1", content_type="application/octet-stream"),
        "/robots.txt": answer("User-agent: *\nDisallow: /docs/closed/\n", content_type="text/plain"),
    }
    run = crawled("/docs/")
    assert run.table(local.url) == {
        "/docs/": "fetched",
        "/docs/a.html": "fetched",
        "/docs/b.html": "fetched",
        "/docs/data": "skipped wrong type",
        "/docs/missing.html": "failed http 404",
        "/docs/closed/x.html": "skipped robots",
    }
    assert sorted(run.wanted) == sorted(run.pages)
    assert "/docs/closed/x.html" not in local.paths()
    assert local.paths()[0] == "/robots.txt"


def test_a_redirect_stands_under_the_url_where_the_page_was_found(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {
        "/": page("/old", "/new", "/out"),
        "/old": answer(b"", "301 Moved Permanently", location="/newer"),
        "/newer": page(text="newer"),
        "/new": page(text="new"),
        "/out": answer(b"", "302 Found", location="/new"),
    }
    run = crawled("/")
    assert run.table(local.url) == {
        "/": "fetched",
        "/old": "skipped redirect",
        "/newer": "fetched",
        "/new": "fetched",
        "/out": "skipped redirect",
    }
    fetched = run.pages[local.url + "/newer"].fetched
    assert fetched is not None
    assert (fetched.url, fetched.final_url, fetched.redirects) == (local.url + "/newer", local.url + "/newer", (local.url + "/old",))


def test_redirect_to_metadata_is_refused(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {"/": page("/r"), "/r": answer(b"", "302 Found", location="http://169.254.169.254/latest/meta-data/")}
    assert crawled("/").table(local.url) == {"/": "fetched", "/r": "failed blocked address"}


def test_a_link_to_another_port_of_the_same_machine_is_refused(local: LocalSite, crawled: Crawler, page: Page) -> None:
    local.answers = {"/": page("http://127.0.0.1:1/x")}
    assert crawled("/", scope="domain").pages["http://127.0.0.1:1/x"].reason == "blocked address"


def test_pages_unchanged_are_asked_for_conditionally(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    def tagged(request: Request) -> Iterable[bytes]:
        if request.headers.get("if-none-match") == '"1"':
            yield b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n'
        else:
            yield page(text="tagged").replace(b"content-type", b'ETag: "1"\r\ncontent-type')

    local.answers = {"/": page("/a", "/b"), "/a": tagged, "/b": page(text="b")}
    first = crawled("/")
    fresh = crawled("/", first.known)
    assert set(fresh.table(local.url).values()) == {"unchanged fresh"}
    local.answers["/b"] = answer("gone", "410 Gone")
    local.answers["/"] = page("/a", "/c")
    local.answers["/c"] = page(text="c")
    again = crawled("/", first.known, max_age_s=0)
    assert again.table(local.url) == {"/": "fetched", "/a": "unchanged", "/b": "skipped gone", "/c": "fetched"}


def test_a_budget_is_kept_and_what_it_left_out_is_told(local: LocalSite, crawled: Crawler, page: Page) -> None:
    local.answers = {"/": page(*[f"/{n}" for n in range(9)])} | {f"/{n}": page(text=str(n)) for n in range(9)}
    run = crawled("/", max_pages=4)
    assert sorted(run.table(local.url).values()) == ["fetched"] * 4 + ["skipped budget"] * 6
    assert len(local.hits) == 5


def test_no_more_than_so_many_pages_at_once(local: LocalSite, crawled: Crawler, page: Page) -> None:
    def slow(_: Request) -> Iterable[bytes]:
        time.sleep(0.05)
        yield page(text=str(time.monotonic()))

    local.answers = {"/": page(*[f"/{n}" for n in range(8)])} | {f"/{n}": slow for n in range(8)}
    crawled("/", concurrency=2)
    assert local.busiest == 2


def test_pages_are_kept_apart_by_the_delay(local: LocalSite, crawled: Crawler, page: Page) -> None:
    local.answers = {"/": page("/1", "/2", "/3")} | {f"/{n}": page(text=str(n)) for n in range(4)}
    began = time.monotonic()
    crawled("/", delay_s=0.1)
    assert time.monotonic() - began >= 0.3


def test_the_same_bytes_under_two_urls_are_one_page(local: LocalSite, crawled: Crawler, page: Page) -> None:
    local.answers = {"/": page("/a", "/a/index.html"), "/a": page(text="same"), "/a/index.html": page(text="same")}
    assert sorted(crawled("/").table(local.url).values()) == ["fetched", "fetched", "skipped duplicate"]


def test_a_busy_server_is_asked_again_when_it_said(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    times: list[float] = []

    def busy(_: Request) -> Iterable[bytes]:
        times.append(time.monotonic())
        yield page(text="now") if len(times) > 1 else answer("later", "429 Too Many Requests", retry_after="1")

    local.answers = {"/": page("/a"), "/a": busy}
    assert crawled("/").table(local.url) == {"/": "fetched", "/a": "fetched"}
    assert 0.9 < times[1] - times[0] < 3


FIRST: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "missing": ({}, SourceError, "http 404"),
    "forbidden by robots": (
        {"/robots.txt": b"HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /\n"},
        Refused,
        "robots",
    ),
    "robots unreadable": ({"/robots.txt": b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"}, Refused, "robots"),
    "a picture": ({"/": b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\nx"}, SourceError, "wrong type"),
    "binary": ({"/": b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nx\0y"}, SourceError, "binary"),
    "redirect loop": ({"/": b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"}, SourceError, "redirects"),
    "redirect to loopback": ({"/": b"HTTP/1.1 302 Found\r\nLocation: http://[::1]/\r\nContent-Length: 0\r\n\r\n"}, Refused, "address"),
    "redirect to a file": ({"/": b"HTTP/1.1 302 Found\r\nLocation: file:///etc/hosts\r\nContent-Length: 0\r\n\r\n"}, Refused, "scheme"),
}


@pytest.mark.parametrize(("answers", "error", "rule"), FIRST.values(), ids=FIRST)
def test_the_first_page_failing_is_the_sources_error(
    local: LocalSite, crawled: Crawler, answers: dict[str, Any], error: type[Exception], rule: str
) -> None:
    local.answers = answers
    with pytest.raises(error) as caught:
        crawled("/")
    assert getattr(caught.value, "rule", None) == rule


def test_a_host_that_hangs_is_given_up_in_time(local: LocalSite, crawled: Crawler) -> None:
    def hang(_: Request) -> Iterable[bytes]:
        time.sleep(1.5)
        yield b""

    local.answers = {"/": hang}
    began = time.monotonic()
    with pytest.raises(SourceError) as caught:
        crawled("/", timeout_s=0.5)
    assert caught.value.rule == "timeout"
    assert time.monotonic() - began < 1.5


def test_nothing_listens_there(local: LocalSite, crawled: Crawler) -> None:
    with pytest.raises(SourceError) as caught:
        crawled("http://127.0.0.1:1/", allow_private=("127.0.0.1:1",))
    assert caught.value.rule == "connect"


def test_a_large_page_is_cut_kept_and_reported(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {"/": page("/big"), "/big": answer("<p>" + "x" * 500_000)}
    run = crawled("/", limit_bytes=100_000)
    assert run.table(local.url)["/big"] == "failed too large"
    kept = run.pages[local.url + "/big"].fetched
    assert kept is not None
    assert len(kept.body) == 100_000


def test_compressed_pages_are_read_and_bombs_are_cut(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    raw = zlib.compressobj(wbits=-15)
    local.answers = {
        "/": page("/gzip", "/deflate", "/bomb", "/br"),
        "/gzip": answer(gzip.compress(b"<p>gzip") + gzip.compress(b" twice" * 50), content_encoding="gzip"),
        "/deflate": answer(raw.compress(b"<p>deflate" * 50) + raw.flush(), content_encoding="deflate"),
        "/bomb": answer(gzip.compress(b"x" * 50_000_000), content_encoding="gzip"),
        "/br": answer(b"x", content_encoding="br"),
    }
    run = crawled("/", limit_bytes=200_000)
    assert run.table(local.url) == {
        "/": "fetched",
        "/gzip": "fetched",
        "/deflate": "fetched",
        "/bomb": "failed too large",
        "/br": "failed encoding",
    }
    fetched = run.pages[local.url + "/gzip"].fetched
    assert fetched is not None
    assert fetched.body == b"<p>gzip" + b" twice" * 50
