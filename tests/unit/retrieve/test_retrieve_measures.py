"""Measures of ranking on small cases that can be counted by hand."""

import math
from dataclasses import replace

import pytest

from pincite.retrieve.measures import Asked, Gold, figures, gains, ndcg, paired, rank, right
from pincite.types import Passage, moment

PASSAGE = Passage(
    "psg_1", 1, 1.0, {}, "doc", "REF-1", "docs", "", "guide/cache.md", "u", "T", ("Guide", "Cache"), None, 1, 1, 0, 9, "keep  it\nfresh",
    moment("2026-01-01T00:00:00Z"), "sha256:0", "doc_1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("place", "is_right"),
    [
        (Gold("cache.md", "it fresh"), True),
        (Gold("cache.md", "it stale"), False),
        (Gold("cache.md", heading="Cache"), True),
        (Gold("cache.md", heading="Guide"), False),
        (Gold("che.md", "it fresh"), False),
        (Gold("guide/cache.md"), True),
    ],
    ids=["evidence", "other-evidence", "heading", "parent-heading", "half-a-name", "path"],
)
def test_a_place_is_path_and_evidence_or_heading(place, is_right):
    assert right(PASSAGE, place) is is_right


def test_a_place_counts_once():
    other = replace(PASSAGE, path="x.md")
    assert gains(Asked("q", (Gold("cache.md"),)), [other, PASSAGE, PASSAGE]) == [0, 1, 0]


def test_rank_is_that_of_the_first_right_passage():
    assert rank([0, 0, 1, 1]) == 3
    assert rank([0, 0]) is None


def test_ndcg_of_the_second_place_is_discounted():
    assert ndcg([0, 1], 1) == pytest.approx(1 / math.log2(3))
    assert ndcg([1], 1) == 1.0


def test_figures_are_means_over_questions():
    asked = Asked("q", (Gold("a"),))
    made = figures([(asked, [1]), (asked, [0, 1]), (asked, [0])])
    assert (made.recall_at_1, made.recall_at_5) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert made.mrr == pytest.approx(0.5)


def test_the_interval_of_a_clear_gain_lies_above_zero():
    made = paired([1.0] * 30, [0.0] * 28 + [1.0] * 2)
    assert made.low > 0
    assert (made.better, made.worse) == (28, 0)


def test_no_difference_has_an_interval_around_zero():
    made = paired([0.5, 1.0, 0.0], [0.5, 1.0, 0.0])
    assert (made.mean, made.low, made.high) == (0.0, 0.0, 0.0)
