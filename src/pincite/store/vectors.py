"""Vectors by model and by the digest of the text that was embedded: made once, kept, given to whatever index asks.

In: a link, keys (hex digests), packed numbers. Out: the same. A cache: dropping vectors costs only the time to make them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pincite.errors import StoreError
from pincite.store import documents
from pincite.store.codec import key_of
from pincite.store.links import Link
from pincite.types import digest

STEP = 400


def put(link: Link, model: str, dim: int, vectors: Mapping[str, bytes]) -> None:
    """Keep vectors; one that is there already is kept as it is. Raises StoreError where a length does not fit `dim`."""
    row = link.db.execute("SELECT id, dim FROM models WHERE name = ?", (model,)).fetchone()
    if row is None:
        row = (link.db.execute("INSERT INTO models (name, dim) VALUES (?, ?)", (model, dim)).lastrowid, dim)
    if row[1] != dim:
        raise StoreError(f"The store keeps vectors of {row[1]} numbers of the model {model}, not {dim}. Give the other model another name.")
    wrong = next((vector for vector in vectors.values() if dim < 1 or not vector or len(vector) % dim), None)
    if wrong is not None:
        raise StoreError(f"A vector of {model} has {len(wrong)} bytes, which is no multiple of its {dim} numbers.")
    rows = ((row[0], key_of(key, ""), vector) for key, vector in vectors.items())
    link.db.executemany("INSERT OR IGNORE INTO vectors (model, key, data) VALUES (?, ?, ?)", rows)


def get(link: Link, model: str, keys: Sequence[str]) -> dict[str, bytes]:
    """Return those vectors that are kept."""
    names = {key_of(key, ""): key for key in keys}
    wanted, found = list(names), {}
    for start in range(0, len(wanted), STEP):
        step = wanted[start : start + STEP]
        rows = link.db.execute(
            "SELECT v.key, v.data FROM models m JOIN vectors v ON v.model = m.id"
            f" WHERE m.name = ? AND v.key IN ({','.join('?' * len(step))})",
            (model, *step),
        )
        found.update({names[key]: data for key, data in rows})
    return found


def drop(link: Link, model: str, keys: Iterable[str]) -> None:
    """Forget vectors."""
    link.db.executemany(
        "DELETE FROM vectors WHERE model = (SELECT id FROM models WHERE name = ?) AND key = ?", ((model, key_of(key, "")) for key in keys)
    )


def forget(link: Link, document: int) -> None:
    """Forget the vectors of all that a document row says, whatever model made them: they tell of its words."""
    if link.db.execute("SELECT NOT EXISTS (SELECT 1 FROM vectors)").fetchone()[0]:
        return
    text = documents.text(link, document)
    for (cut,) in link.db.execute("SELECT id FROM cuts WHERE document = ?", (document,)).fetchall():
        keys = [digest(context.above(chunk.span.of(text))) for chunk, context in documents.chunks(link, cut, "")]
        link.db.executemany("DELETE FROM vectors WHERE key = ?", ((key_of(key, ""),) for key in keys))
