"""Credentials and cookies: whose they are, and that they are never shown."""

from __future__ import annotations

import json

import pytest

from pincite.crawl.addresses import target
from pincite.crawl.credentials import Jar, given
from pincite.errors import UsageError

HERE, UNDER, PLAIN = "https://docs.example/a", "https://api.docs.example/", "http://docs.example/"
COOKIES = (
    "#HttpOnly_docs.example\tFALSE\t/\tTRUE\t0\tsid\tone\n.example\tTRUE\t/\tFALSE\t0\tall\ttwo\n"
    "other.test\tFALSE\t/\tFALSE\t0\tx\tno\n# c\n"
)
STATE = json.dumps({"cookies": [{"domain": "docs.example", "name": "sid", "value": "one", "secure": True}], "origins": []})


def test_headers_go_to_the_very_origin_alone() -> None:
    secret = given(HERE, ["Authorization: Basic eDp5"])
    assert secret.headers_for(target(HERE)) == [("Authorization", "Basic eDp5")]
    for elsewhere in (UNDER, PLAIN, "https://docs.example:8443/", "https://docs.example.evil.example/"):
        assert secret.headers_for(target(elsewhere)) == []


@pytest.mark.parametrize(
    ("text", "held"), [(COOKIES, {"sid": "one", "all": "two"}), (STATE, {"sid": "one"})], ids=["cookies.txt", "login state"]
)
def test_cookie_files_are_read_for_the_origin(text: str, held: dict[str, str]) -> None:
    secret = given(HERE, [], text)
    assert secret.cookies_for(target(HERE)) == held
    assert secret.cookies_for(target(UNDER)) == {}


def test_a_secure_cookie_is_not_sent_in_the_clear() -> None:
    assert given(PLAIN, [], STATE).cookies_for(target(PLAIN)) == {}


@pytest.mark.parametrize("line", ["no colon", "Host: x", "Bad\nName: x", "X: a\r\nY: b", ": x"])
def test_a_header_that_is_none_is_refused_without_repeating_it(line: str) -> None:
    with pytest.raises(UsageError) as caught:
        given(HERE, [line])
    assert line not in caught.value.message


def test_secrets_are_never_shown() -> None:
    assert "eDp5" not in repr(given(HERE, ["Authorization: Basic eDp5"], COOKIES))


def test_a_broken_cookie_file_is_a_usage_error() -> None:
    for text in ("{", "a b c", "[1]"):
        with pytest.raises(UsageError):
            given(HERE, [], text)


def test_cookies_that_a_site_sets_go_back_to_it_alone() -> None:
    jar = Jar()
    jar.take(
        target(HERE), [("set-cookie", "a=1; Path=/"), ("set-cookie", "bad name=1"), ("set-cookie", "b=2; Domain=.example"), ("x", "c=3")]
    )
    assert jar.cookies_for(target(HERE)) == {"a": "1", "b": "2"}
    assert jar.cookies_for(target(UNDER)) == {}
    before = jar.changes
    jar.take(target(HERE), [("set-cookie", "a=1")])
    assert jar.changes == before
    jar.take(target(HERE), [("set-cookie", "a=; Max-Age=0")])
    assert jar.cookies_for(target(HERE)) == {"b": "2"}
