"""The lexical index: BM25 over terms of our own analyzer, kept in tantivy, derived from the store and disposable.

In: the store's change log; questions. Out: hits with the parts of their scores, words that the library does not know. One process
writes at a time; others reload what it committed. A missing, damaged or older index is built again from the log.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import tantivy

from pincite.index import folder, program, prose, schema
from pincite.index.analyzer import Analyzer, Word
from pincite.index.queries import Queries
from pincite.index.scoring import Weighed, Weights, answerable, idf, weigh
from pincite.index.shelves import Shelves, Writing
from pincite.index.spelling import PREFIX, misspellable, nearest
from pincite.protocols import ChangeFeed
from pincite.types import Hit, Query

log = folder.log
WAIT_S = 10.0
"""How long a process waits for another that is writing, before it searches what is there."""


@dataclass(frozen=True, slots=True)
class LexicalFound:
    """What a search gave."""

    hits: tuple[Hit, ...] = ()
    unknown_terms: tuple[str, ...] = ()
    answerable: float = 0.0


class LexicalIndex:
    """Implements the Index socket on tantivy."""

    def __init__(self, shelves: Shelves, directory: Path | None, weights: Weights) -> None:
        self._analyzer = Analyzer()
        self._weights = weights
        self._directory = directory
        self._feed: ChangeFeed | None = None
        self._use(shelves)

    @classmethod
    def open(cls, directory: str | Path | None, *, read_only: bool, weights: Weights | None = None) -> Self:
        """Open the index in a folder, or in memory where there is none or it can't be used. Nothing is read from the store yet."""
        path = None if directory is None else Path(directory)
        shelves = Shelves.opened(path, read_only=read_only) if path else None
        kept = None if shelves is None or read_only else path
        self = cls(shelves or Shelves.in_memory(), kept, weights or Weights())
        self._frozen = read_only and shelves is not None
        return self

    def _use(self, shelves: Shelves) -> None:
        self._shelves = shelves
        self._frozen = False
        self._refresh()

    def _refresh(self) -> None:
        self._at = self._shelves.read()
        self._seen, self._chunks = self._at.seen, (self._at.chunks, self._at.program)
        closed = sum(at.doc_freq("open", 0) for at in self._chunks)
        self._queries = Queries(self._at.schema, self._weights, history=closed > 0)
        self._code = self._at.program.doc_freq("what", "chunk")
        self._count = self._at.chunks.doc_freq("what", "chunk") + self._code

    def catch_up(self, feed: ChangeFeed, *, full: bool = False) -> int:
        """Replay the changes not yet seen and return their number. A missing, damaged or older index is built again."""
        self._feed = feed
        newest = feed.seq()
        if newest == self._seen:
            return 0
        try:
            with folder.guarded():
                return self._catch_up(feed, newest)
        except folder.Damaged as error:
            return self._built_again(feed, error)

    def _built_again(self, feed: ChangeFeed, error: folder.Damaged) -> int:
        log.warning("The index is damaged and is built again: %s", error)
        if self._directory and (anew := Shelves.fresh(self._directory)):
            self._use(anew)
            try:
                with folder.guarded():
                    return self._catch_up(feed, feed.seq())
            except folder.Damaged as again:
                log.warning(
                    "The index in %s can't be written (is the disk full?); searching an index in memory: %s", self._directory, again
                )
        self._use(Shelves.in_memory())
        return self._catch_up(feed, feed.seq())

    def _catch_up(self, feed: ChangeFeed, newest: int) -> int:
        if self._frozen:
            log.warning("The index on disk is not up to date and may not be written: an index in memory is built.")
            self._use(Shelves.in_memory())
        writer = self._writer(newest)
        if writer is None:
            return 0
        try:
            self._refresh()
            if self._seen > feed.seq():  # asked again: another process may have gone on while this one waited for its turn
                log.warning("The index is ahead of its store (a restored copy?) and is built again.")
                writer.clear()
                self._seen = 0
            return self._replay(feed, writer)
        finally:
            writer.close()
            self._refresh()

    def _writer(self, newest: int) -> Writing | None:
        """Take the writer lock; None when another process has meanwhile done the work, or keeps the lock too long."""
        deadline = time.monotonic() + WAIT_S
        while (writer := self._shelves.writing()) is None:
            self._refresh()
            if self._seen >= newest:
                return None
            if time.monotonic() > deadline:
                log.warning("Another process is writing the index; searching what it has committed so far.")
                return None
            time.sleep(0.02)
        return writer

    def _replay(self, feed: ChangeFeed, writer: Writing) -> int:
        done = 0
        while changes := feed.changes_since(self._seen):
            for holding in dict.fromkeys(change.holding for change in changes if change.op != "mark"):
                writer.drop(holding)
                entries = feed.entries(holding)
                if entries and not entries[0].holding.retired:
                    writer.add(schema.documents(entries, self._analyzer))
            self._seen = changes[-1].seq
            done += len(changes)
            writer.commit(self._seen)
        return done

    def search(self, query: Query, limit: int) -> LexicalFound:
        """Return at most `limit` hits, best first, with the filters of the query applied."""
        try:
            with folder.guarded():
                return self._search(query, limit)
        except folder.Damaged as error:
            if self._feed is None:
                raise
            self._built_again(self._feed, error)
            return self._search(query, limit)

    def _search(self, query: Query, limit: int) -> LexicalFound:
        words = self._analyzer.question(query.meant or query.text)
        content = tuple(w for w in words if not w.stop)
        if not words or not self._count:
            return LexicalFound(unknown_terms=tuple(w.surface for w in content))
        weighed = weigh(content or words, self._count, self._frequency)
        weighed = tuple(item if item.known else self._corrected(item) for item in weighed)
        reading = program.Reading(self._at, self._queries, self._weights)
        if not content:
            literal = self._queries.literal([word.terms[0] for word in words], query)
            hits = [hit for at in self._chunks for hit in program.ranked(reading, literal, weighed, limit, at)]
            hits = sorted(hits, key=lambda hit: -hit.score)[:limit]
        else:
            hits = self._ranked(reading, weighed, self._analyzer.phrases(query.meant or query.text), query, limit)
        unknown = tuple(item.word.surface for item in weighed if not item.whole)
        return LexicalFound(tuple(hits), unknown, answerable(weighed, [hit.similarity for hit in hits[:5]]) if content else 0.0)

    def _frequency(self, term: str) -> int:
        return sum(at.doc_freq("text", term) for at in self._chunks)

    def _corrected(self, item: Weighed) -> Weighed:
        """Add to an unknown word the known one that it may be a misspelling of; it stays unknown, and counts less."""
        term = item.word.terms[0]
        if len(item.word.terms) > 1 or not misspellable(term):
            return item
        near = nearest(term, [known for at in self._chunks for known in at.terms_with_prefix("text", term[:PREFIX], limit=5000)])
        if near is None:
            return item
        word = replace(item.word, terms=(term, near), likes=())
        return replace(item, word=word, idf=(item.idf[0], idf(self._count, self._frequency(near))))

    def _ranked(
        self, reading: program.Reading, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query, limit: int
    ) -> list[Hit]:
        hits: list[Hit] = []
        if query.kind != "code":
            hits += prose.ranked(reading, weighed, phrases, query, limit)
        if query.kind != "doc" and self._code:
            hits += program.ranked(reading, self._queries.chunks(weighed, phrases, query), weighed, limit)
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def allowed(self, query: Query, ids: Sequence[str]) -> frozenset[str]:
        """Return which of the passages meet the filters of the query."""
        if not ids:
            return frozenset()
        numbers = {schema.number(id): id for id in ids}
        kept: set[str] = set()
        for at in self._chunks:
            found = at.search(self._queries.among(query, numbers), len(numbers), count=False).hits
            keys = at.fast_field_values("uid", [address for _, address in found])
            kept.update(numbers[int(key or 0)] for key in keys)
        return frozenset(kept)

    def words(self, text: str) -> tuple[Word, ...]:
        """Return how a question is understood."""
        return self._analyzer.question(text)

    def ids(self) -> Iterator[str]:
        """Yield every passage id in the index, for the check against the store."""
        chunks = tantivy.Query.term_query(self._at.schema, "what", "chunk", "basic")
        for at in self._chunks:
            for _, address in at.search(chunks, max(1, at.num_docs), count=False).hits:
                yield str(at.doc(address).get_first("id"))

    def shut(self) -> None:
        """Release the index; a writer is only held while changes are replayed."""
