"""The lexical index: BM25 over terms of our own analyzer, kept in tantivy, derived from the store and disposable.

In: the store's change log; questions. Out: hits with the parts of their scores, words that the library does not know. One process
writes at a time; others reload what it committed. A missing, damaged or older index is built again from the log.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import tantivy

from pincite.index import folder, schema
from pincite.index.analyzer import Analyzer, Word
from pincite.index.scoring import Cover, Queries, Weighed, Weights, answerable, bits, idf, weigh
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


@dataclass(frozen=True, slots=True)
class _Candidate:
    uid: int
    address: tantivy.DocAddress
    score: float
    holding: int
    section: int
    code: bool


class LexicalIndex:
    """Implements the Index socket on tantivy."""

    def __init__(self, index: tantivy.Index, directory: Path | None, weights: Weights) -> None:
        self._analyzer = Analyzer()
        self._weights = weights
        self._directory = directory
        self._feed: ChangeFeed | None = None
        self._use(index)

    @classmethod
    def open(cls, directory: str | Path | None, *, read_only: bool, weights: Weights | None = None) -> Self:
        """Open the index in a folder, or in memory where there is none or it can't be used. Nothing is read from the store yet."""
        path = None if directory is None else Path(directory)
        index = folder.opened(path, read_only=read_only) if path else None
        kept = None if index is None or read_only else path
        self = cls(index or folder.in_memory(), kept, weights or Weights())
        self._frozen = read_only and index is not None
        return self

    def _use(self, index: tantivy.Index) -> None:
        self._index = index
        self._frozen = False
        self._refresh()

    def _refresh(self) -> None:
        self._index.reload()
        self._searcher = self._index.searcher()
        self._queries = Queries(self._index.schema, self._weights, history=self._searcher.doc_freq("open", 0) > 0)
        self._seen = folder.seen_in(self._searcher, self._index.schema)
        self._count = self._total("chunk")

    def _total(self, what: str) -> int:
        return int(self._searcher.doc_freq("what", what))

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
        if self._directory and (anew := folder.fresh(self._directory)):
            self._use(anew)
            try:
                with folder.guarded():
                    return self._catch_up(feed, feed.seq())
            except folder.Damaged as again:
                log.warning(
                    "The index in %s can't be written (is the disk full?); searching an index in memory: %s", self._directory, again
                )
        self._use(folder.in_memory())
        return self._catch_up(feed, feed.seq())

    def _catch_up(self, feed: ChangeFeed, newest: int) -> int:
        if self._frozen:
            log.warning("The index on disk is not up to date and may not be written: an index in memory is built.")
            self._use(folder.in_memory())
        writer = self._writer(newest)
        if writer is None:
            return 0
        try:
            self._refresh()
            if self._seen > newest:
                log.warning("The index is ahead of its store (a restored copy?) and is built again.")
                writer.delete_all_documents()
                self._seen = 0
            return self._replay(feed, writer)
        finally:
            writer.wait_merging_threads()
            self._refresh()

    def _writer(self, newest: int) -> tantivy.IndexWriter | None:
        """Take the writer lock; None when another process has meanwhile done the work, or keeps the lock too long."""
        deadline = time.monotonic() + WAIT_S
        while (writer := folder.writer(self._index)) is None:
            self._refresh()
            if self._seen >= newest:
                return None
            if time.monotonic() > deadline:
                log.warning("Another process is writing the index; searching what it has committed so far.")
                return None
            time.sleep(0.02)
        return writer

    def _replay(self, feed: ChangeFeed, writer: tantivy.IndexWriter) -> int:
        done = 0
        while changes := feed.changes_since(self._seen):
            for holding in dict.fromkeys(change.holding for change in changes if change.op != "mark"):
                writer.delete_documents_by_query(tantivy.Query.term_query(self._index.schema, "holding", holding, "basic"))
                entries = feed.entries(holding)
                if entries and not entries[0].holding.retired:
                    for document in schema.documents(entries, self._analyzer):
                        writer.add_document(document)
            self._seen = changes[-1].seq
            done += len(changes)
            writer.delete_documents_by_term("what", "seen")
            writer.add_document(schema.seen_document(self._seen))
            writer.commit()
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
        words = self._analyzer.question(query.text)
        content = tuple(w for w in words if not w.stop)
        if not words or not self._count:
            return LexicalFound(unknown_terms=tuple(w.surface for w in content))
        weighed = weigh(content or words, self._count, self._frequency)
        weighed = tuple(item if item.known else self._corrected(item) for item in weighed)
        if content:
            sought = self._queries.chunks(weighed, self._analyzer.phrases(query.text), query)
        else:
            sought = self._queries.literal([word.terms[0] for word in words], query)
        hits = self._ranked(self._pool(sought, max(100, 2 * limit)), weighed, limit)
        unknown = tuple(item.word.surface for item in weighed if not item.whole)
        return LexicalFound(hits, unknown, answerable(weighed, [hit.similarity for hit in hits[:5]]) if content else 0.0)

    def _frequency(self, term: str) -> int:
        return int(self._searcher.doc_freq("text", term))

    def _corrected(self, item: Weighed) -> Weighed:
        """Add to an unknown word the known one that it may be a misspelling of; it stays unknown, and counts less."""
        term = item.word.terms[0]
        if len(item.word.terms) > 1 or not misspellable(term):
            return item
        near = nearest(term, self._searcher.terms_with_prefix("text", term[:PREFIX], limit=5000))
        if near is None:
            return item
        word = replace(item.word, terms=(term, near))
        return replace(item, word=word, idf=(item.idf[0], idf(self._count, self._frequency(near))))

    def _pool(self, sought: tantivy.Query, size: int) -> list[_Candidate]:
        found = self._searcher.search(sought, size, count=False).hits
        addresses = [address for _, address in found]
        columns = [self._searcher.fast_field_values(name, addresses) for name in ("uid", "holding", "section", "code")]
        return [
            _Candidate(int(uid or 0), address, float(score), int(holding or 0), int(section or 0), bool(code))
            for (score, address), uid, holding, section, code in zip(found, *columns, strict=True)
        ]

    def _ranked(self, pool: Sequence[_Candidate], weighed: Sequence[Weighed], limit: int) -> tuple[Hit, ...]:
        if not pool:
            return ()
        weights, total = self._weights, sum(item.share for item in weighed)
        pages = self._wholes("page", "holding", weighed, {c.holding for c in pool})
        parts = self._wholes("part", "section", weighed, {c.section for c in pool if c.section})
        places = bits(weighed)
        masks, cover = self._masks(places, [c.uid for c in pool]), Cover(weighed, places)
        rows = []
        for c in pool:
            mask = masks.get(c.uid, 0)
            share, page, part = cover.share(mask), pages.get(c.holding, 0.0), parts.get(c.section, 0.0)
            blend = weights.code if c.code else weights.prose
            score = c.score + blend.page * page + blend.part * part + blend.covered * total * share
            rows.append((-score, c.uid, share, page, part, mask, c))
        rows.sort(key=lambda row: row[:2])
        return tuple(
            Hit(
                id=str(self._searcher.doc(c.address).get_first("id")),
                score=-least,
                similarity=share,
                scores=(("lexical", -least), ("terms", c.score), ("page", page), ("section", part), ("coverage", share)),
                matched=cover.matched(mask),
            )
            for least, _, share, page, part, mask, c in rows[:limit]
        )

    def _wholes(self, field: str, key: str, weighed: Sequence[Weighed], values: set[int]) -> dict[int, float]:
        if not values:
            return {}
        found = self._searcher.search(self._queries.wholes(field, weighed, key, values), len(values), count=False).hits
        keys = self._searcher.fast_field_values(key, [address for _, address in found])
        return {int(k or 0): float(score) for k, (score, _) in zip(keys, found, strict=True)}

    def _masks(self, places: dict[str, int], uids: Sequence[int]) -> dict[int, int]:
        found = self._searcher.search(self._queries.mask(places, uids), len(uids), count=False).hits
        keys = self._searcher.fast_field_values("uid", [address for _, address in found])
        return {int(k or 0): int(score) for k, (score, _) in zip(keys, found, strict=True)}

    def allowed(self, query: Query, ids: Sequence[str]) -> frozenset[str]:
        """Return which of the passages meet the filters of the query."""
        if not ids:
            return frozenset()
        numbers = {schema.number(id): id for id in ids}
        found = self._searcher.search(self._queries.among(query, numbers), len(numbers), count=False).hits
        keys = self._searcher.fast_field_values("uid", [address for _, address in found])
        return frozenset(numbers[int(key or 0)] for key in keys)

    def words(self, text: str) -> tuple[Word, ...]:
        """Return how a question is understood."""
        return self._analyzer.question(text)

    def ids(self) -> Iterator[str]:
        """Yield every passage id in the index, for the check against the store."""
        found: Iterable[tuple[object, tantivy.DocAddress]] = self._searcher.search(
            tantivy.Query.term_query(self._index.schema, "what", "chunk", "basic"), max(1, self._searcher.num_docs), count=False
        ).hits
        for _, address in found:
            yield str(self._searcher.doc(address).get_first("id"))

    def shut(self) -> None:
        """Release the index; a writer is only held while changes are replayed."""
