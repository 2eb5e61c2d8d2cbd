"""A library with an embedding server: meaning finds what shares no word, and nothing is embedded twice, lost or left behind."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from pincite import Library  # noqa: E402
from pincite.errors import ModelError, UsageError  # noqa: E402
from pincite.settings import Settings  # noqa: E402

WORLDS = (("car", "automobile", "motor"), ("bread", "loaf", "oven"), ("rain", "storm", "cloud"))
PAGES = {
    "one.md": "# Vehicles\n\nThe automobile stands outside the house.\n",
    "two.md": "# Kitchen\n\nA loaf of rye lies on the table.\n",
    "three.md": "# Weather\n\nA storm is near, said the captain.\n",
}


@dataclass
class Server:
    """An `/embeddings` server that knows three worlds of words."""

    url: str = ""
    texts: list[str] = field(default_factory=list)
    broken: bool = False


@pytest.fixture
def embedder() -> Iterator[Server]:
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
            told.texts += asked
            rows = [[1e-3 + sum(text.lower().count(word) for word in world) for world in WORLDS] for text in asked]
            body = json.dumps({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]}).encode()
            self.send_response(500 if told.broken else 200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    yield told
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "docs"
    place.mkdir()
    for name, text in PAGES.items():
        (place / name).write_text(text, "utf-8")
    return place


def settings(embedder: Server) -> Settings:
    return Settings(embed_url=embedder.url, embed_model="worlds")


def opened(folder: Path, embedder: Server | None) -> Library:
    return Library(str(folder.parent / "library.db"), settings=settings(embedder) if embedder else Settings())


def first(library: Library, question: str) -> str:
    return library.search(question, score_ratio=0.0)[0].path


def test_meaning_finds_what_shares_no_word(folder, embedder):
    with opened(folder, embedder) as library:
        library.add(str(folder))
        assert first(library, "car") == "one.md"
        assert dict(library.search("car", score_ratio=0.0)[0].scores)["vector"] > 0.9


def test_added_again_and_changed_only_the_change_is_embedded(folder, embedder):
    with opened(folder, embedder) as library:
        library.add(str(folder))
        embedder.texts.clear()
        (folder / "two.md").write_text("# Kitchen\n\nThe oven is hot.\n", "utf-8")
        library.add(str(folder))
        assert [text.rsplit("\n\n", 1)[-1].strip() for text in embedder.texts] == ["The oven is hot."]


def test_a_library_made_without_vectors_gets_them_by_embed(folder, embedder):
    with opened(folder, None) as library:
        library.add(str(folder))
        with pytest.raises(UsageError, match="embed_model"):
            library.embed()
    with opened(folder, embedder) as library:
        assert library.search("car").passages == ()
        assert library.embed() == 3
        assert library.embed() == 0
        assert first(library, "car") == "one.md"


def test_an_index_folder_that_is_lost_costs_no_embedding(folder, embedder):
    with opened(folder, embedder) as library:
        library.add(str(folder))
    for file in sorted((folder.parent / "library.db.index").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    embedder.texts.clear()
    with opened(folder, embedder) as library:
        assert first(library, "car") == "one.md"
    assert embedder.texts == ["car"]


def test_a_server_that_fails_costs_the_meaning_not_the_capture(folder, embedder, caplog):
    embedder.broken = True
    with opened(folder, embedder) as library:
        report = library.add(str(folder))
        assert (report.fetched, report.failed) == (3, {})
        assert "reindex --embed" in caplog.text
        assert first(library, "automobile") == "one.md"
        with pytest.raises(ModelError):
            library.embed()
        embedder.broken = False
        assert library.embed() == 3
        assert first(library, "car") == "one.md"


def test_what_is_purged_leaves_no_vector_anywhere(folder, embedder):
    with opened(folder, embedder) as library:
        library.add(str(folder), name="docs")
        library.remove("docs", purge=True)
        assert library.search("car").passages == ()
    for name, table in (("library.db", "vectors"), ("library.db.index/vectors.db", "point")):
        db = sqlite3.connect(folder.parent / name)
        assert db.execute(f"select count(*) from {table}").fetchone() == (0,), name
        db.close()


def test_an_unknown_vector_store_is_named_with_those_there_are(folder, embedder):
    chosen = Settings(embed_url=embedder.url, embed_model="worlds", vectors="faiss")
    with pytest.raises(UsageError, match=r"no vector store `faiss`.*builtin, chroma, qdrant, pgvector"):
        Library(str(folder.parent / "library.db"), settings=chosen)


@pytest.mark.parametrize(("kind", "package"), [("chroma", "chromadb"), ("qdrant", "qdrant_client")])
def test_a_vector_server_of_the_settings_is_used_and_purged(folder, embedder, kind, package):
    pytest.importorskip(package)
    chosen = Settings(embed_url=embedder.url, embed_model="worlds", vectors=kind)
    with Library(str(folder.parent / "library.db"), settings=chosen) as library:
        library.add(str(folder), name="docs")
        assert first(library, "car") == "one.md"
        library.remove("docs", purge=True)
        assert library.search("car").passages == ()
