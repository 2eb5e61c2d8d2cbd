"""What lives in the index, over all segments, as BM25 needs it.

In: a state. Out: fields that score, frequencies of terms, the holdings that meet a question's filters. What is dead counts nowhere: the
same texts give the same scores, whatever was removed before and however often segments were merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from pincite.index.files import State
from pincite.index.scoring import idf
from pincite.index.segment import FOREVER_MS, Array, Postings, Ragged, Shelf, hashed, holders, picked
from pincite.types import Query

K1, B = 1.2, 0.75
"""The usual parameters of BM25; from 0.9 to 2, and from 0.5 to 0.9, they found no more (docs/decisions)."""

KEPT = 64 * 2**20
"""Bytes of all clauses that are kept."""

TERMS = 50_000
"""Terms of questions whose places are remembered."""


def saturated(counts: Array, norms: Array, weight: float | Array) -> Array:
    """Return what a term, or each of several, adds by BM25 to documents that hold it so many times."""
    times = counts.astype(np.float32)
    added: Array = times * np.float32(K1 + 1) * np.asarray(weight, np.float32) / (times + norms)
    return added


Codes = tuple[int, ...]
"""The number of a term in each segment, -1 where it has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of documents over all segments."""

    postings: tuple[Postings, ...]
    living: tuple[Array | None, ...]
    norms: tuple[Array, ...]
    count: int
    rare: dict[Codes, float] = field(default_factory=dict)

    def rarity(self, codes: Codes) -> float:
        """Return the IDF of a term, 0 where nothing holds it; worked out when it is first asked for."""
        return _rarity(self, codes)

    def frequency(self, codes: Codes) -> int:
        """Return how many living documents hold a term."""
        return sum(self._held(at, code) for at, code in enumerate(codes) if code >= 0)

    def _held(self, at: int, code: int) -> int:
        mask, docs = self.living[at], self.postings[at].of(code)[0]
        return len(docs) if mask is None else int(np.count_nonzero(mask[docs]))

    def scores(self, at: int, code: int, weight: float) -> tuple[Array, Array]:
        """Return the documents of a segment that hold a term, and what it adds to their scores."""
        docs, counts = self.postings[at].of(code)
        return docs, saturated(counts, self.norms[at][docs], weight)

    def scores_of(self, at: int, docs: Array, terms: Sequence[tuple[int, float]]) -> Array:
        """Return what some documents of a segment score by terms, each by its number and its weight."""
        held, norms = self.postings[at], self.norms[at][docs]
        bounds = [(int(held.start[code]), int(held.start[code + 1]), weight) for code, weight in terms]
        bounds = [one for one in bounds if one[0] < one[1]]
        if not bounds or not len(docs):
            return np.zeros(len(docs), np.float32)
        places = np.array([held.docs[low:high].searchsorted(docs) for low, high, _ in bounds])
        places = np.minimum(places + [[low] for low, _, _ in bounds], [[high - 1] for _, high, _ in bounds])
        times = np.where(held.docs[places] == docs, held.counts[places], 0)
        added: Array = saturated(times, norms, np.array([[weight] for _, _, weight in bounds])).sum(axis=0)
        return added


@dataclass(frozen=True, slots=True)
class Lines:
    """The terms of chunks over all segments, read chunk by chunk."""

    lists: tuple[Ragged, ...]
    holders: tuple[Array, ...]
    norms: tuple[Array, ...]
    count: int
    rare: dict[Codes, float] = field(default_factory=dict)

    def rarity(self, codes: Codes) -> float:
        """Return the IDF of a term, 0 where nothing holds it; worked out when it is first asked for."""
        return _rarity(self, codes)

    def frequency(self, codes: Codes) -> int:
        """Return how many living chunks hold a term."""
        return sum(int(self.holders[at][code]) for at, code in enumerate(codes) if code >= 0)


@dataclass(frozen=True, slots=True)
class Side:
    """Prose, or program text, over all segments."""

    shelves: tuple[Shelf, ...]
    rows: int
    lines: Lines
    likes: Lines
    text: Field
    names: Field
    wholes: Field
    whole_likes: Field
    whole_names: Field
    pages: Field


class Kept:
    """What clauses of questions came to, kept until it is too much: words come again."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._found: dict[Any, tuple[Array | None, Array]] = {}

    def get(self, key: Any, make: Callable[[], tuple[Array | None, Array]]) -> tuple[Array | None, Array]:
        """Return what is kept under the key, or make it."""
        found = self._found.get(key)
        if found is None:
            found = make()
            if self._size > self._limit:
                self._found, self._size = {}, 0
            self._found[key] = found
            self._size += found[1].nbytes + (0 if found[0] is None else found[0].nbytes)
        return found


