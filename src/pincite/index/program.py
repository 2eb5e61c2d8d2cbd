"""Ranks chunks of program text: their own terms, the section and the page around them, the share of the question that they cover.

In: a searcher, weighted words, a query for candidates. Out: hits. Also for questions of function words alone, whatever the kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import tantivy

from pincite.index.queries import Queries
from pincite.index.scoring import Cover, Weighed, Weights, bits
from pincite.index.shelves import Read
from pincite.types import Hit


@dataclass(frozen=True, slots=True)
class Reading:
    """One state of the index, and how it is asked."""

    at: Read
    queries: Queries
    weights: Weights

    def masks(
        self,
        at: tantivy.Searcher,
        places: Mapping[str, int],
        uids: Sequence[int],
        likes: Mapping[tuple[str, ...], int] | None = None,
    ) -> dict[int, int]:
        """Return which terms, and which synonyms, each chunk holds, as bits."""
        if not uids:
            return {}
        return {uid: int(score) for uid, score in keyed(at, self.queries.mask(places, uids, likes), "uid", len(uids)).items()}


def keyed(searcher: tantivy.Searcher, query: tantivy.Query, key: str, limit: int) -> dict[int, float]:
    """Return the scores by the value of a field."""
    found = searcher.search(query, limit, count=False).hits
    keys = searcher.fast_field_values(key, [address for _, address in found])
    return {int(k or 0): float(score) for k, (score, _) in zip(keys, found, strict=True)}


def named(searcher: tantivy.Searcher, address: tantivy.DocAddress) -> str:
    """Return the passage id of a document of the index."""
    return str(searcher.doc(address).get_first("id"))


@dataclass(frozen=True, slots=True)
class _Candidate:
    uid: int
    address: tantivy.DocAddress
    score: float
    holding: int
    section: int
    code: bool


def ranked(
    reading: Reading, sought: tantivy.Query, weighed: Sequence[Weighed], limit: int, at: tantivy.Searcher | None = None
) -> list[Hit]:
    """Return at most `limit` hits, best first, of program text, or of the chunks of another index."""
    at = at or reading.at.program
    pool = _pool(at, sought, max(100, 2 * limit))
    if not pool:
        return []
    weights, total = reading.weights, sum(item.share for item in weighed)
    pages = _wholes(reading, at, "page", "holding", weighed, {c.holding for c in pool})
    parts = _wholes(reading, at, "stretch", "section", weighed, {c.section for c in pool if c.section})
    places = bits(weighed)
    masks, cover = reading.masks(at, places, [c.uid for c in pool]), Cover(weighed, places)
    rows = []
    for c in pool:
        mask = masks.get(c.uid, 0)
        share, page, part = cover.share(mask), pages.get(c.holding, 0.0), parts.get(c.section, 0.0)
        blend = weights.code if c.code else weights.prose
        score = c.score + blend.page * page + blend.part * part + blend.covered * total * share
        rows.append((-score, c.uid, share, page, part, mask, c))
    rows.sort(key=lambda row: row[:2])
    return [
        Hit(
            id=named(at, c.address),
            score=-least,
            similarity=share,
            scores=(("lexical", -least), ("terms", c.score), ("page", page), ("section", part), ("coverage", share)),
            matched=cover.matched(mask),
        )
        for least, _, share, page, part, mask, c in rows[:limit]
    ]


def _pool(at: tantivy.Searcher, sought: tantivy.Query, size: int) -> list[_Candidate]:
    found = at.search(sought, size, count=False).hits
    addresses = [address for _, address in found]
    columns = [at.fast_field_values(name, addresses) for name in ("uid", "holding", "section", "code")]
    return [
        _Candidate(int(uid or 0), address, float(score), int(holding or 0), int(section or 0), bool(code))
        for (score, address), uid, holding, section, code in zip(found, *columns, strict=True)
    ]


def _wholes(reading: Reading, at: tantivy.Searcher, field: str, key: str, weighed: Sequence[Weighed], values: set[int]) -> dict[int, float]:
    return keyed(at, reading.queries.wholes(field, weighed, key, values), key, len(values)) if values else {}
