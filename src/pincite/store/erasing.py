"""Erases a source's bytes and texts and leaves tombstones.

In: a link inside a write transaction, a source's row. Out: nothing. What another source holds too, by digest, stays. Erased bytes are
overwritten in the file (`secure_delete`), and the log is cut after the commit by the caller.
"""

from __future__ import annotations

from pincite.store import changes, citations
from pincite.store.documents import SHIFT
from pincite.store.links import Link


def purge(link: Link, source: int) -> None:
    """Erase what only this source has: blobs, texts, chunks, the words of citations. Its holdings are retired for good."""
    db = link.db
    db.execute("PRAGMA secure_delete = ON")
    citations.purge(link, source)
    for (id,) in db.execute("SELECT id FROM holdings WHERE source = ? AND retired = 0 ORDER BY id", (source,)).fetchall():
        db.execute("UPDATE holdings SET retired = 1 WHERE id = ?", (id,))
        changes.log(link, "retire", id)
    db.execute("UPDATE holdings SET purged = 1 WHERE source = ?", (source,))
    db.execute("UPDATE captures SET purged = 1, transport = NULL WHERE source = ?", (source,))
    db.execute(
        "UPDATE blobs SET data = NULL WHERE data IS NOT NULL"
        " AND id IN (SELECT snapshot FROM captures WHERE source = ? UNION SELECT response FROM captures WHERE source = ?)"
        " AND NOT EXISTS (SELECT 1 FROM captures WHERE snapshot = blobs.id AND purged = 0)"
        " AND NOT EXISTS (SELECT 1 FROM captures WHERE response = blobs.id AND purged = 0)",
        (source, source),
    )
    for (document,) in db.execute(
        "SELECT id FROM documents d WHERE purged = 0 AND NOT EXISTS (SELECT 1 FROM holdings WHERE document = d.id AND purged = 0)"
        " AND (id IN (SELECT document FROM holdings WHERE source = ?)"
        " OR snapshot IN (SELECT b.key FROM captures c JOIN blobs b ON b.id = c.snapshot WHERE c.source = ? AND b.data IS NULL))",
        (source, source),
    ).fetchall():
        erase(link, document)


def erase(link: Link, document: int) -> None:
    """Erase the text, structure and chunks of a document row; ids and spans stay."""
    db = link.db
    db.execute("DELETE FROM texts WHERE id BETWEEN ? AND ?", (document << SHIFT, (document + 1 << SHIFT) - 1))
    db.execute("UPDATE documents SET title = '', language = '', head = NULL, purged = 1 WHERE id = ?", (document,))
    for (cut,) in db.execute("SELECT id FROM cuts WHERE document = ?", (document,)).fetchall():
        db.execute("UPDATE cuts SET base = '{}' WHERE id = ?", (cut,))
        db.execute("UPDATE chunks SET data = '' WHERE id BETWEEN ? AND ?", (cut << SHIFT, (cut + 1 << SHIFT) - 1))
