"""Documents in pages of text, and the cuts that chunk them.

In: documents, chunks and contexts. Out: the same, decoded. A chunk's text is not stored: it is a slice of the document's, which lies in
pages of `PAGE` code points, each its own zstd frame, so that one chunk costs one or two small frames however long its document is. A cut
is one way to chunk a document; a new chunker adds a cut, and old holdings keep theirs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from pincite.errors import EvidenceError, StoreError
from pincite.store.codec import dumps, fields_of, id_of, key_of, loads, made, plain
from pincite.store.links import Link
from pincite.types import Chunk, Context, Document, Span

PAGE = 4096
"""Code points in a page of text, part of the format: a frame of about 1.8 KB, unpacked in 11 µs; 8192 took 20 µs and saved 8 % of space."""

SHIFT = 20
"""A document's pages and a cut's chunks are numbered in the low 20 bits of their row ids."""

DOC, CHUNK, SNAPSHOT = "doc_", "chk_", "sha256:"


def put(link: Link, document: Document, chunks: Sequence[Chunk], contexts: Sequence[Context]) -> tuple[int, int, bool]:
    """Store a document and one cut of it; return their row ids, and whether an older cut was replaced.

    Raises EvidenceError where a chunk is no slice of the text.
    """
    _fits(document, chunks, contexts)
    row = link.db.execute("SELECT id, purged FROM documents WHERE key = ?", (key_of(document.id, DOC),)).fetchone()
    whole = row is not None and not row[1]
    number = int(row[0]) if whole else _put_text(link, document, row[0] if row else None)
    cut, replaced = _put_cut(link, number, chunks, contexts, whole=whole)
    return number, cut, replaced


def _fits(document: Document, chunks: Sequence[Chunk], contexts: Sequence[Context]) -> None:
    if len(chunks) != len(contexts):
        raise EvidenceError(f"{document.id} has {len(chunks)} chunks and {len(contexts)} contexts; each chunk needs one.")
    if len(chunks) >> SHIFT or len(document.text) // PAGE >> SHIFT:
        raise EvidenceError(f"{document.id} is too long to store: {len(document.text)} characters, {len(chunks)} chunks.")
    if len({chunk.id for chunk in chunks}) < len(chunks):
        raise EvidenceError(f"{document.id} has two chunks of one id; chunks of a document must differ in their spans.")
    for chunk in chunks:
        if not 0 <= chunk.span.start <= chunk.span.end <= len(document.text):
            raise EvidenceError(f"{chunk.id} claims {chunk.span} of {document.id}, whose text has {len(document.text)} characters.")


def _put_text(link: Link, document: Document, row: int | None) -> int:
    head = link.pack(dumps(fields_of(document, without=("id", "text"))).encode())
    values = (plain(document.title), document.language, len(document.text), sha256(document.text), head)
    if row is None:
        row = link.db.execute(
            "INSERT INTO documents (key, snapshot, title, language, chars, sha256, head) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (key_of(document.id, DOC), key_of(document.snapshot, SNAPSHOT), *values),
        ).lastrowid
        assert row is not None, "an insert has a row id"
    else:
        link.db.execute(
            "UPDATE documents SET title = ?, language = ?, chars = ?, sha256 = ?, head = ?, purged = 0 WHERE id = ?", (*values, row)
        )
    pages = (
        (row << SHIFT | n, link.pack(document.text[start : start + PAGE].encode("utf-8", "surrogatepass")))
        for n, start in enumerate(range(0, len(document.text), PAGE))
    )
    link.db.executemany("INSERT INTO texts (id, data) VALUES (?, ?)", pages)
    return row


def _put_cut(link: Link, document: int, chunks: Sequence[Chunk], contexts: Sequence[Context], *, whole: bool) -> tuple[int, bool]:
    base = fields_of(contexts[0]) if contexts else {}
    rows = [
        (key_of(chunk.id, CHUNK), chunk.span.start, chunk.span.end, int(chunk.boilerplate), _chunk_data(chunk, context, base))
        for chunk, context in zip(chunks, contexts, strict=True)
    ]
    key = hashlib.sha256(repr((base, rows)).encode("utf-8", "surrogatepass")).digest()[:16]
    found = link.db.execute("SELECT id, key, current FROM cuts WHERE document = ? ORDER BY id", (document,)).fetchall()
    same = next((id for id, known, _ in found if known == key), None)
    replaced = any(current and known != key for _, known, current in found)
    if same is not None and whole and not replaced:
        return same, False
    if replaced:
        link.db.execute("UPDATE cuts SET current = 0 WHERE document = ?", (document,))
    if same is None:
        same = link.db.execute(
            "INSERT INTO cuts (document, key, base, size) VALUES (?, ?, ?, ?)", (document, key, dumps(base), len(rows))
        ).lastrowid
        assert same is not None, "an insert has a row id"
    else:
        link.db.execute("UPDATE cuts SET current = 1, base = ? WHERE id = ?", (dumps(base), same))
    link.db.executemany(
        "INSERT INTO chunks (id, key, start, stop, boilerplate, data) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET data = excluded.data WHERE data = ''",
        ((same << SHIFT | n, *row) for n, row in enumerate(rows)),
    )
    return same, replaced


def _chunk_data(chunk: Chunk, context: Context, base: dict[str, Any]) -> str:
    mine = fields_of(context)
    differs = {name: value for name, value in mine.items() if base.get(name) != value}
    differs.update({name: None for name in base if name not in mine})
    return dumps([fields_of(chunk, without=("id", "document", "span", "boilerplate")), differs])


def chunk_of(document: str, base: dict[str, Any], row: tuple[str | bytes, int, int, int, str]) -> tuple[Chunk, Context]:
    """Return the chunk and the context of a row `(key, start, stop, boilerplate, data)`; an erased one is bare."""
    key, start, stop, boilerplate, data = row
    mine, differs = loads(data) if data else ({"section": 0, "kind": "doc"}, {})
    chunk = made(Chunk, mine, id=id_of(key, CHUNK), document=document, span=Span(start, stop), boilerplate=bool(boilerplate))
    fields = {**base, **differs}
    if None in differs.values():
        fields = {name: value for name, value in fields.items() if value is not None}
    return chunk, made(Context, fields)


def chunks(link: Link, cut: int, document: str) -> Iterator[tuple[Chunk, Context]]:
    """Yield the chunks of a cut in order."""
    (base,) = link.db.execute("SELECT base FROM cuts WHERE id = ?", (cut,)).fetchone()
    fields = loads(base)
    rows = link.db.execute(
        "SELECT key, start, stop, boilerplate, data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id",
        (cut << SHIFT, (cut + 1 << SHIFT) - 1),
    )
    for row in rows:
        yield chunk_of(document, fields, row)


def text(link: Link, document: int) -> str:
    """Return the whole text of a document row."""
    rows = link.db.execute("SELECT data FROM texts WHERE id BETWEEN ? AND ? ORDER BY id", (document << SHIFT, (document + 1 << SHIFT) - 1))
    return "".join(page_text(link, data) for (data,) in rows)


def page_text(link: Link, data: bytes) -> str:
    """Return the text of one page."""
    return link.unpack(data).decode("utf-8", "surrogatepass")


def get(link: Link, row: int) -> Document:
    """Return the document of a row that is not purged."""
    key, head = link.db.execute("SELECT key, head FROM documents WHERE id = ?", (row,)).fetchone()
    try:
        fields = loads(link.unpack(head))
    except ValueError as error:
        raise StoreError(f"The structure of {id_of(key, DOC)} is damaged. Restore a backup, or run `pincite reindex`.") from error
    return made(Document, fields, id=id_of(key, DOC), text=text(link, row))


def sha256(text: str) -> bytes:
    """Return the digest under which a document's text is checked."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
