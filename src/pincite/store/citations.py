"""Printed citations, so that `show` finds them again.

In: citations. Out: the same, with their capture as the store knows it now (mark, check time). A purged one is a tombstone: who was
cited, when and where, without a word of the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pincite.errors import StoreError
from pincite.store import captures
from pincite.store.codec import dumps, fields_of, key_of, loads, made
from pincite.store.documents import DOC
from pincite.store.links import Link
from pincite.types import Citation


def unknown(link: Link, citations: Iterable[Citation]) -> list[Citation]:
    """Return those that the store does not have yet."""
    return [c for c in citations if link.db.execute("SELECT 1 FROM citations WHERE id = ?", (c.id,)).fetchone() is None]


def put(link: Link, citations: Iterable[Citation]) -> None:
    """Record citations; the same id again is a no-op. Raises StoreError when a citation's capture is not in the store."""
    for citation in citations:
        if link.db.execute("SELECT 1 FROM captures WHERE ref = ?", (citation.capture.ref,)).fetchone() is None:
            raise StoreError(f"{citation.id} cites {citation.capture.ref}, which is not in this store.")
        link.db.execute(
            "INSERT OR IGNORE INTO citations (id, ref, document, data) VALUES (?, ?, ?, ?)",
            (citation.id, citation.capture.ref, key_of(citation.document, DOC), _packed(link, citation)),
        )


def _packed(link: Link, citation: Citation) -> bytes:
    return link.pack(dumps(fields_of(citation, without=("id", "capture"))).encode())


def get(link: Link, after: str, limit: int, id: str | None = None) -> list[Citation]:
    """Return the citation of an id, or the next ones after an id."""
    where, values = ("id > ? ORDER BY id LIMIT ?", (after, limit)) if id is None else ("id = ?", (id,))
    rows = link.db.execute(f"SELECT id, ref, data FROM citations WHERE {where}", values).fetchall()
    return [
        made(Citation, loads(link.unpack(data)), id=name, capture=captures.one(link, "WHERE c.ref = ?", ref)) for name, ref, data in rows
    ]


def remark(link: Link, id: str, text: str) -> bool:
    """Put a note behind a citation that is not purged; say whether there is one."""
    row = link.db.execute("SELECT 1 FROM citations WHERE id = ? AND purged = 0", (id,)).fetchone()
    if row is not None:
        (citation,) = get(link, "", 1, id)
        link.db.execute("UPDATE citations SET data = ? WHERE id = ?", (_packed(link, replace(citation, remark=text)), id))
    return row is not None


def purge(link: Link, refs_of: int) -> None:
    """Leave tombstones of the citations of a source's captures."""
    rows = link.db.execute(
        "SELECT id FROM citations WHERE purged = 0 AND ref IN (SELECT ref FROM captures WHERE source = ?)", (refs_of,)
    ).fetchall()
    for (id,) in rows:
        (citation,) = get(link, "", 1, id)
        link.db.execute("UPDATE citations SET purged = 1, data = ? WHERE id = ?", (_packed(link, tombstone(citation)), id))


def tombstone(citation: Citation) -> Citation:
    """Return the citation without any words of its page."""
    return replace(
        citation,
        quote="",
        visible="",
        title="",
        prefix="",
        suffix="",
        claim="",
        remark="",
        deep_link="",
        heading=(),
        model_text=None,
        flags=(*citation.flags, "purged"),
    )
