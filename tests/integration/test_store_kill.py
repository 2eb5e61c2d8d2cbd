"""A process killed at any step of its batches leaves a sound store: what was committed is there, what was not is not, nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pincite.store.sqlite import SqliteStore

WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from pincite.store.sqlite import SqliteStore
from pincite.types import Chunk, Context, Document, Fetched, PageOutcome, Section, Source, Span, chunk_id, document_id, snapshot_id

LOCKSTEP = sys.argv[2] == "lockstep"
T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)

def say(*words):
    print(*words, flush=True)
    if LOCKSTEP:
        sys.stdin.readline()

def write(batch, run, url, text, at):
    body = (text + "\\n") * 300
    id = document_id(snapshot_id(body.encode()), url, "plain@1")
    spans = [Span(i, min(i + 900, len(body))) for i in range(0, len(body), 900)]
    chunks = [Chunk(chunk_id(id, span), id, span, 0, "doc") for span in spans]
    sections = (Section(0, 0, (), Span(0, len(body)), kind="root"),)
    doc = Document(id, snapshot_id(body.encode()), url, "doc", text, body, sections, (), "plain@1")
    capture, _ = batch.put_capture("notes", Fetched(url, url, url, 200, (), "text/plain", body.encode(), at))
    say("captured", url)
    batch.put_document(doc, chunks, [Context() for _ in chunks])
    batch.hold(capture, id)
    batch.outcome(run, PageOutcome(url, "fetched", ref=capture.ref))
    say("held", url)

def add(store, version):
    at = T0 + timedelta(hours=version)
    store.put_source(Source("notes", "folder", "/srv/notes", added_at=T0))
    run = store.start_run("notes", at)
    say("run", version)
    for group in range(3):
        with store.batch() as batch:
            batch.want(run, [f"file:///{group}/{n}" for n in range(2)])
            for n in range(2):
                write(batch, run, f"file:///{group}/{n}", f"Page {n} of {group}, version {version if n else 0}.", at)
        say("committed", version, group)
    store.finish_run(run, at, documents=6, chunks=0, removed=0)
    say("finished", version)

store = SqliteStore.open(sys.argv[1], create=True)
say("open")
add(store, 1)
add(store, 2)
store.remove("notes", T0 + timedelta(hours=3))
say("removed")
add(store, 4)
store.remove("notes", T0 + timedelta(hours=5), purge=True)
say("purged")
add(store, 6)
store.shut()
"""

State = tuple[list[tuple[object, ...]], Counter[str], dict[str, int]]


def state(store: SqliteStore) -> State:
    held = [(h.url, h.ref, h.document, h.valid_from, h.valid_to) for h in store.holdings(closed=True)]
    return held, Counter(store.live_ids()), {url: len(store.captures(url)) for url in {str(h[0]) for h in held}}


def run(place: Path, mode: str, stop: int | None) -> list[str]:
    """Run the writer; kill it when it has said `stop` lines. Return what it said."""
    said: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for line in child.stdout:
            said.append(line.strip())
            if len(said) == stop:
                child.kill()
                break
            if mode == "lockstep":
                child.stdin.write("\n")
        child.stdout.read()
    assert child.returncode == (-signal.SIGKILL if stop else 0)
    return said


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[State, list[str]]:
    """The state, and the words, of a writer that nobody killed."""
    place = tmp_path_factory.mktemp("whole") / "library.db"
    said = run(place, "free", None)
    store = SqliteStore.open(str(place), create=False)
    found = state(store)
    store.shut()
    return found, said


STEPS = 71


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL of POSIX")
@pytest.mark.parametrize("mode", ["lockstep", "free"])
@pytest.mark.parametrize("part", range(4))
def test_a_killed_writer_leaves_a_sound_store(tmp_path: Path, whole: tuple[State, list[str]], mode: str, part: int) -> None:
    assert len(whole[1]) == STEPS
    for stop in range(1 + part * (3 if mode == "lockstep" else 9), STEPS, 12 if mode == "lockstep" else 36):
        place = tmp_path / f"{stop}.db"
        said = run(place, mode, stop)
        store = SqliteStore.open(str(place), create=True)
        assert list(store.check()) == [], said[-1]
        held, ids, captures = state(store)
        assert max(Counter(h[0] for h in held if h[4] is None).values(), default=1) == 1, "a page holds one document now"
        assert max(ids.values(), default=1) <= 2, "once before it was removed, once after"
        assert max(captures.values(), default=0) <= 4, "one a version"
        committed = [line.split() for line in said if line.startswith("committed")]
        since = max([n for n, line in enumerate(said) if line == "purged"], default=0)
        for _, version, group in (line.split() for line in said[since:] if line.startswith("committed")):
            assert [h for h in held if str(h[0]).startswith(f"file:///{group}/1") and str(h[3])[11:13] == f"{9 + int(version):02d}"]
        if mode == "lockstep" and said[-1].startswith(("captured", "held")) and not committed:
            assert held == []
        if mode == "lockstep" and (said[-1] == "removed" or said[-1] == "purged"):
            assert list(store.holdings()) == []
        report = store.report("notes")
        if said[-1].startswith("committed") and mode == "lockstep":
            assert report is not None
            assert not report.finished
            assert report.fetched == 2 * (int(said[-1].split()[2]) + 1)
        store.shut()


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL of POSIX")
def test_work_done_again_after_a_kill_ends_where_it_would_have(tmp_path: Path, whole: tuple[State, list[str]]) -> None:
    for stop in (4, 14, 37):
        place = tmp_path / f"{stop}.db"
        run(place, "lockstep", stop)
        run(place, "free", None)
        store = SqliteStore.open(str(place), create=False)
        assert list(store.check()) == []
        held, ids, _ = state(store)
        assert (held, ids) == whole[0][:2]
        store.shut()
