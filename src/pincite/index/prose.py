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
from pincite.index.scoring import Cover, Weighed, bits, like_bits
from pincite.types import Hit, Query

POOL = 60
"""Sections whose page, chunks and coverage are looked at; 400 gave the same passages."""
PAGES = 100
"""Pages that lend their sections weight; 50 and all of them gave the same passages."""
STRETCH_TOKENS = 1000
"""A passage is never larger: about what a reader takes in at once. 800 lost a twentieth of the right passages, 1100 won none."""
CLOSE = 0.4
"""Share of the best chunk's score from which a chunk of the section belongs to the passage."""
CHUNKS = 6
"""Chunks looked at for each section, at most, on average."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk of a section: where it stands in its page, the tokens before it there, its own tokens."""

    score: float
    uid: int
    place: int
    before: int
    tokens: int
    address: tantivy.DocAddress


@dataclass(frozen=True, slots=True)
class _Part:
    """A section: its key, its score and the parts of it, the chunks of its stretch, where it lies in the index."""

    key: int
    score: float
    terms: float
    best: float
    """The score of its best chunk, or its own where it has one alone."""
    page: float
    share: float
    """The share of the question that its stretch covers."""
    matched: tuple[str, ...]
    held: tuple[_Piece, ...]
    address: tantivy.DocAddress


def ranked(reading: Reading, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query, limit: int) -> list[Hit]:
    """Return at most `limit` hits, best first; one a section, or with `query.segments` one a chunk."""
    hits: list[Hit] = []
    for part in _parts(reading, weighed, phrases, query, limit)[:limit]:
        scores = (("lexical", part.score), ("terms", part.terms), ("best", part.best), ("page", part.page), ("coverage", part.share))
        if query.segments and part.held:
            best = part.held[0].score
            hits += [
                Hit(named(reading.at.chunks, p.address), part.score * p.score / best, part.share, scores, part.matched) for p in part.held
            ]
        else:
            hits.append(Hit(_id(reading, part), part.score, part.share, scores, part.matched, _reach(reading, part.held)))
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def _id(reading: Reading, part: _Part) -> str:
    return named(reading.at.chunks, part.held[0].address) if part.held else named(reading.at.parts, part.address)


def _reach(reading: Reading, held: Sequence[_Piece]) -> tuple[str, ...]:
    if len(held) < 2:
        return ()
    first, last = min(held, key=lambda piece: piece.place), max(held, key=lambda piece: piece.place)
    return named(reading.at.chunks, first.address), named(reading.at.chunks, last.address)


def _parts(reading: Reading, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query, limit: int) -> list[_Part]:
    """Return the best sections, best first."""
    at = reading.at.parts
    found = at.search(reading.queries.parts(weighed, phrases, query), max(POOL, 2 * limit), count=False).hits
    if not found:
        return []
    addresses = [address for _, address in found]
    columns = [[int(v or 0) for v in at.fast_field_values(name, addresses)] for name in ("section", "holding", "chunks", "uid", "news")]
    keys, _, counts, heads, _ = columns
    pages = keyed(reading.at.pages, reading.queries.pages(weighed, query), "holding", PAGES)
    pieces = _pieces(reading, weighed, [key for key, chunks in zip(keys, counts, strict=True) if chunks > 1])
    held = [stretch(pieces.get(key, ())) for key in keys]
    uids = [[piece.uid for piece in some] or [head] for some, head in zip(held, heads, strict=True)]
    places = bits(weighed)
    likes = like_bits(weighed, len(places))
    masks, cover = reading.masks(reading.at.chunks, places, [uid for some in uids for uid in some], likes), Cover(weighed, places, likes)
    weights, blend, total = reading.weights, reading.weights.prose, sum(item.share for item in weighed)
    parts = []
    for k, ((terms, address), key, holding, _, _, news) in enumerate(zip(found, *columns, strict=True)):
        mask = 0
        for uid in uids[k]:
            mask |= masks.get(uid, 0)
        best, page, share = held[k][0].score if held[k] else terms, pages.get(holding, 0.0), cover.share(mask)
        score = terms + blend.part * best + blend.page * page + blend.covered * total * cover.near(mask, weights.like_covers)
        score *= weights.news if news else 1.0
        parts.append(_Part(key, score, terms, best, page, share, cover.matched(mask), tuple(held[k]), address))
    return sorted(parts, key=lambda part: (-part.score, part.key))


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
