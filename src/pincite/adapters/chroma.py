"""Vectors in Chroma: a server, or a folder of this machine.

In: points, vectors. Out: the nearest passages. A server is dialled at exactly the configured host and port. What it has followed stands in
its metadata, written after the points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import urlsplit

from pincite.adapters.embedders import needed
from pincite.adapters.points import agreed, key, numbers, unlike, unreachable
from pincite.errors import StoreError
from pincite.types import Point
from pincite.urls import is_web

PAGE = 1000


class ChromaStore:
    """One collection, by cosine distance. Implements the VectorStore socket."""

    def __init__(self, client: Any, where: str, name: str, model: str) -> None:
        self._client, self._where, self._name, self._model = client, where, name, model
        self._collection = self._opened()
        agreed(where, name, str((self._collection.metadata or {}).get("model", "")), model)

    @classmethod
    def open(cls, where: str, name: str, model: str, *, key: str = "") -> Self:
        """Open or make the collection at `http://host:port`, or in a folder. Raises StoreError, UsageError without the package."""
        chroma = needed("chromadb", "pincite[chroma]")
        settings = needed("chromadb.config", "pincite[chroma]").Settings(anonymized_telemetry=False)
        with _told(where):
            if not is_web(where):
                return cls(chroma.PersistentClient(where, settings=settings), where, name, model)
            at = urlsplit(where)
            headers = {"authorization": f"Bearer {key}"} if key else None
            secure = at.scheme == "https"
            port = at.port or (443 if secure else 80)
            client = chroma.HttpClient(host=at.hostname, port=port, ssl=secure, headers=headers, settings=settings)
            return cls(client, where, name, model)

    def _opened(self) -> Any:
        return self._client.get_or_create_collection(
            self._name,
            metadata={"model": self._model, "followed": 0},
            configuration={"hnsw": {"space": "cosine"}},
            embedding_function=None,
        )

    def seen(self) -> int:
        """Return the sequence number of the change log that it has followed."""
        with _told(self._where):
            return int((self._client.get_collection(self._name, embedding_function=None).metadata or {}).get("followed", 0))

    def write(self, points: Sequence[Point], gone: Collection[int], seen: int) -> None:
        """Drop, put and note, in this order: broken off, it is done again. Raises StoreError."""
        with _told(self._where):
            if points:
                self._same_length(len(points[0].vector) // 4)
            if gone:
                self._collection.delete(where={"holding": {"$in": list(gone)}})
            most = self._client.get_max_batch_size()
            for start in range(0, len(points), most):
                part = points[start : start + most]
                self._collection.upsert(
                    ids=[key(p) for p in part],
                    embeddings=[numbers(p.vector) for p in part],
                    metadatas=[{"passage": p.id, "holding": p.holding, "source": p.source} for p in part],
                )
            self._collection.modify(metadata={"model": self._model, "followed": seen})

    def _same_length(self, given: int) -> None:
        first = self._collection.get(limit=1, include=["embeddings"])["embeddings"]
        if len(first) and len(first[0]) != given:
            raise unlike(self._model, given, len(first[0]))

    def nearest(self, vector: Sequence[float], limit: int, sources: Sequence[str] = ()) -> list[tuple[str, float]]:
        """Return the nearest passages with their cosine similarities, best first. Raises StoreError."""
        where = {"source": {"$in": list(sources)}} if sources else None
        with _told(self._where):
            found = self._collection.query(
                query_embeddings=[list(map(float, vector))], n_results=limit, where=where, include=["metadatas", "distances"]
            )
        best: dict[str, float] = {}
        for about, distance in zip(found["metadatas"][0], found["distances"][0], strict=True):
            best.setdefault(str(about["passage"]), 1.0 - float(distance))
        return list(best.items())

    def ids(self) -> Iterator[str]:
        """Yield every passage id that has a vector."""
        offset = 0
        while True:
            with _told(self._where):
                page = self._collection.get(limit=PAGE, offset=offset, include=["metadatas"])["metadatas"]
            yield from (str(about["passage"]) for about in page)
            if len(page) < PAGE:
                return
            offset += PAGE

    def clear(self) -> None:
        """Forget everything but the model's name. Raises StoreError."""
        with _told(self._where):
            self._client.delete_collection(self._name)
            self._collection = self._opened()

    def shut(self) -> None:
        """Let go of the client."""
        self._client.close()


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Turn what the package raises into StoreError."""
    errors = needed("chromadb.errors", "pincite[chroma]")
    try:
        yield
    except StoreError:
        raise
    except (errors.ChromaError, ValueError, OSError, RuntimeError) as error:
        raise unreachable(where, error) from error
