"""In: citations of different age, domain, length and fate. Out: their order by quality."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pincite.cite.citation import Place, cite
from pincite.cite.quality import SHARES, graded, weights_of
from pincite.cite.record import record
from pincite.errors import UsageError
from pincite.types import Span, Verification

WHEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
TEXT = "The queue keeps its order. " * 30


def cited(shelf, page, *, text=TEXT, **changes):
    document = shelf.put(page(text), fetched_at=WHEN)
    capture = next(c for c in shelf.taken.values() if c.snapshot == document.snapshot)
    return replace(cite(Place(capture, document, Span(0, 26)), Verification("exact", "exact")), **changes)


def test_a_fresh_long_page_of_a_trusted_domain_that_is_unchanged_counts_whole(shelf, page) -> None:
    made = graded(cited(shelf, page, drift="same"), WHEN, weights_of(["example.org=1"]))
    assert made.quality == 1.0
    assert dict(made.quality_parts) == dict.fromkeys(SHARES, 1.0)


@pytest.mark.parametrize(
    ("part", "days", "changes", "text"),
    [
        ("age", 365, {}, TEXT),
        ("drift", 0, {"drift": "quote_gone"}, TEXT),
        ("drift", 0, {"drift": "edited"}, TEXT),
        ("length", 0, {}, "The queue keeps its order. Yes."),
    ],
    ids=["a year old", "quote gone", "edited", "a short page"],
)
def test_what_is_worse_in_one_part_scores_less(shelf, page, part, days, changes, text) -> None:
    best = graded(cited(shelf, page), WHEN)
    worse = graded(cited(shelf, page, text=text, **changes), WHEN + timedelta(days=days))
    assert worse.quality < best.quality
    assert dict(worse.quality_parts)[part] < dict(best.quality_parts)[part]
    assert all(v == dict(best.quality_parts)[k] for k, v in worse.quality_parts if k != part)


def test_an_old_page_that_was_seen_again_is_not_old(shelf, page) -> None:
    later = WHEN + timedelta(days=700)
    made = cited(shelf, page)
    seen = replace(made, capture=replace(made.capture, checked_at=later))
    assert dict(graded(made, later).quality_parts)["age"] < 0.3
    assert dict(graded(seen, later).quality_parts)["age"] == 1.0


def test_a_capture_marked_expired_counts_nothing_for_its_drift(shelf, page) -> None:
    made = cited(shelf, page)
    assert dict(graded(replace(made, capture=replace(made.capture, mark="expired")), WHEN).quality_parts)["drift"] == 0.0


@pytest.mark.parametrize(
    ("weights", "expected"),
    [([], 0.5), (["example.org=0.2"], 0.2), (["example.org=0.2", "docs.example.org=0.9"], 0.9), (["ample.org=1"], 0.5)],
    ids=["none", "parent", "nearest wins", "only whole labels"],
)
def test_the_nearest_domain_gives_the_weight(shelf, page, weights, expected) -> None:
    assert dict(graded(cited(shelf, page), WHEN, weights_of(weights)).quality_parts)["domain"] == expected


@pytest.mark.parametrize("line", ["example.org", "example.org=2", "=0.5", "example.org=much", "example.org=nan"])
def test_a_weight_that_is_none_is_refused(line) -> None:
    with pytest.raises(UsageError, match="domain_weights"):
        weights_of([line])


def test_the_record_holds_the_score_with_its_parts(shelf, page) -> None:
    assert set(record(graded(cited(shelf, page), WHEN))["quality"]["parts"]) == set(SHARES)
