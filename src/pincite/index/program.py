"""Ranks chunks of program text: their own terms, the stretch and the page around them, the share of the question that they cover.

In: a view of the index, a question understood, filters. Out: hits. Also for questions of function words alone, whatever the kind.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pincite.index import matching
from pincite.index.matching import Sought
from pincite.index.scoring import Blend, Cover, Weights, bits
from pincite.index.segment import NONE, Array
from pincite.index.view import K1, Codes, Side, View
from pincite.types import Hit, Query

POOL = 100
"""Chunks whose page, stretch and coverage are looked at."""


def ranked(view: View, sought: Sought, query: Query, weights: Weights, limit: int) -> list[Hit]:
    """Return at most `limit` hits of program text, best first."""
    if query.kind == "doc" or not view.program.rows:
        return []
    side, segments = view.program, len(view.segments)
    wanted = matching.terms(side.text, sought.heaviest, segments)
    pages, stretches = (matching.terms(field, sought.heaviest, segments) for field in (side.pages, side.wholes))
    names = [(n.codes, (weights.name if n.identifier else weights.plain_name) * n.share) for n in sought.names if n.known]
    scores = []
    for at, shelf in enumerate(side.shelves):
        rows = matching.scored(view, at, len(shelf.rows.holding), wanted[at])
        matching.add_names(rows, side.names, at, names)
        for phrase in sought.phrases:
            _add_phrase(rows, side, at, [codes[at] for codes in phrase], weights.phrase * _rarity(side, phrase))
        scores.append(_filtered(view, at, side, rows, query))
    around: dict[int, tuple[Array, Array]] = {}
    for _, at, _ in (pool := matching.top(scores, max(POOL, 2 * limit))):
        if at not in around:
            shelf = side.shelves[at]
            around[at] = (
                matching.scored(view, at, len(shelf.pages.sizes), pages[at]),
                np.append(matching.scored(view, at, len(shelf.wholes.holding), stretches[at]), np.float32(0)),
            )
    return _hits(view, side, sought, pool, around, weights.code, limit)


def literal(view: View, sought: Sought, query: Query, weights: Weights, limit: int) -> list[Hit]:
    """Return hits for a question of function words alone, of all kinds: only the very phrase counts."""
    hits: list[Hit] = []
    for side, blend in ((view.prose, weights.prose), (view.program, weights.code)):
        phrase = [clause.own.codes for clause in sought.clauses]
        scores = []
        for at, shelf in enumerate(side.shelves):
            rows = np.zeros(len(shelf.rows.holding), np.float32)
            _add_phrase(rows, side, at, [codes[at] for codes in phrase], _rarity(side, phrase))
            scores.append(_filtered(view, at, side, rows, query))
        hits += _hits(view, side, sought, matching.top(scores, max(POOL, 2 * limit)), {}, blend, limit)
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def _rarity(side: Side, phrase: Sequence[Codes]) -> float:
    return sum(map(side.lines.rarity, phrase))


def _add_phrase(scores: Array, side: Side, at: int, phrase: Sequence[int], worth: float) -> None:
    """Add to the chunks that hold a phrase what BM25 gives for it."""
    if min(phrase, default=-1) < 0 or not worth:
        return
    text = side.lines.lists[at]
    times = matching.phrased(text.values, text.start, phrase).astype(np.float32)
    scores += times * np.float32(worth * (K1 + 1)) / (times + side.lines.norms[at])


def _filtered(view: View, at: int, side: Side, scores: Array, query: Query) -> Array:
    mask = view.allowed(at, query)
    if mask is not None:
        scores[~mask[side.shelves[at].rows.holding]] = 0.0
    return scores


def _hits(
    view: View,
    side: Side,
    sought: Sought,
    pool: Sequence[tuple[float, int, int]],
    around: dict[int, tuple[Array, Array]],
    blend: Blend,
    limit: int,
) -> list[Hit]:
    if not pool:
        return []
    places, total = bits(sought.weighed), sum(item.share for item in sought.weighed)
    cover, masks = Cover(sought.weighed, places), _masks(view, side, sought, pool, places)
    shares = cover.shares(np.array(masks, np.int64)).tolist()
    rows = []
    for (terms, at, row), share, mask in zip(pool, shares, masks, strict=True):
        columns = side.shelves[at].rows
        page = part = 0.0
        if at in around:
            whole = int(columns.whole[row])
            page, part = float(around[at][0][columns.holding[row]]), float(around[at][1][-1 if whole == NONE else whole])
        score = terms + blend.page * page + blend.part * part + blend.covered * total * share
        rows.append((-score, int(columns.uid[row]), at, row, share, (("terms", terms), ("page", page), ("section", part)), mask))
    rows.sort(key=lambda one: one[:2])
    return [
        Hit(view.id(side, at, row), -least, share, (("lexical", -least), *scores, ("coverage", share)), cover.matched(mask))
        for least, _, at, row, share, scores, mask in rows[:limit]
    ]


def _masks(view: View, side: Side, sought: Sought, pool: Sequence[tuple[float, int, int]], places: dict[str, int]) -> list[int]:
    """Return which of the terms each of the chunks holds, as bits."""
    masks: dict[tuple[int, int], int] = {}
    told = [term for term in sought.heaviest if term.text in places]
    worth = np.array([1 << places[term.text] for term in told], np.int64)
    for at in dict.fromkeys(at for _, at, _ in pool):
        mine = [row for _, other, row in pool if other == at]
        rows = np.array(mine)
        held, edges = matching.stretch(side.lines.lists[at], rows, rows + 1, rows)
        counts = matching.counted(held, edges, [term.codes[at] for term in told], len(view.segments[at].hashes))
        masks |= {(at, row): mask for row, mask in zip(mine, ((counts > 0) @ worth).tolist(), strict=True)} if told else {}
    return [masks.get((at, row), 0) for _, at, row in pool]
