"""Passages as the records of other frameworks: text and flat metadata.

In: a passage. Out: metadata of plain JSON values. `source`, `title`, `domain` and `doc_id` are the names that loaders of documentation use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from pincite.types import Passage, timestamp

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.types import SearchResult

Kind = Literal["all", "doc", "code"]


def metadata(passage: Passage) -> dict[str, Any]:
    """Return what a framework keeps beside the text; `text == document.text[start:end]`."""
    return {
        "source": passage.url,
        "title": passage.title,
        "domain": urlsplit(passage.url).netloc,
        "doc_id": passage.document,
        "id": passage.id,
        "ref": passage.ref,
        "kind": passage.kind,
        "library_source": passage.source,
        "version": passage.version,
        "path": passage.path,
        "heading": " › ".join(passage.heading),
        "start": passage.start,
        "end": passage.end,
        "score": passage.score,
        "similarity": passage.similarity,
        "fetched_at": timestamp(passage.fetched_at),
        "snapshot": passage.snapshot,
        "language": passage.language or passage.lang,
    }


def find(open_library: Callable[[], Library], query: str, options: dict[str, Any]) -> SearchResult:
    """Ask a library that is opened for this question and closed after it; options are those of `Library.search`."""
    with open_library() as library:
        return library.search(query, **options)


def options_of(*, kind: Kind, source: Any, version: str | None, max_results: int, score_ratio: float | None) -> dict[str, Any]:
    """Return the options of a search as `Library.search` takes them."""
    named = tuple(source) if isinstance(source, list | tuple) else source
    return {"kind": kind, "source": named, "version": version, "max_results": max_results, "score_ratio": score_ratio}


def opener(store: str | None) -> Callable[[], Library]:
    """Return what opens the library at a place, or the user's own."""

    def open_library() -> Library:
        from pincite.library import Library
        from pincite.settings import load

        return Library(settings=load({"store": store}), create=False)

    return open_library
