"""Hits -> segments of their documents, as groups that become passages.

In: live hits with entries of each question, the store for a document's chunks. Out: groups, best first. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pincite.retrieve.joining import Group
from pincite.retrieve.segments import PRESETS, Scored, Segment, segments_of
from pincite.types import Chunk, Context, Entry, Hit, Span

Found = Sequence[tuple[Hit, Entry]]


class Chunks(Protocol):
    """What is asked of the store."""

    def chunks(self, document: str) -> tuple[tuple[Chunk, Context], ...]: ...


def segmented(rows: Sequence[Found], store: Chunks, preset: Literal["balanced", "precision", "find_all"]) -> list[list[Group]]:
    """Return for each question, given by its hits, the segments of the best hits' documents, each at the place of its own best hit."""
    cut: dict[str, list[Chunk]] = {}
    places = [{(entry.holding.id, entry.chunk.id): (rank, hit, entry) for rank, (hit, entry) in enumerate(found, 1)} for found in rows]
    scored: list[dict[str, list[Scored]]] = []
    for found, by_chunk in zip(rows, places, strict=True):
        own: dict[str, list[Scored]] = {}
        for _, entry in found:
            name = f"{entry.holding.id:020d}"
            if name not in cut:
                cut[name] = [chunk for chunk, _ in store.chunks(entry.holding.document)]
            if name not in own:
                own[name] = [_scored(by_chunk.get((entry.holding.id, chunk.id)), chunk, found[0][0].score) for chunk in cut[name]]
        scored.append(own)
    grown = segments_of(scored, PRESETS[preset])
    groups = [[_group(s, cut[s.document], by_chunk) for s in some] for some, by_chunk in zip(grown, places, strict=True)]
    return [sorted(some, key=lambda group: -group.hit.score) for some in groups]


def _scored(held: tuple[int, Hit, Entry] | None, chunk: Chunk, best: float) -> Scored:
    if held is None:
        return Scored(None, 0.0, len(chunk.span))
    rank, hit, _ = held
    return Scored(rank, (hit.score / best + hit.similarity) / 2.0, len(chunk.span))


def _group(segment: Segment, chunks: Sequence[Chunk], by_chunk: dict[tuple[int, str], tuple[int, Hit, Entry]]) -> Group:
    holding = int(segment.document)
    stretch = chunks[segment.first : segment.last + 1]
    _, hit, entry = min((h for chunk in stretch if (h := by_chunk.get((holding, chunk.id)))), key=lambda h: h[0])
    return Group(hit, entry, stretch[0], Span(stretch[0].span.start, stretch[-1].span.end))
