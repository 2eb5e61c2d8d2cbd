"""Vectors are kept once a text, found by meaning, mixed below words, and refused when another model made them."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from pincite.errors import ModelError, StoreError  # noqa: E402
from pincite.index.fusion import fused  # noqa: E402
from pincite.index.hybrid import HybridIndex  # noqa: E402
from pincite.index.lexical import LexicalIndex  # noqa: E402
from pincite.index.vectors import VectorFile  # noqa: E402
from pincite.store.sqlite import SqliteStore  # noqa: E402
from pincite.types import Change, Chunk, Context, Entry, Holding, Point, Query, Span, chunk_id, digest, moment, passage_id  # noqa: E402

WORLDS = ("car automobile motor drive", "bread loaf bake oven", "rain weather storm cloud")


class Thesaurus:
    """An embedder that knows three worlds of words."""

    name = "thesaurus"
    limit_tokens = 100

    def __init__(self):
        self.embedded = []

    def embed(self, texts, *, query=False):
        self.embedded += [] if query else list(texts)
        return [[1e-3 + sum(word.strip(".") in world.split() for word in text.lower().split()) for world in WORLDS] for text in texts]


class Feed:
    def __init__(self, *texts):
        self.log, self.held = [], {}
        for text in texts:
            self.open(text)

    def open(self, text):
        number = len(self.held) + 1
        holding = Holding(
            number, "docs", f"https://e.org/{number}", str(number), f"REF-{number}", f"doc_{number}", moment("2026-01-01T00:00:00Z")
        )
        chunk = Chunk(chunk_id(holding.document, Span(0, len(text))), holding.document, Span(0, len(text)), 0, "doc")
        self.held[number] = (Entry(passage_id(holding.ref, chunk.id), chunk, holding, text, Context()),)
        self.log.append(Change(len(self.log) + 1, "open", number))

    def retire(self, number):
        from dataclasses import replace

        self.held[number] = tuple(replace(e, holding=replace(e.holding, retired=True)) for e in self.held[number])
        self.log.append(Change(len(self.log) + 1, "retire", number))

    def seq(self):
        return len(self.log)

    def changes_since(self, seq, limit=1000):
        return self.log[seq : seq + limit]

    def entries(self, holding):
        return self.held[holding]

    def holdings(self, source=None, *, as_of=None, closed=False):
        return iter(())


def opened(feed, folder, embedder=None):
    """Open the index of a folder, its vectors kept on a shelf there, and do not follow the feed yet."""
    embedder = embedder or Thesaurus()
    shelf = SqliteStore.open(str(folder / "shelf.db"), create=True)
    file = VectorFile.open(folder / "v.db", embedder.name)
    return HybridIndex(LexicalIndex.open(None, read_only=False), file, embedder, shelf), embedder


def hybrid(feed, folder):
    index, embedder = opened(feed, folder)
    index.catch_up(feed, full=True)
    return index, embedder


def found(index, feed, text, **filters):
    texts = {entries[0].id: entries[0].text for entries in feed.held.values()}
    return [texts[hit.id] for hit in index.search(Query(text, **filters), 10).hits]


def test_what_shares_no_word_is_found_by_meaning(tmp_path):
    feed = Feed("The automobile stands outside.", "A loaf of rye.", "A storm is near.")
    index, _ = hybrid(feed, tmp_path)
    assert found(index, feed, "car")[0] == "The automobile stands outside."


def test_an_exact_word_beats_a_near_meaning(tmp_path):
    feed = Feed("The automobile and its motor drive on.", "The word car is short.")
    index, _ = hybrid(feed, tmp_path)
    assert found(index, feed, "car")[0] == "The word car is short."


def test_filters_hold_for_vectors_too(tmp_path):
    feed = Feed("The automobile stands outside.")
    index, _ = hybrid(feed, tmp_path)
    assert found(index, feed, "car", sources=("other",)) == []


def test_the_same_text_is_embedded_once(tmp_path):
    feed = Feed("Bake bread.", "Bake bread.")
    _, embedder = hybrid(feed, tmp_path)
    assert embedder.embedded == ["Bake bread."]
    _, again = hybrid(feed, tmp_path)
    assert again.embedded == []


def test_a_lost_file_is_filled_again_from_the_store_without_embedding(tmp_path):
    feed = Feed("The automobile stands outside.")
    index, _ = hybrid(feed, tmp_path)
    index.shut()
    (tmp_path / "v.db").unlink()
    index, embedder = opened(feed, tmp_path)
    index.catch_up(feed)
    assert found(index, feed, "car") == ["The automobile stands outside."]
    assert embedder.embedded == []


def test_a_search_never_waits_for_embedding_and_says_what_does(tmp_path, caplog):
    feed = Feed("The automobile stands outside.")
    index, embedder = opened(feed, tmp_path)
    with caplog.at_level(logging.WARNING, "pincite.index"):
        index.catch_up(feed)
    assert found(index, feed, "automobile") == ["The automobile stands outside."]
    assert embedder.embedded == []
    assert "reindex --embed" in caplog.text
    assert index.embed(feed) == 1
    assert found(index, feed, "car") == ["The automobile stands outside."]


class Flaky(Thesaurus):
    """Takes a number of calls, then breaks."""

    def __init__(self, calls):
        super().__init__()
        self.calls = calls

    def embed(self, texts, *, query=False):
        self.calls -= 1
        if self.calls < 0:
            raise ModelError("The embedder is away.", rule="no_server")
        return super().embed(texts, query=query)


def test_an_embedder_that_breaks_off_loses_nothing_and_goes_on(tmp_path, caplog):
    feed = many()
    index, embedder = opened(feed, tmp_path, Flaky(2))
    with caplog.at_level(logging.WARNING, "pincite.index"):
        index.catch_up(feed, full=True)
    assert "The embedder is away." in caplog.text
    assert found(index, feed, "storm")[:1] != []
    with pytest.raises(ModelError):
        index.embed(feed)
    first, embedder.calls, embedder.embedded = set(embedder.embedded), 99, []
    assert index.embed(feed) == 300 - len(first)
    assert not first & set(embedder.embedded)


def test_a_long_text_is_cut_to_what_the_embedder_takes(tmp_path):
    feed = Feed("word " * 400)
    _, embedder = hybrid(feed, tmp_path)
    assert embedder.embedded[0].split() == ["word"] * len(embedder.embedded[0].split())
    assert 50 <= len(embedder.embedded[0].split()) <= 100


def test_a_rare_filter_widens_the_search_until_it_is_met(tmp_path):
    feed = Feed(*(f"The automobile {n} drives." for n in range(300)), "Storm and rain.")
    from dataclasses import replace

    last = feed.held[301][0]
    feed.held[301] = (replace(last, lang="fr"),)
    index, _ = hybrid(feed, tmp_path)
    assert found(index, feed, "car", lang="fr") == ["Storm and rain."]


def test_a_retired_text_is_found_no_more(tmp_path):
    feed = Feed("The automobile stands outside.")
    index, _ = hybrid(feed, tmp_path)
    feed.retire(1)
    index.catch_up(feed)
    assert found(index, feed, "car") == []


def test_vectors_of_another_model_are_refused(tmp_path):
    VectorFile.open(tmp_path / "v.db", "one").shut()
    with pytest.raises(StoreError, match="made by one"):
        VectorFile.open(tmp_path / "v.db", "another")


def test_a_refusal_says_what_to_do_about_it(tmp_path):
    VectorFile.open(tmp_path / "v.db", "one").shut()
    with pytest.raises(StoreError, match=r"delete .*v\.db"):
        VectorFile.open(tmp_path / "v.db", "another")
    (tmp_path / "v.db").unlink()
    VectorFile.open(tmp_path / "v.db", "another").shut()


@pytest.mark.parametrize("rubbish", [b"rubbish", b"SQLite format 3\x00" + b"\xff" * 5000], ids=["no database", "a torn one"])
def test_a_damaged_file_is_made_again_with_a_word(tmp_path, caplog, rubbish):
    feed = Feed("The automobile stands outside.")
    index, _ = hybrid(feed, tmp_path)
    index.shut()
    (tmp_path / "v.db").write_bytes(rubbish)
    with caplog.at_level(logging.WARNING, "pincite.index"):
        index, embedder = hybrid(feed, tmp_path)
    assert found(index, feed, "car") == ["The automobile stands outside."]
    assert embedder.embedded == []
    assert "placed again" in caplog.text


def many():
    return Feed(*(f"Page {n}: {WORLDS[n % 3]}." for n in range(300)))


def follow(path, stop):
    """Follow a feed, and wait to be killed at the given step of the vector file."""
    done = 0

    def count(frame, event, arg):
        nonlocal done
        if event == "c_call" and getattr(arg, "__name__", "") in ("execute", "executemany"):
            done += frame.f_globals.get("__name__", "") in ("pincite.index.vectors", "pincite.store.vectors")
            if done == stop:
                done += 1
                print("here", flush=True)
                sys.stdin.readline()

    sys.setprofile(count)
    hybrid(many(), Path(path))


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL of POSIX")
@pytest.mark.parametrize(("stop", "left"), [(9, 300), (13, 172), (16, 108), (20, 100), (32, 36), (38, 0)])
def test_killed_while_it_embeds_it_goes_on_and_equals_its_store(tmp_path, stop, left):
    script = "import runpy, sys; runpy.run_path(sys.argv[1])['follow'](sys.argv[2], int(sys.argv[3]))"
    child = subprocess.Popen(
        [sys.executable, "-c", script, __file__, str(tmp_path), str(stop)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        reached = child.stdout.readline()
        child.kill()
    assert reached == b"here\n", "the step is never reached"
    feed = many()
    index, embedder = hybrid(feed, tmp_path)
    assert set(index._vectors.ids()) == set(index.ids()) == {entries[0].id for entries in feed.held.values()}
    assert len(embedder.embedded) == left, "what was embedded before the kill is kept"
    kept = index._shelf.vectors("thesaurus", [digest(entries[0].text) for entries in feed.held.values()])
    assert len(kept) == 300


def test_binary_codes_with_rescoring_find_nearly_what_exact_search_finds():
    generator = np.random.default_rng(7)
    centres = generator.normal(size=(40, 128))
    rows = centres[generator.integers(0, 40, 4000)] + generator.normal(size=(4000, 128)) * 0.6
    file = VectorFile.open(None, "m")
    file.write([Point(str(i), i, "docs", row.astype("<f4").tobytes()) for i, row in enumerate(rows)], (), 1)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    hits = 0
    for query in centres[:20] + generator.normal(size=(20, 128)) * 0.5:
        exact = set(np.argsort(-(units @ query))[:10].tolist())
        hits += len(exact & {int(id) for id, _ in file.nearest(query, 10)})
    assert hits / 200 >= 0.95


def test_fusion_follows_words_where_both_are_equally_sure():
    assert [id for id, _ in fused([("a", 9.0), ("b", 1.0)], [("b", 0.9), ("a", 0.1)])] == ["a", "b"]


def test_fusion_lets_a_sure_vector_decide_between_equal_words():
    assert fused([("a", 5.0), ("b", 4.9)], [("b", 0.9), ("a", 0.2)])[0][0] == "b"


def test_best_in_both_scores_one_and_nothing_scores_more():
    assert fused([("x", 3.0), ("y", 1.0)], [("x", 0.5), ("y", 0.1)])[0] == ("x", 1.0)


@pytest.mark.parametrize(
    ("words", "vectors"),
    [([], []), ([("a", 1.0)], []), ([], [("a", 0.5)]), ([("a", 0.0)], [("a", -0.2)])],
    ids=["nothing", "words alone", "vectors alone", "zeros"],
)
def test_fusion_takes_whatever_there_is(words, vectors):
    assert [id for id, _ in fused(words, vectors)] == sorted({id for id, _ in (*words, *vectors)})
