"""robots.txt after RFC 9309, on bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.crawl import robots

OWN = b"User-agent: *\nDisallow: /\n\nUser-agent: Pincite\nDisallow: /private\nAllow: /private/open\n"
CASES = {
    "empty file": (b"", "/x", True),
    "own group only": (OWN, "/x", True),
    "own group closes": (OWN, "/private/x", False),
    "longest match wins": (OWN, "/private/open/x", True),
    "everyone else's group": (b"User-agent: other\nDisallow: /\n", "/x", True),
    "star group": (b"User-agent: *\nDisallow: /x\n", "/x/y", False),
    "allow wins a tie": (b"User-agent: *\nDisallow: /x\nAllow: /x\n", "/x", True),
    "repeated groups are merged": (b"User-agent: pincite\nDisallow: /a\n\nUser-agent: pincite\nDisallow: /b\n", "/b", False),
    "two names over one group": (b"User-agent: foo\nUser-agent: pincite\nDisallow: /a\n", "/a", False),
    "empty disallow allows": (b"User-agent: *\nDisallow:\n", "/a", True),
    "star inside": (b"User-agent: *\nDisallow: /*/print\n", "/docs/print", False),
    "dollar anchors": (b"User-agent: *\nDisallow: /*.pdf$\n", "/a.pdf?x=1", True),
    "dollar matches the end": (b"User-agent: *\nDisallow: /*.pdf$\n", "/a.pdf", False),
    "comment": (b"User-agent: * # all\nDisallow: /a # no\n", "/a", False),
    "carriage returns alone": (b"User-agent: *\rDisallow: /a\r", "/a", False),
    "byte order mark": (b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\n", "/a", False),
    "half a byte order mark": (b"\xef\xbbUser-agent: *\nDisallow: /a\n", "/a", False),
    "NUL and bytes that are no UTF-8": (b"User-agent: *\0\nDisallow: /\xff\n", "/%FF", False),
    "escapes compare in upper case": (b"User-agent: *\nDisallow: /%c3%a9\n", "/%C3%A9", False),
    "soft 404 in HTML": (b"<!doctype html><p>Not found: nothing here</p>", "/a", True),
    "misspelt": (b"User-agent: *\nDisalow: /a\n", "/a", False),
    "path is case-sensitive": (b"User-agent: *\nDisallow: /A\n", "/a", True),
    "allowed index page stands for its folder": (b"User-agent: *\nDisallow: /\nAllow: /d/index.html\n", "/d/", True),
}


@pytest.mark.parametrize(("body", "path", "allowed"), CASES.values(), ids=CASES)
def test_rule(body: bytes, path: str, allowed: bool) -> None:
    assert robots.parse(body).allows("pincite", "https://docs.example" + path) is allowed


DELAYS = {
    "ten": (b"10", 10.0),
    "half": (b"0.5", 0.5),
    "word": (b"abc", None),
    "negative": (b"-1", None),
    "huge": (b"1e9", 60.0),
    "nan": (b"nan", None),
}


@pytest.mark.parametrize(("value", "delay_s"), DELAYS.values(), ids=DELAYS)
def test_crawl_delay_is_clamped_and_nonsense_ignored(value: bytes, delay_s: float | None) -> None:
    assert robots.parse(b"User-agent: *\nCrawl-delay: " + value + b"\n").delay_s("pincite") == delay_s


@pytest.mark.parametrize(("before", "allowed"), [(robots.LIMIT_BYTES - 12, False), (robots.LIMIT_BYTES, True)], ids=["just inside", "past"])
def test_only_the_first_500_kibibytes_are_read(before: int, allowed: bool) -> None:
    head = b"User-agent: *\n"
    body = head + b"#" * (before - len(head) - 1) + b"\n" + b"Disallow: /a"
    assert robots.parse(body).allows("pincite", "https://docs.example/a") is allowed


def test_sitemaps_are_listed_wherever_they_stand() -> None:
    body = b"Sitemap: https://docs.example/a.xml\nUser-agent: *\nDisallow:\nsitemap: /b.xml\n"
    assert robots.parse(body).sitemaps == ("https://docs.example/a.xml", "/b.xml")


@given(st.binary(max_size=400), st.text(max_size=40))
def test_any_bytes_are_parsed_and_any_path_answered(body: bytes, path: str) -> None:
    robots.parse(body).allows("pincite", "https://docs.example/" + path)


@given(st.integers(1, 60))
def test_many_stars_are_matched_in_linear_time(stars: int) -> None:
    body = b"User-agent: *\nDisallow: /" + b"*a" * stars + b"$\n"
    assert robots.parse(body).allows("pincite", "https://docs.example/" + "a" * 2000 + "b")
