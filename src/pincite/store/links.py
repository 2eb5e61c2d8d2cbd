"""Connections to one SQLite file: opened with our settings, lent to one thread at a time, one writer at a time.

In: a path. Out: `Link`s inside a transaction. A thread that is writing reads through its own transaction; all others see what was
committed when their block began.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import zstandard

from pincite.errors import StoreError
from pincite.store.faults import read_only, translated

WAIT_S = 10.0
"""How long a writer waits for another process's transaction."""

LEVEL = 3
"""zstd level: on pages of text 2 % larger than level 6 and more than twice as fast (benchmarks/store.py)."""


class Link:
    """A connection with its compressor; used by one thread at a time, as zstd contexts must be."""

    __slots__ = ("_packer", "_unpacker", "db", "seen")

    def __init__(self, db: sqlite3.Connection, seen: tuple[int, int, int] | None = None) -> None:
        self.db, self.seen = db, seen
        self._packer = zstandard.ZstdCompressor(level=LEVEL, write_content_size=True)
        self._unpacker = zstandard.ZstdDecompressor()

    def pack(self, data: bytes) -> bytes:
        """Return the data as one zstd frame."""
        return self._packer.compress(data)

    def unpack(self, data: bytes) -> bytes:
        """Return what `pack` packed. Raises StoreError where the frame is damaged."""
        try:
            return self._unpacker.decompress(data)
        except zstandard.ZstdError as error:
            raise StoreError(
                f"Packed data of the store is damaged ({error}). `pincite verify` names what is hit; restore a backup."
            ) from error


class Links:
    """The pool. `mode` is SQLite's: rwc creates, rw does not, ro reads.

    `lone` reads a file beside which we can't write, so without a log of its own: SQLite's `immutable`. Should another process begin to
    write to it nevertheless, the links are opened anew.
    """

    def __init__(self, place: str, mode: str, *, lone: bool = False, wait_s: float = WAIT_S) -> None:
        self.place, self.reads_only = place, mode == "ro"
        self._uri = f"{Path(os.path.abspath(place)).as_uri()}?mode={mode}"
        self._seen = _stamp(place) if lone else None
        self._wait_s = wait_s
        self._idle: list[Link] = []
        self._guard, self._turn = threading.Lock(), threading.Lock()
        self._writer: tuple[int, Link] | None = None
        self._moments: dict[int, Link] = {}
        self._shut = False
        self._token: bytes | None = None

    @contextmanager
    def reading(self) -> Iterator[Link]:
        """Lend a link inside a read transaction: all that the block reads is of one moment."""
        writer = self._writer
        mine = writer[1] if writer is not None and self.writes_here() else self._moments.get(threading.get_ident())
        if mine is not None:
            with translated(self.place):
                yield mine
            return
        with translated(self.place), self._lent() as link:
            link.db.execute("BEGIN")
            try:
                self._same(link)
                yield link
            finally:
                _roll_back(link)

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Let all that this thread reads in the block be of one moment, over one link: a question then costs one transaction, not fifty."""
        me = threading.get_ident()
        if me in self._moments or self.writes_here():
            yield
            return
        with self.reading() as link:
            self._moments[me] = link
            try:
                yield
            finally:
                del self._moments[me]

    @contextmanager
    def writing(self) -> Iterator[Link]:
        """Lend a link inside a write transaction: committed at the end of the block, rolled back on any exception.

        Inside a block of the same thread it is the same transaction. Raises Refused when reading only, StoreError when locked or full.
        """
        if self.reads_only:
            raise read_only(self.place)
        writer = self._writer
        if writer is not None and self.writes_here():
            with translated(self.place):
                yield writer[1]
            return
        with self._turn, translated(self.place), self._lent() as link:
            try:
                link.db.execute("BEGIN IMMEDIATE")
                self._same(link)
                self._writer = (threading.get_ident(), link)
                yield link
                link.db.execute("COMMIT")
            finally:
                self._writer = None
                _roll_back(link)

    def _same(self, link: Link) -> None:
        """Refuse to go on in a store that was replaced by a backup: what was read of it before, and its index, are another store's."""
        try:
            (token,) = link.db.execute("SELECT token FROM identity").fetchone()
        except sqlite3.OperationalError:
            return  # being made, or of an older version and only read
        if self._token is not None and token != self._token:
            raise StoreError(
                f"{self.place} has been replaced by a backup. Open it again; a server has to be started again.", rule="replaced"
            )
        self._token = token

    def writes_here(self) -> bool:
        """Say whether this thread is inside a write transaction."""
        writer = self._writer
        return writer is not None and writer[0] == threading.get_ident()

    @contextmanager
    def _lent(self) -> Iterator[Link]:
        with self._guard:
            if self._shut:
                raise StoreError(f"{self.place} has been closed. Open it again.")
            if self._seen is not None and self._seen != (now := _stamp(self.place)):
                self._seen = now
                while self._idle:
                    self._idle.pop().db.close()
            link = self._idle.pop() if self._idle else None
        link = link or self.connect()
        try:
            yield link
        finally:
            with self._guard:
                if not self._shut and link.seen == self._seen:
                    self._idle.append(link)
                else:
                    link.db.close()

    def checkpoint(self) -> None:
        """Move the log into the file and cut it to nothing, as far as other readers let it."""
        with translated(self.place), self._turn, self._lent() as link:
            link.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def compact(self) -> None:
        """Give the file's free pages back to the disk. Raises StoreError when another process keeps the file busy, or the disk is full."""
        with translated(self.place), self._turn, self._lent() as link:
            link.db.execute("VACUUM")
            link.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def connect(self) -> Link:
        """Open one more connection. Raises sqlite3.Error."""
        seen = self._seen
        uri = self._uri + "&immutable=1" if seen is not None and seen[-1] == 0 else self._uri
        db = sqlite3.connect(uri, uri=True, timeout=self._wait_s, isolation_level=None, check_same_thread=False, cached_statements=256)
        try:
            db.execute("PRAGMA cache_size = -16000")
            if not self.reads_only:
                db.execute("PRAGMA foreign_keys = ON")
                db.execute("PRAGMA synchronous = FULL")
                db.execute("PRAGMA journal_size_limit = 67108864")
        except BaseException:
            db.close()
            raise
        return Link(db, seen)

    def shut(self) -> None:
        """Close what is idle; what is lent is closed when it comes back."""
        with self._guard:
            self._shut = True
            idle, self._idle = self._idle, []
        for link in idle:
            link.db.close()


def _stamp(place: str) -> tuple[int, int, int]:
    """Return the file's time and size and its log's size; a log means that somebody writes."""
    try:
        state = os.stat(place)
        log = os.path.getsize(place + "-wal") if os.path.exists(place + "-wal") else 0
    except OSError:
        return 0, 0, 0
    return state.st_mtime_ns, state.st_size, log


def _roll_back(link: Link) -> None:
    if link.db.in_transaction:
        link.db.execute("ROLLBACK")
