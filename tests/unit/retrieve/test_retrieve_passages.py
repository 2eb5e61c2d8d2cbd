"""Hits become passages: cut off, numbered, with their place, their neighbours and within a budget."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from pincite.retrieve.passages import assemble, depth, wanted
from pincite.tokens import estimate
from pincite.types import Chunk, Context, Document, Entry, Hit, Holding, Query, Section, Span, chunk_id, passage_id

PARTS = ("First things first.", "The middle of it all.", "Last but not least, the end.", "The middle  of it all.")
TEXT = "\n\n".join(PARTS)


@dataclass(frozen=True)
class Answered:
    hits: tuple[Hit, ...]
    unknown_terms: tuple[str, ...] = ("zebra",)
    answerable: float = 0.8


class Shelf:
    def __init__(self, sections=(0, 1, 2, 3)):
        spans, at = [], 0
        for part in PARTS:
            spans.append(Span(at, at + len(part)))
            at += len(part) + 2
        self.doc = Document("doc_1", "sha256:1", "u", "doc", "Guide", TEXT, (Section(0, 0, (), Span(0, len(TEXT))),), (), "t@1")
        self.cut = tuple(
            (Chunk(chunk_id("doc_1", s), "doc_1", s, n, "doc", ("Guide",), anchor="a b" if s.start else None), Context())
            for s, n in zip(spans, sections, strict=True)
        )
        self.holding = Holding(1, "docs", "https://e.org/g.html", "g.html", "REF-1", "doc_1", datetime(2026, 1, 1, tzinfo=UTC))
        made = (Entry(passage_id("REF-1", c.id), c, self.holding, c.span.of(TEXT), x, "2.0", "en", "Guide") for c, x in self.cut)
        self.entries = {entry.id: entry for entry in made}
        self.ids = list(self.entries)

    def moment(self):
        return nullcontext()

    def captured(self, refs):
        return {}

    def chunks(self, document):
        return self.cut

    def document(self, document):
        return self.doc

    def slices(self, wanted):
        return [TEXT[span.start : span.end] for _, span in wanted]


def searched(scores, sections=(0, 1, 2, 3), **how):
    shelf = Shelf(sections)
    hits = tuple(Hit(shelf.ids[i], score, score / 10, (("lexical", score),), ("middle",)) for i, score in scores)
    return assemble(Query("q", **how), Answered(hits), shelf.entries, shelf)


def test_passages_are_exact_slices_in_order_of_score():
    result = searched([(1, 9.0), (0, 8.0)])
    assert [p.text for p in result] == [PARTS[1], PARTS[0]]
    assert [p.rank for p in result] == [1, 2]
    assert all(TEXT[p.start : p.end] == p.text for p in result)
    assert result.unknown_terms == ("zebra",)


def test_the_best_hit_is_never_cut_by_max_results():
    assert [p.text for p in searched([(2, 9.0), (0, 1.0)], max_results=1, score_ratio=0.0)] == [PARTS[2]]


def test_score_ratio_is_a_share_of_the_best():
    assert len(searched([(0, 9.0), (1, 4.6), (2, 4.4)], score_ratio=0.5)) == 2


def test_similarity_threshold_is_a_share_of_the_question():
    assert len(searched([(0, 9.0), (1, 8.0), (2, 5.0)], similarity_threshold=0.6, score_ratio=0)) == 2


def test_the_same_text_is_shown_once():
    assert [p.text for p in searched([(1, 9.0), (3, 8.9), (0, 8.0)])] == [PARTS[1], PARTS[0]]


def test_neighbours_of_one_section_that_both_hit_are_one_passage():
    result = searched([(1, 9.0), (2, 8.5), (0, 7.0)], sections=(0, 1, 1, 1), score_ratio=0)
    assert [p.text for p in result] == [PARTS[1] + "\n\n" + PARTS[2], PARTS[0]]
    assert TEXT[result[0].start : result[0].end] == result[0].text


def test_a_neighbour_that_hit_far_less_stays_a_passage_of_its_own():
    result = searched([(1, 9.0), (0, 7.0), (2, 4.0)], sections=(0, 1, 1, 1), score_ratio=0)
    assert [p.text for p in result] == [PARTS[1], PARTS[0], PARTS[2]]


def test_a_chunk_between_two_hits_joins_them_only_when_it_hit_too():
    assert len(searched([(0, 9.0), (2, 8.0)], sections=(0, 0, 0, 0), score_ratio=0)) == 2


def test_hits_that_are_no_longer_live_are_left_out():
    shelf = Shelf()
    gone = shelf.entries.pop(shelf.ids[0])
    result = assemble(Query("q"), Answered((Hit(gone.id, 9.0), Hit(shelf.ids[1], 1.0))), shelf.entries, shelf)
    assert [p.text for p in result] == [PARTS[1]]


def test_the_url_carries_the_pages_own_anchor():
    result = searched([(0, 9.0), (1, 8.0)])
    assert [p.url for p in result] == ["https://e.org/g.html", "https://e.org/g.html#a%20b"]


def test_neighbours_are_labelled_and_displace_nothing():
    result = searched([(1, 9.0)], neighbors=1)
    assert len(result) == 1
    assert [(n["position"], n["text"]) for n in result[0].context] == [("before", PARTS[0]), ("after", PARTS[2])]


@pytest.mark.parametrize("budget", [1, 5, 8, 12, 100])
def test_budget_holds_and_keeps_slices(budget):
    result = searched([(2, 9.0), (1, 8.0), (0, 7.0)], max_tokens=budget)
    assert sum(estimate(p.text) for p in result) <= budget
    assert all(TEXT[p.start : p.end] == p.text for p in result)
    assert budget < 5 or result[0].start == Shelf().cut[2][0].span.start


def test_explain_tells_parts_and_matched_words():
    (passage,) = searched([(1, 9.0)], explain=True)
    assert passage.explain == {"score": 9.0, "parts": {"lexical": 9.0}, "similarity": 0.9, "matched": ["middle"]}


def test_depth_leaves_room_for_what_is_cut_off():
    assert all(depth(replace(Query("q"), max_results=n)) > n for n in (1, 10, 60, 200))


def test_segments_are_contiguous_slices_that_bridge_a_weak_chunk():
    result = searched([(0, 9.0), (2, 8.0)], segments=True, score_ratio=0)
    assert [p.text for p in result] == [TEXT[: result[0].end]]
    assert result[0].text.startswith(PARTS[0])
    assert PARTS[1] in result[0].text
    assert result[0].text.endswith(PARTS[2])


def test_a_lone_hit_is_a_segment_of_its_own():
    assert [p.text for p in searched([(1, 2.0)], segments=True)] == [PARTS[1]]


def test_a_hit_is_shown_with_what_it_reaches():
    shelf = Shelf((1, 1, 1, 1))
    hit = Hit(shelf.ids[1], 9.0, 0.9, (), (), (shelf.ids[0], shelf.ids[2]))
    (passage,) = assemble(Query("q"), Answered((hit,)), shelf.entries, shelf)
    assert passage.text == TEXT[passage.start : passage.end] == "\n\n".join(PARTS[:3])
    assert passage.id == shelf.ids[1]


def test_a_hit_inside_an_earlier_passage_is_part_of_it():
    shelf = Shelf((1, 1, 1, 1))
    hits = (Hit(shelf.ids[1], 9.0, 0.9, (), (), (shelf.ids[0], shelf.ids[2])), Hit(shelf.ids[2], 8.0, 0.8))
    assert len(assemble(Query("q"), Answered(hits), shelf.entries, shelf)) == 1


def test_ends_that_are_no_longer_live_leave_the_hit_alone():
    shelf = Shelf((1, 1, 1, 1))
    hit = Hit(shelf.ids[1], 9.0, 0.9, (), (), (shelf.ids[0], shelf.ids[2]))
    live = {shelf.ids[1]: shelf.entries[shelf.ids[1]]}
    (passage,) = assemble(Query("q"), Answered((hit,)), live, shelf)
    assert passage.text == PARTS[1]


def test_wanted_names_hits_and_their_ends_once():
    hit = Hit("b", 9.0, 0.9, (), (), ("a", "b"))
    assert wanted(Answered((hit, Hit("a", 1.0)))) == ["b", "a"]
