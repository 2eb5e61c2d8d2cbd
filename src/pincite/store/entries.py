"""What an index and a search read: entries of a holding, live entries by passage id.

In: a link inside a read transaction, ids, times. Out: entries. `Cache` keeps decoded chunks and documents, which never change; whether a
page holds them now is asked of the store each time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from pincite.store import changes, documents
from pincite.store.changes import PASSAGE
from pincite.store.codec import id_of, key_of, loads, text_of
from pincite.store.documents import CHUNK, DOC, PAGE, SHIFT
from pincite.store.links import Link
from pincite.types import Chunk, Context, Document, Entry, Holding, Span, passage_id, timestamp

T = TypeVar("T")
Cut = tuple[Chunk, Context, str]
Held = tuple[Holding, int, str, str]
"""A holding, its document's row, language and title."""

STEP = 400
"""Ids in one statement."""

ENTRIES_CHARS = 8_000_000
DOCUMENTS_CHARS = 3_000_000
"""Characters of text that the caches keep; with their structure about 20 and 60 MB."""

HOLDINGS = 20_000

Pieces = tuple[tuple[Chunk, Context], ...]
"""The chunks of one document, in order."""

PIECES = 20_000
"""Chunks kept as wholes of their documents, for neighbours; about 20 MB."""


class Cache(Generic[T]):
    """Keeps what was used last, up to a total weight; shared by threads."""

    def __init__(self, limit: int) -> None:
        self._limit, self._weight = limit, 0
        self._kept: OrderedDict[int, tuple[T, int]] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: int) -> T | None:
        """Return what is kept under the key."""
        return self.some((key,)).get(key)

    def some(self, keys: Iterable[int]) -> dict[int, T]:
        """Return what is kept of several keys."""
        found: dict[int, T] = {}
        with self._guard:
            for key in keys:
                kept = self._kept.get(key)
                if kept is not None:
                    self._kept.move_to_end(key)
                    found[key] = kept[0]
        return found

    def put(self, key: int, value: T, weight: int) -> None:
        """Keep a value; what was unused longest goes."""
        with self._guard:
            if weight > self._limit:
                return
            self._weight += weight - self._kept.pop(key, (value, 0))[1]
            self._kept[key] = (value, weight)
            while self._weight > self._limit:
                self._weight -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._kept.clear()
            self._weight = 0


class Caches:
    """What a store keeps of what it has read."""

    def __init__(self) -> None:
        self.cuts: Cache[Cut] = Cache(ENTRIES_CHARS)
        self.documents: Cache[Document] = Cache(DOCUMENTS_CHARS)
        self.holdings: Cache[Held] = Cache(HOLDINGS)
        self.pieces: Cache[Pieces] = Cache(PIECES)

    def clear(self) -> None:
        """Forget everything."""
        for cache in (self.cuts, self.documents, self.holdings, self.pieces):
            cache.clear()


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


def live(link: Link, ids: Sequence[str], as_of: datetime | None, cache: Caches, *, closed: bool = False) -> Mapping[str, Entry]:
    """Return those passages that are held now, or were at a time, or ever with `closed`, in the order of `ids`."""
    clause, times = changes.valid(as_of, closed)
    found = _select(link, ids, f"h.retired = 0 AND {clause}", times, cache)
    return {id: found[id] for id in ids if id in found}


def any_time(link: Link, passage: str, cache: Caches) -> Entry | None:
    """Return a passage whatever its interval, the newest first; None when it is unknown or purged."""
    return _select(link, [passage], "h.purged = 0", (), cache).get(passage)


def _select(link: Link, ids: Sequence[str], clause: str, times: tuple[str, ...], cache: Caches) -> dict[str, Entry]:
    """Fetch by passage id; where several intervals fit, the one that is not retired, open, newest is the last and wins."""
    names = {key: id for id in ids if isinstance(key := key_of(id, PASSAGE), bytes)}
    rows: list[tuple[Any, ...]] = []
    for step in _steps(list(names)):
        rows += link.db.execute(
            "SELECT p.key, h.cut << 20 | p.n, h.id, h.valid_to, h.retired, s.version"
            " FROM passages p CROSS JOIN holdings h ON h.id = p.holding CROSS JOIN sources s ON s.id = h.source"
            f" WHERE p.key IN ({_marks(step)}) AND {clause} ORDER BY h.retired DESC, h.valid_to IS NULL, h.id",
            (*step, *times),
        ).fetchall()
    held = _holdings(link, {row[2]: row[3:5] for row in rows}, cache.holdings)
    cuts = _cuts(link, {row[1]: held[row[2]] for row in rows}, cache.cuts)
    found = {}
    for key, cut, id, _, _, version in rows:
        holding, _, lang, title = held[id]
        chunk, context, text = cuts[cut]
        name = names[key]
        found[name] = Entry(name, chunk, holding, text, context, version, lang, title)
    return found


