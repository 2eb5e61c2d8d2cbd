"""Sources, captures, check times and marks: rows to values and back.

In: a link, values. Out: values. Captures are never updated: a check time and a mark are rows of their own, a purge leaves a tombstone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pincite.errors import StoreError
from pincite.store import blobs
from pincite.store.codec import dumps, fields_of, id_of, loads, made, plain, text_of
from pincite.store.links import Link
from pincite.types import Capture, Fetched, MarkKind, Policy, Source, capture_of, moment, ref_code, timestamp

SELECT = """SELECT c.ref, b.key, s.slug, c.url, c.path, r.key, c.fetched_at, c.head, c.purged,
    (SELECT max(at) FROM checks WHERE capture = c.id), (SELECT mark FROM marks WHERE capture = c.id ORDER BY id DESC LIMIT 1), c.id
    FROM captures c JOIN sources s ON s.id = c.source JOIN blobs b ON b.id = c.snapshot LEFT JOIN blobs r ON r.id = c.response """

COLUMNS = ("ref", "snapshot", "source", "url", "path", "response", "fetched_at", "checked_at", "mark")
"""Fields of a capture that have columns or rows of their own; the others are in `head`."""


def put_source(link: Link, source: Source) -> Source:
    """Add a source or change what is known of it; one that was removed comes back. Returns it as stored."""
    row = link.db.execute("SELECT id, added_at, removed FROM sources WHERE slug = ?", (source.slug,)).fetchone()
    added = timestamp(source.added_at) if source.added_at else None
    if row is not None and not row[2] and row[1] is not None:
        added = row[1]
    values = (source.kind, plain(source.location), source.version, dumps(fields_of(source.policy)), added)
    if row is None:
        link.db.execute(
            "INSERT INTO sources (slug, kind, location, version, policy, added_at, place)"
            " VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM sources))",
            (source.slug, *values),
        )
    else:
        link.db.execute(
            "UPDATE sources SET kind = ?, location = ?, version = ?, policy = ?, added_at = ?, removed = 0,"
            " place = CASE WHEN removed THEN (SELECT max(place) + 1 FROM sources) ELSE place END WHERE id = ?",
            (*values, row[0]),
        )
    return replace(source, added_at=moment(added) if added else None)


def sources(link: Link, slug: str | None = None) -> tuple[Source, ...]:
    """Return the sources that are not removed, in the order they were added."""
    rows = link.db.execute(
        "SELECT slug, kind, location, version, policy, added_at FROM sources"
        f" WHERE removed = 0 AND {'1' if slug is None else 'slug = ?'} ORDER BY place",
        () if slug is None else (slug,),
    )
    return tuple(
        Source(name, kind, text_of(location), version, made(Policy, loads(policy)), moment(added) if added else None)
        for name, kind, location, version, policy, added in rows
    )


def source_row(link: Link, slug: str) -> int:
    """Return the row id of a source, removed or not. Raises StoreError when it was never added."""
    row = link.db.execute("SELECT id FROM sources WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise StoreError(f"There is no source `{slug}` in this store. Add it before its pages.")
    return int(row[0])


def checked(link: Link, ref: str, at: datetime) -> None:
    """Add a check time to a capture; an unknown one is passed over."""
    link.db.execute("INSERT OR IGNORE INTO checks (capture, at) SELECT id, ? FROM captures WHERE ref = ?", (timestamp(at), ref))


def put(link: Link, source: str, fetched: Fetched) -> tuple[Capture, bool]:
    """Store the bytes as a new capture, or add a check time to the source's latest one of that URL when it has the same bytes."""
    owner, fresh = source_row(link, source), capture_of(source, fetched)
    row = link.db.execute(
        "SELECT c.id, lower(hex(b.key)), c.fetched_at FROM captures c JOIN blobs b ON b.id = c.snapshot"
        " WHERE c.source = ? AND c.url = ? AND c.purged = 0 ORDER BY c.id DESC LIMIT 1",
        (owner, plain(fetched.url)),
    ).fetchone()
    if row is not None and blobs.PREFIX + row[1] == fresh.snapshot:
        at = timestamp(fetched.fetched_at)
        if at > row[2]:
            link.db.execute("INSERT OR IGNORE INTO checks (capture, at) VALUES (?, ?)", (row[0], at))
        blobs.put(link, fetched.body)
        return one(link, "WHERE c.id = ?", row[0]), False
    response = blobs.put(link, fetched.response_body) if fetched.response_body is not None else None
    transport = link.pack(dumps([fetched.headers, fetched.redirects]).encode())
    added = link.db.execute(
        "INSERT INTO captures (ref, source, url, path, snapshot, response, fetched_at, head, transport) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            _free_ref(link, fetched),
            owner,
            plain(fetched.url),
            plain(fetched.path),
            blobs.put(link, fetched.body),
            response,
            timestamp(fetched.fetched_at),
            dumps(fields_of(fresh, without=COLUMNS)),
            transport,
        ),
    )
    return one(link, "WHERE c.id = ?", added.lastrowid), True


