"""Any order of captures, removals and returns leaves the store equal to a model of a few dictionaries."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pincite.store.sqlite import SqliteStore
from pincite.types import Chunk, Context, Document, Fetched, Section, Source, Span, chunk_id, document_id, passage_id, snapshot_id

SLUGS = st.sampled_from(["a", "b"])
URLS = st.sampled_from(["file:///x", "file:///y#1", ""])
TEXTS = st.sampled_from(["alpha beta gamma", "delta", "", "alpha beta gamma delta"])
HOWS = st.sampled_from(["plain@1", "plain@2"])
SIZES = st.sampled_from([5, 7])


def made(url: str, text: str, how: str, size: int) -> tuple[Document, list[Chunk]]:
    id = document_id(snapshot_id(text.encode()), url, how)
    doc = Document(id, snapshot_id(text.encode()), url, "doc", "", text, (Section(0, 0, (), Span(0, len(text)), kind="root"),), (), how)
    spans = [Span(i, min(i + size, len(text))) for i in range(0, len(text), size)]
    return doc, [Chunk(chunk_id(id, span), id, span, 0, "doc") for span in spans]


class StoreModel(RuleBasedStateMachine):
    """The model: what each page holds, what it held (from, to, text), which captures were made, which sources were purged."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.store = SqliteStore.open(self.folder + "/library.db", create=True)
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.sources: set[str] = set()
        self.held: dict[tuple[str, str], tuple[datetime, str, str, int]] = {}
        self.past: dict[tuple[str, str], list[tuple[datetime, datetime, str]]] = {}
        self.bytes: dict[tuple[str, str], str] = {}
        self.refs: dict[str, str] = {}
        self.indexed: dict[int, list[str]] = {}
        self.seen = 0

    def teardown(self) -> None:
        self.store.shut()
        shutil.rmtree(self.folder)

    @rule(slug=SLUGS, url=URLS, text=TEXTS, how=HOWS, size=SIZES, hold=st.booleans(), fail=st.booleans(), step=st.integers(0, 2))
    def capture(self, slug: str, url: str, text: str, how: str, size: int, hold: bool, fail: bool, step: int) -> None:
        self.now += timedelta(seconds=step)
        self.store.put_source(Source(slug, "folder", "/"))
        self.sources.add(slug)
        doc, chunks = made(url, text, how, size)
        try:
            with self.store.batch() as batch:
                capture, new = batch.put_capture(slug, Fetched(url, url, url, 200, (), "", text.encode(), self.now))
                if hold:
                    batch.put_document(doc, chunks, [Context()] * len(chunks))
                    batch.hold(capture, doc.id)
                if fail:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            return
        page = (slug, url)
        assert new == (self.bytes.get(page) != text)
        self.bytes[page] = text
        self.refs[capture.ref] = text
        if not hold:
            return
        before = self.held.get(page)
        if before is None or before[1] != capture.ref:
            start = self._close(page)
            self.held[page] = (max(start, self.now), capture.ref, how, size)
        else:
            self.held[page] = (before[0], capture.ref, how, size)
        for other, (start, ref, _, _) in self.held.items():
            if other[1] == url and self.refs[ref] == text and self.held[other][2] == how:
                self.held[other] = (start, ref, how, size)

    def _close(self, page: tuple[str, str]) -> datetime:
        before = self.held.pop(page, None)
        past = self.past.setdefault(page, [])
        if before is not None and self.now > before[0]:
            past.append((before[0], self.now, before[1]))
        return past[-1][1] if past else self.now

    @rule(slug=SLUGS, url=URLS)
    def gone(self, slug: str, url: str) -> None:
        if slug in self.sources:
            with self.store.batch() as batch:
                batch.close(slug, url, self.now)
            self._close((slug, url))

    @rule(slug=SLUGS, purge=st.booleans())
    def remove(self, slug: str, purge: bool) -> None:
        pages = [page for page in self.held if page[0] == slug]
        told = [page for page in self.bytes if page[0] == slug] if purge else pages
        assert self.store.remove(slug, self.now, purge=purge) == len(told)
        self.sources.discard(slug)
        for page in pages:
            self._close(page)
        if purge:
            for page in [page for page in self.past if page[0] == slug]:
                del self.past[page]
            for page in [page for page in self.bytes if page[0] == slug]:
                del self.bytes[page]
            for ref in list(self.refs):
                capture = self.store.capture(ref)
                assert capture is not None
                if capture.source == slug:
                    del self.refs[ref]

    @rule()
    def reopen(self) -> None:
        self.store.shut()
        self.store = SqliteStore.open(self.folder + "/library.db", create=False)

    def _ids(self, ref: str, url: str, how: str, size: int) -> list[str]:
        return [passage_id(ref, chunk.id) for chunk in made(url, self.refs[ref], how, size)[1]]

    @invariant()
    def what_is_held_is_what_the_model_holds(self) -> None:
        found = {(h.source, h.url): (h.valid_from, h.ref) for h in self.store.holdings()}
        assert found == {page: value[:2] for page, value in self.held.items()}
        assert {s.slug for s in self.store.sources()} == self.sources
        for (_, url), (_, ref, how, size) in self.held.items():
            wanted = self._ids(ref, url, how, size)
            assert list(self.store.live(wanted)) == wanted

    @invariant()
    def the_past_is_what_it_was(self) -> None:
        found: dict[tuple[str, str], list[tuple[datetime, datetime, str]]] = {}
        for h in self.store.holdings(closed=True):
            if h.valid_to is not None:
                found.setdefault((h.source, h.url), []).append((h.valid_from, h.valid_to, h.ref))
        assert found == {page: past for page, past in self.past.items() if past}

    @invariant()
    def evidence_stays(self) -> None:
        for ref, text in self.refs.items():
            capture = self.store.capture(ref)
            assert capture is not None
            assert self.store.body(capture.snapshot) == text.encode()

    @invariant()
    def an_index_that_replays_the_log_holds_the_live_ids(self) -> None:
        for change in self.store.changes_since(self.seen):
            self.seen = change.seq
            if change.op == "open":
                self.indexed[change.holding] = [e.id for e in self.store.entries(change.holding)]
            elif change.op == "retire":
                del self.indexed[change.holding]
        assert Counter(self.store.live_ids()) == Counter(id for ids in self.indexed.values() for id in ids)

    @invariant()
    def the_check_finds_nothing(self) -> None:
        assert list(self.store.check()) == []


TestStoreModel = StoreModel.TestCase
TestStoreModel.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
