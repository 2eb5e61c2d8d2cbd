"""Several processes make, fill and read one store at the same time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pincite.store.sqlite import SqliteStore

WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from pincite.store.sqlite import SqliteStore
from pincite.types import Chunk, Context, Document, Fetched, Section, Source, Span, chunk_id, document_id, snapshot_id

me = sys.argv[2]
sys.stdin.readline()
store = SqliteStore.open(sys.argv[1], create=True, wait_s=60)
store.put_source(Source(me, "folder", "/srv/" + me))
for n in range(15):
    url, body = f"file:///{n % 5}", f"{me} wrote {n}. ".encode() * 200
    id = document_id(snapshot_id(body), url, "plain@1")
    span = Span(0, len(body))
    doc = Document(id, snapshot_id(body), url, "doc", me, body.decode(), (Section(0, 0, (), span, kind="root"),), (), "plain@1")
    with store.batch() as batch:
        capture, _ = batch.put_capture(me, Fetched(url, url, url, 200, (), "", body, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=n)))
        batch.put_document(doc, [Chunk(chunk_id(id, span), id, span, 0, "doc")], [Context()])
        batch.hold(capture, id)
    ids = list(store.live_ids())
    assert len(ids) >= min(n + 1, 5), ids
store.shut()
"""


def test_processes_that_start_at_once_share_a_new_store(tmp_path: Path) -> None:
    place = tmp_path / "library.db"
    names = ["ann", "bob", "cid", "dan"]
    children = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(place), name], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for name in names
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    errors = [child.communicate(timeout=120)[1] for child in children]
    assert errors == [""] * 4
    store = SqliteStore.open(str(place), create=False)
    assert sorted(s.slug for s in store.sources()) == names
    assert len(list(store.holdings())) == 4 * 5
    assert len(list(store.holdings(closed=True))) == 4 * 15
    assert [c.op for c in store.changes_since(0)].count("open") == 4 * 15
    assert list(store.check()) == []
    store.shut()
