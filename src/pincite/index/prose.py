"""Ranks sections of prose, and finds the stretch of each that is worth reading.

In: a view of the index, a question understood, filters. Out: hits: the best chunk of each section, and the first and last chunk of its
stretch. A section is scored as one text, with its best chunk, its page and the share of the question that it covers: what explains
something is seldom one paragraph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from pincite.index import matching
from pincite.index.matching import Sought
from pincite.index.scoring import Cover, Weights, bits, like_bits
from pincite.index.segment import Array, Rows, group, ranges
from pincite.index.view import K1, Lines, View
from pincite.types import Hit, Query

POOL = 60
"""Sections whose page, chunks and coverage are looked at; 400 gave the same passages."""
PAGES = 100
"""Pages that lend their sections weight; 50 and all of them gave the same passages."""
STRETCH_TOKENS = 1150
"""A passage is never larger: about what a reader takes in at once. 800 lost a twentieth of the right passages; 1000 cut Japanese sections,
where a token is a character, before what was asked."""
CLOSE = 0.4
"""Share of the best chunk's score from which a chunk of the section belongs to the passage."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a section: its score, its row, where it stands in its page, the tokens before it there, its own tokens."""

    score: float
    row: int
    place: int
    before: int
    tokens: int
    mask: int
    """Which words it holds, as bits."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A section: its segment, its key, its score and the parts of it, which words its stretch holds, the chunks of that."""

    at: int
    key: int
    score: float
    scores: tuple[tuple[str, float], ...]
    share: float
    """The share of the question that its stretch covers."""
    mask: int
    held: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class _Question:
    """A question with what coverage needs."""

    sought: Sought
    weights: Weights
    cover: Cover
    total: float
    places: dict[str, int]
    likes: dict[tuple[str, ...], int]


def ranked(view: View, sought: Sought, query: Query, weights: Weights, limit: int) -> list[Hit]:
    """Return at most `limit` hits, best first; one a section, or with `query.segments` one a chunk."""
    if query.kind == "code" or not view.prose.rows:
        return []
    places = bits(sought.weighed)
    likes = like_bits(sought.weighed, len(places))
    cover = Cover(sought.weighed, places, likes)
    question = _Question(sought, weights, cover, sum(item.share for item in sought.weighed), places, likes)
    hits: list[Hit] = []
    for part in _parts(view, question, query, limit)[:limit]:
        ids = {piece.row: view.id(view.prose, part.at, piece.row) for piece in part.held}
        best, matched = part.held[0].score, cover.matched(part.mask)
        if query.segments and best:
            hits += [Hit(ids[p.row], part.score * p.score / best, part.share, part.scores, matched) for p in part.held]
            continue
        first, last = min(part.held, key=lambda p: p.place), max(part.held, key=lambda p: p.place)
        reach = (ids[first.row], ids[last.row]) if len(part.held) > 1 else ()
        hits.append(Hit(ids[part.held[0].row], part.score, part.share, part.scores, matched, reach))
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def _parts(view: View, question: _Question, query: Query, limit: int) -> list[_Part]:
    """Return the best sections, best first."""
    allowed = [view.allowed(at, query) for at in range(len(view.segments))]
    found = matching.top(_wholes(view, question.sought, question.weights, allowed), max(POOL, 2 * limit))
    pages = _pages(view, question.sought, allowed)
    parts: list[_Part] = []
    for at in dict.fromkeys(at for _, at, _ in found):
        terms = np.array([score for score, other, _ in found if other == at], np.float32)
        which = np.array([whole for _, other, whole in found if other == at])
        parts += _candidates(view, at, which, terms, pages[at], question)
    return sorted(parts, key=lambda part: (-part.score, part.key))[:limit]


def _candidates(view: View, at: int, which: Array, terms: Array, pages: Array, question: _Question) -> list[_Part]:
    """Return some sections of a segment with all that counts beside their own terms."""
    wholes, weights, cover = view.prose.shelves[at].wholes, question.weights, question.cover
    rows = _rows(view, at, which, question)
    held = rows.stretches()
    masks = np.array([reduce(or_, (piece.mask for piece in some)) for some in held], np.int64)
    best = np.where((rows.sizes() == 1) | (rows.best == 0), terms, rows.best)
    page, shares = pages[wholes.holding[which]], cover.shares(masks)
    covered = question.total * cover.nears(masks, shares, weights.like_covers)
    scores = terms + weights.prose.part * best + weights.prose.page * page + weights.prose.covered * covered
    scores = np.where(wholes.news[which], weights.news, 1.0) * scores
    columns = (scores, terms, best, page, shares, masks, wholes.key[which])
    return [
        _Part(
            at,
            key,
            score,
            (("lexical", score), ("terms", own), ("best", chunk), ("page", around), ("coverage", share)),
            share,
            mask,
            pieces,
        )
        for score, own, chunk, around, share, mask, key, pieces in zip(*(c.tolist() for c in columns), held, strict=True)
    ]


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


