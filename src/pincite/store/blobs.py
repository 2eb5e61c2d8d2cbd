"""Bytes by digest, packed with zstd, verified whenever they are read.

In: bytes, snapshot ids. Out: blob row ids, bytes. A purged blob keeps its row without data, so that its absence can be told from damage.
"""

from __future__ import annotations

import hashlib

from pincite.errors import EvidenceError, StoreError
from pincite.store.links import Link
from pincite.types import snapshot_id

PREFIX = "sha256:"


def put(link: Link, body: bytes) -> int:
    """Store the bytes, once, and return their row id."""
    key = hashlib.sha256(body).digest()
    row = link.db.execute("SELECT id, data IS NULL FROM blobs WHERE key = ?", (key,)).fetchone()
    if row is None:
        return int(
            link.db.execute("INSERT INTO blobs (key, size, data) VALUES (?, ?, ?)", (key, len(body), link.pack(body))).lastrowid or 0
        )
    if row[1]:
        link.db.execute("UPDATE blobs SET data = ? WHERE id = ?", (link.pack(body), row[0]))
    return int(row[0])


def get(link: Link, snapshot: str) -> bytes:
    """Return the bytes of a snapshot id. Raises EvidenceError when they are unknown, purged, or not what their digest says."""
    row = None
    if snapshot.startswith(PREFIX) and len(snapshot) == len(PREFIX) + 64:
        try:
            key = bytes.fromhex(snapshot[len(PREFIX) :])
        except ValueError:
            key = b""
        row = link.db.execute("SELECT data FROM blobs WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise EvidenceError(f"There is no snapshot {snapshot} in this library.")
    if row[0] is None:
        raise EvidenceError(f"The bytes of {snapshot} were purged or pruned: only the record that they existed is left.", rule="purged")
    try:
        body = link.unpack(row[0])
    except StoreError as error:
        raise EvidenceError(f"The bytes of {snapshot} are damaged. Restore a backup, or capture the page again.", rule="damaged") from error
    if snapshot_id(body) != snapshot:
        raise EvidenceError(
            f"The bytes of {snapshot} do not match its digest. Restore a backup, or capture the page again.", rule="damaged"
        )
    return body
