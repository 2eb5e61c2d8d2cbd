"""Ranks sections of prose, and finds the stretch of each that is worth reading.

In: a searcher, weighted words, filters. Out: hits: the best chunk of each section, and the first and last chunk of its stretch. A section
is scored as one text, with its best chunk, its page and the share of the question that it covers: what explains something is seldom one
paragraph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import tantivy

from pincite.index.program import Reading, keyed, named
from pincite.index.scoring import Cover, Weighed, bits
from pincite.types import Hit, Query

POOL = 100
"""Sections whose page and coverage are looked at; 60 and 400 gave the same passages."""
STRETCH_TOKENS = 1000
"""A passage is never larger: about what a reader takes in at once. 800 lost a twentieth of the right passages, 1100 won none."""
CLOSE = 0.4
"""Share of the best chunk's score from which a chunk of the section belongs to the passage."""
CHUNKS = 6
"""Chunks looked at for each section, at most, on average."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A section: its key, its score and the parts of it, its first chunk's number, where it lies in the index."""

    key: int
    score: float
    terms: float
    best: float
    """The score of its best chunk, or its own where it has one alone."""
    page: float
    head: int
    address: tantivy.DocAddress


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk of a section: where it stands in its page, the tokens before it there, its own tokens."""

    score: float
    uid: int
    place: int
    before: int
    tokens: int
    address: tantivy.DocAddress


def ranked(reading: Reading, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query, limit: int) -> list[Hit]:
    """Return at most `limit` hits, best first; one a section, or with `query.segments` one a chunk."""
    stretches = _stretches(reading, weighed, phrases, query, limit)
    places = bits(weighed)
    masks = reading.masks(places, [uid for part, held in stretches for uid in _uids(part, held)])
    cover = Cover(weighed, places)
    hits: list[Hit] = []
    for part, held in stretches:
        mask = 0
        for uid in _uids(part, held):
            mask |= masks.get(uid, 0)
        share, matched = cover.share(mask), cover.matched(mask)
        scores = (("lexical", part.score), ("terms", part.terms), ("best", part.best), ("page", part.page), ("coverage", share))
        if query.segments and held:
            hits += [Hit(named(reading.at.chunks, p.address), part.score * p.score / held[0].score, share, scores, matched) for p in held]
        else:
            hits.append(Hit(*_named(reading, part, held), share, scores, matched, _reach(reading, held)))
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def _uids(part: _Part, held: Sequence[_Piece]) -> list[int]:
    return [piece.uid for piece in held] or [part.head]


def _named(reading: Reading, part: _Part, held: Sequence[_Piece]) -> tuple[str, float]:
    id = named(reading.at.chunks, held[0].address) if held else named(reading.at.parts, part.address)
    return id, part.score


def _reach(reading: Reading, held: Sequence[_Piece]) -> tuple[str, ...]:
    if len(held) < 2:
        return ()
    first, last = min(held, key=lambda piece: piece.place), max(held, key=lambda piece: piece.place)
    return named(reading.at.chunks, first.address), named(reading.at.chunks, last.address)


def _stretches(
    reading: Reading, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query, limit: int
) -> list[tuple[_Part, list[_Piece]]]:
    """Return the best sections, best first, each with the chunks of its stretch; none where the section is a single chunk."""
    parts_at = reading.at.parts
    found = parts_at.search(reading.queries.parts(weighed, phrases, query), max(POOL, 2 * limit), count=False).hits
    if not found:
        return []
    addresses = [address for _, address in found]
    names = ("section", "holding", "chunks", "uid", "news")
    columns = [[int(v or 0) for v in parts_at.fast_field_values(name, addresses)] for name in names]
    keys, holdings, counts, _, _ = columns
    pages = keyed(reading.at.pages, reading.queries.pages(weighed, set(holdings)), "holding", len(found))
    covered = keyed(parts_at, reading.queries.covering(weighed, keys), "section", len(found))
    pieces = _pieces(reading, weighed, [key for key, chunks in zip(keys, counts, strict=True) if chunks > 1])
    weights, blend = reading.weights, reading.weights.prose
    parts = []
    for (terms, address), key, holding, _, head, news in zip(found, *columns, strict=True):
        held, page, share = pieces.get(key, ()), pages.get(holding, 0.0), covered.get(key, 0.0)
        best = held[0].score if held else terms
        score = terms + blend.part * best + blend.page * page + blend.covered * share
        parts.append(_Part(key, score * (weights.news if news else 1.0), terms, best, page, head, address))
    parts.sort(key=lambda part: (-part.score, part.key))
    return [(part, stretch(pieces.get(part.key, ()))) for part in parts[:limit]]


def _pieces(reading: Reading, weighed: Sequence[Weighed], keys: Sequence[int]) -> dict[int, list[_Piece]]:
    """Return the chunks of sections that hold a word of the question, best first."""
    pieces: dict[int, list[_Piece]] = defaultdict(list)
    if not keys:
        return pieces
    found = reading.at.chunks.search(reading.queries.inside(weighed, keys), CHUNKS * len(keys), count=False).hits
    addresses = [address for _, address in found]
    columns = [reading.at.chunks.fast_field_values(name, addresses) for name in ("section", "uid", "place", "before", "tokens")]
    for (score, address), section, *facts in zip(found, *columns, strict=True):
        uid, place, before, tokens = (int(fact or 0) for fact in facts)
        pieces[int(section or 0)].append(_Piece(score, uid, place, before, tokens, address))
    return pieces


def stretch(pieces: Sequence[_Piece]) -> list[_Piece]:
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
