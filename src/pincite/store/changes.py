"""Which page held which document from when to when, and the log of what changed, which an index replays.

In: a link inside a transaction. Out: rows of `holdings` and `changes`. The intervals of one page never overlap and at most one is open.
An interval that would be empty, since two captures are of the same millisecond, is retired: it was the truth of no time.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pincite.errors import StoreError
from pincite.store.codec import id_of, key_of, plain, text_of
from pincite.store.documents import CHUNK, DOC, SHIFT
from pincite.store.links import Link
from pincite.types import Capture, Change, Holding, moment, passage_id, timestamp

SELECT = """SELECT h.id, s.slug, h.url, h.path, c.ref, d.key, h.valid_from, h.valid_to, h.retired
    FROM holdings h JOIN sources s ON s.id = h.source JOIN captures c ON c.id = h.capture JOIN documents d ON d.id = h.document """

PASSAGE = "psg_"


def hold(link: Link, capture: Capture, document: str) -> None:
    """Let the page hold the document from the capture on, or from where the same capture held another.

    Raises StoreError when the capture or the document is not in the store.
    """
    target = link.db.execute("SELECT id, source, url, path FROM captures WHERE ref = ?", (capture.ref,)).fetchone()
    made = link.db.execute(
        "SELECT d.id, c.id FROM documents d JOIN cuts c ON c.document = d.id AND c.current WHERE d.key = ? AND NOT d.purged",
        (key_of(document, DOC),),
    ).fetchone()
    if target is None or made is None:
        raise StoreError(f"{document if made is None else capture.ref} is not in this store; put it there before a page holds it.")
    row, source, url, path = target
    now = link.db.execute(
        "SELECT id, capture, document, cut, valid_from FROM holdings WHERE source = ? AND url = ? AND valid_to IS NULL AND retired = 0",
        (source, url),
    ).fetchone()
    if now is not None and now[1:4] == (row, *made):
        return
    if now is not None and now[1] == row:
        _retire(link, now[0])
        start = now[4]
    else:
        start = timestamp(capture.checked_at or capture.fetched_at)
        if now is not None:
            start = _end(link, now[0], start)
        else:
            (last,) = link.db.execute(
                "SELECT max(valid_to) FROM holdings WHERE source = ? AND url = ? AND retired = 0", (source, url)
            ).fetchone()
            start = max(start, last or start)
    _open(link, (source, url, path, row, *made, start))


def recut(link: Link, document: int, cut: int) -> None:
    """Move every page that holds the document now to its newest cut."""
    rows = link.db.execute(
        "SELECT id, source, url, path, capture, document, valid_from FROM holdings"
        " WHERE document = ? AND valid_to IS NULL AND retired = 0 AND cut <> ? ORDER BY id",
        (document, cut),
    ).fetchall()
    for id, source, url, path, capture, _, start in rows:
        _retire(link, id)
        _open(link, (source, url, path, capture, document, cut, start))


def close(link: Link, source: int, url: str, at: datetime) -> None:
    """End what the page holds now, if anything."""
    row = link.db.execute(
        "SELECT id FROM holdings WHERE source = ? AND url = ? AND valid_to IS NULL AND retired = 0", (source, plain(url))
    ).fetchone()
    if row is not None:
        _end(link, row[0], timestamp(at))


def close_all(link: Link, source: int, at: datetime) -> int:
    """End all that a source holds now and return the number of pages."""
    rows = link.db.execute(
        "SELECT id FROM holdings WHERE source = ? AND valid_to IS NULL AND retired = 0 ORDER BY id", (source,)
    ).fetchall()
    for (id,) in rows:
        _end(link, id, timestamp(at))
    return len(rows)


def _open(link: Link, values: tuple[Any, ...]) -> None:
    id = link.db.execute(
        "INSERT INTO holdings (source, url, path, capture, document, cut, valid_from) VALUES (?, ?, ?, ?, ?, ?, ?)", values
    ).lastrowid
    (ref,) = link.db.execute("SELECT ref FROM captures WHERE id = ?", (values[3],)).fetchone()
    cut = values[5]
    keys = link.db.execute("SELECT key FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", (cut << SHIFT, (cut + 1 << SHIFT) - 1)).fetchall()
    link.db.executemany(
        "INSERT INTO passages (key, holding, n) VALUES (?, ?, ?)",
        ((key_of(passage_id(ref, id_of(key, CHUNK)), PASSAGE), id, n) for n, (key,) in enumerate(keys)),
    )
    log(link, "open", id)


def _end(link: Link, id: int, at: str) -> str:
    """Close an interval at a time, or at its start when that is later; return the time."""
    (start,) = link.db.execute("SELECT valid_from FROM holdings WHERE id = ?", (id,)).fetchone()
    if at <= start:
        _retire(link, id)
        return str(start)
    link.db.execute("UPDATE holdings SET valid_to = ? WHERE id = ?", (at, id))
    log(link, "close", id)
    return at


def _retire(link: Link, id: int) -> None:
    link.db.execute("UPDATE holdings SET retired = 1, valid_to = coalesce(valid_to, valid_from) WHERE id = ?", (id,))
    log(link, "retire", id)


def log(link: Link, op: str, holding: int | None) -> None:
    """Append to the change log."""
    link.db.execute("INSERT INTO changes (op, holding) VALUES (?, ?)", (op, holding))


def marked(link: Link, capture: int) -> None:
    """Tell the index of a mark on a capture."""
    for (id,) in link.db.execute("SELECT id FROM holdings WHERE capture = ? AND retired = 0 ORDER BY id", (capture,)).fetchall():
        log(link, "mark", id)


def seq(link: Link) -> int:
    """Return the newest sequence number, 0 when the log is empty."""
    return int(link.db.execute("SELECT coalesce(max(seq), 0) FROM changes").fetchone()[0])


def since(link: Link, seq: int, limit: int) -> tuple[Change, ...]:
    """Return the next changes after `seq`."""
    rows = link.db.execute("SELECT seq, op, holding FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", (seq, limit))
    return tuple(Change(*row) for row in rows)


def holdings(link: Link, source: str | None, as_of: datetime | None, closed: bool, after: int, limit: int) -> list[Holding]:
    """Return the next holdings after a row id: open ones, those at a time, or with `closed` all that are not retired."""
    where, values = "h.id > ? AND h.retired = 0", [after, *([source] if source is not None else [])]
    if source is not None:
        where += " AND s.slug = ?"
    clause, times = valid(as_of, closed)
    rows = link.db.execute(f"{SELECT} WHERE {where} AND {clause} ORDER BY h.id LIMIT ?", (*values, *times, limit))
    return [holding(row) for row in rows]


def valid(as_of: datetime | None, closed: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return the SQL condition on `h`, and its values, for what is held now or was at a time."""
    if as_of is not None:
        return "h.valid_from <= ? AND (h.valid_to IS NULL OR h.valid_to > ?)", (timestamp(as_of),) * 2
    return ("1" if closed else "h.valid_to IS NULL"), ()


def holding(row: tuple[Any, ...]) -> Holding:
    """Return the holding of a row of `SELECT`."""
    id, slug, url, path, ref, document, start, end, retired = row[:9]
    return Holding(
        id, slug, text_of(url), text_of(path), ref, id_of(document, DOC), moment(start), moment(end) if end else None, bool(retired)
    )
