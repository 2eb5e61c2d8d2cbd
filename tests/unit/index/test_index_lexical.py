"""The index follows its store, answers questions, and builds itself again when it is lost."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pincite.index import files
from pincite.index.lexical import LexicalIndex
from pincite.types import Change, Chunk, Context, Entry, Holding, Query, Span, chunk_id, passage_id

NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Feed:
    """A change log in memory, as a store keeps it."""

    def __init__(self) -> None:
        self.log: list[Change] = []
        self.held: dict[int, tuple[Entry, ...]] = {}

    def seq(self) -> int:
        return len(self.log)

    def changes_since(self, seq, limit=1000):
        return self.log[seq : seq + limit]

    def entries(self, holding):
        return self.held.get(holding, ())

    def holdings(self, source=None, *, as_of=None, closed=False):
        return iter(())

    def open(self, path, *chunks, source="docs", kind="doc", at=NOW, version="", lang="en", **how):
        number = len(self.held) + 1
        holding = Holding(number, source, f"https://docs.example.org/{path}", path, f"REF-{number:06d}", f"doc_{number}", at)
        entries, start = [], 0
        for heading, text in chunks:
            span = Span(start, start + len(text))
            chunk = Chunk(chunk_id(f"doc_{number}", span), f"doc_{number}", span, 0, kind, tuple(heading), **how)
            context = Context(document_title=path, path=path, trail=tuple(heading))
            entries.append(Entry(passage_id(holding.ref, chunk.id), chunk, holding, text, context, version, lang))
            start = span.end + 2
        self.held[number] = tuple(entries)
        self._tell("open", number)
        return number

    def close(self, number, at):
        self._change(number, valid_to=at)
        self._tell("close", number)

    def retire(self, number):
        self._change(number, retired=True)
        self._tell("retire", number)

    def _change(self, number, **facts):
        self.held[number] = tuple(replace(e, holding=replace(e.holding, **facts)) for e in self.held[number])

    def _tell(self, op, number):
        self.log.append(Change(len(self.log) + 1, op, number))


@pytest.fixture
def feed():
    made = Feed()
    made.open(
        "cache.md",
        (["Caching"], "Pages are kept for a day. Set CacheMode.BYPASS to read past the cache."),
        (["Caching", "Proxy"], "A proxy may keep pages too; name it with the proxy option."),
    )
    made.open("shots.md", (["Screenshots"], "Call take_screenshot(path) after the page has settled."))
    made.open("till.py", ([], "class BrowserConfig:\n    headless = True"), kind="code", defines=("BrowserConfig",))
    made.open("use.py", ([], "config = BrowserConfig()\nother = BrowserConfig()\nrun(BrowserConfig)"), kind="code")
    made.open("zh.md", (["缓存"], "使用 CacheMode.BYPASS 可以绕过缓存，直接读取页面。"), lang="zh-CN")
    return made


@pytest.fixture
def index(feed):
    made = LexicalIndex.open(None, read_only=False)
    made.catch_up(feed)
    return made


def found(index, feed, text, limit=10, **filters):
    paths = {e.id: e.holding.path for entries in feed.held.values() for e in entries}
    return [paths[hit.id] for hit in index.search(Query(text, **filters), limit).hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("cache", "cache.md"),
        ("cache?", "cache.md"),
        ("PROXY", "cache.md"),
        ("cachemode", "cache.md"),
        ("CacheMode.BYPASS", "cache.md"),
        ("take_screenshot", "shots.md"),
        ("how do I take a screenshot", "shots.md"),
        ("BrowserConfig", "till.py"),
        ("class BrowserConfig", "till.py"),
        ("如何绕过缓存", "zh.md"),
    ],
)
def test_the_right_page_comes_first(index, feed, question, first):
    assert found(index, feed, question)[0] == first


@pytest.mark.parametrize("question", ["zyxwvut", "   ", "?!", "量子香蕉食谱"])
def test_what_nobody_wrote_finds_nothing(index, feed, question):
    assert found(index, feed, question) == []


def test_unknown_words_are_named_as_written(index):
    assert index.search(Query("the Frobnicator of the cache"), 5).unknown_terms == ("Frobnicator",)


def test_punctuation_and_case_do_not_change_scores(index):
    one, other = (index.search(Query(q), 5).hits for q in ("proxy cache", "PROXY, cache??"))
    assert [(h.id, h.score) for h in one] == [(h.id, h.score) for h in other]


def test_repeated_words_do_not_raise_scores(index):
    one, other = (index.search(Query(q), 5).hits for q in ("cache", "cache cache cache"))
    assert [h.score for h in one] == [h.score for h in other]


def test_function_words_alone_match_their_very_phrase_only(index, feed):
    assert found(index, feed, "what is the") == []
    assert found(index, feed, "for a") == ["cache.md"]


def test_scores_fall_and_similarity_is_a_share(index):
    hits = index.search(Query("keep pages past the proxy cache"), 10).hits
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert all(0 < h.similarity <= 1 for h in hits)
    assert "proxy" in hits[0].matched


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"kind": "code"}, {"till.py", "use.py"}),
        ({"kind": "doc"}, set()),
        ({"sources": ("other",)}, set()),
        ({"sources": ("docs",)}, {"till.py", "use.py"}),
        ({"refs": ("REF-000004",)}, {"use.py"}),
    ],
    ids=lambda value: str(value),
)
def test_filters_hold(index, feed, filters, paths):
    assert set(found(index, feed, "BrowserConfig", **filters)) == paths


@pytest.mark.parametrize("lang", ["zh", "zh-CN", "ZH-cn"])
def test_language_filter_takes_main_and_full_tags(index, feed, lang):
    assert found(index, feed, "CacheMode.BYPASS", lang=lang) == ["zh.md"]


def test_version_filter_keeps_that_version(index, feed):
    feed.open("old.md", (["Cache"], "The cache of long ago."), version="1.0")
    index.catch_up(feed)
    assert found(index, feed, "cache", version="1.0") == ["old.md"]


def test_a_closed_page_is_gone_now_and_there_as_of_then(index, feed):
    feed.close(2, NOW + timedelta(days=2))
    assert index.catch_up(feed) == 1
    assert found(index, feed, "take_screenshot") == []
    assert found(index, feed, "take_screenshot", as_of=NOW + timedelta(days=1)) == ["shots.md"]
    assert found(index, feed, "take_screenshot", as_of=NOW + timedelta(days=2)) == []
    assert found(index, feed, "take_screenshot", as_of=NOW - timedelta(days=1)) == []


def test_a_retired_page_is_gone_from_all_times(index, feed):
    feed.retire(2)
    index.catch_up(feed)
    assert found(index, feed, "take_screenshot", as_of=NOW + timedelta(days=1)) == []
    assert not {e.id for e in feed.held[2]} & set(index.ids())


def test_replaying_again_doubles_nothing(index, feed):
    before = sorted(index.ids())
    feed._tell("open", 1)
    index.catch_up(feed)
    assert sorted(index.ids()) == before


def test_boilerplate_is_left_out(feed):
    feed.open("nav.md", ([], "cache proxy pages"), boilerplate=True)
    index = LexicalIndex.open(None, read_only=False)
    index.catch_up(feed)
    assert "nav.md" not in found(index, feed, "cache proxy")


def test_the_index_on_disk_is_read_by_the_next_process(tmp_path, feed):
    first = LexicalIndex.open(tmp_path, read_only=False)
    first.catch_up(feed)
    first.shut()
    second = LexicalIndex.open(tmp_path, read_only=False)
    assert second.catch_up(feed) == 0
    assert found(second, feed, "proxy")


def broken_list(path: Path) -> None:
    (path / "segments.json").write_text("{")


def list_without_its_facts(path: Path) -> None:
    (path / "segments.json").write_text(json.dumps({"format": files.FORMAT}))


def holdings_that_are_not(path: Path) -> None:
    listed = json.loads((path / "segments.json").read_text())
    listed["segments"][0]["dead"] = [10_000]
    (path / "segments.json").write_text(json.dumps(listed))


def another_layout(path: Path) -> None:
    (path / "segments.json").write_text(json.dumps({"format": "0", "seen": 1, "segments": []}))


def each_segment(harm: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def harmed(path: Path) -> None:
        for file in path.glob("*.segment"):
            content = harm(file.read_bytes())
            file.unlink()
            file.write_bytes(content)

    return harmed


def no_segment(path: Path) -> None:
    for file in path.glob("*.segment"):
        file.unlink()


def flipped(content: bytes) -> bytes:
    at = len(content) * 2 // 3
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


HARMS = {
    "the list is no JSON": broken_list,
    "the list lacks its facts": list_without_its_facts,
    "the list names holdings that are not there": holdings_that_are_not,
    "the list is of another layout": another_layout,
    "a segment is missing": no_segment,
    "a segment is rubbish": each_segment(lambda _: b"rubbish!" * 40),
    "a segment is empty": each_segment(lambda _: b""),
    "a segment is cut off": each_segment(lambda content: content[: len(content) // 128 * 64]),
    "one bit of a segment is wrong": each_segment(flipped),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_damaged_index_is_built_again_with_a_word(tmp_path, feed, caplog, harm):
    LexicalIndex.open(tmp_path, read_only=False).catch_up(feed)
    harm(files.place(tmp_path))
    with caplog.at_level(logging.WARNING, "pincite.index"):
        index = LexicalIndex.open(tmp_path, read_only=False)
        index.catch_up(feed)
    assert found(index, feed, "proxy") == ["cache.md"]
    assert any("built again" in record.message for record in caplog.records)


def test_a_deleted_folder_is_built_again(tmp_path, feed):
    LexicalIndex.open(tmp_path / "index", read_only=False).catch_up(feed)
    for path in sorted((tmp_path / "index").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    index = LexicalIndex.open(tmp_path / "index", read_only=False)
    assert index.catch_up(feed) == feed.seq()
    assert found(index, feed, "proxy")


def test_an_index_of_an_older_layout_is_removed_with_a_word(tmp_path, feed, caplog):
    old = tmp_path / "lexical-0.0"
    old.mkdir()
    with caplog.at_level(logging.WARNING, "pincite.index"):
        LexicalIndex.open(tmp_path, read_only=False)
    assert not old.exists()
    assert "older layout" in caplog.text


def test_an_index_ahead_of_its_store_is_built_again(tmp_path, feed, caplog):
    LexicalIndex.open(tmp_path, read_only=False).catch_up(feed)
    restored = Feed()
    restored.open("cache.md", (["Caching"], "An older cache page."))
    with caplog.at_level(logging.WARNING, "pincite.index"):
        index = LexicalIndex.open(tmp_path, read_only=False)
        index.catch_up(restored)
    assert list(index.ids()) == [restored.held[1][0].id]
    assert "ahead" in caplog.text


def test_an_index_that_another_went_on_with_is_not_taken_for_one_ahead_of_its_store(tmp_path, feed, caplog):
    """The number of the store was read, then another process wrote to both, then this one got its turn."""
    index = LexicalIndex.open(tmp_path, read_only=False)

    class Overtaken(Feed):
        overtaken = False

        def seq(self) -> int:
            if not self.overtaken:
                self.overtaken, before = True, len(self.log)
                self.open("proxy.md", (["Lamps"], "A lamp at the pier."))
                LexicalIndex.open(tmp_path, read_only=False).catch_up(self)
                return before
            return len(self.log)

    late = Overtaken()
    late.log, late.held = list(feed.log), dict(feed.held)
    with caplog.at_level(logging.WARNING, "pincite.index"):
        index.catch_up(late)
    assert "ahead" not in caplog.text
    assert found(index, late, "lamp") == ["proxy.md"]


def test_read_only_without_an_index_searches_in_memory(tmp_path, feed):
    index = LexicalIndex.open(tmp_path / "none", read_only=True)
    index.catch_up(feed)
    assert found(index, feed, "proxy")
    assert not (tmp_path / "none").exists()


def test_read_only_with_a_stale_index_leaves_it_alone(tmp_path, feed):
    LexicalIndex.open(tmp_path, read_only=False).catch_up(feed)
    feed.open("new.md", (["New"], "A zebra crossing."))
    before = {p.name: p.stat().st_mtime_ns for p in files.place(tmp_path).iterdir()}
    index = LexicalIndex.open(tmp_path, read_only=True)
    index.catch_up(feed)
    assert found(index, feed, "zebra") == ["new.md"]
    assert {p.name: p.stat().st_mtime_ns for p in files.place(tmp_path).iterdir()} == before


def test_while_another_writes_the_index_reads_what_is_committed(tmp_path, feed, monkeypatch):
    monkeypatch.setattr("pincite.index.lexical.WAIT_S", 0.05)
    LexicalIndex.open(tmp_path, read_only=False).catch_up(feed)
    lock = files.locked(tmp_path)
    assert lock is not None
    index = LexicalIndex.open(tmp_path, read_only=False)
    feed.open("new.md", (["New"], "A zebra crossing."))
    assert index.catch_up(feed) == 0
    assert found(index, feed, "proxy")
    lock.release()
    assert index.catch_up(feed) == 1
    assert found(index, feed, "zebra") == ["new.md"]


@pytest.mark.parametrize("question", ["screnshot", "screeenshot", "screesnhots"])
def test_a_misspelt_word_still_finds_and_is_still_named(index, feed, question):
    assert found(index, feed, question)[:1] == ["shots.md"]
    assert index.search(Query(question), 5).unknown_terms == (question,)


def test_a_misspelling_covers_less_than_the_word(index):
    right, wrong = (index.search(Query(q), 5).hits[0].similarity for q in ("screenshots page", "screnshots page"))
    assert wrong < right


@pytest.mark.parametrize(
    ("question", "is_there"),
    [("set CacheMode.BYPASS to read past the cache", True), ("CacheMode.REFRESH of the cache", False), ("boil a soft egg", False)],
)
def test_a_name_that_stands_nowhere_makes_a_question_unanswerable(index, question, is_there):
    assert (index.search(Query(question), 5).answerable >= 0.5) is is_there


def test_an_unknown_option_is_named_though_its_parts_are_known(index):
    assert index.search(Query("what does --proxy-pages do"), 5).unknown_terms == ("proxy-pages",)
