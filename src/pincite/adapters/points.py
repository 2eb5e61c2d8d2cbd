"""What every vector server is told and asked in the same way.

In: points, the model's name. Out: keys, plain numbers, refusals. A point is kept under its passage and its holding, since two intervals may
hold the same passage.
"""

from __future__ import annotations

import struct

from pincite.errors import StoreError
from pincite.types import Point


def key(point: Point) -> str:
    """Return what a point is kept under."""
    return f"{point.id}@{point.holding}"


def numbers(vector: bytes) -> list[float]:
    """Return a packed vector's numbers."""
    return list(struct.unpack(f"<{len(vector) // 4}f", vector))


def agreed(where: str, name: str, told: str, model: str) -> None:
    """Refuse a collection that another model filled. Raises StoreError."""
    if told and told != model:
        raise StoreError(
            f"The collection {name} at {where} was filled by {told}, not by {model}. Name another with vectors_collection, or set"
            " embed_model back.",
            rule="model",
        )


def unreachable(where: str, error: Exception) -> StoreError:
    """Return what to raise when the server does not answer as it should."""
    said = (str(error).splitlines() or [type(error).__name__])[0][:300]
    return StoreError(f"The vector store at {where} can't be used: {said}. Check vectors_url, and that it runs.", rule="vectors")


def unlike(model: str, given: int, held: int) -> StoreError:
    """Return what to raise for vectors of another length."""
    return StoreError(f"{model} gives {given} dimensions, the vectors placed before have {held}.", rule="model")