def _free_ref(link: Link, fetched: Fetched) -> str:
    for length in range(6, 52, 2):
        ref = ref_code(fetched.url, fetched.fetched_at, length)
        if link.db.execute("SELECT 1 FROM captures WHERE ref = ?", (ref,)).fetchone() is None:
            return ref
    raise StoreError(f"{fetched.url} was captured too often in one millisecond to get a code of its own.")


def find(link: Link, where: str, *values: Any) -> Iterator[Capture]:
    """Yield the captures that the clause selects, newest data first where it orders so."""
    for row in link.db.execute(SELECT + where, values):
        yield _capture(row)


def with_codes(link: Link, refs: Sequence[str]) -> Mapping[str, Capture]:
    """Return the captures with those codes; unknown ones are left out."""
    found: dict[str, Capture] = {}
    for start in range(0, len(refs), 400):
        step = refs[start : start + 400]
        found |= {capture.ref: capture for capture in find(link, f"WHERE c.ref IN ({','.join('?' * len(step))})", *step)}
    return found


def one(link: Link, where: str, *values: Any) -> Capture:
    """Return the one capture that must be there."""
    found = next(find(link, where, *values), None)
    if found is None:
        raise StoreError("A capture that this store refers to is missing. `pincite verify` names what is hit; restore a backup.")
    return found


def _capture(row: tuple[Any, ...]) -> Capture:
    ref, snapshot, source, url, path, response, fetched_at, head, purged, checked, mark, _ = row
    fields = loads(head)
    if purged:
        fields["flags"] = [*fields.get("flags", ()), "purged" if purged == 1 else "pruned"]
    return made(
        Capture,
        fields,
        ref=ref,
        snapshot=id_of(snapshot, blobs.PREFIX),
        source=source,
        url=text_of(url),
        path=text_of(path),
        response=id_of(response, blobs.PREFIX) if response is not None else None,
        fetched_at=moment(fetched_at),
        checked_at=moment(checked) if checked else None,
        mark=mark or "none",
    )


def held(link: Link, source: str) -> Mapping[str, Capture]:
    """Return for each URL that the source holds now the capture it holds."""
    where = (
        "JOIN holdings h ON h.capture = c.id WHERE h.valid_to IS NULL AND h.retired = 0"
        " AND h.source = (SELECT id FROM sources WHERE slug = ?) ORDER BY h.id"
    )
    return {capture.url: capture for capture in find(link, where, source)}


def mark(link: Link, ref: str, kind: MarkKind, who: str, why: str, at: datetime) -> int:
    """Add a mark row and return the capture's row id. Raises StoreError for an unknown code."""
    row = link.db.execute("SELECT id FROM captures WHERE ref = ?", (ref,)).fetchone()
    if row is None:
        raise StoreError(f"There is no capture {ref} in this store.")
    link.db.execute("INSERT INTO marks (capture, mark, who, why, at) VALUES (?, ?, ?, ?, ?)", (row[0], kind, who, why, timestamp(at)))
    return int(row[0])
