"""Sections of prose are found as wholes, in other words than theirs, and shown as the stretch that is worth reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.index.test_index_lexical import Feed

from pincite.index import stretches
from pincite.index.lexical import LexicalIndex
from pincite.types import Query

FILLER = "It is described further below, together with everything else that one may want to look up there."


@pytest.fixture
def feed():
    made = Feed()
    made.open(
        "guide.md",
        (["Guide", "Pools"], f"A pool hands a connection out and takes it back. {FILLER}"),
        (["Guide", "Pools"], f"Before a checkout the server is pinged, so that a stale one is never handed out. {FILLER}"),
        (["Guide", "Pools"], f"The weather is fine. {FILLER}"),
    )
    made.open("remove.md", (["Removing rows"], "Call erase() to remove the rows of a table that nobody refers to."))
    made.open("keep.md", (["Keeping rows"], "Rows of a table are kept for a year, unless the archive is full."))
    made.open("changelog.md", (["2.0"], "Throttling of requests, throttling of uploads, throttling of jobs."))
    made.open("limits.md", (["Throttling"], "Throttling of requests is set with the option `rate`; see below for uploads and for jobs."))
    return made


@pytest.fixture
def index(feed):
    made = LexicalIndex.open(None, read_only=False)
    made.catch_up(feed)
    return made


def entries(feed):
    return {entry.id: entry for held in feed.held.values() for entry in held}


def paths(index, feed, text, **how):
    known = entries(feed)
    return [known[hit.id].holding.path for hit in index.search(Query(text, **how), 10).hits]


def test_a_section_is_found_by_words_that_no_chunk_of_it_has_together(index, feed):
    hits = index.search(Query("connection pinged"), 10).hits
    assert [entries(feed)[hit.id].holding.path for hit in hits] == ["guide.md"]
    assert hits[0].similarity == 1.0


def test_a_hit_reaches_over_the_chunks_that_hold_the_answer_together(index, feed):
    (hit,) = index.search(Query("connection pinged"), 10).hits
    chunks = [entry.id for entry in feed.held[1]]
    assert hit.reach == (chunks[0], chunks[1])


def test_a_chunk_without_a_word_of_the_question_is_not_reached_for(index, feed):
    (hit,) = index.search(Query("stale checkout"), 10).hits
    assert (hit.id, hit.reach) == (feed.held[1][1].id, ())


def test_segments_get_every_chunk_of_their_own(index, feed):
    hits = index.search(Query("connection pinged", segments=True), 10).hits
    assert {hit.id for hit in hits} == {entry.id for entry in feed.held[1][:2]}


@pytest.mark.parametrize(
    ("question", "first"), [("delete rows", "remove.md"), ("discard rows of a table", "remove.md"), ("preserve rows", "keep.md")]
)
def test_a_question_in_other_words_finds_the_page(index, feed, question, first):
    assert paths(index, feed, question)[0] == first


def test_the_very_word_counts_more_than_a_synonym():
    feed = Feed()
    feed.open("a.md", (["Pages"], "You may delete a page here."))
    feed.open("b.md", (["Pages"], "You may remove a page here."))
    index = LexicalIndex.open(None, read_only=False)
    index.catch_up(feed)
    assert paths(index, feed, "delete a page") == ["a.md", "b.md"]
    assert paths(index, feed, "remove a page") == ["b.md", "a.md"]


@pytest.mark.parametrize("question", ["怎么删除表格", "表格 削除", "테이블 삭제"], ids=["zh", "ja", "ko"])
def test_a_question_in_another_script_finds_the_page_by_what_it_is_about(index, feed, question):
    assert paths(index, feed, question)[0] == "remove.md"


def test_a_question_in_english_is_not_drawn_to_a_page_in_another_script():
    feed = Feed()
    feed.open("en.md", (["Cache"], "The cache holds pages for a day, then they are asked for again."))
    feed.open("zh.md", (["缓存"], "缓存"), lang="zh")
    index = LexicalIndex.open(None, read_only=False)
    index.catch_up(feed)
    assert paths(index, feed, "caching") == ["en.md"]


@pytest.mark.parametrize(
    ("question", "pages", "first"),
    [
        ("如何删除索引", {"zh": "删除索引之前先停止写入。", "other": "索引保存在磁盘上。"}, "zh"),
        ("キャッシュを無効にする", {"ja": "キャッシュは設定で無効にできる。", "other": "設定はファイルに書く。"}, "ja"),
        ("캐시를 비활성화", {"ko": "캐시를 비활성화하려면 옵션을 끕니다.", "other": "옵션은 파일에 있습니다."}, "ko"),
        ("CacheMode.BYPASS 怎么用", {"mixed": "设置 CacheMode.BYPASS 可以跳过缓存。", "other": "缓存保存一天。"}, "mixed"),
    ],
    ids=["zh", "ja", "ko", "identifier in mixed text"],
)
def test_chinese_japanese_and_korean_find_their_own_pages(question, pages, first):
    feed = Feed()
    for name, text in pages.items():
        feed.open(name, (["页"], text), lang="zh")
    index = LexicalIndex.open(None, read_only=False)
    index.catch_up(feed)
    assert paths(index, feed, question)[0] == first


def test_a_change_log_stands_behind_the_page_that_explains(index, feed):
    assert paths(index, feed, "throttling of requests, uploads and jobs")[:2] == ["limits.md", "changelog.md"]


def test_a_phrase_in_quotes_draws_its_section_up():
    feed = Feed()
    feed.open(
        "a.md",
        (["Errors"], "The pool was out, at that time. Wait, or make it larger; both are described in the chapter on limits and sizes."),
    )
    feed.open(
        "b.md", (["Errors"], "Raised as: pool time out. Wait, or make it larger; both are described in the chapter on limits and sizes.")
    )
    index = LexicalIndex.open(None, read_only=False)
    index.catch_up(feed)
    assert paths(index, feed, '"pool time out"')[0] == "b.md"


NONSENSE = (
    "quantum banana recipe",
    "how many giraffes fit into a violin",
    "knitting pattern for a lighthouse",
    "tax return of a medieval dragon",
    "boil pasta in zero gravity",
    "horoscope for sourdough starters",
    "best ski resort on the moon",
    "translate whale songs into esperanto",
    "mortgage rates for gingerbread houses",
    "teach an octopus to play chess",
)


@pytest.mark.parametrize("question", NONSENSE)
def test_nonsense_is_no_confident_hit_and_its_unknown_words_are_named(index, question):
    found = index.search(Query(question), 10)
    assert found.answerable < 0.5
    assert len(found.unknown_terms) >= 2


@given(st.lists(st.tuples(st.floats(0.1, 9), st.integers(1, 600)), min_size=1, max_size=12))
def test_a_stretch_is_readable_and_holds_the_best(rows):
    before, pieces = 0, []
    for place, (score, tokens) in enumerate(rows):
        pieces.append(stretches.Piece(score, place, place, before, tokens, 0))
        before += tokens
    best = sorted(pieces, key=lambda piece: -piece.score)
    held = stretches.stretch(best)
    first, last = min(held, key=lambda p: p.place), max(held, key=lambda p: p.place)
    assert held[0] is best[0]
    assert len(held) == 1 or last.before + last.tokens - first.before <= stretches.STRETCH_TOKENS
    assert all(piece.score >= stretches.CLOSE * best[0].score for piece in held)
