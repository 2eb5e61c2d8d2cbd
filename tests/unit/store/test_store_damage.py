"""Damage is found by the check and named, never read as if it were the truth."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pincite.errors import EvidenceError, StoreError
from pincite.store.sqlite import SqliteStore
from pincite.types import Block, Chunk, Context, Document, Fetched, Section, Source, Span, chunk_id, document_id, snapshot_id

T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
SECRET = "The vault opens with mistletoe-and-marmalade."


def add(store: SqliteStore, url: str, text: str, at: datetime = T0) -> str:
    doc_id = document_id(snapshot_id(text.encode()), url, "plain@1")
    spans = [Span(i, min(i + 50, len(text))) for i in range(0, len(text), 50)]
    chunks = [Chunk(chunk_id(doc_id, span), doc_id, span, 0, "doc", heading=(text[:9],)) for span in spans]
    whole = Span(0, len(text))
    doc = Document(
        doc_id,
        snapshot_id(text.encode()),
        url,
        "doc",
        text[:20],
        text,
        (Section(0, 0, (), whole, kind="root"),),
        (Block("b1", "paragraph", whole, 0),),
        "plain@1",
    )
    with store.batch() as batch:
        capture, _ = batch.put_capture("notes", Fetched(url, url, url, 200, (("X-Note", text[:20]),), "text/plain", text.encode(), at))
        batch.put_document(doc, chunks, [Context(text[:20], document_summary=text[:30]) for _ in chunks])
        batch.hold(capture, doc.id)
    return capture.ref


@pytest.fixture
def place(tmp_path: Path) -> Path:
    store = SqliteStore.open(str(tmp_path / "library.db"), create=True)
    store.put_source(Source("notes", "folder", "/srv/notes"))
    for n in range(3):
        add(store, f"file:///{n}", f"Page {n} says something of its own. " * 20)
    store.shut()
    return tmp_path / "library.db"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE blobs SET data = (SELECT data FROM blobs WHERE id = 2) WHERE id = 1", "blob"),
        ("UPDATE blobs SET data = x'00112233' WHERE id = 1", "blob"),
        ("UPDATE blobs SET data = NULL WHERE id = 1", "blob"),
        ("UPDATE texts SET data = (SELECT data FROM texts ORDER BY id LIMIT 1) WHERE id > 2 << 20", "document"),
        ("DELETE FROM texts WHERE id = (SELECT max(id) FROM texts)", "document"),
        ("UPDATE documents SET head = x'00' WHERE id = 1", "document"),
        ("UPDATE chunks SET stop = stop + 1 WHERE id & 1048575 = 2", "chunk"),
        ("UPDATE chunks SET stop = 100000 WHERE id & 1048575 = 2", "chunk"),
        ("UPDATE chunks SET data = '[{' WHERE id & 1048575 = 2", "chunk"),
        ("DELETE FROM chunks WHERE id = (SELECT max(id) FROM chunks)", "document"),
        ("DELETE FROM passages WHERE n = 1", "passage"),
        ("UPDATE holdings SET valid_to = '2020-01-01T00:00:00.000Z' WHERE id = 1", "holding"),
        ("UPDATE holdings SET capture = 2 WHERE id = 1", "holding"),
        ("UPDATE sources SET removed = 1", "holding"),
        ("DELETE FROM changes WHERE seq = 2", "log"),
        ("UPDATE changes SET op = 'close' WHERE seq = 2", "log"),
        ("DELETE FROM captures WHERE id = 1", "database"),
    ],
)
def test_each_kind_of_damage_is_found(place: Path, statement: str, kind: str) -> None:
    with sqlite3.connect(place) as db:
        db.execute(statement)
    db.close()
    store = SqliteStore.open(str(place), create=False)
    assert kind in {f.kind for f in store.check()}
    store.shut()


def test_overlapping_intervals_are_found(place: Path) -> None:
    with sqlite3.connect(place) as db:
        db.execute(
            "INSERT INTO holdings (source, url, path, capture, document, cut, valid_from, valid_to) SELECT source, url, path, capture,"
            " document, cut, '2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z' FROM holdings WHERE id = 1"
        )
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(
                "INSERT INTO holdings (source, url, path, capture, document, cut, valid_from) SELECT source, url, path, capture, document,"
                " cut, valid_from FROM holdings WHERE id = 1"
            )
    db.close()
    store = SqliteStore.open(str(place), create=False)
    assert [f.detail for f in store.check() if f.kind == "holding" and "overlap" in f.detail]
    store.shut()


def test_damaged_bytes_are_refused_when_read(place: Path) -> None:
    with sqlite3.connect(place) as db:
        db.execute("UPDATE blobs SET data = (SELECT data FROM blobs WHERE id = 2) WHERE id = 1")
        db.execute("UPDATE blobs SET data = x'00' WHERE id = 3")
    db.close()
    store = SqliteStore.open(str(place), create=False)
    for url, says in [("file:///0", "do not match"), ("file:///2", "damaged")]:
        with pytest.raises(EvidenceError, match=says):
            store.body(store.captures(url)[0].snapshot)
    with pytest.raises(EvidenceError, match="no snapshot"):
        store.body("sha256:" + "z" * 64)
    store.shut()


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_overwritten_pages_are_a_finding_or_a_store_error_and_nothing_else(place: Path, part: float) -> None:
    data = bytearray(place.read_bytes())
    start = int(len(data) * part) // 4096 * 4096
    data[start : start + 8192] = b"\xa5" * 8192
    place.write_bytes(data)
    findings: list[object] = []
    try:
        store = SqliteStore.open(str(place), create=False)
        findings = list(store.check())
        store.shut()
    except StoreError as error:
        findings = [error]
    assert findings


def test_purged_words_are_nowhere_in_the_file(place: Path) -> None:
    store = SqliteStore.open(str(place), create=False)
    store.put_source(Source("notes", "folder", "/srv/notes"))
    add(store, "file:///secret", SECRET * 3)
    store.remove("notes", T0, purge=True)
    files = [p for p in place.parent.iterdir() if p.is_file()]
    assert not [p for p in files if SECRET[:15].encode() in p.read_bytes()]
    assert list(store.check()) == []
    store.shut()


def test_threads_read_and_write_one_store_at_once(place: Path) -> None:
    store = SqliteStore.open(str(place), create=False)

    def work(n: int) -> None:
        for i in range(10):
            if n % 2:
                add(store, f"file:///{n}/{i}", f"Thread {n} wrote {i}. " * 30)
            else:
                wanted = list(store.live_ids())
                found = store.live(wanted)
                assert len(found) == len(wanted)
                assert all(e.text == store.document(e.holding.document).text[e.chunk.span.start : e.chunk.span.end] for e in found.values())  # type: ignore[union-attr]

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert len(list(store.holdings())) == 3 + 30
    assert list(store.check()) == []
    store.shut()


def test_a_batch_inside_a_batch_is_refused_and_other_writes_join_it(place: Path) -> None:
    store = SqliteStore.open(str(place), create=False)
    with pytest.raises(ValueError, match="enough"), store.batch() as batch:  # noqa: PT012
        store.put_source(Source("inner", "folder", "/"))
        assert store.source("inner") is not None
        with pytest.raises(StoreError, match="open already"), store.batch():
            pass
        raise ValueError("enough")
    assert store.source("inner") is None
    with pytest.raises(StoreError, match="has ended"):
        batch.close("notes", "file:///0", T0)
    store.shut()