class View:
    """One state of the index, ready to be asked."""

    def __init__(self, state: State) -> None:
        self.seen = state.seen
        self.segments = tuple(held.segment for held in state.held)
        self._alive = tuple(held.alive for held in state.held)
        self.closed = any(bool(np.any((s.holdings.until != FOREVER_MS) & a)) for s, a in zip(self.segments, self._alive, strict=True))
        self.prose = self._side([s.prose for s in self.segments])
        self.program = self._side([s.program for s in self.segments])
        self.count = self.prose.rows + self.program.rows
        self.kept = Kept(KEPT)
        self._codes: dict[str, Codes] = {}
        self._frequencies: dict[Codes, int] = {}
        self._orders: dict[tuple[int, int], Array] = {}

    def _side(self, shelves: Sequence[Shelf]) -> Side:
        """Return the fields of a shelf; chunks, sections and pages are counted apart: BM25 weighs a word by texts of its kind."""
        holdings = list(self._alive)
        rows = [alive[shelf.rows.holding] for shelf, alive in zip(shelves, self._alive, strict=True)]
        wholes = [alive[shelf.wholes.holding] for shelf, alive in zip(shelves, self._alive, strict=True)]
        pages = [alive & (shelf.pages.sizes > 0) for shelf, alive in zip(shelves, holdings, strict=True)]
        counts = [sum(int(mask.sum()) for mask in masks) for masks in (rows, wholes, pages)]

        def made(postings: Sequence[Postings], living: Sequence[Array], count: int) -> Field:
            norms = _norms([p.sizes for p in postings], living, count)
            return Field(tuple(postings), tuple(None if bool(mask.all()) else mask for mask in living), norms, count)

        def lines(lists: Sequence[Ragged], held: Sequence[Array]) -> Lines:
            less = [
                h if bool(m.all()) else h - holders(picked(r, np.flatnonzero(~m)), len(h))
                for h, r, m in zip(held, lists, rows, strict=True)
            ]
            return Lines(tuple(lists), tuple(less), _norms([some.sizes() for some in lists], rows, counts[0]), counts[0])

        return Side(
            tuple(shelves),
            counts[0],
            lines([shelf.rows.text for shelf in shelves], [shelf.rows.holders for shelf in shelves]),
            lines([shelf.rows.likes for shelf in shelves], [shelf.rows.likers for shelf in shelves]),
            made([shelf.text for shelf in shelves], rows, counts[0]),
            made([shelf.names for shelf in shelves], rows, counts[0]),
            made([shelf.wholes.text for shelf in shelves], wholes, counts[1]),
            made([shelf.wholes.likes for shelf in shelves], wholes, counts[1]),
            made([shelf.wholes.names for shelf in shelves], wholes, counts[1]),
            made([shelf.pages for shelf in shelves], holdings, counts[2]),
        )

    def codes(self, term: str) -> Codes:
        """Return the number of a term in each segment."""
        found = self._codes.get(term)
        if found is None:
            number = np.uint64(hashed(term))
            found = tuple(_place(segment.hashes, number) for segment in self.segments)
            if len(self._codes) > TERMS:
                self._codes = {}
            self._codes[term] = found
        return found

    def frequency(self, term: str) -> int:
        """Return how many chunks hold a term."""
        codes = self.codes(term)
        found = self._frequencies.get(codes)
        if found is None:
            found = self._frequencies[codes] = self.prose.lines.frequency(codes) + self.program.lines.frequency(codes)
        return found

    def beginning(self, prefix: str) -> set[str]:
        """Return the terms that begin like that."""
        wanted = re.compile(b"\\n(" + re.escape(prefix.encode()) + rb"[^\n]*)")
        return {match.decode("utf-8", "replace") for segment in self.segments for match in wanted.findall(segment.words.data)}

    def allowed(self, at: int, query: Query) -> Array | None:
        """Return which holdings of a segment live and meet the filters; None where all do."""
        held, masks = self.segments[at].holdings, [self._alive[at]]
        if query.kind != "all":
            masks.append(held.kind == np.uint64(hashed(query.kind)))
        if query.sources:
            masks.append(_among(held.source, query.sources))
        if query.version is not None:
            masks.append(held.version == np.uint64(hashed(query.version)))
        if query.lang:
            lang = np.uint64(hashed(query.lang.lower()))
            masks.append((held.lang == lang) | (held.tongue == lang))
        if query.refs:
            masks.append(_among(held.ref, query.refs))
        if query.as_of is not None:
            moment = max(0, round(query.as_of.timestamp() * 1000))
            masks += [held.since <= moment, held.until > moment]
        elif not query.refs and self.closed:
            masks.append(held.until == FOREVER_MS)
        mask = reduce(np.logical_and, masks)
        return None if bool(mask.all()) else mask

    def id(self, side: Side, at: int, row: int) -> str:
        """Return the passage id of a chunk."""
        return side.shelves[at].rows.id.of(row).tobytes().decode()

    def ids(self) -> Iterator[str]:
        """Yield every passage id that lives."""
        for segment, alive in zip(self.segments, self._alive, strict=True):
            for shelf in segment.shelves():
                for row in np.flatnonzero(alive[shelf.rows.holding]).tolist():
                    yield shelf.rows.id.of(row).tobytes().decode()

    def meeting(self, numbers: Array, query: Query) -> Array:
        """Return which of some passages, by their numbers, live and meet the filters."""
        found = np.zeros(len(numbers), bool)
        for at, segment in enumerate(self.segments):
            mask = self.allowed(at, query)
            for side, shelf in enumerate(segment.shelves()):
                order = self._sorted(at, side, shelf)
                places = np.minimum(np.searchsorted(shelf.rows.uid, numbers, sorter=order), max(0, len(order) - 1))
                if len(order):
                    rows = order[places]
                    same = shelf.rows.uid[rows] == numbers
                    found |= same if mask is None else same & mask[shelf.rows.holding[rows]]
        return found

    def _sorted(self, at: int, side: int, shelf: Shelf) -> Array:
        """Return the rows in the order of their numbers; worked out when it is first asked for."""
        if (at, side) not in self._orders:
            self._orders[at, side] = np.argsort(shelf.rows.uid)
        return self._orders[at, side]


def _rarity(texts: Field | Lines, codes: Codes) -> float:
    found = texts.rare.get(codes)
    if found is None:
        frequency = texts.frequency(codes)
        found = texts.rare[codes] = idf(texts.count, frequency) if frequency else 0.0
    return found


def _place(hashes: Array, number: np.uint64) -> int:
    at = int(hashes.searchsorted(number))
    return at if at < len(hashes) and hashes[at] == number else -1


def _among(column: Array, names: Sequence[str]) -> Array:
    return np.isin(column, np.array([hashed(name) for name in names], np.uint64))


def _norms(sizes: Sequence[Array], living: Sequence[Array], count: int) -> tuple[Array, ...]:
    total = sum(int(some[mask].sum()) for some, mask in zip(sizes, living, strict=True))
    mean = total / count if count and total else 1.0
    return tuple((K1 * (1 - B + B * some.astype(np.float32) / np.float32(mean))).astype(np.float32) for some in sizes)
