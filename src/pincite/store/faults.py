"""Says in Pincite's words what SQLite and the file system raise.

In: foreign exceptions. Out: StoreError, StoreMissing, Refused. What a code means: sqlite.org/rescode.html.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from pincite.errors import PinciteError, Refused, StoreError

PRIMARY = 0xFF
"""An extended result code's primary code is its low byte."""


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Let no foreign exception of the database out of the block."""
    try:
        yield
    except sqlite3.Error as error:
        raise meaning(error, place) from error


def meaning(error: sqlite3.Error, place: str) -> PinciteError:
    """Return the error of our tree that this one stands for."""
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return locked(place)
    if code == sqlite3.SQLITE_FULL:
        return StoreError(
            f"The disk that holds {place} is full. Nothing was lost: the last batch was rolled back. Free space and run it again."
        )
    if code == sqlite3.SQLITE_READONLY:
        return read_only(place)
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{place} is not a database, so not a Pincite store. Give `--store` another path; the file was not touched.")
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreError(f"{place} is damaged ({error}). Keep the file, restore a backup, or add the sources to a new store.")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreError(f"Can't open {place}: {error}. Check that its folder exists and that you may write there.")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"Reading or writing {place} failed ({error}). Nothing of the last batch was kept. Check the disk and its space.")
    if code == sqlite3.SQLITE_TOOBIG:
        return StoreError(f"A value is too large for {place} ({error}).")
    return StoreError(f"{place}: {error}")


def locked(place: str) -> StoreError:
    """Return the error for a store that another process is writing."""
    return StoreError(f"{place} is locked by another process that writes to it. Wait until it is done, then run the command again.")


def read_only(place: str) -> Refused:
    """Return the refusal of a write."""
    return Refused(f"{place} is open for reading only: its file, its folder or its disk may not be written.", rule="read_only")
