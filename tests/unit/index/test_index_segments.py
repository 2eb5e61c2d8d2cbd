"""However an index grew, batch by batch, with removals and merges, it finds what one made at once finds, with the same scores."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.index.test_index_lexical import NOW, Feed

from pincite.index import files
from pincite.index.lexical import LexicalIndex
from pincite.index.matching import best, counted, phrased
from pincite.types import Query

TEXTS = (
    "A kettle boils water.",
    "Remove the kettle from the stove before it whistles.",
    "`kettle_lid(open)` lifts the lid.",
    "水壶里的水开了。",
    "The stove has four plates, and each plate has a lid of its own.",
)
QUESTIONS = ("kettle", "delete the kettle", "kettle_lid", "水壶", '"has a lid"', "of the", "ketle", "plates of a stove")
PAGE = st.tuples(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4), st.booleans())
STEP = st.one_of(
    st.tuples(st.just("open"), PAGE),
    st.tuples(st.sampled_from(["close", "retire", "again"]), st.integers(0, 30)),
    st.tuples(st.just("catch up"), st.none()),
)


def take(feed, step, argument):
    if step == "open":
        texts, code = argument
        kind, defines = ("code", ("kettle_lid",)) if code else ("doc", ())
        chunks = [([f"Part {n // 2}"], text) for n, text in enumerate(texts)]
        feed.open(f"{len(feed.held)}.txt", *chunks, kind=kind, defines=defines)
    elif feed.held:
        number = 1 + argument % len(feed.held)
        {"close": lambda: feed.close(number, NOW + timedelta(days=1)), "retire": lambda: feed.retire(number)}.get(
            step, lambda: feed._tell("open", number)
        )()


def answers(index):
    asked = [Query(text, **how) for text in QUESTIONS for how in ({}, {"kind": "code"}, {"as_of": NOW}, {"segments": True})]
    found = [index.search(query, 10) for query in asked]
    return [([hit.score for hit in one.hits], one.unknown_terms, one.answerable) for one in found]


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=25))
def test_how_an_index_grew_makes_no_difference(steps):
    feed = Feed()
    with TemporaryDirectory() as folder:
        for step, argument in steps:
            if step == "catch up":
                LexicalIndex.open(folder, read_only=False).catch_up(feed)
            else:
                take(feed, step, argument)
        grown, whole = LexicalIndex.open(folder, read_only=False), LexicalIndex.open(None, read_only=False)
        grown.catch_up(feed)
        whole.catch_up(feed)
        live = {e.id for held in feed.held.values() for e in held if not e.holding.retired}
        assert set(grown.ids()) == live
        assert len(list(grown.ids())) == len(live)
        for (scores, unknown, sure), wanted in zip(answers(grown), answers(whole), strict=True):
            assert (scores, unknown, sure) == (pytest.approx(wanted[0], abs=2e-3), wanted[1], pytest.approx(wanted[2], abs=1e-4))


def test_small_segments_are_merged_and_their_files_go(tmp_path):
    feed = Feed()
    index = LexicalIndex.open(tmp_path, read_only=False)
    for n in range(40):
        feed.open(f"{n}.md", ([f"Page {n}"], TEXTS[n % len(TEXTS)]))
        index.catch_up(feed)
    assert len(list(files.place(tmp_path).glob("*.segment"))) <= 6
    for n in range(1, 40):
        feed.retire(n)
        index.catch_up(feed)
    (file,) = files.place(tmp_path).glob("*.segment")
    assert list(index.ids()) == [feed.held[40][0].id]
    assert file.stat().st_size < 20_000


def test_words_that_only_removed_pages_held_are_forgotten():
    feed = Feed()
    feed.open("a.md", ([], "kettle")), feed.open("b.md", ([], "stove"))
    index = LexicalIndex.open(None, read_only=False)
    index.catch_up(feed)
    feed.retire(1)
    feed.open("c.md", ([], "plate"))
    index.catch_up(feed)
    assert index.search(Query("kettle stove"), 5).unknown_terms == ("kettle",)
    assert index.search(Query("kettl"), 5).hits == ()


def test_a_reader_goes_on_while_another_process_merges_what_it_reads(tmp_path):
    feed = Feed()
    feed.open("a.md", ([], TEXTS[0]))
    reader, writer = LexicalIndex.open(tmp_path, read_only=False), LexicalIndex.open(tmp_path, read_only=False)
    reader.catch_up(feed)
    for n in range(12):
        feed.open(f"{n}.md", ([], TEXTS[1]))
        writer.catch_up(feed)
    assert [hit.id for hit in reader.search(Query("boils"), 5).hits] == [feed.held[1][0].id]
    reader.catch_up(feed)
    assert len(reader.search(Query("whistles"), 50).hits) == 12


def test_a_list_that_another_process_replaces_while_it_is_read_is_read_again(tmp_path, monkeypatch):
    feed = Feed()
    feed.open("a.md", ([], TEXTS[0]))
    LexicalIndex.open(tmp_path, read_only=False).catch_up(feed)
    real, missed = files.load, []

    def gone_once(path: Path, total: int):
        if not missed:
            missed.append(path)
            raise FileNotFoundError(2, "merged away", str(path))
        return real(path, total)

    monkeypatch.setattr(files, "load", gone_once)
    index = LexicalIndex.open(tmp_path, read_only=False)
    assert missed
    assert list(index.ids()) == [feed.held[1][0].id]


@given(st.lists(st.floats(0, 9, width=32), max_size=80), st.integers(1, 12))
def test_the_best_are_the_best(scores, limit):
    column = np.array(scores, np.float32)
    wanted = sorted((score for score in scores if score > 0), reverse=True)[:limit]
    assert column[best(column, limit)].tolist() == wanted


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=8),
    st.lists(st.integers(-1, 5), min_size=1, max_size=4, unique=True),
)
def test_words_are_counted_row_by_row(rows, wanted):
    held = np.array([code for row in rows for code in row], np.uint32)
    edges = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    assert counted(held, edges, wanted, 6).tolist() == [[row.count(code) if code >= 0 else 0 for code in wanted] for row in rows]


@given(st.lists(st.lists(st.integers(0, 2), max_size=6), min_size=1, max_size=8), st.lists(st.integers(0, 2), min_size=1, max_size=3))
def test_a_phrase_does_not_run_from_one_row_into_the_next(rows, phrase):
    held = np.array([code for row in rows for code in row], np.uint32)
    edges = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    times = [sum(row[k : k + len(phrase)] == phrase for k in range(len(row) - len(phrase) + 1)) for row in rows]
    assert phrased(held, edges, phrase).tolist() == times
