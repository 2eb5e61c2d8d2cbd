"""Finds the stretches of a document that are worth reading as one: relevant segment extraction.

In: the value of each chunk of each document, in the order of the text. Out: the best stretches, as ranges of chunks. Pure. A chunk's
value is its calibrated 0..1 score, weakened by rank, less a penalty: a good neighbour carries a weak one, a desert ends a segment.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """How segments are grown; the numbers are those of the published method's presets."""

    max_length: int = 15
    overall_max_length: int = 30
    overall_max_length_extension: int = 5
    minimum_value: float = 0.5
    irrelevant_chunk_penalty: float = 0.18
    decay_rate: float = 30.0
    top_k_for_document_selection: int = 10
    chunk_length_adjustment: bool = True
    usual_chars: int = 700
    """With `chunk_length_adjustment`, a chunk of this length counts once."""


PRESETS: Mapping[str, Preset] = {
    "balanced": Preset(),
    "precision": Preset(minimum_value=0.7, irrelevant_chunk_penalty=0.2),
    "find_all": Preset(40, 200, 0, 0.4, 0.18, 200.0, 200),
}


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk of a document: its rank among all hits and its score, or None where it was not hit; its length."""

    rank: int | None
    score: float
    chars: int


@dataclass(frozen=True, slots=True)
class Segment:
    """Chunks `[first, last]` of a document and what they are worth together."""

    document: str
    first: int
    last: int
    value: float


def segments(documents: Mapping[str, Sequence[Scored]], preset: Preset) -> list[Segment]:
    """Return the segments of one question, best first; where nothing is worth the minimum, the best hit alone: it is not lost."""
    return segments_of([documents], preset)[0]


def segments_of(questions: Sequence[Mapping[str, Sequence[Scored]]], preset: Preset) -> list[list[Segment]]:
    """Return the segments of each question, best first. They take turns, share one budget, lengthened for each further question, and no
    chunk is in two of them. A question without a segment keeps its best hit alone.
    """
    rows = [{name: [value(c, preset) for c in chunks] for name, chunks in _chosen(own, preset).items()} for own in questions]
    free = {name: [True] * len(values) for own in rows for name, values in own.items()}
    budget = preset.overall_max_length + preset.overall_max_length_extension * (len(questions) - 1)
    found: list[list[Segment]] = [[] for _ in questions]
    open_ = list(range(len(questions)))
    while budget > 0 and open_:
        for k in list(open_):
            best = _worthiest(rows[k], free, min(preset.max_length, budget)) if budget > 0 else None
            if best is None or best.value < preset.minimum_value:
                open_.remove(k)
                continue
            found[k].append(best)
            budget -= best.last - best.first + 1
            free[best.document][best.first : best.last + 1] = [False] * (best.last - best.first + 1)
    return [some or _lone(own, free) for some, own in zip(found, questions, strict=True)]


def _worthiest(rows: Mapping[str, Sequence[float]], free: Mapping[str, Sequence[bool]], longest: int) -> Segment | None:
    return max(
        (s for name, row in rows.items() if (s := _best(name, row, free[name], longest))),
        key=lambda s: (s.value, s.document),
        default=None,
    )


def value(chunk: Scored, preset: Preset) -> float:
    """Return what a chunk adds to a segment: negative where it was not hit."""
    if chunk.rank is None:
        worth = -preset.irrelevant_chunk_penalty
    else:
        worth = math.exp(-(chunk.rank - 1) / preset.decay_rate) * chunk.score - preset.irrelevant_chunk_penalty
    if not preset.chunk_length_adjustment:
        return worth
    return worth * chunk.chars / preset.usual_chars if worth < 0 else worth * max(1.0, min(2.0, chunk.chars / preset.usual_chars))


def _chosen(documents: Mapping[str, Sequence[Scored]], preset: Preset) -> Mapping[str, Sequence[Scored]]:
    """Keep the documents of the best hits."""
    top = preset.top_k_for_document_selection
    return {n: row for n, row in documents.items() if any(c.rank is not None and c.rank <= top for c in row)}


def _best(document: str, row: Sequence[float], free: Sequence[bool], longest: int) -> Segment | None:
    """Return the range of free chunks with the greatest sum that begins and ends with a chunk worth something."""
    best: Segment | None = None
    for first in range(len(row)):
        if not free[first] or row[first] <= 0:
            continue
        total = 0.0
        for last in range(first, min(len(row), first + longest)):
            if not free[last]:
                break
            total += row[last]
            if row[last] > 0 and (best is None or total > best.value):
                best = Segment(document, first, last, total)
    return best


def _lone(documents: Mapping[str, Sequence[Scored]], free: Mapping[str, Sequence[bool]]) -> list[Segment]:
    """Return the best hit alone, or nothing where another question's segment holds it."""
    hits = [(chunk.rank, name, k, chunk.score) for name, row in documents.items() for k, chunk in enumerate(row) if chunk.rank is not None]
    return [Segment(name, k, k, score) for _, name, k, score in sorted(hits)[:1] if name not in free or free[name][k]]
