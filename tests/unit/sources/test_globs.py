"""One rule of patterns for files and URLs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import globs

PATTERNS = {
    "a name anywhere": ("*.md", "/a/b.md", True, True),
    "not the middle of a name": ("a.md", "/xa.md", False, False),
    "a folder anywhere": ("old", "/docs/old/a.md", True, True),
    "a folder, said so": ("old/", "/docs/old/a.md", True, True),
    "no folder": ("old/", "/docs/old", False, False),
    "a path from the root": ("docs/*.md", "/docs/a.md", True, True),
    "a path further down": ("docs/*.md", "/en/docs/a.md", False, True),
    "a path that begins with a slash": ("/docs/*.md", "/en/docs/a.md", False, False),
    "a star stays in its step": ("docs/*.md", "/docs/b/a.md", False, False),
    "two stars cross steps": ("docs/**/*.md", "/docs/b/c/a.md", True, True),
    "two stars are nothing too": ("docs/**/*.md", "/docs/a.md", True, True),
    "all below": ("docs/**", "/docs/b/c", True, True),
    "a whole URL": ("https://docs.example/a/*", "https://docs.example/a/b", True, True),
    "another URL": ("https://docs.example/a/*", "https://evil.example/?https://docs.example/a/b", False, False),
    "a set": ("v[0-9]", "/v2/a", True, True),
    "outside of a set": ("v[!0-9]", "/v2/a", False, False),
    "a set holds no slash": ("a[!b]c", "/a/c", False, False),
    "an open bracket is itself": ("a[b", "/a[b", True, True),
    "a broken range is itself": ("a[z-a]", "/a[z-a]", True, True),
    "dots are dots": ("a.b", "/aXb", False, False),
}


@pytest.mark.parametrize(("pattern", "path", "rooted", "anywhere"), PATTERNS.values(), ids=PATTERNS)
def test_a_pattern_fits(pattern: str, path: str, rooted: bool, anywhere: bool) -> None:
    assert (globs.within(pattern, rooted=True).search(path) is not None) is rooted
    assert (globs.within(pattern, rooted=False).search(path) is not None) is anywhere


@given(st.text(alphabet="ab*?[]!-/.\\^$(){}|+é\n", max_size=12), st.booleans())
def test_any_text_is_a_pattern(pattern: str, rooted: bool) -> None:
    globs.within(pattern, rooted=rooted).search("/a/b.md")
    globs.whole(pattern).match("a/b.md")


@given(st.lists(st.text(alphabet="ab.+$é", min_size=1, max_size=5), min_size=1, max_size=4))
def test_a_path_without_signs_fits_itself_and_nothing_longer(steps: list[str]) -> None:
    path = "/".join(steps)
    assert globs.whole(path).match(path)
    assert not globs.whole(path).match(path + "x")
    assert globs.within("/" + path, rooted=True).search("/" + path)
    assert re.compile(globs.whole(path).pattern)
