"""What the OpenAPI document says that a filter or a range looks like is understood by the parser."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.retrieve.where import Facts, read
from pincite.serve.filters import PATTERN, VERSION_PATTERN
from pincite.versions import meets


@settings(max_examples=300)
@given(st.from_regex(re.compile(PATTERN, re.A), fullmatch=True).filter(bool))
def test_every_filter_that_fits_the_pattern_is_read(text: str) -> None:
    assert read(text)(Facts("docs", "3.12")) in (True, False, None)


@settings(max_examples=300)
@given(st.from_regex(re.compile(VERSION_PATTERN), fullmatch=True))
def test_every_version_that_fits_the_pattern_is_understood(wanted: str) -> None:
    assert meets("3.12", wanted) in (True, False)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("", True),
        ("path = guide/* and not mark = expired", True),
        ("source in (guide, handbook) or version >= 3.10", True),
        ("(lang = zh or fetched >= 2026-01-01) and kind=doc", True),
        ("colour = red", False),
        ("source", False),
        ("source > docs", False),
    ],
)
def test_the_pattern_fits_filters_and_nothing_else(text: str, fits: bool) -> None:
    assert (re.match(PATTERN, text) is not None) is fits


@pytest.mark.parametrize(
    ("wanted", "fits"), [("3.12", True), (">=3.10,<3.13", True), ("latest", True), (">=", False), ("=3", False), (">=3,,<4", False)]
)
def test_the_pattern_fits_labels_and_ranges(wanted: str, fits: bool) -> None:
    assert (re.match(VERSION_PATTERN, wanted) is not None) is fits