def _pages(view: View, sought: Sought, allowed: Sequence[Array | None]) -> list[Array]:
    """Return the score of each page that is among the best. Synonyms, which a page has many of, told pages apart no better."""
    side, out = view.prose, []
    wanted = matching.terms(side.pages, sought.heaviest, len(view.segments))
    for at, shelf in enumerate(side.shelves):
        scores = matching.scored(view, at, len(shelf.pages.sizes), wanted[at])
        mask = allowed[at]
        if mask is not None:
            scores[~mask] = 0.0
        out.append(scores)
    every = np.concatenate(out) if out else np.zeros(0, np.float32)
    if len(every) > PAGES:
        floor = np.partition(every, -PAGES)[-PAGES]
        out = [np.where(scores >= floor, scores, np.float32(0)) for scores in out]
    return out


@dataclass(frozen=True, slots=True)
class _Rows:
    """The chunks of some sections, one section after the other, with their scores and the words they hold, as bits."""

    columns: Rows
    numbers: Array
    edges: Array
    scores: Array
    masks: Array
    best: Array
    """For each section the score of its best chunk."""

    def sizes(self) -> Array:
        return np.diff(self.edges)

    def stretches(self) -> list[list[Piece]]:
        """Return for each section its best chunk, then those that are read with it; of a section without a score, its first chunk."""
        owner = np.repeat(np.arange(len(self.best)), self.sizes())
        near = np.flatnonzero((self.scores > 0) & (self.scores >= CLOSE * self.best[owner]))
        near = np.concatenate((near[np.lexsort((-self.scores[near], owner[near]))], self.edges[:-1][self.best <= 0]))
        numbers = self.numbers[near]
        places = (column[numbers] for column in (self.columns.place, self.columns.before, self.columns.tokens))
        columns = (self.scores[near], numbers, *places, self.masks[near])
        found: list[list[Piece]] = [[] for _ in self.best]
        for section, *facts in zip(owner[near].tolist(), *(column.tolist() for column in columns), strict=True):
            found[section].append(Piece(*facts))
        return [stretch(pieces) if len(pieces) > 1 else pieces for pieces in found]


def _rows(view: View, at: int, which: Array, question: _Question) -> _Rows:
    """Return the chunks of some sections, scored."""
    side, vocabulary, sought = view.prose, len(view.segments[at].hashes), question.sought
    rows, wholes = side.shelves[at].rows, side.shelves[at].wholes
    first, last = wholes.first[which], wholes.last[which]
    numbers, _ = ranges(first, last)
    terms = {clause.own.text: clause.own for clause in sought.clauses}
    groups = {one.text: one for clause in sought.clauses for one in clause.groups}
    counts = matching.counted(*matching.stretch(rows.text, first, last, numbers), [term.codes[at] for term in terms.values()], vocabulary)
    likes = matching.counted(*matching.stretch(rows.likes, first, last, numbers), [one.codes[at] for one in groups.values()], vocabulary)
    by_term, by_group = dict(zip(terms, counts.T, strict=True)), dict(zip(groups, likes.T, strict=True))
    scores = _line_scores(view, at, numbers, sought, by_term, by_group)
    if names := [name for name in sought.names if name.identifier]:
        worth = np.array([question.weights.name * name.share for name in names], np.float32)
        defined = matching.counted(*matching.stretch(rows.names, first, last, numbers), [name.codes[at] for name in names], vocabulary)
        scores += (defined > 0) @ worth
    masks = _masks(counts, list(terms), question.places) | _like_masks(likes, list(groups), question.likes)
    sections = np.concatenate(([0], np.cumsum(wholes.last[which].astype(np.int64) - wholes.first[which])))
    return _Rows(rows, numbers, sections, scores, masks, np.maximum.reduceat(scores, sections[:-1]))


def _line_scores(view: View, at: int, rows: Array, sought: Sought, counts: dict[str, Array], likes: dict[str, Array]) -> Array:
    """Return the BM25 of chunks: of each clause what its best alternative gives."""
    side, scores = view.prose, np.zeros(len(rows), np.float32)
    norms, like_norms = side.lines.norms[at][rows], side.likes.norms[at][rows]
    for clause in sought.clauses:
        own = _saturated(side.lines, clause.own, counts[clause.own.text], norms)
        for one in clause.groups:
            own = np.maximum(own, _saturated(side.likes, one, likes[one.text], like_norms))
        scores += own
    return scores


def _saturated(lines: Lines, term: matching.Term, counts: Array, norms: Array) -> Array:
    times = counts.astype(np.float32)
    return times * np.float32(term.weight * lines.rarity(term.codes) * (K1 + 1)) / (times + norms)


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


def stretch(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the best chunk, then those close to it in score that still lie within a readable stretch with all between them."""
    if not pieces:
        return []
    best = pieces[0]
    held, first, last = [best], best, best
    for piece in pieces[1:]:
        if piece.score < CLOSE * best.score:
            break
        low, high = min(first, piece, key=lambda p: p.place), max(last, piece, key=lambda p: p.place)
        if high.before + high.tokens - low.before <= STRETCH_TOKENS:
            held.append(piece)
            first, last = low, high
    return held
