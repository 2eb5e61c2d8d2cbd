"""Ranks sections of prose, and finds the stretch of each that is worth reading.

In: a view of the index, a question understood, filters. Out: hits: the best chunk of each section, and the first and last chunk of its
stretch. A section is scored as one text, with its best chunk, its page and the share of the question that it covers: what explains
something is seldom one paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.index import matching
from pincite.index.matching import Ranked, Sought, Term
from pincite.index.scoring import Cover, Weights
from pincite.index.segment import Array, group, ranges
from pincite.index.stretches import Chunks
from pincite.index.view import Lines, View, saturated
from pincite.types import Hit, Query

POOL = 50
"""Sections whose page, chunks and coverage are looked at. Of 70 questions, 400 gave one other passage among the first five, and other ones
among the first ten of four."""


def ranked(view: View, sought: Sought, query: Query, weights: Weights, limit: int) -> list[Ranked]:
    """Return at most `limit` sections, best first, each with its hits: one, or with `query.segments` one a chunk."""
    if query.kind == "code" or not view.prose.rows:
        return []
    allowed = [view.allowed(at, query) for at in range(len(view.segments))]
    pool = matching.top(_wholes(view, sought, weights, allowed), max(POOL, 2 * limit))
    found = []
    for at, which, terms in pool:
        wholes = view.prose.shelves[at].wholes
        page = matching.looked_up(view.prose.pages, at, wholes.holding[which], sought.heaviest)
        some = _sections(view, at, which, terms, page, sought, weights)
        found.append((some.scores, wholes.key[which], some.pieces if query.segments else some.whole))
    return matching.ranked(found, limit)


def _sections(view: View, at: int, which: Array, terms: Array, page: Array, sought: Sought, weights: Weights) -> _Sections:
    """Return some sections of a segment with all that counts beside their own terms."""
    wholes, cover = view.prose.shelves[at].wholes, sought.cover
    chunks = _chunks(view, at, which, sought, weights)
    masks = chunks.together()
    best = np.where((chunks.sizes() == 1) | (chunks.best == 0), terms, chunks.best)
    shares = cover.shares(masks)
    covered = cover.total * cover.nears(masks, shares, weights.like_covers)
    scores = terms + weights.prose.part * best + weights.prose.page * page + weights.prose.covered * covered
    scores = np.where(wholes.news[which], weights.news, 1.0) * scores
    return _Sections(view, cover, at, chunks, scores, terms, best, page, shares, masks)


@dataclass(frozen=True, slots=True, eq=False)
class _Sections:
    """Sections that were found in a segment, with their chunks and the parts of their scores, one number a section."""

    view: View
    cover: Cover
    at: int
    chunks: Chunks
    scores: Array
    terms: Array
    best: Array
    page: Array
    shares: Array
    """The share of the question that the stretch of each covers."""
    masks: Array
    """Which words it holds, as bits."""

    def whole(self, k: int) -> list[Hit]:
        """Return the one hit that a section is."""
        own, low, high = self.chunks.reach(k)
        return self._hits(k, [(own, 1.0)], () if low == high else (self._id(low), self._id(high)))

    def pieces(self, k: int) -> list[Hit]:
        """Return a hit for each chunk of a section's stretch."""
        held = self.chunks.held(k)
        best = held[0].score
        return self._hits(k, [(piece.row, piece.score / best) for piece in held]) if best else self.whole(k)

    def _hits(self, k: int, rows: Sequence[tuple[int, float]], reach: tuple[str, ...] = ()) -> list[Hit]:
        columns = (self.scores, self.terms, self.best, self.page, self.shares, self.masks)
        score, terms, best, page, share, mask = (column.item(k) for column in columns)
        scores = (("lexical", score), ("terms", terms), ("best", best), ("page", page), ("coverage", share))
        matched = self.cover.matched(mask)
        return [Hit(self._id(row), score * part, share, scores, matched, reach) for row, part in rows]

    def _id(self, row: int) -> str:
        return self.view.id(self.view.prose, self.at, row)


