"""The lexical index: BM25 over terms of our own analyzer, in segments of our own, derived from the store and disposable.

In: the store's change log; questions. Out: hits with the parts of their scores, words that the library does not know. One process
writes at a time; others reload what it committed. A missing, damaged or older index is built again from the log.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from pincite.index import files, matching, program, prose
from pincite.index.analyzer import Analyzer, Word
from pincite.index.scoring import Weighed, Weights, answerable, idf, weigh
from pincite.index.segment import group, hashed
from pincite.index.shelves import Shelves, Writing
from pincite.index.spelling import PREFIX, misspellable, nearest
from pincite.index.view import View
from pincite.protocols import ChangeFeed
from pincite.types import Hit, Query

log = files.log
WAIT_S = 10.0
"""How long a process waits for another that is writing, before it searches what is there."""
STEP = 250
"""Changes that make one segment; what is gathered of them is held in memory until it is written."""
MANY = 1000
"""Changes after which all that there is becomes one segment again: what follows a large import are searches."""


@dataclass(frozen=True, slots=True)
class LexicalFound:
    """What a search gave."""

    hits: tuple[Hit, ...] = ()
    unknown_terms: tuple[str, ...] = ()
    answerable: float = 0.0


class LexicalIndex:
    """Implements the Index socket."""

    def __init__(self, shelves: Shelves, weights: Weights, *, frozen: bool = False) -> None:
        self._analyzer = Analyzer()
        self._weights = weights
        self._feed: ChangeFeed | None = None
        self._use(shelves, frozen=frozen)

    @classmethod
    def open(cls, directory: str | Path | None, *, read_only: bool, weights: Weights | None = None) -> Self:
        """Open the index in a folder, or in memory where there is none or it can't be used. Nothing is read from the store yet."""
        shelves = Shelves.opened(Path(directory), read_only=read_only) if directory is not None else None
        return cls(shelves or Shelves(None), weights or Weights(), frozen=read_only and shelves is not None)

    def _use(self, shelves: Shelves, *, frozen: bool = False) -> None:
        self._shelves = shelves
        self._frozen = frozen
        self._refresh()

    def _refresh(self) -> None:
        self._view = View(self._shelves.read())
        self._seen = self._view.seen

    def catch_up(self, feed: ChangeFeed, *, full: bool = False) -> int:
        """Replay the changes not yet seen and return their number. A missing, damaged or older index is built again."""
        self._feed = feed
        newest = feed.seq()
        if newest == self._seen:
            return 0
        try:
            return self._catch_up(feed, newest)
        except files.Damaged as error:
            log.warning("The index is damaged and is built again: %s", error)
        except OSError as error:
            log.warning("The index can't be written (%s); searching an index in memory.", error.strerror or error)
            self._use(Shelves(None))
            return self._catch_up(feed, feed.seq())
        if self._shelves.directory is not None and files.emptied(self._shelves.directory):
            self._use(Shelves(self._shelves.directory))
        else:
            self._use(Shelves(None))
        return self._catch_up(feed, feed.seq())

    def _catch_up(self, feed: ChangeFeed, newest: int) -> int:
        if self._frozen:
            log.warning("The index on disk is not up to date and may not be written: an index in memory is built.")
            self._use(Shelves(None))
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
        while (writer := self._shelves.writing(self._analyzer)) is None:
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
        while changes := feed.changes_since(self._seen, STEP):
            for holding in dict.fromkeys(change.holding for change in changes if change.op != "mark"):
                writer.drop(holding)
                entries = feed.entries(holding)
                if entries and not entries[0].holding.retired:
                    writer.add(entries)
            self._seen = changes[-1].seq
            done += len(changes)
            writer.commit(self._seen)
        if done >= MANY:
            writer.compact()
        return done

    def search(self, query: Query, limit: int) -> LexicalFound:
        """Return at most `limit` hits, best first, with the filters of the query applied."""
        view = self._view
        words = self._analyzer.question(query.meant or query.text)
        content = tuple(w for w in words if not w.stop)
        if not words or not view.count:
            return LexicalFound(unknown_terms=tuple(w.surface for w in content))
        phrases = self._analyzer.phrases(query.meant or query.text)
        weighed, sought = self._understood(content or words, phrases)
        if content:
            found = prose.ranked(view, sought, query, self._weights, limit)
            if view.program.rows and any(word.spoken for word in content):
                plain = self._analyzer.question(query.meant or query.text, expressions=False)
                _, sought = self._understood(tuple(w for w in plain if not w.stop) or content, phrases)
            found += program.ranked(view, sought, query, self._weights, limit)
        else:
            found = program.literal(view, sought, query, self._weights, limit)
        found.sort(key=lambda one: -one.score)
        hits = [hit for one in found[:limit] for hit in one.hits()]
        hits = sorted(hits, key=lambda hit: -hit.score)[:limit]
        unknown = tuple(item.word.surface for item in weighed if not item.whole)
        return LexicalFound(tuple(hits), unknown, answerable(weighed, [hit.similarity for hit in hits[:5]]) if content else 0.0)

    def _understood(self, words: Sequence[Word], phrases: Sequence[Sequence[str]]) -> tuple[tuple[Weighed, ...], matching.Sought]:
        """Return words as this state of the index weighs them, and what is looked for.

        Beside a word that the library holds, one that it has other words for is known too; alone, it is not.
        """
        view = self._view
        weighed = weigh(words, view.count, view.frequency)
        beside = any(item.known for item in weighed)
        weighed = tuple(item if item.known else (beside and _otherwise(view, item)) or _corrected(view, item) for item in weighed)
        return weighed, matching.understood(view, weighed, phrases, self._weights)

    def allowed(self, query: Query, ids: Sequence[str]) -> frozenset[str]:
        """Return which of the passages meet the filters of the query."""
        if not ids:
            return frozenset()
        met = self._view.meeting(np.array([hashed(id) for id in ids], np.uint64), query)
        return frozenset(id for id, holds in zip(ids, met.tolist(), strict=True) if holds)

    def words(self, text: str) -> tuple[Word, ...]:
        """Return how a question is understood."""
        return self._analyzer.question(text)

    def ids(self) -> Iterator[str]:
        """Yield every passage id in the index, for the check against the store."""
        yield from self._view.ids()

    def shut(self) -> None:
        """Release the index; a writer is only held while changes are replayed."""


def _otherwise(view: View, item: Weighed) -> Weighed | None:
    """Return an unknown word as one that the library has other words for, None where it has none: it weighs what the commonest weighs."""
    if item.word.identifier or item.word.run:
        return None
    groups = {name for names in item.word.likes for name in names}
    held = max((view.prose.likes.frequency(view.codes(group(name))) for name in groups), default=0)
    return replace(item, share=idf(view.count, held), known=True) if held else None


def _corrected(view: View, item: Weighed) -> Weighed:
    """Add to an unknown word the known one that it may be a misspelling of; it stays unknown, and counts less."""
    term = item.word.terms[0]
    if len(item.word.terms) > 1 or not misspellable(term):
        return item
    near = nearest(term, view.beginning(term[:PREFIX]), view.frequency)
    if near is None:
        return item
    word = replace(item.word, terms=(term, near), likes=())
    return replace(item, word=word, idf=(item.idf[0], idf(view.count, view.frequency(near))))
