"""Server-sent events and JSON as bytes: the two forms in which routes write.

In: values of JSON types. Out: bytes and responses. HTML Living Standard §9.2.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response, StreamingResponse


def encoded(value: Any) -> bytes:
    """Return JSON as UTF-8, without blanks; a lone surrogate is written as its escape."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        return json.dumps(value, separators=(",", ":")).encode()


def answered(value: Any, status: int = 200, **headers: str) -> Response:
    """Return JSON, given as a value or already as bytes; header names are written with underscores."""
    body = value if isinstance(value, bytes) else encoded(value)
    return Response(body, status, {name.replace("_", "-"): text for name, text in headers.items()}, media_type="application/json")


def event(name: str, data: Any, number: int | None = None) -> bytes:
    """Return one event; its data is one line of JSON."""
    head = b"" if number is None else b"id: %d\n" % number
    return head + b"event: " + name.encode() + b"\ndata: " + encoded(data) + b"\n\n"


def streamed(events: AsyncIterator[bytes]) -> StreamingResponse:
    """Return a stream of events that no proxy holds back."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
