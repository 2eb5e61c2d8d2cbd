"""Speed of search over many chunks, beside SQLite FTS5 and bm25s on the same texts and questions; CPU time of one process.

    python benchmarks/search.py SHARED_DIR [FOLDER… | LIBRARY.db]

FOLDERs of documentation (HTML) make the corpus, or a library that holds it already; without any, packages of the running Python's standard
library do. Questions are
those of `SHARED_DIR/data/questions/retrieval.jsonl`, or headings of the corpus. Prints chunks, build rate from stored documents, open
and first search, and p50 / p99 of a search through `Library.search`, of its index alone, of FTS5 with OR, and of bm25s if installed.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import sqlite3
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from pincite.index.lexical import LexicalIndex
from pincite.library import Library
from pincite.store.sqlite import SqliteStore
from pincite.types import Query


def main(shared: Path, folders: Sequence[str]) -> None:
    """Build, ask, print."""
    with tempfile.TemporaryDirectory() as scratch:
        place = str(Path(scratch) / "library.db")
        if len(folders) == 1 and Path(folders[0]).is_file():
            place = folders[0]
        else:
            with Library(place) as library:
                for folder in folders or [
                    sysconfig.get_paths()["stdlib"] + "/" + name for name in ("asyncio", "json", "email", "http", "unittest")
                ]:
                    library.add(folder)
        store = SqliteStore.open(place, create=False, read_only=True)
        texts = {e.id: e.text for h in store.holdings() for e in store.entries(h.id) if not e.chunk.boilerplate}
        questions = asked(shared, store)
        start = time.process_time()
        LexicalIndex.open(None, read_only=False).catch_up(store)
        seconds = time.process_time() - start
        print(f"chunks {len(texts)}  build {len(texts) / seconds:.0f} chunks/s")
        store.shut()
        start = time.process_time()
        library = Library(place, create=False)
        library.search(questions[0])
        print(f"open + first search {time.process_time() - start:.3f} s")
        told("Library.search", questions, library.search)
        index = library._parts.index
        told("the index alone", questions, lambda question: index.search(Query(question), 25))
        library.close()
        told("SQLite FTS5, OR", questions, full_text(texts))
        if importlib.util.find_spec("bm25s"):
            told("bm25s", questions, scored(list(texts.values())))
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def asked(shared: Path, store: SqliteStore) -> list[str]:
    """Return the questions."""
    path = shared / "data" / "questions" / "retrieval.jsonl"
    if path.is_file():
        return [json.loads(line)["query"] for line in path.read_text("utf-8").splitlines()]
    return [" ".join(e.chunk.heading) for h in store.holdings() for e in store.entries(h.id)[:1] if e.chunk.heading][:100]


def full_text(texts: dict[str, str]) -> Callable[[str], object]:
    """Return a search over FTS5 in memory."""
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table chunk using fts5(text, tokenize='porter unicode61')")
    connection.executemany("insert into chunk (text) values (?)", [(text,) for text in texts.values()])

    def search(question: str) -> object:
        words = " OR ".join('"' + w + '"' for w in "".join(c if c.isalnum() else " " for c in question).split())
        return (
            connection.execute("select rowid from chunk where chunk match ? order by rank limit 10", (words,)).fetchall() if words else []
        )

    return search


def scored(texts: Sequence[str]) -> Callable[[str], object]:
    """Return a search by bm25s, its stop words taken out; words are not stemmed."""
    import bm25s

    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize(list(texts), stopwords="en", show_progress=False), show_progress=False)

    def search(question: str) -> object:
        asked = bm25s.tokenize([question], stopwords="en", show_progress=False)
        return retriever.retrieve(asked, k=10, show_progress=False)

    return search


def told(name: str, questions: Sequence[str], search: Callable[[str], object]) -> None:
    """Print p50 and p99 of CPU milliseconds over five rounds, the first as warm-up."""
    took = []
    for turn in range(5):
        for question in questions:
            start = time.process_time()
            search(question)
            if turn:
                took.append(1000 * (time.process_time() - start))
    took.sort()
    print(f"{name:<16} p50 {took[len(took) // 2]:.2f} ms  p99 {took[int(len(took) * 0.99)]:.2f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
