"""Hits -> passages: cut off, duplicates collapsed, neighbours labelled, kept within a budget, numbered.

In: what the index found for one question or several, the live entries, the store for captures and neighbours. Out: a SearchResult whose
passages are exact slices. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pincite import urls
from pincite.planted import PLANTED, addresses_assistants
from pincite.protocols import Found
from pincite.retrieve import alike
from pincite.retrieve.budget import within
from pincite.retrieve.interleaving import answerable, interleaved, unknown
from pincite.retrieve.joining import Group, joined
from pincite.retrieve.stretches import segmented
from pincite.types import Capture, Chunk, Context, Entry, Hit, Passage, Query, SearchResult, Span


class Shelf(Protocol):
    """What assembling asks of the store."""

    def moment(self) -> AbstractContextManager[None]: ...
    def captured(self, refs: Iterable[str]) -> Mapping[str, Capture]: ...
    def chunks(self, document: str) -> tuple[tuple[Chunk, Context], ...]: ...
    def document(self, document: str) -> Any: ...
    def slices(self, wanted: Sequence[tuple[str, Span]]) -> Sequence[str]: ...


def depth(query: Query) -> int:
    """Return how many hits to ask the index for: enough to lose some to duplicates and cut-offs."""
    return min(400, query.max_results + query.max_results // 2 + 10)


def wanted(found: Found) -> list[str]:
    """Return the passage ids that assembling needs: those of the hits and of the ends of what they stand for."""
    return list(dict.fromkeys(id for hit in found.hits for id in (hit.id, *hit.reach)))


Look = tuple[Found, Mapping[str, Entry]]
"""What one question found, and the live entries of it."""


def assemble(query: Query, found: Found, entries: Mapping[str, Entry], store: Shelf) -> SearchResult:
    """Return at most `max_results` passages, best first.

    `score_ratio` keeps what scores at least that share of the best; `similarity_threshold` what covers that share of the question's IDF.
    """
    return assembled(query, [(found, entries)], store)


def assembled(query: Query, looks: Sequence[Look], store: Shelf) -> SearchResult:
    """Return at most `max_results` passages of one question or several, the best of each in turn."""
    live = [alike.apart(list(_cut_off(query, found.hits, entries))) for found, entries in looks]
    with store.moment():
        rows = (
            segmented(live, store, query.preset)
            if query.segments
            else [joined(one, look[1]) for one, look in zip(live, looks, strict=True)]
        )
        kept = interleaved(rows)[: query.max_results]
        spans = [(group.entry.holding.document, group.span) for group in kept if group.span != group.entry.chunk.span]
        texts = dict(zip(spans, store.slices(spans), strict=True)) if spans else {}
        builder = _Builder(store, query, store.captured({group.entry.holding.ref for group in kept}), texts)
        passages = [builder.passage(rank, group) for rank, group in enumerate(kept, 1)]
    if query.max_tokens is not None:
        passages = within(passages, query.max_tokens)
    found = [one for one, _ in looks]
    return SearchResult(query.text, tuple(passages), unknown(found), answerable(found))


def _cut_off(query: Query, hits: Sequence[Hit], entries: Mapping[str, Entry]) -> Iterator[tuple[Hit, Entry]]:
    best: float | None = None
    for hit in hits:
        entry = entries.get(hit.id)
        if entry is None:
            continue
        best = hit.score if best is None else best
        if hit.score < query.score_ratio * best or hit.score <= 0:
            continue
        if query.similarity_threshold is None or hit.similarity >= query.similarity_threshold:
            yield hit, entry


@dataclass(slots=True)
class _Builder:
    """Makes passages; asks the store once for the captures and once for each document."""

    store: Shelf
    query: Query
    captures: Mapping[str, Capture]
    texts: Mapping[tuple[str, Span], str]
    """The texts of the stretches that are more than a chunk."""
    documents: dict[str, Any] = field(default_factory=dict)
    chunks: dict[str, list[Chunk]] = field(default_factory=dict)

    def passage(self, rank: int, group: Group) -> Passage:
        hit, entry = group.hit, group.entry
        first, chunk, holding = group.first, entry.chunk, entry.holding
        capture, text = self.captures.get(holding.ref), self._text(group)
        return Passage(
            id=entry.id,
            rank=rank,
            score=hit.score,
            scores={name: value for name, value in hit.scores if name in ("lexical", "vector", "rerank")},
            kind=chunk.kind,
            ref=holding.ref,
            source=holding.source,
            version=entry.source_version,
            path=holding.path,
            url=urls.with_fragment(holding.url, chunk.anchor) if chunk.anchor else holding.url,
            title=entry.document_title or entry.context.document_title or holding.path,
            heading=chunk.heading,
            symbol=chunk.symbol,
            paragraph=first.paragraph,
            line=first.line,
            start=group.span.start,
            end=group.span.end,
            text=text,
            fetched_at=capture.fetched_at if capture else holding.valid_from,
            snapshot=capture.snapshot if capture else "",
            document=holding.document,
            block=first.block,
            lang=entry.lang,
            language=chunk.language,
            mark=capture.mark if capture else "none",
            flags=(*(capture.flags if capture else ()), *([PLANTED] if addresses_assistants(text) else ())),
            context=tuple(self._neighbours(group)) if self.query.neighbors else (),
            similarity=hit.similarity,
            explain=explanation(hit) if self.query.explain else None,
        )

    def _document(self, id: str) -> Any:
        if id not in self.documents:
            self.documents[id] = self.store.document(id)
        return self.documents[id]

    def _chunks(self, document: str) -> list[Chunk]:
        if document not in self.chunks:
            self.chunks[document] = [chunk for chunk, _ in self.store.chunks(document)]
        return self.chunks[document]

    def _text(self, group: Group) -> str:
        own = group.span == group.entry.chunk.span
        return group.entry.text if own else self.texts[group.entry.holding.document, group.span]

    def _neighbours(self, group: Group) -> Iterable[Mapping[str, Any]]:
        entry = group.entry
        document = self._document(entry.holding.document)
        spans = self._chunks(entry.holding.document)
        own = [i for i, chunk in enumerate(spans) if group.span.start <= chunk.span.start < group.span.end]
        if not own or document is None:
            return
        for k in range(max(0, own[0] - self.query.neighbors), min(len(spans), own[-1] + self.query.neighbors + 1)):
            if not own[0] <= k <= own[-1]:
                span = spans[k].span
                yield {
                    "position": "before" if k < own[0] else "after",
                    "id": spans[k].id,
                    "start": span.start,
                    "end": span.end,
                    "text": span.of(document.text),
                }


def explanation(hit: Hit) -> Mapping[str, Any]:
    """Return the parts of a hit's score, the share of the question that it covers and the words that matched."""
    return {"score": hit.score, "parts": dict(hit.scores), "similarity": hit.similarity, "matched": list(hit.matched)}


def renumbered(passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages with ranks from 1."""
    return [replace(passage, rank=rank) for rank, passage in enumerate(passages, 1)]
