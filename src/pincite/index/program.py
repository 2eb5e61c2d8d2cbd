"""Ranks chunks of program text: their own terms, the stretch and the page around them, the share of the question that they cover.

In: a view of the index, a question understood, filters. Out: hits. Also for questions of function words alone, whatever the kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pincite.index import matching
from pincite.index.matching import Ranked, Sought
from pincite.index.scoring import Blend, Cover, Weights
from pincite.index.segment import NONE, Array
from pincite.index.view import Codes, Side, View, saturated
from pincite.types import Hit, Query

POOL = 100
"""Chunks whose page, stretch and coverage are looked at."""


def ranked(view: View, sought: Sought, query: Query, weights: Weights, limit: int) -> list[Ranked]:
    """Return at most `limit` chunks of program text, best first."""
    if query.kind == "doc" or not view.program.rows:
        return []
    side, segments = view.program, len(view.segments)
    wanted = matching.terms(side.text, sought.heaviest, segments)
    names = [(n.codes, (weights.name if n.identifier else weights.plain_name) * n.share) for n in sought.names if n.known]
    scores = []
    for at, shelf in enumerate(side.shelves):
        rows = matching.scored(view, at, len(shelf.rows.holding), wanted[at])
        matching.add_names(rows, side.names, at, names)
        for phrase in sought.phrases:
            _add_phrase(rows, side, at, [codes[at] for codes in phrase], weights.phrase * _rarity(side, phrase))
        scores.append(_filtered(view, at, side, rows, query))
    return _ranked(view, side, sought, matching.top(scores, max(POOL, 2 * limit)), weights.code, limit)


def literal(view: View, sought: Sought, query: Query, weights: Weights, limit: int) -> list[Ranked]:
    """Return chunks for a question of function words alone, of all kinds: only the very phrase counts."""
    found: list[Ranked] = []
    for side, blend in ((view.prose, weights.prose), (view.program, weights.code)):
        phrase = [clause.own.codes for clause in sought.clauses]
        scores = []
        for at, shelf in enumerate(side.shelves):
            rows = np.zeros(len(shelf.rows.holding), np.float32)
            _add_phrase(rows, side, at, [codes[at] for codes in phrase], _rarity(side, phrase))
            scores.append(_filtered(view, at, side, rows, query))
        found += _ranked(view, side, sought, matching.top(scores, max(POOL, 2 * limit)), Blend(0.0, 0.0, blend.covered), limit)
    return found


def _rarity(side: Side, phrase: Sequence[Codes]) -> float:
    return sum(map(side.lines.rarity, phrase))


def _add_phrase(scores: Array, side: Side, at: int, phrase: Sequence[int], worth: float) -> None:
    """Add to the chunks that hold a phrase what BM25 gives for it."""
    if min(phrase, default=-1) < 0 or not worth:
        return
    text = side.lines.lists[at]
    times = matching.phrased(text.values, text.start, phrase)
    scores += saturated(times, side.lines.norms[at], worth)


def _filtered(view: View, at: int, side: Side, scores: Array, query: Query) -> Array:
    mask = view.allowed(at, query)
    if mask is not None:
        scores[~mask[side.shelves[at].rows.holding]] = 0.0
    return scores


def _ranked(view: View, side: Side, sought: Sought, pool: Sequence[tuple[int, Array, Array]], blend: Blend, limit: int) -> list[Ranked]:
    """Return the best of the chunks when their pages, their stretches and what they cover are counted too."""
    found = []
    for at, rows, terms in pool:
        page, part = _around(side, at, rows, sought) if blend.page or blend.part else (np.zeros(len(rows)),) * 2
        masks = _masks(view, side, at, rows, sought)
        shares = sought.cover.shares(masks)
        scores = terms + blend.page * page + blend.part * part + blend.covered * sought.cover.total * shares
        some = _Chunks(view, side, sought.cover, at, rows, scores, terms, page, part, shares, masks)
        found.append((scores, side.shelves[at].rows.uid[rows], some.hits))
    return matching.ranked(found, limit)


@dataclass(frozen=True, slots=True, eq=False)
class _Chunks:
    """Chunks that were found in a segment, with the parts of their scores, one number a chunk."""

    view: View
    side: Side
    cover: Cover
    at: int
    rows: Array
    scores: Array
    terms: Array
    page: Array
    part: Array
    shares: Array
    masks: Array

    def hits(self, k: int) -> list[Hit]:
        """Return the one hit that a chunk is."""
        columns = (self.scores, self.terms, self.page, self.part, self.shares, self.masks)
        score, terms, page, part, share, mask = (column.item(k) for column in columns)
        scores = (("lexical", score), ("terms", terms), ("page", page), ("section", part), ("coverage", share))
        return [Hit(self.view.id(self.side, self.at, int(self.rows[k])), score, share, scores, self.cover.matched(mask))]


def _around(side: Side, at: int, rows: Array, sought: Sought) -> tuple[Array, Array]:
    """Return the scores of the page of each chunk, and of its stretch."""
    columns = side.shelves[at].rows
    page = matching.looked_up(side.pages, at, columns.holding[rows], sought.heaviest)
    part, whole = np.zeros(len(rows)), columns.whole[rows]
    inside = np.flatnonzero(whole != NONE)
    part[inside] = matching.looked_up(side.wholes, at, whole[inside], sought.heaviest)
    return page.astype(np.float64), part


def _masks(view: View, side: Side, at: int, rows: Array, sought: Sought) -> Array:
    """Return which of the terms each of the chunks holds, as bits."""
    places = sought.cover.places
    told = [term for term in sought.heaviest if term.text in places]
    worth = np.array([1 << places[term.text] for term in told], np.int64)
    held, edges = matching.stretch(side.lines.lists[at], rows, rows + 1, rows)
    counts = matching.counted(held, edges, [term.codes[at] for term in told], len(view.segments[at].hashes))
    return (counts > 0) @ worth if told else np.zeros(len(rows), np.int64)
