"""Vectors in Qdrant: a server, or a folder of this machine.

In: points, vectors. Out: the nearest passages. A server is dialled at exactly the configured host and port. What it has followed stands in
a small collection beside it, written after the points.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from pincite.adapters.embedders import needed
from pincite.adapters.points import agreed, key, numbers, unlike, unreachable
from pincite.errors import StoreError
from pincite.types import Point
from pincite.urls import is_web

PAGE = 1000
BATCH = 256
ABOUT = 1
"""The one point of the small collection."""


class QdrantStore:
    """One collection, by cosine similarity. Implements the VectorStore socket."""

    def __init__(self, client: Any, where: str, name: str, model: str) -> None:
        self._client, self._where, self._name, self._model = client, where, name, model
        self._beside = f"{name}_about"
        self._models = needed("qdrant_client.models", "pincite[qdrant]")
        if not client.collection_exists(self._beside):
            plain = self._models.VectorParams(size=1, distance=self._models.Distance.DOT)
            client.create_collection(self._beside, vectors_config=plain)
            self._note(0)
        agreed(where, name, str(self._about().get("model", "")), model)

    @classmethod
    def open(cls, where: str, name: str, model: str, *, key: str = "") -> Self:
        """Open or make the collection at `http://host:port`, or in a folder. Raises StoreError, UsageError without the package."""
        client = needed("qdrant_client", "pincite[qdrant]").QdrantClient
        with _told(where):
            if is_web(where):
                return cls(client(url=where, api_key=key or None, check_compatibility=False, timeout=60), where, name, model)
            return cls(client(path=where), where, name, model)

    def _about(self) -> dict[str, Any]:
        found = self._client.retrieve(self._beside, ids=[ABOUT], with_payload=True)
        return dict(found[0].payload or {}) if found else {}

    def _note(self, seen: int) -> None:
        point = self._models.PointStruct(id=ABOUT, vector=[1.0], payload={"model": self._model, "followed": seen})
        self._client.upsert(self._beside, points=[point], wait=True)

    def seen(self) -> int:
        """Return the sequence number of the change log that it has followed."""
        with _told(self._where):
            return int(self._about().get("followed", 0)) if self._client.collection_exists(self._name) else 0

    def write(self, points: Sequence[Point], gone: Collection[int], seen: int) -> None:
        """Drop, put and note, in this order: broken off, it is done again. Raises StoreError."""
        m = self._models
        with _told(self._where):
            if points:
                self._made(len(points[0].vector) // 4)
            if not self._client.collection_exists(self._name):
                return  # nothing to drop yet, and nowhere to note it: an empty library is followed again
            if gone:
                these = m.Filter(must=[m.FieldCondition(key="holding", match=m.MatchAny(any=list(gone)))])
                self._client.delete(self._name, points_selector=m.FilterSelector(filter=these), wait=True)
            for start in range(0, len(points), BATCH):
                put = [
                    m.PointStruct(
                        id=str(uuid.uuid5(uuid.NAMESPACE_OID, key(p))),
                        vector=numbers(p.vector),
                        payload={"passage": p.id, "holding": p.holding, "source": p.source},
                    )
                    for p in points[start : start + BATCH]
                ]
                self._client.upsert(self._name, points=put, wait=True)
            self._note(seen)

    def _made(self, given: int) -> None:
        m = self._models
        if self._client.collection_exists(self._name):
            held = self._client.get_collection(self._name).config.params.vectors.size
            if held != given:
                raise unlike(self._model, given, held)
            return
        self._client.create_collection(self._name, vectors_config=m.VectorParams(size=given, distance=m.Distance.COSINE))
        if is_web(self._where):
            self._client.create_payload_index(self._name, "holding", m.PayloadSchemaType.INTEGER)
            self._client.create_payload_index(self._name, "source", m.PayloadSchemaType.KEYWORD)

    def nearest(self, vector: Sequence[float], limit: int, sources: Sequence[str] = ()) -> list[tuple[str, float]]:
        """Return the nearest passages with their cosine similarities, best first. Raises StoreError."""
        m = self._models
        these = m.Filter(must=[m.FieldCondition(key="source", match=m.MatchAny(any=list(sources)))]) if sources else None
        with _told(self._where):
            if not self._client.collection_exists(self._name):
                return []
            asked = list(map(float, vector))
            found = self._client.query_points(self._name, query=asked, query_filter=these, limit=limit, with_payload=["passage"]).points
        best: dict[str, float] = {}
        for point in found:
            best.setdefault(str(point.payload["passage"]), float(point.score))
        return list(best.items())

    def ids(self) -> Iterator[str]:
        """Yield every passage id that has a vector."""
        offset: Any = None
        while True:
            with _told(self._where):
                if not self._client.collection_exists(self._name):
                    return
                page, offset = self._client.scroll(self._name, limit=PAGE, offset=offset, with_payload=["passage"])
            yield from (str(point.payload["passage"]) for point in page)
            if offset is None:
                return

    def clear(self) -> None:
        """Forget everything but the model's name. Raises StoreError."""
        with _told(self._where):
            self._client.delete_collection(self._name)
            self._note(0)

    def shut(self) -> None:
        """Close the client."""
        self._client.close()


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Turn what the package raises into StoreError."""
    errors = needed("qdrant_client.http.exceptions", "pincite[qdrant]")
    try:
        yield
    except StoreError:
        raise
    except (errors.ApiException, ValueError, OSError, RuntimeError) as error:
        raise unreachable(where, error) from error
