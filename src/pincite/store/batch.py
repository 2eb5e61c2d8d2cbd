"""The writes of one transaction.

In: values of `types`, and a link inside a write transaction. Out: rows. `SqliteStore.batch` commits or rolls back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from pincite.errors import StoreError
from pincite.store import captures, changes, documents, runs
from pincite.store.links import Link
from pincite.types import Capture, Chunk, Context, Document, Fetched, PageOutcome


class SqliteBatch:
    """The writes of one transaction; of no use after its block."""

    def __init__(self, link: Link) -> None:
        self._link: Link | None = link

    def _open(self) -> Link:
        if self._link is None:
            raise StoreError("This batch has ended. Open another with `store.batch()`.")
        return self._link

    def put_capture(self, source: str, fetched: Fetched) -> tuple[Capture, bool]:
        """Store the bytes; False when the source's latest capture of that URL has the same, which then gets a check time."""
        return captures.put(self._open(), source, fetched)

    def put_document(self, document: Document, chunks: Sequence[Chunk], contexts: Sequence[Context]) -> None:
        """Store a document and its chunks. The same again is a no-op; other chunks of it replace those of the pages that hold it."""
        link = self._open()
        row, cut, replaced = documents.put(link, document, chunks, contexts)
        if replaced:
            changes.recut(link, row, cut)

    def hold(self, capture: Capture, document: str) -> None:
        """Let the page hold this document from the capture on."""
        changes.hold(self._open(), capture, document)

    def close(self, source: str, url: str, at: datetime) -> None:
        """End what a page held."""
        link = self._open()
        changes.close(link, captures.source_row(link, source), url, at)

    def checked(self, ref: str, at: datetime) -> None:
        """Note that a capture's page was asked for and had not changed."""
        captures.checked(self._open(), ref, at)

    def want(self, run: int, urls: Iterable[str], depth: int = 0) -> None:
        """Note pages that the run means to fetch, `depth` links from its seeds."""
        runs.want(self._open(), run, urls, depth)

    def outcome(self, run: int, outcome: PageOutcome) -> None:
        """Note what became of one page."""
        runs.outcome(self._open(), run, outcome)

    def end(self) -> None:
        """Let go of the transaction."""
        self._link = None
