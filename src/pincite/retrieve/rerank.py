"""Puts the best hits into a reranker's order.

In: a question, hits with live entries, a reranker. Out: the same hits, those that were shown to the reranker by its score, the rest
below. Pure but for the socket.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pincite.protocols import Found, Reranker
from pincite.types import Entry, Hit, Query

DEPTH = 30
"""How many hits a reranker reads; more cost time and, measured elsewhere, bring noise."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """What the index found, in another order."""

    hits: tuple[Hit, ...]
    unknown_terms: tuple[str, ...]
    answerable: float


def reranked(reranker: Reranker, query: Query, found: Found, entries: Mapping[str, Entry]) -> Reranked:
    """Return the hits with `rerank` among their scores. Raises ModelError."""
    live = [hit for hit in found.hits if hit.id in entries]
    read, rest = live[:DEPTH], live[DEPTH:]
    raw = reranker.rerank(query.text, [_shown(entries[hit.id]) for hit in read])
    logits = any(not 0.0 <= score <= 1.0 for score in raw)
    scored = [(_share(score) if logits else score, hit) for score, hit in zip(raw, read, strict=True)]
    scored.sort(key=lambda pair: -pair[0])
    first = [replace(hit, score=score, scores=(*hit.scores, ("rerank", score))) for score, hit in scored]
    floor = min((hit.score for hit in first), default=0.0)
    below = [replace(hit, score=floor * (n + 1) / (n + 2)) for n, hit in zip(range(len(rest), 0, -1), rest, strict=True)]
    return Reranked((*first, *below), found.unknown_terms, found.answerable)


def _shown(entry: Entry) -> str:
    return entry.context.above(entry.text)


def _share(score: float) -> float:
    """Return a logit as a share of 1: rerankers answer with logits or with probabilities."""
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, score))))
