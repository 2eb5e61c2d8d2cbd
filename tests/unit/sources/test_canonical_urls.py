"""The form under which a page is stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import urls

FORMS = {
    "scheme and host in lower case": ("HTTP://Docs.Example/A", "http://docs.example/A"),
    "no default port": ("https://docs.example:443/a", "https://docs.example/a"),
    "another port": ("http://docs.example:8080/a", "http://docs.example:8080/a"),
    "no fragment": ("http://docs.example/a#b", "http://docs.example/a"),
    "no tracking": ("http://docs.example/a?utm_source=x&q=1&fbclid=2", "http://docs.example/a?q=1"),
    "an empty path": ("http://docs.example", "http://docs.example/"),
    "escapes that need not be": ("http://docs.example/%7Ejoe/%61%2Db", "http://docs.example/~joe/a-b"),
    "escapes in upper case": ("http://docs.example/a%2fb%c3%a9", "http://docs.example/a%2Fb%C3%A9"),
    "raw letters": ("http://docs.example/é", "http://docs.example/%C3%A9"),
    "a bare per cent sign": ("http://docs.example/100%", "http://docs.example/100%"),
    "dots": ("http://docs.example/a/./b/../c", "http://docs.example/a/c"),
    "escaped dots": ("http://docs.example/a/%2e%2E/c", "http://docs.example/c"),
    "dots at the end": ("http://docs.example/a/b/..", "http://docs.example/a/"),
    "dots above the root": ("http://docs.example/../../a", "http://docs.example/a"),
    "names with dots": ("http://docs.example/.well-known/a..b/...", "http://docs.example/.well-known/a..b/..."),
    "a doubled slash": ("http://docs.example/a//b", "http://docs.example/a//b"),
    "an international name": ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    "an IPv6 address": ("http://[::1]:8080/a", "http://[::1]:8080/a"),
}


@pytest.mark.parametrize(("url", "form"), FORMS.values(), ids=FORMS)
def test_a_url_has_one_form(url: str, form: str) -> None:
    assert urls.canonical(url) == form
    assert urls.canonical(form) == form


@given(st.text(alphabet="ab./%2eE7~é-", max_size=16))
def test_the_form_of_a_form_is_itself(path: str) -> None:
    once = urls.canonical("http://docs.example/" + path)
    assert urls.canonical(once) == once
    assert "/../" not in once
