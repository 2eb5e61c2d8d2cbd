"""How fast the store writes, finds passages and feeds an index. Makes its own data.

In: a number of chunks, a folder. Out: figures on stdout: pages and chunks written a second, milliseconds of `live` for 60 and 200 ids cold
and warm, entries a second, file sizes, peak memory.

    python benchmarks/store.py --chunks 100000 --folder /var/tmp/bench
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pincite.store.sqlite import SqliteStore
from pincite.types import Block, Chunk, Context, Document, Fetched, Section, Source, Span, chunk_id, document_id, snapshot_id

T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
CHUNK = 1200
"""Characters of a chunk: 300 tokens."""


def words(rng: random.Random) -> list[str]:
    """Return a made-up vocabulary; used by rank, it packs about as natural text does."""
    return ["".join(rng.choices("etaoinshrdlucmfwypvbgk", k=rng.randint(2, 11))) for _ in range(8000)]


def texts(chunks: int, rng: random.Random) -> Iterator[str]:
    """Yield pages of 1 to 60 chunks, one in fifty with 250."""
    vocabulary = words(rng)
    weights = [1 / (rank + 2) for rank in range(len(vocabulary))]
    left = chunks
    while left > 0:
        size = min(left, 250 if rng.random() < 0.02 else rng.randint(1, 60))
        left -= size
        text = " ".join(rng.choices(vocabulary, weights, k=size * CHUNK // 5))
        yield text[: size * CHUNK].ljust(size * CHUNK, ".")


def page(text: str, url: str) -> tuple[Document, list[Chunk], list[Context]]:
    """Return a document with a section and five blocks for each chunk."""
    id = document_id(snapshot_id(text.encode()), url, "bench@1")
    spans = [Span(start, start + CHUNK) for start in range(0, len(text), CHUNK)]
    sections = tuple(Section(n, 2, ("A page of words", f"Section {n}"), span, anchor=f"s{n}", parent=0) for n, span in enumerate(spans))
    blocks = tuple(
        Block(f"b{n}", "paragraph", Span(n * 240, n * 240 + 239), n // 5, n % 5 + 1, f"s{n // 5}", "main > article > p")
        for n in range(len(text) // 240)
    )
    document = Document(id, snapshot_id(text.encode()), url, "doc", "A page of words", text, sections, blocks, "bench@1", "en")
    made = [
        Chunk(chunk_id(id, span), id, span, n, "doc", ("A page of words", f"Section {n}"), anchor=f"s{n}", block=f"b{n * 5}")
        for n, span in enumerate(spans)
    ]
    contexts = [Context("A page of words", "This document is about words.", f"Section {n}", path=url) for n in range(len(spans))]
    return document, made, contexts


def write(store: SqliteStore, chunks: int) -> tuple[int, float]:
    """Write the pages in batches of 20; return their number and the seconds that writing took."""
    rng, pages, seconds = random.Random(7), 0, 0.0
    store.put_source(Source("bench", "folder", "/bench"))
    group: list[tuple[str, str]] = []
    for text in texts(chunks, rng):
        group.append((f"file:///{pages}", text))
        pages += 1
        if len(group) == 20:
            seconds += _batch(store, group)
            group = []
    return pages, seconds + _batch(store, group)


def _batch(store: SqliteStore, group: list[tuple[str, str]]) -> float:
    ready = [(url, text, page(text, url)) for url, text in group]
    start = time.perf_counter()
    with store.batch() as batch:
        for url, text, (document, chunks, contexts) in ready:
            capture, _ = batch.put_capture("bench", Fetched(url, url, url, 200, (), "text/plain", text.encode(), T0))
            batch.put_document(document, chunks, contexts)
            batch.hold(capture, document.id)
    return time.perf_counter() - start


def latency(store: SqliteStore, ids: list[str], size: int, *, warm: bool) -> list[float]:
    """Return milliseconds of `live`; cold asks for other passages each time, warm for the same."""
    rng, found = random.Random(3), []
    same = rng.sample(ids, size)
    for _ in range(60):
        wanted = same if warm else rng.sample(ids, size)
        start = time.perf_counter()
        entries = store.live(wanted)
        found.append(1000 * (time.perf_counter() - start))
        assert len(entries) == size
    return found


def main() -> None:
    """Make a store and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="where the store is made; default: a temporary folder")
    parser.add_argument("shared", nargs="?", help="the data folder that `make bench` gives every script; not needed here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        figures(SqliteStore.open(str(Path(folder) / "bench.db"), create=True), arguments.chunks)


def figures(store: SqliteStore, chunks: int) -> None:
    """Fill the store and print what each job takes."""
    pages, seconds = write(store, chunks)
    print(f"written: {pages} pages, {chunks} chunks in {seconds:.1f} s: {pages / seconds:.0f} pages/s, {chunks / seconds:.0f} chunks/s")
    sizes = {name: value / 1e6 for name, value in store.stats().items()}
    print(f"file: {sizes['file_bytes']:.0f} MB, {sizes['stored_bytes']:.0f} of it snapshots; {sizes['text_chars']:.0f} M characters")
    start = time.perf_counter()
    ids = list(store.live_ids())
    print(f"live_ids: {len(ids)} in {time.perf_counter() - start:.2f} s")
    for size in (60, 200):
        for warm in (False, True):
            times = latency(store, ids, size, warm=warm)
            print(f"live({size}) {'warm' if warm else 'cold'}: p50 {statistics.median(times):.2f} ms, p95 {sorted(times)[56]:.2f} ms")
    start, count = time.perf_counter(), 0
    for holding in store.holdings():
        count += len(store.entries(holding.id))
    seconds = time.perf_counter() - start
    print(f"entries: {count} in {seconds:.1f} s: {count / seconds:.0f}/s")
    start = time.perf_counter()
    assert not list(store.check())
    print(f"check: {time.perf_counter() - start:.1f} s")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    store.shut()


if __name__ == "__main__":
    main()
