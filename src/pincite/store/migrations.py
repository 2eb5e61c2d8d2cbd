"""Brings a store to the newest schema: each numbered migration is one transaction, so a killed process leaves the version before or after.

In: a connection in autocommit mode. Out: the same connection, its `application_id` and `user_version` set. Raises StoreError for a file
that is not a store, or that a newer Pincite wrote.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from pincite.errors import StoreError
from pincite.store.schema import APPLICATION_ID, MIGRATIONS


def version(db: sqlite3.Connection, place: str) -> int:
    """Return the store's schema version, 0 for an empty file. Raises StoreError when it is not a store."""
    mine, found = _pragma(db, "application_id"), _pragma(db, "user_version")
    if mine == APPLICATION_ID:
        return found
    if mine == 0 and found == 0 and not db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_master)").fetchone()[0]:
        return 0
    raise StoreError(f"{place} is an SQLite file, but not a Pincite store. Give `--store` another path; the file was not touched.")


def migrate(db: sqlite3.Connection, place: str, steps: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Run what is missing of `steps`, one transaction each. Raises StoreError when the file is newer than this Pincite, or no store."""
    while (found := version(db, place)) < len(steps):
        db.execute("BEGIN IMMEDIATE")
        try:
            if version(db, place) == found:
                for statement in steps[found]:
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {found + 1}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    if found > len(steps):
        raise newer(place, found, len(steps))


def newer(place: str, found: int, known: int) -> StoreError:
    """Return the error for a store that this Pincite is too old for."""
    return StoreError(
        f"{place} was written by a newer Pincite (schema {found}; this one knows {known}). Upgrade: `pip install -U pincite`."
    )


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
