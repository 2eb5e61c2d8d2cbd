"""What a piece of the index holds: holdings, their chunks and sections as rows of numbers, and which of them hold each term.

In: nothing; these are values. Out: arrays that are never changed once made. Terms are numbers of the segment's own vocabulary, which is
sorted by a hash of the term, so that segments are merged without looking at a word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FOREVER_MS = 2**62
NONE = np.uint32(2**32 - 1)
"""Stands for no whole: a row that no section or stretch holds."""


@lru_cache(maxsize=100_000)
def hashed(text: str) -> int:
    """Return the 64-bit number under which a term, a source, a version or another name is known to the index."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def group(name: str) -> str:
    """Return the term that stands for a group of synonyms in the vocabulary; no word of a text is like it."""
    return f"\x01{name}"


@dataclass(frozen=True, slots=True)
class Ragged:
    """Lists of numbers of different lengths, one after the other; list `i` is `values[start[i]:start[i + 1]]`."""

    start: Array
    values: Array

    def sizes(self) -> Array:
        """Return how long each list is."""
        return np.diff(self.start)

    def of(self, i: int) -> Array:
        """Return one list."""
        return self.values[self.start[i] : self.start[i + 1]]


@dataclass(frozen=True, slots=True)
class Postings:
    """Which documents of a field hold each term, how often, and how many terms each document has."""

    start: Array
    docs: Array
    counts: Array
    sizes: Array

    def of(self, term: int) -> tuple[Array, Array]:
        """Return the documents that hold a term, in order, and how often each does."""
        low, high = int(self.start[term]), int(self.start[term + 1])
        return self.docs[low:high], self.counts[low:high]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What filters ask for, one number a holding; names as their hashes, times in milliseconds."""

    id: Array
    kind: Array
    source: Array
    version: Array
    lang: Array
    tongue: Array
    """The language without its region."""
    ref: Array
    since: Array
    until: Array


@dataclass(frozen=True, slots=True)
class Rows:
    """Chunks. `whole` is the section or stretch that a chunk belongs to; the chunks of one follow each other."""

    holding: Array
    whole: Array
    id: Ragged
    uid: Array
    text: Ragged
    likes: Ragged
    names: Ragged
    before: Array
    tokens: Array
    holders: Array
    """For each term how many chunks hold it."""
    likers: Array
    """The same of groups of synonyms."""


@dataclass(frozen=True, slots=True)
class Wholes:
    """Sections of prose, or stretches of program text, as one text each."""

    holding: Array
    key: Array
    first: Array
    last: Array
    news: Array
    text: Postings
    likes: Postings
    names: Postings


@dataclass(frozen=True, slots=True)
class Shelf:
    """All of prose, or all of program text. `text` and `names` are those of rows; only program text is found by them."""

    rows: Rows
    text: Postings
    names: Postings
    wholes: Wholes
    pages: Postings


@dataclass(frozen=True, slots=True)
class Segment:
    """Some holdings with all that is searched of them. `words` are the terms in the order of their hashes, each behind a line feed."""

    hashes: Array
    words: Array
    holdings: Holdings
    prose: Shelf
    program: Shelf

    def shelves(self) -> tuple[Shelf, Shelf]:
        """Return prose and program text."""
        return self.prose, self.program


def inverted(texts: Ragged, terms: int) -> Postings:
    """Return which text holds each term."""
    sizes = texts.sizes()
    count = len(sizes)
    docs = np.repeat(np.arange(count, dtype=np.uint64), sizes)
    keys = texts.values.astype(np.uint64) * np.uint64(max(1, count)) + docs
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=keys[:1] ^ np.uint64(1))) if len(keys) else np.zeros(0, np.int64)
    counts = np.diff(first, append=len(keys))
    term, doc = np.divmod(keys[first], np.uint64(max(1, count)))
    start = np.searchsorted(term, np.arange(terms + 1, dtype=np.uint64)).astype(np.uint32)
    return Postings(start, doc.astype(np.uint32), np.minimum(counts, 65535).astype(np.uint16), sizes.astype(np.uint32))


def holders(texts: Ragged, terms: int) -> Array:
    """Return for each term how many of the texts hold it."""
    docs = np.repeat(np.arange(len(texts.start) - 1, dtype=np.uint64), texts.sizes())
    pairs = docs * np.uint64(max(1, terms)) + texts.values
    pairs.sort()
    first = pairs[np.diff(pairs, prepend=pairs[:1] ^ np.uint64(1)) != 0] if len(pairs) else pairs
    return np.bincount((first % np.uint64(max(1, terms))).astype(np.int64), minlength=terms).astype(np.uint32)


def ranges(first: Array, last: Array) -> tuple[Array, Array]:
    """Return all numbers of some ranges, one range after the other, and for each the range that it belongs to."""
    sizes = (last.astype(np.int64) - first).clip(min=0)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.cumsum(sizes)
    return np.arange(int(ends[-1]) if len(ends) else 0) - (ends - sizes)[owner] + first.astype(np.int64)[owner], owner


def picked(lists: Ragged, which: Array) -> Ragged:
    """Return some of the lists, in the order asked for."""
    low, high = lists.start[which], lists.start[np.asarray(which, np.int64) + 1]
    at, _ = ranges(low, high)
    sizes = (high.astype(np.int64) - low).clip(min=0)
    return Ragged(np.concatenate(([0], np.cumsum(sizes))), lists.values[at])


def ragged(sizes: Sequence[int], values: Any, kind: Any = np.uint32) -> Ragged:
    """Return lists of numbers from their lengths and what they hold together."""
    start = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(np.asarray(sizes, np.int64), out=start[1:])
    return Ragged(start, np.asarray(values, kind))
