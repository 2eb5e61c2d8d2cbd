"""The store in one SQLite file: the only truth of a library, behind the sockets of `protocols`.

In: values of `types`. Out: the same values, whenever asked. Each method is one transaction of its own; `batch` joins many writes in one.
All methods may be called from any thread, and several processes may share the file: readers never wait, writers take turns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from pincite.errors import StoreError
from pincite.store import (
    blobs,
    captures,
    changes,
    check,
    citations,
    codec,
    copies,
    entries,
    erasing,
    notebook,
    opening,
    runs,
    sizes,
    vectors,
)
from pincite.store.batch import SqliteBatch
from pincite.store.faults import meaning
from pincite.store.links import WAIT_S, Links
from pincite.types import (
    Capture,
    Change,
    Chunk,
    Citation,
    Context,
    Coverage,
    Document,
    Entry,
    Finding,
    Holding,
    MarkKind,
    Source,
    Span,
)

STEP = 500
"""Rows that an iterator fetches at once, so that no transaction stays open between them."""


class _Rehearsed(Exception):
    """Rolls a transaction back that was only to tell what it would do."""


class SqliteStore:
    """A store in one SQLite file. Made by `open`."""

    def __init__(self, place: str, links: Links) -> None:
        self.place = place
        self._links = links
        self._kept = entries.Caches()

    @classmethod
    def open(cls, place: str, *, create: bool, read_only: bool = False, wait_s: float = WAIT_S) -> SqliteStore:
        """Open a store, brought to the newest schema; one that may not be written is opened for reading.

        Raises StoreMissing when there is none and `create` is false, StoreError when the file is no store, newer, damaged or locked.
        """
        return cls(place, opening.links(place, create=create, read_only=read_only, wait_s=wait_s))

    @property
    def index_place(self) -> str:
        """The folder beside the file where what is derived from it may lie."""
        return self.place + ".index"

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        return self._links.reads_only

    def shut(self) -> None:
        """Release the file."""
        self._links.shut()

    @contextmanager
    def batch(self) -> Iterator[SqliteBatch]:
        """Open a transaction; all its writes land at the end of the block, or none."""
        if self._links.writes_here():
            raise StoreError("This thread has a batch open already. Write through it, or end it first.")
        with self._links.writing() as link:
            batch = SqliteBatch(link)
            try:
                yield batch
            finally:
                batch.end()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Let all that this thread reads in the block be of one moment."""
        with self._links.moment():
            yield

    def put_source(self, source: Source) -> Source:
        """Add a source or change it; a removed one comes back."""
        with self._links.writing() as link:
            return captures.put_source(link, source)

    def source(self, slug: str) -> Source | None:
        """Return a source that is not removed."""
        with self._links.reading() as link:
            return next(iter(captures.sources(link, slug)), None)

    def sources(self) -> tuple[Source, ...]:
        """Return the sources in the order they were added."""
        with self._links.reading() as link:
            return captures.sources(link)

    def remove(self, slug: str, at: datetime, *, purge: bool = False) -> int:
        """Hide a source's pages at once and return their number; with `purge` erase them and what was hidden. Unknown source: 0."""
        with self._links.writing() as link:
            row = link.db.execute("SELECT id FROM sources WHERE slug = ?", (slug,)).fetchone()
            if row is None:
                return 0
            pages = changes.close_all(link, row[0], at)
            link.db.execute("UPDATE sources SET removed = 1 WHERE id = ?", row)
            if purge:
                pages = max(pages, erasing.purge(link, row[0]))
        if purge:
            self._kept.clear()
            self._links.checkpoint()
        return pages

    def latest(self, source: str) -> Mapping[str, Capture]:
        """Return the capture of each URL that the source holds now."""
        with self._links.reading() as link:
            return captures.held(link, source)

    def start_run(self, source: str, at: datetime) -> int:
        """Begin a run of a source."""
        with self._links.writing() as link:
            return runs.start(link, source, at)

    def finish_run(self, run: int, at: datetime, *, documents: int, chunks: int, removed: int) -> None:
        """End a run with its counts."""
        with self._links.writing() as link:
            runs.finish(link, run, at, (documents, chunks, removed))

    def report(self, source: str) -> Coverage | None:
        """Return the coverage of the source's newest run."""
        with self._links.reading() as link:
            return runs.report(link, source)

    def interrupted(self, source: str) -> int | None:
        """Return the source's newest run when it has not come to its end."""
        with self._links.reading() as link:
            return runs.interrupted(link, source)

    def wanted_left(self, run: int) -> tuple[str, ...]:
        """Return a run's wanted pages that have no outcome yet."""
        return tuple(url for url, _ in self.pending(run))

    def pending(self, run: int) -> tuple[tuple[str, int], ...]:
        """Return a run's wanted pages that have no outcome yet, each with its depth."""
        with self._links.reading() as link:
            return runs.pending(link, run)

    def put_vectors(self, model: str, dim: int, vectors_: Mapping[str, bytes]) -> None:
        """Keep vectors of `dim` numbers by the digest of the text that was embedded; those there already stay."""
        with self._links.writing() as link:
            vectors.put(link, model, dim, vectors_)

    def vectors(self, model: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those vectors that are kept."""
        with self._links.reading() as link:
            return vectors.get(link, model, keys)

    def drop_vectors(self, model: str, keys: Iterable[str]) -> None:
        """Forget vectors."""
        with self._links.writing() as link:
            vectors.drop(link, model, keys)

    def written(self, key: str) -> str | None:
        """Return what a model wrote under that key, or None."""
        with self._links.reading() as link:
            return notebook.written(link, key)

    def write(self, key: str, document: str, text: str) -> None:
        """Keep what a model wrote about a document."""
        with self._links.writing() as link:
            notebook.write(link, key, document, text)

    def prune(self, *, rehearse: bool = False) -> tuple[int, int]:
        """Erase what is neither held, cited, marked `keep` nor a page's latest capture; return captures and bytes. Shrinks the file.

        With `rehearse` nothing is erased, only counted.
        """
        done = (0, 0)
        with suppress(_Rehearsed), self._links.writing() as link:
            done = erasing.prune(link)
            if rehearse:
                raise _Rehearsed
        if not rehearse:
            self._kept.clear()
            with suppress(StoreError):  # busy, or no room for the copy: the free pages are then used by what comes next
                self._links.compact()
        return done

    def backup(self, target: str) -> int:
        """Copy the store to a new file, while it is in use, and return its bytes."""
        return copies.backup(self.place, target)

    def seq(self) -> int:
        """Return the newest sequence number of the change log."""
        with self._links.reading() as link:
            return changes.seq(link)

    def changes_since(self, seq: int, limit: int = 1000) -> Sequence[Change]:
        """Return the next changes after `seq`."""
        with self._links.reading() as link:
            return changes.since(link, seq, limit)

    def entries(self, holding: int) -> tuple[Entry, ...]:
        """Return the entries of one holding in the order of their spans."""
        with self._links.reading() as link:
            return entries.of_holding(link, holding)

    def holdings(self, source: str | None = None, *, as_of: datetime | None = None, closed: bool = False) -> Iterator[Holding]:
        """Yield what is held now, or was at `as_of`; with `closed`, every interval that is not retired."""
        after = 0
        while True:
            with self._links.reading() as link:
                page = changes.holdings(link, source, as_of, closed, after, STEP)
            yield from page
            if len(page) < STEP:
                return
            after = page[-1].id

    def chunks(self, document: str) -> tuple[tuple[Chunk, Context], ...]:
        """Return a document's chunks and contexts in order."""
        with self._links.reading() as link:
            return entries.current(link, document, self._kept.pieces)

    def live(self, ids: Sequence[str], *, as_of: datetime | None = None, closed: bool = False) -> Mapping[str, Entry]:
        """Return those passages that are held now, or were at `as_of`, or ever with `closed`."""
        with self._links.reading() as link:
            return entries.live(link, ids, as_of, self._kept, closed=closed)

    def slices(self, wanted: Sequence[tuple[str, Span]]) -> Sequence[str]:
        """Return slices of documents' texts, each by document id and span."""
        with self._links.reading() as link:
            return entries.slices(link, wanted)

    def entry(self, passage: str) -> Entry | None:
        """Return a passage whatever its interval."""
        with self._links.reading() as link:
            return entries.any_time(link, passage, self._kept)

    def live_ids(self) -> Iterator[str]:
        """Yield the passage ids of all intervals that are not retired, boilerplate left out."""
        after = 0
        while True:
            with self._links.reading() as link:
                page = entries.live_ids(link, after, STEP)
            for after, passages in page:  # noqa: B007
                yield from passages
            if len(page) < STEP:
                return

    def capture(self, ref: str) -> Capture | None:
        """Return the capture with that code."""
        with self._links.reading() as link:
            return next(captures.find(link, "WHERE c.ref = ?", ref), None)

    def captured(self, refs: Iterable[str]) -> Mapping[str, Capture]:
        """Return the captures with those codes."""
        with self._links.reading() as link:
            return captures.with_codes(link, list(refs))

    def captures(self, url: str) -> tuple[Capture, ...]:
        """Return all captures of a URL, newest first."""
        with self._links.reading() as link:
            return tuple(captures.find(link, "WHERE c.url = ? ORDER BY c.fetched_at DESC, c.id DESC", codec.plain(url)))

    def body(self, snapshot: str) -> bytes:
        """Return the bytes of a snapshot, verified. Raises EvidenceError when they are unknown, purged or damaged."""
        with self._links.reading() as link:
            return blobs.get(link, snapshot)

    def document(self, document: str) -> Document | None:
        """Return a document by id."""
        with self._links.reading() as link:
            return entries.document(link, document, self._kept.documents)

    def document_of(self, ref: str) -> Document | None:
        """Return the newest document made from a capture."""
        with self._links.reading() as link:
            return entries.document_of(link, ref, self._kept.documents)

    def mark(self, ref: str, mark: MarkKind, *, who: str, why: str, at: datetime) -> None:
        """Mark a capture. Raises StoreError for an unknown code."""
        with self._links.writing() as link:
            changes.marked(link, captures.mark(link, ref, mark, who, why, at))

    def put_citations(self, citations_: Iterable[Citation]) -> None:
        """Record printed citations; nothing is written when all are known."""
        wanted = list(citations_)
        with self._links.reading() as link:
            new = citations.unknown(link, wanted)
        if new:
            with self._links.writing() as link:
                citations.put(link, new)

    def citation(self, id: str) -> Citation | None:
        """Return a printed citation."""
        with self._links.reading() as link:
            return next(iter(citations.get(link, "", 1, id)), None)

    def remark(self, citation: str, text: str) -> bool:
        """Put a note behind a printed citation."""
        with self._links.writing() as link:
            return citations.remark(link, citation, text)

    def citations(self) -> Iterator[Citation]:
        """Yield the printed citations in the order of their ids."""
        after = ""
        while True:
            with self._links.reading() as link:
                page = citations.get(link, after, STEP)
            yield from page
            if len(page) < STEP:
                return
            after = page[-1].id

    def check(self) -> Iterator[Finding]:
        """Yield what is wrong with the store."""
        try:
            with self._links.reading() as link:
                yield from check.everything(link)
        except StoreError as error:
            cause = error.__cause__
            if not isinstance(cause, sqlite3.DatabaseError):
                raise
            yield Finding("database", self.place, meaning(cause, self.place).message)

    def stats(self) -> Mapping[str, Any]:
        """Return counts of rows and sizes in bytes."""
        with self._links.reading() as link:
            return sizes.of(link, self.place)
