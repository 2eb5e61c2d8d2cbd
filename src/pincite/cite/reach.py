"""Where a check may look: the documents held under a name, and others that may hold some words.

In: a store, a search. Out: `Reach`. Paths match whole, or at their ends, segment by segment: `docs/a.md` finds `a.md` of the folder `docs`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.protocols import Judge, Store
from pincite.types import Citation, Document, Holding, SearchResult

MAX_ELSEWHERE = 8
"""Documents that are read to see whether a quote stands on another page."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Ways to find documents: by (source, path), by words; and printed citations by id."""

    documents: Callable[[str | None, str | None], Sequence[Document]]
    elsewhere: Callable[[str], Sequence[Document]]
    citation: Callable[[str], Citation | None]
    judge: Judge | None = None
    """Who may call a sentence entailed, and who is asked about those that no number, name or negation speaks against."""


def reach(store: Store, search: Callable[[str], SearchResult], judge: Judge | None = None) -> Reach:
    """Return the reach of a whole library; what is held is listed once for each source that is asked for."""
    listed: dict[str | None, tuple[Holding, ...]] = {}
    read: dict[str, Document | None] = {}

    def document(id: str) -> Document | None:
        if id not in read:
            while len(read) >= 64:
                read.pop(next(iter(read)))
            read[id] = store.document(id)
        return read[id]

    def documents(source: str | None, path: str | None) -> Sequence[Document]:
        if source not in listed:
            listed[source] = tuple(store.holdings(source))
        found = [h for h in listed[source] if path is None or path in (h.path, h.url)]
        found = found or [h for h in listed[source] if path is not None and _same_end(h.path, path)]
        return [d for id in dict.fromkeys(h.document for h in found) if (d := document(id)) is not None]

    def elsewhere(words: str) -> Sequence[Document]:
        if not words.strip():
            return ()
        ids = dict.fromkeys(p.document for p in search(words[:400]))
        return [d for id in list(ids)[:MAX_ELSEWHERE] if (d := document(id)) is not None]

    return Reach(documents, elsewhere, store.citation, judge)


def _same_end(held: str, asked: str) -> bool:
    return held.endswith("/" + asked.lstrip("/")) or asked.endswith("/" + held.lstrip("/"))
