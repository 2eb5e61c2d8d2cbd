"""Backup and restore: the whole store as one file, while it is in use.

In: paths. Out: a file, complete or not there at all; a store that is wholly the old or wholly the new one, however the process ends.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from pincite.errors import StoreError
from pincite.store import check, migrations
from pincite.store.faults import locked, translated
from pincite.store.links import WAIT_S, Link, Links
from pincite.store.schema import VERSION

PAGES = 1000
"""Database pages copied at once, 4 MB; writers get their turn in between."""


def backup(place: str, target: str) -> int:
    """Copy the store at `place` to a new file and return its bytes. Raises StoreError, also when the target exists."""
    if os.path.exists(target):
        raise StoreError(f"{target} exists already. Give the backup a new name.")
    half = target + ".part"
    try:
        with translated(place), closing(_reading(place)) as source, closing(sqlite3.connect(half, isolation_level=None)) as copy:
            source.backup(copy, pages=PAGES, progress=_patient(WAIT_S, place), sleep=0.02)
            copy.execute("PRAGMA journal_mode = DELETE")
        _synced(half)
        os.replace(half, target)
    except OSError as error:
        raise StoreError(f"Can't write the backup {target}: {error.strerror or error}. Give another path, or free space.") from error
    finally:
        for left in (half, half + "-journal", half + "-wal", half + "-shm"):
            Path(left).unlink(missing_ok=True)
    return os.path.getsize(target)


def restore(copy: str, place: str, *, wait_s: float = WAIT_S) -> None:
    """Replace the store at `place`, or make it, by a backup that is sound, in one transaction. The derived index is dropped.

    Processes that have the store open must open it again; until then each of their reads is a StoreError. Raises StoreError when the
    backup is none, is damaged, or the store is locked.
    """
    with translated(copy), closing(_reading(copy)) as source:
        found = migrations.version(source, copy)
        if not 0 < found <= VERSION:
            raise migrations.newer(copy, found, VERSION) if found else StoreError(f"{copy} holds no store. Give the path of a backup.")
        wrong = next(check.everything(Link(source)), None) if found == VERSION else None
        if wrong is not None:
            raise StoreError(f"{copy} is damaged: {wrong.kind} {wrong.subject}: {wrong.detail}. Restore an older backup.")
        with translated(place):
            link = Links(place, "rwc", wait_s=wait_s).connect()
            with closing(link.db):
                source.backup(link.db, progress=_patient(wait_s, place), sleep=0.02)
                link.db.execute("PRAGMA journal_mode = WAL")
                with suppress(sqlite3.OperationalError):  # a backup of an older version gets its identity when it is migrated
                    link.db.execute("UPDATE identity SET token = randomblob(16)")
    shutil.rmtree(place + ".index", ignore_errors=True)


def _reading(place: str) -> sqlite3.Connection:
    if not os.path.isfile(place) or not os.path.getsize(place):
        raise StoreError(f"There is no store at {place}.")
    return Links(place, "ro", lone=not os.access(os.path.dirname(os.path.abspath(place)), os.W_OK)).connect().db


def _patient(wait_s: float, place: str) -> Callable[[int, int, int], None]:
    """Return what `Connection.backup` is to call: it tries a busy file for ever, we do not."""
    until: list[float] = []

    def watch(status: int, remaining: int, total: int) -> None:
        if status not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            until.clear()
        elif not until:
            until.append(time.monotonic() + wait_s)
        elif time.monotonic() > until[0]:
            raise locked(place)

    return watch


def _synced(path: str) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
