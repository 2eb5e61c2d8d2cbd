"""Asks the index for as many hits as a filter needs, and keeps those that pass it.

In: a settled query, the index, the store. Out: what was found and the live entries that the filter lets through. The index knows nothing of
such filters, so that every index and every vector store honours them alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pincite.protocols import Found, Index
from pincite.retrieve import passages, where
from pincite.types import Capture, Entry, Hit, Query

DEEPEST = 6400
"""Hits that are looked through, at most, for those that pass a filter."""


class Shelf(Protocol):
    """What looking asks of the store."""

    def live(self, ids: Sequence[str], *, as_of: datetime | None = None, closed: bool = False) -> Mapping[str, Entry]: ...
    def captured(self, refs: Iterable[str]) -> Mapping[str, Capture]: ...


@dataclass(frozen=True, slots=True)
class Looked:
    """What an index found, less what does not pass a filter."""

    hits: tuple[Hit, ...]
    unknown_terms: tuple[str, ...]
    answerable: float


def looked(query: Query, index: Index, store: Shelf) -> tuple[Found, Mapping[str, Entry]]:
    """Return hits and their live entries; with a filter, the index is asked for more until enough pass it. Raises UsageError."""
    limit = passages.depth(query)
    while True:
        found = index.search(query, limit)
        entries = store.live(passages.wanted(found), as_of=query.as_of, closed=bool(query.refs))
        if not query.where:
            return found, entries
        hits = _passing(query, found, entries, store)
        if len(hits) >= passages.depth(query) or len(found.hits) < limit or limit >= DEEPEST:
            return Looked(hits, found.unknown_terms, found.answerable * _share(hits, found.hits)), entries
        limit *= 4


def _passing(query: Query, found: Found, entries: Mapping[str, Entry], store: Shelf) -> tuple[Hit, ...]:
    test = where.read(query.where)
    captures = store.captured({entry.holding.ref for entry in entries.values()})
    return tuple(hit for hit in found.hits if hit.id in entries and test(_facts(entries[hit.id], captures)))


def _facts(entry: Entry, captures: Mapping[str, Capture]) -> where.Facts:
    holding, capture = entry.holding, captures.get(entry.holding.ref)
    return where.Facts(
        source=holding.source,
        version=entry.source_version,
        kind=entry.chunk.kind,
        lang=entry.lang,
        language=entry.chunk.language,
        path=holding.path,
        url=holding.url,
        title=entry.document_title,
        ref=holding.ref,
        mark=capture.mark if capture else "none",
        flag=capture.flags if capture else (),
        fetched=capture.fetched_at if capture else holding.valid_from,
    )


def _share(kept: Sequence[Hit], found: Sequence[Hit]) -> float:
    """Return how much of what the first hits cover the first of those kept cover."""
    best = max((hit.similarity for hit in found[:5]), default=0.0)
    return max((hit.similarity for hit in kept[:5]), default=0.0) / best if best else float(bool(kept))
