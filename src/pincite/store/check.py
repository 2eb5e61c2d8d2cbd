"""Looks the whole store over: every blob and text against its digest, chunks and citations against texts, intervals against neighbours.

In: a link inside a read transaction. Out: findings, one for each thing that is wrong; none of a sound store. One document at a time is in
memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pincite.errors import EvidenceError, StoreError
from pincite.store import blobs, citations, documents
from pincite.store.codec import id_of, key_of, loads, text_of
from pincite.store.documents import CHUNK, DOC, SHIFT
from pincite.store.links import Link
from pincite.types import Finding, Span, chunk_id, passage_id

BACKUP = "restore a backup, or remove the source and add it again"


def everything(link: Link) -> Iterator[Finding]:
    """Yield what is wrong, from the file's pages up to what quotes rest on."""
    for (line,) in link.db.execute("PRAGMA quick_check(20)"):
        if line != "ok":
            yield Finding("database", "file", f"{line}: {BACKUP}")
    for table, row, parent, _ in link.db.execute("PRAGMA foreign_key_check"):
        yield Finding("database", f"{table} {row}", f"refers to a row of {parent} that is missing: {BACKUP}")
    yield from _blobs(link)
    yield from _documents(link)
    yield from _holdings(link)
    yield from _log(link)
    yield from _citations(link)


def _blobs(link: Link) -> Iterator[Finding]:
    for (key,) in link.db.execute("SELECT key FROM blobs WHERE data IS NOT NULL"):
        snapshot = id_of(key, blobs.PREFIX)
        try:
            blobs.get(link, snapshot)
        except EvidenceError as error:
            yield Finding("blob", snapshot, error.message)
    for ref, key in link.db.execute(
        "SELECT c.ref, b.key FROM captures c JOIN blobs b ON b.id = c.snapshot WHERE c.purged = 0 AND b.data IS NULL"
    ):
        yield Finding("blob", id_of(key, blobs.PREFIX), f"{ref} was not purged, but its bytes are gone: {BACKUP}")


def _documents(link: Link) -> Iterator[Finding]:
    for row, key, chars, sha256 in link.db.execute("SELECT id, key, chars, sha256 FROM documents WHERE purged = 0"):
        id = id_of(key, DOC)
        try:
            document = documents.get(link, row)
        except (StoreError, ValueError, TypeError) as error:
            yield Finding("document", id, f"can't be decoded ({error}): {BACKUP}")
            continue
        if documents.sha256(document.text) != sha256 or len(document.text) != chars:
            yield Finding("document", id, f"its text does not match its digest: {BACKUP}")
        for block in document.blocks:
            if not 0 <= block.span.start <= block.span.end <= chars:
                yield Finding("block", f"{id} {block.id}", f"claims {block.span} of {chars} characters: run `pincite reindex`")
        for cut, size in link.db.execute("SELECT id, size FROM cuts WHERE document = ?", (row,)):
            yield from _cut(link, cut, size, id, chars)


def _cut(link: Link, cut: int, size: int, document: str, chars: int) -> Iterator[Finding]:
    count = 0
    for key, start, stop, data in link.db.execute(
        "SELECT key, start, stop, data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", (cut << SHIFT, (cut + 1 << SHIFT) - 1)
    ):
        count += 1
        id = id_of(key, CHUNK)
        if not 0 <= start <= stop <= chars:
            yield Finding("chunk", id, f"claims {start} to {stop} of the {chars} characters of {document}: run `pincite reindex`")
        elif isinstance(key, bytes) and len(key) == 12 and id != chunk_id(document, Span(start, stop)):
            yield Finding("chunk", id, f"is not the id of {start} to {stop} of {document}: {BACKUP}")
        try:
            loads(data)
        except ValueError:
            yield Finding("chunk", id, f"can't be decoded: {BACKUP}")
    if count != size:
        yield Finding("document", document, f"has {count} of {size} chunks: run `pincite reindex`")


