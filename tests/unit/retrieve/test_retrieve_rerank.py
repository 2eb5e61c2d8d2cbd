"""A reranker decides the order of what it read; nothing it did not read overtakes."""

from datetime import UTC, datetime

from pincite.retrieve.rerank import DEPTH, reranked
from pincite.types import Chunk, Context, Entry, Hit, Holding, Query, Span

HOLDING = Holding(1, "docs", "u", "p", "REF-1", "doc_1", datetime(2026, 1, 1, tzinfo=UTC))


class Longest:
    def __init__(self):
        self.read = []

    def rerank(self, query, texts):
        self.read = list(texts)
        return [len(text) - 100.0 for text in texts]


class Answered:
    unknown_terms = ("zebra",)
    answerable = 0.7

    def __init__(self, count):
        self.hits = tuple(Hit(f"psg_{n}", 100.0 - n) for n in range(count))


def entries(count):
    chunk = Chunk("chk_1", "doc_1", Span(0, 1), 0, "doc")
    return {f"psg_{n}": Entry(f"psg_{n}", chunk, HOLDING, "x" * (n + 1), Context(document_title="T")) for n in range(count)}


def test_the_rerankers_order_holds_and_scores_are_shares():
    found = reranked(Longest(), Query("q"), Answered(3), entries(3))
    assert [hit.id for hit in found.hits] == ["psg_2", "psg_1", "psg_0"]
    assert all(0 <= hit.score <= 1 for hit in found.hits)
    assert dict(found.hits[0].scores)["rerank"] == found.hits[0].score


def test_what_was_not_read_stays_below_in_its_order():
    found = reranked(Longest(), Query("q"), Answered(DEPTH + 3), entries(DEPTH + 3))
    assert [hit.id for hit in found.hits[DEPTH:]] == [f"psg_{n}" for n in range(DEPTH, DEPTH + 3)]
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)


def test_the_header_is_read_with_the_text():
    reranker = Longest()
    reranked(reranker, Query("q"), Answered(1), entries(1))
    assert reranker.read[0].startswith("Document context:")
    assert reranker.read[0].endswith("\n\nx")
