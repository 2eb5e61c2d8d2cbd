"""Filters are read as they are written, refused in words, and undecided where a fact is not known yet."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pincite.errors import UsageError
from pincite.retrieve.where import Facts, read

PAGE = Facts(
    source="docs",
    version="3.12",
    kind="doc",
    lang="zh-CN",
    language="python",
    path="api/cache.md",
    url="https://docs.example.org/api/cache.html",
    title="The [cache]",
    ref="REF-1",
    mark="expired",
    flag=("truncated", "noindex"),
    fetched=datetime(2026, 3, 1, 12, tzinfo=UTC),
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("source = docs", True),
        ("SOURCE == Docs", True),
        ("source != docs", False),
        ("source in (other, docs)", True),
        ("source not in (other, docs)", False),
        ("path = api/*", True),
        ("path = api/?ache.md", True),
        ("title = 'The [cache]'", True),
        ('title = "the *"', True),
        ("version >= 3.10 and version < 3.13", True),
        ("version >= 3.9.1 and version < 3.10", False),
        ("version = 3.12", True),
        ("version = 3.*", True),
        ("version in (3.11, 3.12)", True),
        ("lang = zh", True),
        ("lang = zh-CN", True),
        ("lang = zh-TW", False),
        ("flag = noindex", True),
        ("flag != noindex", False),
        ("not mark = expired", False),
        ("mark = none or source = docs and kind = code", False),
        ("(mark = none or source = docs) and kind = doc", True),
        ("not (kind = code or lang = en)", True),
        ("fetched >= 2026-03-01", True),
        ("fetched = 2026-03-01", True),
        ("fetched > 2026-03-01", False),
        ("fetched <= 2026-03-01", True),
        ("fetched < 2026-03-01T12:00:00Z", False),
    ],
)
def test_filters_hold_or_do_not(text, holds):
    assert read(text)(PAGE) is holds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("colour = red", "no field `colour`"),
        ("source docs now", "knows no `docs`"),
        ("source =", "ends too soon"),
        ("(source = docs", "lacks a `\\)`"),
        ("source = docs kind = doc", "goes on where it should end"),
        ("source > docs", "can't be compared by `>`"),
        ("fetched > soon", "no ISO 8601"),
        ("source = 'docs", "can't be read"),
        ("", "ends too soon"),
        (" or ".join(["kind = doc"] * 300), "more than 100"),
    ],
)
def test_what_can_not_be_read_is_refused_in_words(text, told):
    with pytest.raises(UsageError, match=told):
        read(text)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("source = docs", True),
        ("source = other and mark = none", False),
        ("source = docs and mark = none", None),
        ("source = docs or mark = none", True),
        ("not path = api/*", None),
        ("version < 3 and fetched > 2020-01-01", False),
    ],
)
def test_of_a_source_alone_only_what_is_known_decides(text, known):
    assert read(text)(Facts("docs", "3.12")) is known


def test_deep_brackets_end():
    with pytest.raises(UsageError):
        read("(" * 2000 + "kind = doc" + ")" * 2000)
    with pytest.raises(UsageError, match="brackets"):
        read("not " * 200 + "kind = doc")
    assert read("(" * 20 + "kind = doc" + ")" * 20)(replace(PAGE, kind="code")) is False