def _wholes(view: View, sought: Sought, weights: Weights, allowed: Sequence[Array | None]) -> list[Array]:
    """Return the score of each section of each segment: words or their likes, identifiers defined, phrases in quotes."""
    side, out = view.prose, []
    wanted = matching.clauses(side.wholes, side.whole_likes, sought.clauses, len(view.segments))
    names = [(name.codes, weights.named * name.share) for name in sought.names if name.identifier and name.known]
    for at, shelf in enumerate(side.shelves):
        scores = matching.scored(view, at, len(shelf.wholes.holding), wanted[at])
        matching.add_names(scores, side.whole_names, at, names)
        matching.add_phrases(scores, side, at, sought.phrases, weights.phrase)
        mask = allowed[at]
        if mask is not None:
            scores[~mask[shelf.wholes.holding]] = 0.0
        out.append(scores)
    return out


def _chunks(view: View, at: int, which: Array, sought: Sought, weights: Weights) -> Chunks:
    """Return the chunks of some sections, scored."""
    side, vocabulary = view.prose, len(view.segments[at].hashes)
    rows, wholes = side.shelves[at].rows, side.shelves[at].wholes
    first, last = wholes.first[which], wholes.last[which]
    numbers, _ = ranges(first, last)
    terms = {clause.own.text: clause.own for clause in sought.clauses}
    groups = {one.text: one for clause in sought.clauses for one in clause.groups}
    counts = matching.counted(*matching.stretch(rows.text, first, last, numbers), [term.codes[at] for term in terms.values()], vocabulary)
    likes = matching.counted(*matching.stretch(rows.likes, first, last, numbers), [one.codes[at] for one in groups.values()], vocabulary)
    scores = _line_scores(view, at, numbers, sought, counts, likes, groups)
    if names := [name for name in sought.names if name.identifier]:
        worth = np.array([weights.name * name.share for name in names], np.float32)
        defined = matching.counted(*matching.stretch(rows.names, first, last, numbers), [name.codes[at] for name in names], vocabulary)
        scores += (defined > 0) @ worth
    masks = _masks(counts, list(terms), sought.cover.places) | _like_masks(likes, list(groups), sought.cover.likes)
    sections = np.concatenate(([0], np.cumsum(wholes.last[which].astype(np.int64) - wholes.first[which])))
    return Chunks.of(rows, numbers, sections, scores, masks)


def _line_scores(view: View, at: int, rows: Array, sought: Sought, counts: Array, likes: Array, groups: Mapping[str, Term]) -> Array:
    """Return the BM25 of chunks: of each clause what its best alternative gives. A column of `counts` is a clause, of `likes` a group."""
    side = view.prose
    scores = _saturated(side.lines, [clause.own for clause in sought.clauses], counts, side.lines.norms[at][rows])
    if groups:
        others = _saturated(side.likes, list(groups.values()), likes, side.likes.norms[at][rows])
        column = {text: k for k, text in enumerate(groups)}
        for k, clause in enumerate(sought.clauses):
            if clause.groups:
                mine = others[:, [column[one.text] for one in clause.groups]]
                scores[:, k] = np.maximum(scores[:, k], mine.max(axis=1))
    added: Array = scores.sum(axis=1)
    return added


def _saturated(lines: Lines, terms: Sequence[Term], counts: Array, norms: Array) -> Array:
    return saturated(counts, norms[:, None], np.array([term.weight * lines.rarity(term.codes) for term in terms]))


def _masks(counts: Array, terms: Sequence[str], places: dict[str, int]) -> Array:
    """Return which of the terms each row holds, as bits."""
    worth = np.array([1 << places[term] if term in places else 0 for term in terms], np.int64)
    return (counts > 0) @ worth if len(terms) else np.zeros(len(counts), np.int64)


def _like_masks(likes: Array, groups: Sequence[str], places: dict[tuple[str, ...], int]) -> Array:
    """Return which words each row holds a synonym of, as bits."""
    column = {text: k for k, text in enumerate(groups)}
    mask = np.zeros(len(likes), np.int64)
    for names, bit in places.items():
        if columns := [column[text] for name in names if (text := group(name)) in column]:
            held = likes[:, columns[0]] if len(columns) == 1 else likes[:, columns].any(axis=1)
            mask |= (held > 0).astype(np.int64) << bit
    return mask
