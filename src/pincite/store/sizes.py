"""How much a store holds.

In: a link inside a read transaction. Out: counts, and sizes in bytes.
"""

from __future__ import annotations

import os

from pincite.store.links import Link

COUNTS = {
    "sources": "SELECT count(*) FROM sources WHERE removed = 0",
    "pages": "SELECT count(*) FROM holdings WHERE valid_to IS NULL AND retired = 0",
    "chunks": "SELECT coalesce(sum(c.size), 0) FROM holdings h JOIN cuts c ON c.id = h.cut WHERE h.valid_to IS NULL AND h.retired = 0",
    "captures": "SELECT count(*) FROM captures",
    "documents": "SELECT count(*) FROM documents WHERE purged = 0",
    "citations": "SELECT count(*) FROM citations",
    "changes": "SELECT coalesce(max(seq), 0) FROM changes",
    "snapshot_bytes": "SELECT coalesce(sum(size), 0) FROM blobs WHERE data IS NOT NULL",
    "stored_bytes": "SELECT coalesce(sum(length(data)), 0) FROM blobs WHERE data IS NOT NULL",
    "text_chars": "SELECT coalesce(sum(chars), 0) FROM documents WHERE purged = 0",
    "schema": "PRAGMA user_version",
}


def of(link: Link, place: str) -> dict[str, int]:
    """Return each count by name, and the bytes of the file with its log."""
    found = {name: int(link.db.execute(query).fetchone()[0]) for name, query in COUNTS.items()}
    found["file_bytes"] = sum(os.path.getsize(path) for path in (place, place + "-wal") if os.path.exists(path))
    return found
