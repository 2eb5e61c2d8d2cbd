"""Makes one segment of several, without what is dead and without a word being analysed again.

In: segments, and for each which of its holdings live. Out: one segment, holdings in the order in which they came. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.index.segment import NONE, Array, Holdings, Postings, Ragged, Rows, Segment, Shelf, Wholes, holders, picked


@dataclass(frozen=True, slots=True)
class _Kept:
    """What of a segment is kept, and the numbers that terms, holdings, rows and wholes get."""

    segment: Segment
    terms: Array
    holdings: Array
    new_holding: Array


@dataclass(frozen=True, slots=True)
class _Side:
    """The same of one shelf."""

    shelf: Shelf
    terms: Array
    new_holding: Array
    holdings: Array
    rows: Array
    new_row: Array
    wholes: Array
    new_whole: Array


def merged(parts: Sequence[tuple[Segment, Array]]) -> Segment:
    """Return one segment with the living holdings of all; `parts` come with a mask over their holdings."""
    hashes, words, terms = _vocabulary([_used(segment, alive) for segment, alive in parts], [segment for segment, _ in parts])
    kept, base = [], 0
    for (segment, alive), own in zip(parts, terms, strict=True):
        kept.append(_Kept(segment, own, np.flatnonzero(alive), _renumbered(alive, base)))
        base += int(alive.sum())
    holdings = Holdings(
        *(np.concatenate([getattr(k.segment.holdings, name)[k.holdings] for k in kept]) for name in Holdings.__dataclass_fields__)
    )
    prose = _shelf([(k, k.segment.prose) for k in kept], len(hashes))
    return Segment(hashes, words, holdings, prose, _shelf([(k, k.segment.program) for k in kept], len(hashes)))


def _renumbered(kept: Array, base: int) -> Array:
    return np.where(kept, np.cumsum(kept) - 1 + base, int(NONE)).astype(np.uint32)


def _used(segment: Segment, alive: Array) -> Array:
    """Return which terms a living holding holds."""
    if alive.all():
        return np.ones(len(segment.hashes), bool)
    used = np.zeros(len(segment.hashes), bool)
    for shelf in segment.shelves():
        rows, wholes = shelf.rows, shelf.wholes
        living = np.repeat(alive[rows.holding], rows.text.sizes())
        used[rows.text.values[living]] = True
        for lists in (rows.likes, rows.names):
            used[lists.values[np.repeat(alive[rows.holding], lists.sizes())]] = True
        for field, owners in ((shelf.pages, None), (wholes.text, wholes.holding), (wholes.likes, wholes.holding)):
            owner = field.docs if owners is None else owners[field.docs]
            term = np.repeat(np.arange(len(used)), np.diff(field.start))
            used[term[alive[owner]]] = True
    return used


def _vocabulary(used: Sequence[Array], segments: Sequence[Segment]) -> tuple[Array, Array, list[Array]]:
    """Return the hashes and the words of all terms in use, and for each segment the new number of each of its terms."""
    hashes = np.unique(np.concatenate([segment.hashes[mask] for segment, mask in zip(segments, used, strict=True)]))
    words: list[bytes] = [b""] * len(hashes)
    terms = []
    for segment, mask in zip(segments, used, strict=True):
        number = np.where(mask, np.searchsorted(hashes, segment.hashes), int(NONE)).astype(np.uint32)
        terms.append(number)
        own = segment.words.tobytes().split(b"\n")[1:]
        for i in np.flatnonzero(mask).tolist():
            words[number[i]] = own[i]
    return hashes, np.frombuffer(b"".join(b"\n" + word for word in words), np.uint8), terms


def _shelf(kept: Sequence[tuple[_Kept, Shelf]], terms: int) -> Shelf:
    sides, row_base, whole_base = [], 0, 0
    for k, shelf in kept:
        alive = k.new_holding != NONE
        rows, wholes = alive[shelf.rows.holding], alive[shelf.wholes.holding]
        new_row, new_whole = _renumbered(rows, row_base), np.append(_renumbered(wholes, whole_base), NONE)
        places = np.flatnonzero(rows), np.flatnonzero(wholes)
        sides.append(_Side(shelf, k.terms, k.new_holding, k.holdings, places[0], new_row, places[1], new_whole))
        row_base += len(places[0])
        whole_base += len(places[1])
    text = _postings(sides, lambda s: (s.shelf.text, s.new_row, s.rows), terms)
    names = _postings(sides, lambda s: (s.shelf.names, s.new_row, s.rows), terms)
    pages = _postings(sides, lambda s: (s.shelf.pages, s.new_holding, s.holdings), terms)
    return Shelf(_rows(sides, terms), text, names, _wholes(sides, terms), pages)


def _rows(sides: Sequence[_Side], terms: int) -> Rows:
    def column(of: Callable[[_Side], Array]) -> Array:
        return np.concatenate([of(side) for side in sides])

    def plain(name: str) -> Array:
        return column(lambda side: getattr(side.shelf.rows, name)[side.rows])

    return Rows(
        holding=column(lambda side: side.new_holding[side.shelf.rows.holding[side.rows]]),
        whole=column(lambda side: side.new_whole[np.minimum(side.shelf.rows.whole[side.rows], len(side.new_whole) - 1)]),
        id=_joined([_kept(side, side.shelf.rows.id) for side in sides]),
        uid=plain("uid"),
        text=_lists(sides, "text"),
        likes=_lists(sides, "likes"),
        names=_lists(sides, "names"),
        before=plain("before"),
        tokens=plain("tokens"),
        holders=sum((_counted(side, "text", "holders", terms) for side in sides), np.zeros(terms, np.uint32)),
        likers=sum((_counted(side, "likes", "likers", terms) for side in sides), np.zeros(terms, np.uint32)),
    )


def _counted(side: _Side, lists: str, name: str, terms: int) -> Array:
    """Return how many living rows of a side hold each term: what was counted, less the dead."""
    rows, gone = side.shelf.rows, np.flatnonzero(side.new_row == NONE)
    dead = holders(picked(getattr(rows, lists), gone), len(side.terms)) if len(gone) else np.zeros(len(side.terms), np.uint32)
    out, used = np.zeros(terms, np.uint32), side.terms != NONE
    out[side.terms[used]] = (getattr(rows, name) - dead)[used]
    return out


def _kept(side: _Side, lists: Ragged) -> Ragged:
    """Return the lists of the rows that live; where all do, nothing is copied."""
    return lists if len(side.rows) == len(side.new_row) else picked(lists, side.rows)


def _lists(sides: Sequence[_Side], name: str) -> Ragged:
    kept = [_kept(side, getattr(side.shelf.rows, name)) for side in sides]
    return _joined([Ragged(lists.start, side.terms[lists.values]) for lists, side in zip(kept, sides, strict=True)])


def _joined(lists: Sequence[Ragged]) -> Ragged:
    start = np.concatenate([[0], np.cumsum(np.concatenate([some.sizes() for some in lists]))])
    return Ragged(start.astype(np.int64), np.concatenate([some.values for some in lists]))


def _wholes(sides: Sequence[_Side], terms: int) -> Wholes:
    def column(of: Callable[[_Side], Array]) -> Array:
        return np.concatenate([of(side) for side in sides])

    def moved(side: _Side) -> Array:
        """Return how far rows moved; those of a whole lived or died together, so that what was a range is one still."""
        return side.new_row[side.shelf.wholes.first[side.wholes]]

    return Wholes(
        holding=column(lambda side: side.new_holding[side.shelf.wholes.holding[side.wholes]]),
        key=column(lambda side: side.shelf.wholes.key[side.wholes]),
        first=column(moved),
        last=column(lambda side: moved(side) + (side.shelf.wholes.last - side.shelf.wholes.first)[side.wholes]).astype(np.uint32),
        news=column(lambda side: side.shelf.wholes.news[side.wholes]),
        text=_postings(sides, lambda side: (side.shelf.wholes.text, side.new_whole, side.wholes), terms),
        likes=_postings(sides, lambda side: (side.shelf.wholes.likes, side.new_whole, side.wholes), terms),
        names=_postings(sides, lambda side: (side.shelf.wholes.names, side.new_whole, side.wholes), terms),
    )


def _postings(sides: Sequence[_Side], of: Callable[[_Side], tuple[Postings, Array, Array]], terms: int) -> Postings:
    """Return the postings of all sides. Each side's are sorted by term and stay so: terms keep the order of their hashes."""
    found, docs, counts, sizes = [], [], [], []
    for side in sides:
        field, new, kept = of(side)
        moved = new[field.docs]
        living = moved != NONE
        living = slice(None) if living.all() else living
        found.append(np.repeat(side.terms, np.diff(field.start))[living])
        docs.append(moved[living])
        counts.append(field.counts[living])
        sizes.append(field.sizes[kept] if len(field.sizes) else np.zeros(len(kept), np.uint32))
    term = np.concatenate(found)
    order = np.argsort(term, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(term, minlength=terms))]).astype(np.uint32)
    return Postings(start, np.concatenate(docs)[order], np.concatenate(counts)[order], np.concatenate(sizes))
