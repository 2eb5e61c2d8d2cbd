"""Prune, backup and restore, vectors, and what an interrupted run left to do."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pincite.errors import EvidenceError, StoreError
from pincite.store import copies
from pincite.store.sqlite import SqliteStore
from pincite.types import (
    Capture,
    Chunk,
    Citation,
    Context,
    Document,
    Fetched,
    PageOutcome,
    Section,
    Source,
    Span,
    Verification,
    chunk_id,
    document_id,
    snapshot_id,
)

T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
PAGE = "file:///page"


def add(store: SqliteStore, version: int, *, how: str = "plain@1", hold: bool = True) -> Capture:
    body = f"Version {version} of the page. ".encode() * 200
    text = body.decode()
    id = document_id(snapshot_id(body), PAGE, how)
    span = Span(0, len(text))
    doc = Document(id, snapshot_id(body), PAGE, "doc", "Page", text, (Section(0, 0, (), span, kind="root"),), (), how)
    with store.batch() as batch:
        capture, _ = batch.put_capture("notes", Fetched(PAGE, PAGE, PAGE, 200, (), "text/plain", body, T0 + timedelta(hours=version)))
        if hold:
            batch.put_document(doc, [Chunk(chunk_id(id, span), id, span, 0, "doc")], [Context()])
            batch.hold(capture, id)
    return capture


def cite(store: SqliteStore, capture: Capture, id: str) -> None:
    doc = store.document_of(capture.ref)
    assert doc is not None
    span = Span(0, 21)
    checked = Verification("exact", "exact")
    quote = span.of(doc.text)
    store.put_citations(
        [Citation(id, 1, capture, doc.id, span, quote, quote, "", (), None, None, None, None, "", "", "", doc.extractor, checked)]
    )


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    opened = SqliteStore.open(str(tmp_path / "library.db"), create=True)
    opened.put_source(Source("notes", "folder", "/srv/notes"))
    return opened


def test_prune_keeps_cited_kept_and_latest_captures(store: SqliteStore) -> None:
    plain, cited, kept, now = (add(store, version) for version in range(4))
    failed = add(store, 4, hold=False)
    cite(store, cited, "cit_1")
    store.mark(kept.ref, "keep", who="ann", why="contract", at=T0)
    seen = store.seq()
    captures, freed = store.prune()
    assert captures == 1
    assert freed > 0
    assert [h.ref for h in store.holdings(closed=True)] == [cited.ref, kept.ref, now.ref]
    assert [c.op for c in store.changes_since(seen)] == ["retire"]
    with pytest.raises(EvidenceError, match="pruned"):
        store.body(plain.snapshot)
    for capture in (cited, kept, now, failed):
        assert store.body(capture.snapshot)
    left = store.capture(plain.ref)
    assert left is not None
    assert left.flags == ("pruned",)
    assert store.document_of(plain.ref) is None
    assert list(store.check()) == []
    assert store.prune() == (0, 0)
    store.shut()


def test_prune_keeps_the_document_that_was_cited_before_a_reindex(store: SqliteStore) -> None:
    capture = add(store, 0)
    cite(store, capture, "cit_1")
    first = store.document_of(capture.ref)
    add(store, 0, how="plain@2")
    second = store.document_of(capture.ref)
    add(store, 0, how="plain@3")
    store.prune()
    assert first is not None
    assert second is not None
    assert store.document(first.id) == first
    assert store.document(second.id) is None
    assert list(store.check()) == []
    store.shut()


def test_prune_drops_a_removed_source_but_for_what_was_cited(store: SqliteStore) -> None:
    first, second = add(store, 0), add(store, 1)
    cite(store, first, "cit_1")
    store.remove("notes", T0 + timedelta(days=1))
    assert store.prune()[0] == 1
    assert store.body(first.snapshot)
    with pytest.raises(EvidenceError):
        store.body(second.snapshot)
    assert list(store.check()) == []
    store.shut()


def test_prune_shrinks_the_file(store: SqliteStore) -> None:
    with store.batch() as batch:
        for n in range(20):
            batch.put_capture("notes", Fetched(PAGE, PAGE, PAGE, 200, (), "", os.urandom(50_000), T0 + timedelta(hours=n)))
    before = store.stats()["file_bytes"]
    store.prune()
    assert store.stats()["file_bytes"] < before / 4
    store.shut()


def test_a_backup_is_a_store_of_its_own(store: SqliteStore, tmp_path: Path) -> None:
    first = add(store, 0)
    target = tmp_path / "copy.db"
    assert store.backup(str(target)) == target.stat().st_size
    add(store, 1)
    copy = SqliteStore.open(str(target), create=False)
    assert [h.ref for h in copy.holdings()] == [first.ref]
    assert list(copy.check()) == []
    copy.shut()
    with pytest.raises(StoreError, match="exists"):
        store.backup(str(target))
    with pytest.raises(StoreError):
        store.backup(str(tmp_path / "no" / "folder" / "copy.db"))
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("copy")) == ["copy.db"]
    store.shut()


def test_restoring_brings_the_whole_store_back_and_drops_the_index(store: SqliteStore, tmp_path: Path) -> None:
    place, target = str(tmp_path / "library.db"), str(tmp_path / "copy.db")
    first = add(store, 0)
    store.backup(target)
    add(store, 1)
    store.shut()
    (tmp_path / "library.db.index").mkdir()
    copies.restore(target, place)
    copies.restore(target, str(tmp_path / "new.db"))
    for restored in (place, str(tmp_path / "new.db")):
        again = SqliteStore.open(restored, create=False)
        assert [h.ref for h in again.holdings()] == [first.ref]
        assert list(again.check()) == []
        add(again, 2)
        again.shut()
    assert not (tmp_path / "library.db.index").exists()


def test_a_bad_backup_is_refused_and_the_store_left_as_it_was(store: SqliteStore, tmp_path: Path) -> None:
    place, target = str(tmp_path / "library.db"), str(tmp_path / "copy.db")
    capture = add(store, 0)
    store.backup(target)
    store.shut()
    with sqlite3.connect(target) as db:
        db.execute("UPDATE blobs SET data = x'00'")
    db.close()
    (tmp_path / "text.db").write_text("no database, " * 99)
    for bad in (target, str(tmp_path / "text.db"), str(tmp_path / "absent.db")):
        with pytest.raises(StoreError):
            copies.restore(bad, place)
    again = SqliteStore.open(place, create=False)
    assert again.body(capture.snapshot)
    again.shut()


def test_a_store_that_somebody_writes_is_not_restored_over(store: SqliteStore, tmp_path: Path) -> None:
    place, target = str(tmp_path / "library.db"), str(tmp_path / "copy.db")
    store.backup(target)
    with store.batch(), pytest.raises(StoreError, match="locked"):
        copies.restore(target, place, wait_s=0.05)
    store.shut()


def test_whoever_has_the_store_open_while_it_is_restored_is_told_to_open_it_again(store: SqliteStore, tmp_path: Path) -> None:
    place, target = str(tmp_path / "library.db"), str(tmp_path / "copy.db")
    first = add(store, 0)
    store.backup(target)
    newer = add(store, 1)
    assert [h.ref for h in store.holdings()] == [newer.ref]
    copies.restore(target, place)
    for read in (store.seq, lambda: store.body(first.snapshot), lambda: list(store.holdings()), lambda: add(store, 2)):
        with pytest.raises(StoreError, match="replaced by a backup"):
            read()
    store.shut()
    again = SqliteStore.open(place, create=False)
    assert [h.ref for h in again.holdings()] == [first.ref]
    again.shut()


def test_vectors_are_kept_by_model_and_text(store: SqliteStore) -> None:
    keys = [f"{n:064x}" for n in range(1000)]
    store.put_vectors("mini@1", 4, {key: bytes([n % 256] * 16) for n, key in enumerate(keys)})
    store.put_vectors("mini@1", 4, {keys[0]: b"x" * 16})
    store.put_vectors("other", 2, {keys[0]: b"abcd"})
    found = store.vectors("mini@1", [*keys, "f" * 64])
    assert found == {key: bytes([n % 256] * 16) for n, key in enumerate(keys)}
    assert store.vectors("other", keys) == {keys[0]: b"abcd"}
    assert store.vectors("unknown", keys) == {}
    store.drop_vectors("mini@1", keys[1:])
    assert list(store.vectors("mini@1", keys)) == keys[:1]
    for dim, vector in ((3, b"x" * 12), (4, b"x" * 15), (4, b"")):
        with pytest.raises(StoreError):
            store.put_vectors("mini@1", dim, {keys[5]: vector})
    store.shut()


def test_an_interrupted_run_says_what_is_left_and_how_deep(store: SqliteStore) -> None:
    run = store.start_run("notes", T0)
    with store.batch() as batch:
        batch.want(run, ["a", "b"])
        batch.want(run, ["b", "c"], 1)
        batch.outcome(run, PageOutcome("a", "failed", "404"))
    assert store.interrupted("notes") == run
    assert store.wanted_left(run) == ("b", "c")
    assert store.pending(run) == (("b", 0), ("c", 1))
    store.finish_run(run, T0, documents=0, chunks=0, removed=0)
    assert store.interrupted("notes") is None
    assert store.interrupted("nobody") is None
    store.shut()
