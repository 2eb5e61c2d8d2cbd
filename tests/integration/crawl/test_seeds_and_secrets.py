"""Seed files, private docs, resumed and repeated crawls on loopback."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from pincite.crawl.credentials import given
from pincite.errors import Refused, SourceError

if TYPE_CHECKING:
    from conftest import Crawler, LocalSite, Request

Page = Callable[..., bytes]


def sitemap(*locations: str, kind: str = "url") -> bytes:
    outer = "urlset" if kind == "url" else "sitemapindex"
    inner = "".join(f"<{kind}><loc>{location}</loc></{kind}>" for location in locations)
    return f'<?xml version="1.0"?><{outer} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inner}</{outer}>'.encode()


def test_pages_named_only_by_seed_files_are_found(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    inventory = b"# Sphinx inventory version 2\n# Project: kiln\n# Version: 1\n# zlib\n" + zlib.compress(
        b"kiln.fire py:function 1 api.html#$ -\nguide std:doc -1 guide.html The guide\n"
    )
    local.answers = {
        "/docs/": page(text="start"),
        "/robots.txt": answer(f"Sitemap: {local.url}/all.xml\nSitemap: https://elsewhere.example/s.xml\nSitemap: file:///etc/hosts\n"),
        "/all.xml": answer(sitemap(f"{local.url}/part.xml.gz", kind="sitemap"), content_type="application/xml"),
        "/part.xml.gz": answer(
            gzip.compress(sitemap(f"{local.url}/docs/a.html", f"{local.url}/blog/x.html", "gopher://127.0.0.1/", "http://10.0.0.1/x")),
            content_type="application/gzip",
        ),
        "/docs/llms.txt": answer("# Kiln\n\n- [B](b.html.md): about b\n", content_type="text/plain"),
        "/docs/objects.inv": answer(inventory, content_type="application/octet-stream"),
    } | {f"/docs/{name}.html": page(text=name) for name in ("a", "b", "api", "guide")}
    run = crawled("/docs/", seeds=True)
    assert run.table(local.url) == {
        "/docs/": "fetched",
        "/docs/a.html": "fetched",
        "/docs/b.html": "fetched",
        "/docs/api.html": "fetched",
        "/docs/guide.html": "fetched",
        "/blog/x.html": "skipped scope",
        "http://10.0.0.1/x": "skipped scope",
        "https://elsewhere.example/s.xml": "skipped scope",
    }
    assert local.url + "/blog/x.html" not in run.wanted


def test_a_broken_or_hostile_sitemap_names_what_could_be_read(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    local.answers = {
        "/": page(text="start"),
        "/sitemap.xml": answer(
            bomb + b"]><urlset><url><loc>/ok.html</loc></url><url><loc>&j;</loc></url><url><loc>", content_type="text/xml"
        ),
        "/ok.html": page(text="ok"),
    }
    assert crawled("/", seeds=True).table(local.url) == {"/": "fetched", "/ok.html": "fetched"}


def test_a_big_sitemap_is_bounded_by_the_budget(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {"/": page(), "/sitemap.xml": answer(sitemap(*(f"{local.url}/{n}" for n in range(5000))), content_type="text/xml")}
    run = crawled("/", seeds=True, max_pages=3)
    assert len(run.pages) == 5001
    assert len(local.hits) <= 10


def test_credentials_go_to_their_origin_alone_and_never_into_what_is_kept(
    local: LocalSite, crawled: Crawler, page: Page, answer: Page
) -> None:
    def private(request: Request) -> Iterator[bytes]:
        ok = request.headers.get("authorization") == "Bearer s3cret" and "sid=c00kie" in request.headers.get("cookie", "")
        yield page("/elsewhere", "/setter", text="private") if ok else answer("no", "401 Unauthorized")

    def elsewhere(request: Request) -> Iterator[bytes]:
        yield answer(b"", "302 Found", location=f"http://localhost:{local.port}/other")

    local.answers = {"/": private, "/elsewhere": elsewhere, "/other": page(text="other"), "/setter": answer("x" * 300, set_cookie="t=v3ry")}
    jar = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tc00kie\nother.example\tFALSE\t/\tFALSE\t0\tsid\tnope\n"
    secret = given(local.url + "/", ["Authorization: Bearer s3cret"], jar, (f"127.0.0.1:{local.port}",))
    allowed = (f"127.0.0.1:{local.port}", f"localhost:{local.port}")
    run = crawled("/", credentials=secret, scope="page", allow_private=allowed)
    assert run.pages[local.url + "/"].outcome == "fetched"
    crawled("/elsewhere", credentials=secret, scope="page", allow_private=allowed)
    (other,) = [hit for hit in local.hits if hit.path == "/other"]
    assert "authorization" not in other.headers
    assert "cookie" not in other.headers
    kept = repr(run) + repr(secret)
    assert not any(word in kept for word in ("s3cret", "c00kie", "v3ry"))


def test_what_an_interrupted_crawl_still_wanted_is_fetched_and_the_rest_is_not_asked_again(
    local: LocalSite, crawled: Crawler, page: Page
) -> None:
    local.answers = {"/": page("/a", "/b"), "/a": page(text="a"), "/b": page("/c", text="b"), "/c": page(text="c")}
    first = crawled("/", max_pages=2)
    local.hits.clear()
    resumed = crawled("/", first.known, left=((local.url + "/b", 1),))
    assert resumed.table(local.url) == {"/": "unchanged fresh", "/a": "unchanged fresh", "/b": "fetched", "/c": "fetched"}
    assert sorted(local.paths()) == ["/b", "/c", "/robots.txt"]


def test_retry_asks_for_the_failed_pages_alone(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {"/": page("/a"), "/a": answer("x", "404 Not Found")}
    first = crawled("/")
    local.answers["/a"] = page(text="a")
    assert crawled("/", first.known, only=(local.url + "/a",), max_age_s=0).table(local.url) == {"/a": "fetched"}


INTAKE = {
    "https only": {"https_only": True},
    "not on the allow-list": {"allow": ("docs.example",)},
    "denied": {"deny": ("127.*",)},
}


@pytest.mark.parametrize("policy", INTAKE.values(), ids=INTAKE)
def test_a_page_that_the_intake_rules_leave_out_is_refused(local: LocalSite, crawled: Crawler, policy: dict[str, object]) -> None:
    with pytest.raises(Refused) as caught:
        crawled("/", **policy)
    assert caught.value.rule == "scope"
    assert local.hits == []


def test_a_sitemap_or_llms_txt_can_be_the_source_itself(local: LocalSite, crawled: Crawler, page: Page, answer: Page) -> None:
    local.answers = {
        "/docs/sitemap.xml": answer(sitemap(f"{local.url}/docs/a.html"), content_type="application/xml"),
        "/docs/llms.txt": answer("# Kiln\n\n- [A](a.html): a\n", content_type="text/plain"),
        "/docs/a.html": page("/docs/b.html", text="a"),
        "/docs/b.html": page(text="b"),
    }
    for name in ("sitemap.xml", "llms.txt"):
        run = crawled(f"/docs/{name}", seeds=True)
        assert run.table(local.url) == {"/docs/a.html": "fetched", "/docs/b.html": "fetched"}
        again = crawled(f"/docs/{name}", run.known, seeds=True)
        assert set(again.table(local.url).values()) == {"unchanged fresh"}


def test_a_list_of_pages_that_is_missing_or_empty_is_an_error_of_its_source(local: LocalSite, crawled: Crawler, answer: Page) -> None:
    for body, rule in ((None, "http 404"), (answer("<urlset></urlset>", content_type="text/xml"), "empty")):
        local.answers = {"/sitemap.xml": body} if body else {}
        with pytest.raises(SourceError) as caught:
            crawled("/sitemap.xml", seeds=True)
        assert caught.value.rule == rule
