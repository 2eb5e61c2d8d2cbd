"""Erases bytes and texts and leaves tombstones: a whole source (`purge`), or what nobody needs any more (`prune`).

In: a link inside a write transaction. Out: counts. What is held elsewhere too, by digest, stays. Erased bytes are overwritten in the file
(`secure_delete`), and the log is cut after the commit by the caller.
"""

from __future__ import annotations

from pincite.store import changes, citations, notebook, vectors
from pincite.store.documents import SHIFT
from pincite.store.links import Link

PURGED, PRUNED = 1, 2
"""Why a capture is a tombstone."""


def purge(link: Link, source: int) -> int:
    """Erase what only this source has: blobs, texts, chunks, the words of citations. Its holdings are retired for good.

    Returns the number of pages that had bytes to erase, whether they were held or hidden before.
    """
    had = link.db.execute("SELECT count(DISTINCT url) FROM captures WHERE source = ? AND purged = 0", (source,)).fetchone()[0]
    link.db.execute("PRAGMA secure_delete = ON")
    citations.purge(link, source)
    holdings = link.db.execute("SELECT id FROM holdings WHERE source = ? AND purged = 0 ORDER BY id", (source,)).fetchall()
    _drop_holdings(link, [id for (id,) in holdings])
    link.db.execute("UPDATE captures SET purged = ?, transport = NULL WHERE source = ?", (PURGED, source))
    _erase_orphans(link)
    return int(had)


def prune(link: Link) -> tuple[int, int]:
    """Erase what is neither held now, nor cited, nor marked `keep`, nor a page's latest capture; return captures and bytes erased.

    Old intervals leave the index with it, and of each source only the newest run's pages are kept.
    """
    db = link.db
    before = _bytes(link)
    rows = db.execute(
        f"SELECT h.id FROM holdings h JOIN captures c ON c.id = h.capture JOIN documents d ON d.id = h.document WHERE h.purged = 0"
        f" AND (h.valid_to IS NOT NULL OR h.retired) AND NOT ({KEPT})"
        " AND NOT EXISTS (SELECT 1 FROM citations t WHERE t.ref = c.ref AND (h.retired = 0 OR t.document = d.key)) ORDER BY h.id"
    ).fetchall()
    _drop_holdings(link, [id for (id,) in rows])
    done = db.execute(
        f"UPDATE captures AS c SET purged = ?, transport = NULL WHERE purged = 0 AND NOT ({KEPT})"
        " AND NOT EXISTS (SELECT 1 FROM holdings h WHERE h.capture = c.id AND h.purged = 0)"
        " AND NOT EXISTS (SELECT 1 FROM citations t WHERE t.ref = c.ref)"
        " AND NOT (c.id = (SELECT max(id) FROM captures n WHERE n.source = c.source AND n.url = c.url)"
        " AND EXISTS (SELECT 1 FROM sources s WHERE s.id = c.source AND s.removed = 0))",
        (PRUNED,),
    )
    _erase_orphans(link)
    db.execute("DELETE FROM pages WHERE run NOT IN (SELECT max(id) FROM runs GROUP BY source)")
    return done.rowcount, before - _bytes(link)


KEPT = "coalesce((SELECT mark FROM marks m WHERE m.capture = c.id ORDER BY m.id DESC LIMIT 1), 'none') = 'keep'"


def _bytes(link: Link) -> int:
    query = "SELECT (SELECT coalesce(sum(length(data)), 0) FROM blobs) + (SELECT coalesce(sum(length(data)), 0) FROM texts)"
    return int(link.db.execute(query).fetchone()[0])


def _drop_holdings(link: Link, ids: list[int]) -> None:
    """Take intervals out of every answer and every index; their rows stay."""
    for id in ids:
        if link.db.execute(
            "UPDATE holdings SET retired = 1, valid_to = coalesce(valid_to, valid_from) WHERE id = ? AND retired = 0", (id,)
        ).rowcount:
            changes.log(link, "retire", id)
        link.db.execute("UPDATE holdings SET purged = 1 WHERE id = ?", (id,))


def _erase_orphans(link: Link) -> None:
    """Erase the bytes that no capture has, and the documents that no interval and no snapshot has."""
    db = link.db
    db.execute(
        "UPDATE blobs SET data = NULL WHERE data IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM captures WHERE snapshot = blobs.id AND purged = 0)"
        " AND NOT EXISTS (SELECT 1 FROM captures WHERE response = blobs.id AND purged = 0)"
    )
    for (document,) in db.execute(
        "SELECT id FROM documents d WHERE purged = 0 AND NOT EXISTS (SELECT 1 FROM holdings WHERE document = d.id AND purged = 0)"
        " AND (EXISTS (SELECT 1 FROM holdings WHERE document = d.id)"
        " OR snapshot IN (SELECT b.key FROM blobs b WHERE b.data IS NULL))"
    ).fetchall():
        _erase(link, document)


def _erase(link: Link, document: int) -> None:
    """Erase the text, structure, chunks and vectors of a document row; ids and spans stay."""
    db = link.db
    vectors.forget(link, document)
    notebook.forget(link, document)
    db.execute("DELETE FROM texts WHERE id BETWEEN ? AND ?", (document << SHIFT, (document + 1 << SHIFT) - 1))
    db.execute("UPDATE documents SET title = '', language = '', head = NULL, purged = 1 WHERE id = ?", (document,))
    for (cut,) in db.execute("SELECT id FROM cuts WHERE document = ?", (document,)).fetchall():
        db.execute("UPDATE cuts SET base = '{}' WHERE id = ?", (cut,))
        db.execute("UPDATE chunks SET data = '' WHERE id BETWEEN ? AND ?", (cut << SHIFT, (cut + 1 << SHIFT) - 1))
