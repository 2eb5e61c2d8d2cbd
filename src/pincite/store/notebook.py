"""What a model wrote about documents, by the digest of model and prompt: asked once, kept, given again.

In: a link, keys (hex digests), texts. Out: the same. A cache, erased with the document that it tells of.
"""

from __future__ import annotations

from pincite.store.codec import key_of
from pincite.store.documents import DOC
from pincite.store.links import Link


def written(link: Link, key: str) -> str | None:
    """Return what was written, or None."""
    row = link.db.execute("SELECT data FROM written WHERE key = ?", (key_of(key, ""),)).fetchone()
    return None if row is None else str(row[0])


def write(link: Link, key: str, document: str, text: str) -> None:
    """Keep what was written; what is there already stays."""
    link.db.execute("INSERT OR IGNORE INTO written (key, document, data) VALUES (?, ?, ?)", (key_of(key, ""), key_of(document, DOC), text))


def forget(link: Link, document: int) -> None:
    """Forget what was written about a document row."""
    link.db.execute("DELETE FROM written WHERE document = (SELECT key FROM documents WHERE id = ?)", (document,))
