"""What an index and a search read: entries of a holding, live entries by passage id.

In: a link inside a read transaction, ids, times. Out: entries. `Cache` keeps decoded chunks and documents, which never change; whether a
page holds them now is asked of the store each time.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from pincite.store import changes, documents
from pincite.store.changes import PASSAGE
from pincite.store.codec import id_of, key_of, text_of
from pincite.store.documents import DOC, PAGE, SHIFT
from pincite.store.links import Link
from pincite.types import Chunk, Context, Document, Entry, Holding, passage_id

V = TypeVar("V")
Cut = tuple[Chunk, Context, str]

STEP = 400
"""Ids in one statement."""

ENTRIES_CHARS = 8_000_000
DOCUMENTS_CHARS = 3_000_000
"""Characters of text that the caches keep; with their structure about 20 and 60 MB."""


class Cache(Generic[V]):
    """Keeps what was used last, up to a total weight; shared by threads."""

    def __init__(self, limit: int) -> None:
        self._limit, self._weight = limit, 0
        self._kept: OrderedDict[int, tuple[V, int]] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: int) -> V | None:
        """Return what is kept under the key."""
        with self._guard:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: int, value: V, weight: int) -> None:
        """Keep a value; what was unused longest goes."""
        with self._guard:
            if key in self._kept or weight > self._limit:
                return
            self._kept[key] = (value, weight)
            self._weight += weight
            while self._weight > self._limit:
                self._weight -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._kept.clear()
            self._weight = 0


def of_holding(link: Link, id: int) -> tuple[Entry, ...]:
    """Return the entries of one holding in the order of their spans; none when there is no such holding."""
    row = link.db.execute(
        f"{changes.SELECT.replace('h.retired', 'h.retired, h.cut, h.document, s.version, d.language, d.title')} WHERE h.id = ?", (id,)
    ).fetchone()
    if row is None:
        return ()
    held, (cut, document, version, lang, title) = changes.holding(row), row[9:]
    text = documents.text(link, document)
    return tuple(
        Entry(passage_id(held.ref, chunk.id), chunk, held, chunk.span.of(text), context, version, lang, text_of(title))
        for chunk, context in documents.chunks(link, cut, held.document)
    )


def live(link: Link, ids: Sequence[str], as_of: datetime | None, cache: Cache[Cut]) -> Mapping[str, Entry]:
    """Return those passages that are held now, or were at a time, in the order of `ids`."""
    clause, times = changes.valid(as_of)
    found = _select(link, ids, f"h.retired = 0 AND {clause}", times, cache)
    return {id: found[id] for id in ids if id in found}


def any_time(link: Link, passage: str, cache: Cache[Cut]) -> Entry | None:
    """Return a passage whatever its interval, the newest first; None when it is unknown or purged."""
    return _select(link, [passage], "h.purged = 0", (), cache).get(passage)


def _select(link: Link, ids: Sequence[str], clause: str, times: tuple[str, ...], cache: Cache[Cut]) -> dict[str, Entry]:
    """Fetch by passage id; where several intervals fit, the one that is not retired, open, newest is the last and wins."""
    keys = list({key for id in ids if isinstance(key := key_of(id, PASSAGE), bytes)})
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(keys), STEP):
        step = keys[start : start + STEP]
        rows += link.db.execute(
            "SELECT p.key, p.n, h.cut, h.id FROM passages p CROSS JOIN holdings h ON h.id = p.holding"
            f" WHERE p.key IN ({_marks(step)}) AND {clause} ORDER BY h.retired DESC, h.valid_to IS NULL, h.id",
            (*step, *times),
        ).fetchall()
    held = _holdings(link, sorted({row[3] for row in rows}))
    cuts = _cuts(link, {row[2] << SHIFT | row[1]: held[row[3]] for row in rows}, cache)
    found = {}
    for key, n, cut, id in rows:
        holding, _, version, lang, title = held[id]
        chunk, context, text = cuts[cut << SHIFT | n]
        name = PASSAGE + key.hex()
        found[name] = Entry(name, chunk, holding, text, context, version, lang, title)
    return found


Held = tuple[Holding, int, str, str, str]


def _holdings(link: Link, ids: Sequence[int]) -> dict[int, Held]:
    select = changes.SELECT.replace("h.retired", "h.retired, h.document, s.version, d.language, d.title")
    found: dict[int, Held] = {}
    for start in range(0, len(ids), STEP):
        step = ids[start : start + STEP]
        for row in link.db.execute(f"{select} WHERE h.id IN ({_marks(step)})", step):
            document, version, lang, title = row[9:]
            found[row[0]] = (changes.holding(row), document, version, lang, text_of(title))
    return found


def _cuts(link: Link, wanted: Mapping[int, Held], cache: Cache[Cut]) -> dict[int, Cut]:
    """Return chunk, context and text of each chunk row; a page of text is unpacked once."""
    found: dict[int, Cut] = {}
    for id in wanted:
        kept = cache.get(id)
        if kept is not None:
            found[id] = kept
    missing = [id for id in wanted if id not in found]
    bases: dict[int, dict[str, Any]] = {}
    pages: dict[int, str] = {}
    for start in range(0, len(missing), STEP):
        step = missing[start : start + STEP]
        for id, cut, base, *row in link.db.execute(
            "SELECT c.id, t.id, t.base, c.key, c.start, c.stop, c.boilerplate, c.data FROM chunks c CROSS JOIN cuts t ON t.id = c.id >> 20"
            f" WHERE c.id IN ({_marks(step)})",
            step,
        ).fetchall():
            holding, document = wanted[id][:2]
            if cut not in bases:
                bases[cut] = json.loads(base)
            chunk, context = documents.chunk_of(holding.document, bases[cut], tuple(row))
            made = (chunk, context, _slice(link, document, chunk.span.start, chunk.span.end, pages))
            found[id] = made
            if row[4]:
                cache.put(id, made, 500 + len(made[2]))
    return found


def _slice(link: Link, document: int, start: int, end: int, pages: dict[int, str]) -> str:
    first, last = start // PAGE, max(start, end - 1) // PAGE
    parts = []
    for id in range(document << SHIFT | first, (document << SHIFT | last) + 1):
        if id not in pages:
            row = link.db.execute("SELECT data FROM texts WHERE id = ?", (id,)).fetchone()
            pages[id] = documents.page_text(link, row[0]) if row else ""
        parts.append(pages[id])
    return "".join(parts)[start - first * PAGE : end - first * PAGE]


def live_ids(link: Link, after: tuple[int, int], limit: int) -> list[tuple[int, int, str]]:
    """Return the next (holding, number, passage id) of all intervals that are not retired, boilerplate left out.

    Passages are keyed by id, not by holding, so the ids are made again from capture and chunk.
    """
    rows = link.db.execute(
        "SELECT h.id, c.id & 1048575, k.ref, c.key FROM holdings h JOIN captures k ON k.id = h.capture"
        " JOIN chunks c ON c.id BETWEEN h.cut << 20 AND (h.cut << 20 | 1048575)"
        " WHERE h.id >= ? AND (h.id > ? OR c.id & 1048575 > ?) AND h.retired = 0 AND c.boilerplate = 0"
        " ORDER BY h.id, c.id LIMIT ?",
        (after[0], after[0], after[1], limit),
    )
    return [(id, n, passage_id(ref, id_of(key, documents.CHUNK))) for id, n, ref, key in rows]


def document(link: Link, id: str, cache: Cache[Document]) -> Document | None:
    """Return a document by id; None when it is unknown or purged."""
    row = link.db.execute("SELECT id FROM documents WHERE key = ? AND purged = 0", (key_of(id, DOC),)).fetchone()
    return _document(link, row, cache)


def document_of(link: Link, ref: str, cache: Cache[Document]) -> Document | None:
    """Return the newest document that a capture was made into."""
    row = link.db.execute(
        "SELECT h.document FROM holdings h JOIN captures c ON c.id = h.capture WHERE c.ref = ? AND h.purged = 0 ORDER BY h.id DESC LIMIT 1",
        (ref,),
    ).fetchone()
    return _document(link, row, cache)


def _document(link: Link, row: tuple[int] | None, cache: Cache[Document]) -> Document | None:
    if row is None:
        return None
    kept = cache.get(row[0])
    if kept is None:
        kept = documents.get(link, row[0])
        cache.put(row[0], kept, 500 + len(kept.text))
    return kept


def current(link: Link, id: str) -> Iterator[tuple[Chunk, Context]]:
    """Yield the chunks of a document's newest cut."""
    row = link.db.execute(
        "SELECT c.id FROM documents d JOIN cuts c ON c.document = d.id AND c.current WHERE d.key = ? AND NOT d.purged", (key_of(id, DOC),)
    ).fetchone()
    if row is not None:
        yield from documents.chunks(link, row[0], id)


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
