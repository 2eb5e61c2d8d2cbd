"""The index's folder: opened, made, thrown away.

In: a path, or nothing for an index in memory. Out: an opened tantivy index. A folder that is damaged or of another layout is
replaced by an empty one: the index is derived, the store is the truth.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tantivy

from pincite.index.schema import FORMAT, register, schema

HEAP_BYTES = 48_000_000
LEAST_HEAP_BYTES = 24_000_000
SHELVES = ("chunks", "parts", "pages", "program")
"""The folders of the indexes inside that of the layout: chunks, sections and pages of prose, program text."""
log = logging.getLogger("pincite.index")


class Damaged(Exception):
    """The index on disk does not hold together."""


@contextmanager
def guarded() -> Iterator[None]:
    """Turn what tantivy raises over a damaged index, Rust panics among it, into Damaged."""
    try:
        yield
    except ValueError as error:
        raise Damaged(_short(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Damaged(_short(error)) from None


def in_memory() -> tantivy.Index:
    """Return an empty index that lives as long as the process."""
    index = tantivy.Index(schema())
    register(index)
    return index


def place(directory: Path) -> Path:
    """Return the folder for this layout inside the store's index folder."""
    return directory / f"lexical-{FORMAT}"


def opened(directory: Path, shelf: str, *, read_only: bool) -> tantivy.Index | None:
    """Open or make the index on disk; None where it can only be kept in memory: the folder is missing or unwritable and may not be made."""
    folder = place(directory) / shelf
    try:
        if not read_only:
            _forget_older(directory)
            folder.mkdir(parents=True, exist_ok=True)
        if not folder.is_dir():
            return None
        with guarded():
            return _checked(tantivy.Index(schema(), str(folder)) if not read_only else tantivy.Index.open(str(folder)))
    except OSError as error:
        log.warning("The index folder %s can't be used (%s); searching an index in memory.", folder, error.strerror or error)
        return None
    except Damaged as error:
        if read_only:
            log.warning("The index in %s can't be read; searching an index in memory.", folder)
            return None
        log.warning("The index in %s is damaged and is built again: %s", folder, error)
        return fresh(directory, shelf)


def _checked(index: tantivy.Index) -> tantivy.Index:
    register(index)
    seen_in(index.searcher(), index.schema)
    return index


def seen_in(searcher: tantivy.Searcher, fields: tantivy.Schema) -> int:
    """Return the sequence number that the index has seen, 0 for an empty one."""
    hits = searcher.search(tantivy.Query.term_query(fields, "what", "seen", "basic"), 10).hits
    return max((int(searcher.doc(address).get_first("seen") or 0) for _, address in hits), default=0)


def fresh(directory: Path, shelf: str) -> tantivy.Index | None:
    """Throw an index on disk away and return an empty one; None where that can't be done."""
    folder = place(directory) / shelf
    try:
        if folder.exists():
            away = place(directory).with_name(f"{folder.name}.old-{time.monotonic_ns()}")
            folder.rename(away)
            shutil.rmtree(away, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(schema(), str(folder))
    except (OSError, ValueError) as error:
        log.warning("The index folder %s can't be made anew (%s); searching an index in memory.", folder, _short(error))
        return None
    register(index)
    return index


def writer(index: tantivy.Index, heap_bytes: int = HEAP_BYTES) -> tantivy.IndexWriter | None:
    """Take the writer lock, or return None while another process holds it."""
    try:
        return index.writer(heap_size=heap_bytes, num_threads=1)
    except ValueError as error:
        if "LockBusy" in str(error) or "Lockfile" in str(error):
            return None
        raise


def _forget_older(directory: Path) -> None:
    if not directory.is_dir():
        return
    for other in directory.glob("lexical-*"):
        if other.name != place(directory).name:
            log.warning("The index in %s has an older layout and is built again.", other)
            shutil.rmtree(other, ignore_errors=True)


def _short(error: BaseException) -> str:
    return str(error).split("\n")[0][:200]
