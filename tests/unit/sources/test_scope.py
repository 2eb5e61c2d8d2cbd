"""Which URLs belong to a source."""

from __future__ import annotations

from typing import Literal

import pytest

from pincite.sources import scope
from pincite.types import Policy, Source

Scope = Literal["auto", "page", "prefix", "host", "domain"]
START = "https://docs.example/en/stable/index.html"
CASES: dict[str, tuple[Scope, str, str | None]] = {
    "start page": ("page", START, None),
    "page alone": ("page", "https://docs.example/en/stable/a.html", "scope"),
    "below the docs root": ("auto", "https://docs.example/en/stable/api/a.html", None),
    "another version": ("auto", "https://docs.example/en/1.0/a.html", "scope"),
    "http for https": ("auto", "http://docs.example/en/stable/a.html", None),
    "another version below": ("auto", "https://docs.example/en/stable/2.1/guide/a.html", "scope"),
    "another version below, in full": ("prefix", "https://docs.example/en/stable/2.1/guide/a.html", None),
    "another language below": ("auto", "https://docs.example/en/stable/pt-br/guide.html", "scope"),
    "the notes of a release": ("auto", "https://docs.example/en/stable/releases/2.1/", None),
    "a folder of two letters": ("auto", "https://docs.example/en/stable/js/api.html", None),
    "whole host": ("host", "https://docs.example/blog/", None),
    "another port": ("host", "https://docs.example:8443/", "scope"),
    "a host that begins alike": ("host", "https://docs.example.evil.test/en/stable/", "scope"),
    "a user name that looks like the host": ("host", "https://docs.example@evil.test/en/stable/", "scope"),
    "host below": ("domain", "https://api.docs.example/", None),
    "a domain that ends alike": ("domain", "https://notdocs.example/", "scope"),
    "file": ("domain", "file:///etc/hosts", "scope"),
    "broken": ("host", "https://docs.example:port/", "scope"),
    "a folder that begins alike": ("prefix", "https://docs.example/en/stable-old/", "scope"),
    "an escaped way out": ("prefix", "https://docs.example/en/%73table/a", None),
}


@pytest.mark.parametrize(("how", "url", "reason"), CASES.values(), ids=CASES)
def test_scope(how: Scope, url: str, reason: str | None) -> None:
    source = Source("docs", "site", START, policy=Policy(scope=how))
    assert scope.rule(source)(url) == reason


GLOBS = {
    "included": (("*/api/*",), (), "/en/stable/api/a.html", None),
    "not included": (("*/api/*",), (), "/en/stable/guide/a.html", "excluded"),
    "excluded": ((), ("**/old/**",), "/en/stable/old/a.html", "excluded"),
    "name at any place": ((), ("*.txt",), "/en/stable/x/a.txt", "excluded"),
    "folder at any place": ((), ("old",), "/en/stable/old/a.html", "excluded"),
    "anchored": (("/en/stable/a*",), (), "/en/stable/about.html", None),
    "character class": ((), ("v[0-9]",), "/en/stable/v2/a", "excluded"),
}


@pytest.mark.parametrize(("include", "exclude", "path", "reason"), GLOBS.values(), ids=GLOBS)
def test_globs(include: tuple[str, ...], exclude: tuple[str, ...], path: str, reason: str | None) -> None:
    source = Source("docs", "site", START, policy=Policy(scope="host", include=include, exclude=exclude))
    assert scope.rule(source)("https://docs.example" + path) == reason


def test_the_scope_moves_with_the_first_page() -> None:
    source = Source("docs", "site", "https://docs.example/")
    moved = scope.rule(source, "https://docs.example/en/latest/")
    assert moved("https://docs.example/en/latest/a") is None
    assert moved("https://docs.example/fr/latest/a") == "scope"