def _holdings(link: Link) -> Iterator[Finding]:
    rows = link.db.execute(
        "SELECT h.source, h.url, s.slug, h.valid_from, h.valid_to FROM holdings h JOIN sources s ON s.id = h.source"
        " WHERE h.retired = 0 ORDER BY h.source, h.url, h.valid_from, h.valid_to IS NULL, h.id"
    )
    for (_, url), page in groupby(rows, key=lambda row: row[:2]):
        end: str | None = ""
        for _, _, slug, start, stop in page:
            if end is None or start < end:
                yield Finding("holding", f"{slug} {text_of(url)}", f"two intervals overlap at {start}: {BACKUP}")
            if stop is not None and stop <= start:
                yield Finding("holding", f"{slug} {text_of(url)}", f"an interval ends at {stop}, before it begins: {BACKUP}")
            end = stop
    for id, slug, url in link.db.execute(
        "SELECT h.id, s.slug, h.url FROM holdings h JOIN sources s ON s.id = h.source JOIN captures c ON c.id = h.capture"
        " WHERE c.source <> h.source OR c.url <> h.url OR (s.removed AND h.valid_to IS NULL AND h.retired = 0)"
    ):
        yield Finding("holding", f"{slug} {text_of(url)}", f"interval {id} is of another page's capture, or of a removed source: {BACKUP}")
    yield from _passages(link)


def _passages(link: Link) -> Iterator[Finding]:
    for id, ref, cut in link.db.execute("SELECT h.id, c.ref, h.cut FROM holdings h JOIN captures c ON c.id = h.capture WHERE h.purged = 0"):
        for n, (key,) in enumerate(
            link.db.execute(
                "SELECT key FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", (cut << SHIFT, (cut + 1 << SHIFT) - 1)
            ).fetchall()
        ):
            passage = passage_id(ref, id_of(key, CHUNK))
            row = link.db.execute("SELECT n FROM passages WHERE key = ? AND holding = ?", (key_of(passage, "psg_"), id)).fetchone()
            if row != (n,):
                yield Finding("passage", passage, f"can't be looked up by its id: {BACKUP}")
    for (key,) in link.db.execute("SELECT key FROM passages WHERE holding NOT IN (SELECT id FROM holdings)"):
        yield Finding("passage", "psg_" + key.hex(), f"belongs to no interval: {BACKUP}")


def _log(link: Link) -> Iterator[Finding]:
    """Check that replaying the log gives the intervals: an index believes it."""
    for id, retired, closed, opens, retires, closes in link.db.execute(
        "SELECT h.id, h.retired, h.valid_to IS NOT NULL, coalesce(sum(c.op = 'open'), 0), coalesce(sum(c.op = 'retire'), 0),"
        " coalesce(sum(c.op = 'close'), 0) FROM holdings h LEFT JOIN changes c ON c.holding = h.id GROUP BY h.id"
    ):
        if opens != 1 or retires != retired or closes > 1 or (not retired and closes != closed):
            yield Finding("log", f"holding {id}", f"the change log tells another story: {BACKUP}")


def _citations(link: Link) -> Iterator[Finding]:
    rows = link.db.execute("SELECT c.id, d.id, d.purged FROM citations c LEFT JOIN documents d ON d.key = c.document WHERE c.purged = 0")
    for id, row, purged in rows.fetchall():
        if row is None or purged:
            yield Finding("citation", id, f"its document is not in the store: {BACKUP}")
            continue
        try:
            (citation,) = citations.get(link, "", 1, id)
        except (StoreError, ValueError, TypeError) as error:
            yield Finding("citation", id, f"can't be decoded ({error}): {BACKUP}")
            continue
        if citation.span.of(documents.text(link, row)) != citation.quote:
            yield Finding("citation", id, f"its quote is not {citation.span} of {citation.document}: the quote does not hold")