def _holdings(link: Link, wanted: Mapping[int, tuple[str | None, int]], cache: Cache[Held]) -> dict[int, Held]:
    """Return each holding; a kept one is fetched again only when its end or its retirement has changed."""
    found = {id: kept for id, kept in cache.some(wanted).items() if _unchanged(kept[0], *wanted[id])}
    select = changes.SELECT.replace("h.retired", "h.retired, h.document, d.language, d.title")
    for step in _steps([id for id in wanted if id not in found]):
        for row in link.db.execute(f"{select} WHERE h.id IN ({_marks(step)})", step):
            document, lang, title = row[9:]
            found[row[0]] = (changes.holding(row), document, lang, text_of(title))
            cache.put(row[0], found[row[0]], 1)
    return found


def _unchanged(holding: Holding, end: str | None, retired: int) -> bool:
    return holding.retired == bool(retired) and (holding.valid_to and timestamp(holding.valid_to)) == end


def _cuts(link: Link, wanted: Mapping[int, Held], cache: Cache[Cut]) -> dict[int, Cut]:
    """Return chunk, context and text of each chunk row; a page of text is unpacked once."""
    found = cache.some(wanted)
    rows: list[tuple[Any, ...]] = []
    for step in _steps([id for id in wanted if id not in found]):
        rows += link.db.execute(
            "SELECT c.id, t.base, c.key, c.start, c.stop, c.boilerplate, c.data FROM chunks c CROSS JOIN cuts t ON t.id = c.id >> 20"
            f" WHERE c.id IN ({_marks(step)})",
            step,
        ).fetchall()
    pages = _pages(link, {page for row in rows for page in _covered(wanted[row[0]][1], row[3], row[4])})
    for id, base, *row in rows:
        holding, document, _, _ = wanted[id]
        chunk, context = documents.chunk_of(holding.document, loads(base), (row[0], row[1], row[2], row[3], row[4]))
        first, *more = _covered(document, *row[1:3])
        text = pages.get(first, "") + "".join(pages.get(page, "") for page in more)
        start = row[1] // PAGE * PAGE
        found[id] = (chunk, context, text[row[1] - start : row[2] - start])
        if row[4]:
            cache.put(id, found[id], 500 + len(found[id][2]))
    return found


def slices(link: Link, wanted: Sequence[tuple[str, Span]]) -> list[str]:
    """Return slices of texts; only the pages of text that they touch are unpacked."""
    rows: dict[str, int] = {}
    for step in _steps(list({key_of(document, DOC) for document, _ in wanted})):
        found = link.db.execute(f"SELECT key, id FROM documents WHERE key IN ({_marks(step)}) AND purged = 0", step)
        rows |= {id_of(key, DOC): id for key, id in found}
    pages = _pages(link, {page for name, span in wanted if name in rows for page in _covered(rows[name], span.start, span.end)})
    out = []
    for name, span in wanted:
        text = "".join(pages.get(page, "") for page in _covered(rows[name], span.start, span.end)) if name in rows else ""
        start = span.start // PAGE * PAGE
        out.append(text[span.start - start : span.end - start])
    return out


def _covered(document: int, start: int, end: int) -> range:
    """Return the ids of the pages of text that a span touches."""
    return range(document << SHIFT | start // PAGE, (document << SHIFT | max(start, end - 1) // PAGE) + 1)


def _pages(link: Link, ids: set[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for step in _steps(sorted(ids)):
        rows = link.db.execute(f"SELECT id, data FROM texts WHERE id IN ({_marks(step)})", step)
        found |= {id: documents.page_text(link, data) for id, data in rows}
    return found


def _steps(values: list[T]) -> Iterator[list[T]]:
    return (values[start : start + STEP] for start in range(0, len(values), STEP))


def live_ids(link: Link, after: int, limit: int) -> list[tuple[int, list[str]]]:
    """Return the next holdings that are not retired, each with its passage ids, boilerplate left out.

    Passages are keyed by id, not by holding, so the ids are made again from capture and chunk.
    """
    holdings = link.db.execute(
        "SELECT h.id, h.cut, k.ref FROM holdings h JOIN captures k ON k.id = h.capture"
        " WHERE h.id > ? AND h.retired = 0 ORDER BY h.id LIMIT ?",
        (after, limit),
    ).fetchall()
    select = "SELECT key FROM chunks WHERE id BETWEEN ? AND ? AND boilerplate = 0 ORDER BY id"
    return [
        (id, [passage_id(ref, id_of(key, CHUNK)) for (key,) in link.db.execute(select, (cut << SHIFT, (cut + 1 << SHIFT) - 1))])
        for id, cut, ref in holdings
    ]


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


def current(link: Link, id: str, cache: Cache[Pieces]) -> Pieces:
    """Return the chunks of a document's newest cut."""
    row = link.db.execute(
        "SELECT c.id FROM documents d JOIN cuts c ON c.document = d.id AND c.current WHERE d.key = ? AND NOT d.purged", (key_of(id, DOC),)
    ).fetchone()
    if row is None:
        return ()
    kept = cache.get(row[0])
    if kept is None:
        kept = tuple(documents.chunks(link, row[0], id))
        cache.put(row[0], kept, 1 + len(kept))
    return kept


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
