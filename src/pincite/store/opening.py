"""Finds out what lies at a place and opens it: new, ours, ours but not to be written, or something else.

In: a path. Out: `Links` to a store of the newest schema. Raises StoreMissing, StoreError.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from pincite.errors import Refused, StoreError, StoreMissing
from pincite.store import migrations
from pincite.store.faults import translated
from pincite.store.links import Links
from pincite.store.schema import VERSION

OLDEST = (3, 37, 0)
"""SQLite with STRICT tables."""


def links(place: str, *, create: bool, read_only: bool, wait_s: float) -> Links:
    """Open the store at a path; with `create` make it, and its folder, when there is none."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise StoreError(f"This Python's SQLite is {sqlite3.sqlite_version}; Pincite needs 3.37 or newer.")
    found = _something(place)
    if not found and (read_only or not create):
        raise StoreMissing(f"There is no store at {place} yet. `pincite add SOURCE` makes one, or give another path with `--store`.")
    if not found:
        _make_folder(place)
    if found and (read_only or not _writable(place)):
        return _for_reading(place, wait_s)
    try:
        return _for_writing(place, "rwc" if create else "rw", wait_s)
    except Refused:
        return _for_reading(place, wait_s)


def _something(place: str) -> bool:
    """Say whether there is a file with anything in it."""
    if not place or "\0" in place:
        raise StoreError("The store's path is empty or has a NUL in it. Give `--store` the path of a file.")
    try:
        if os.path.isdir(place):
            raise StoreError(
                f"{place} is a folder, not a store. Give `--store` the path of a file, such as {os.path.join(place, 'library.db')}."
            )
        return os.path.getsize(place) > 0
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"Can't read {place}: {error.strerror or error}. Check the path and its permissions.") from error


def _make_folder(place: str) -> None:
    folder = Path(os.path.abspath(place)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"Can't make the folder {folder} for the store: {error.strerror or error}.") from error


def _writable(place: str) -> bool:
    folder = os.path.dirname(os.path.abspath(place))
    return os.access(place, os.W_OK) and os.access(folder, os.W_OK | os.X_OK)


def _for_writing(place: str, mode: str, wait_s: float) -> Links:
    found = Links(place, mode, wait_s=wait_s)
    with translated(place):
        link = found.connect()
        try:
            migrations.version(link.db, place)
            link.db.execute("PRAGMA journal_mode = WAL")
            migrations.migrate(link.db, place)
        finally:
            link.db.close()
    return found


def _for_reading(place: str, wait_s: float) -> Links:
    """Open without writing: through the log where there is one, else as a file that nobody changes."""
    found = Links(place, "ro", lone=not _writable(place), wait_s=wait_s)
    with translated(place):
        link = found.connect()
        try:
            version = migrations.version(link.db, place)
        finally:
            link.db.close()
    if version == 0:
        raise StoreMissing(f"{place} holds nothing yet. `pincite add SOURCE` fills it.")
    if version > VERSION:
        raise migrations.newer(place, version, VERSION)
    if version < VERSION:
        raise StoreError(
            f"{place} has the older schema {version} and may not be written. Open it once from where it may, to bring it to {VERSION}."
        )
    return found
