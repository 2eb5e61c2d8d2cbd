"""Asks the index for as many hits as a filter needs, and keeps those that pass it.

In: a settled query, the index, the store. Out: what was found and the live entries that the filter lets through. The index knows nothing of
such filters, so that every index and every vector store honours them alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pincite.protocols import Found, Index
from pincite.retrieve import passages, where
from pincite.types import Capture, Entry, Hit, Query

DEEPEST = 6400
"""Hits that are looked through, at most, for those that pass a filter."""
TOGETHER = 0.6
"""Share of the question's words that one page must have more of, or words that stand apart everywhere were put together. Of 70 questions
to eight sites that have an answer 4 fall below, of 40 shuffles of their words 11; of those in small libraries nearly all do."""
UNSURE = 0.45
"""What such a question is answerable at most: below a half, and no less than what `ask` needs."""
FIRST, READ = 5, 30
"""Hits whose pages count, and hits that say what these hold."""
_FAR = re.compile(r"[\u2e80-\U0003ffff]")


class Shelf(Protocol):
    """What looking asks of the store."""

    def live(self, ids: Sequence[str], *, as_of: datetime | None = None, closed: bool = False) -> Mapping[str, Entry]: ...
    def captured(self, refs: Iterable[str]) -> Mapping[str, Capture]: ...


@dataclass(frozen=True, slots=True)
class Looked:
    """What an index found, less what does not pass a filter, and how far the library seems to answer."""

    hits: tuple[Hit, ...]
    unknown_terms: tuple[str, ...]
    answerable: float


def looked(query: Query, index: Index, store: Shelf) -> tuple[Looked, Mapping[str, Entry]]:
    """Return hits and their live entries; with a filter, the index is asked for more until enough pass it. Raises UsageError."""
    limit = passages.depth(query)
    while True:
        found = index.search(query, limit)
        if not _is_spoken_of(found):
            return Looked((), found.unknown_terms, 0.0), {}
        entries = store.live(passages.wanted(found), as_of=query.as_of, closed=bool(query.refs))
        hits = _passing(query, found, entries, store) if query.where else found.hits
        enough = not query.where or len(hits) >= passages.depth(query)
        if enough or len(found.hits) < limit or limit >= DEEPEST:
            answers = found.answerable * _share(hits, found.hits) if query.where else found.answerable
            return Looked(hits, found.unknown_terms, min(answers, _ceiling(found, entries))), entries
        limit *= 4


def _is_spoken_of(found: Found) -> bool:
    """Say whether anything found holds a word of the question; else it was found by words like unknown ones, and answers nothing.

    A question in Chinese, Japanese or Korean about pages in English may be found in no other way.
    """
    if not found.unknown_terms or any(_FAR.search(term) for term in found.unknown_terms):
        return True
    return any(hit.similarity > 0 or any(name == "vector" for name, _ in hit.scores) for hit in found.hits)


def _ceiling(found: Found, entries: Mapping[str, Entry]) -> float:
    """Return how sure one may be at most: where no page of the first hits has more than a part of the question's words, not sure."""
    words, pages = set(found.unknown_terms), dict[int, set[str]]()
    for rank, hit in enumerate(found.hits[:READ]):
        words.update(hit.matched)
        if (entry := entries.get(hit.id)) and (rank < FIRST or entry.holding.id in pages):
            pages.setdefault(entry.holding.id, set()).update(hit.matched)
    together = max(map(len, pages.values()), default=0)
    return UNSURE if len(words) > 1 and together <= TOGETHER * len(words) else 1.0


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
