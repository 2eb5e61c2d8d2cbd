"""Reads that are answered from what was answered before, as long as the library is the same.

In: a request, what makes its answer from a Library. Out: a response with its tag: 304, bytes that are kept, or new ones. What is kept is
found without waiting for a thread that searches; only the library's sequence number is asked for, once for all who wait.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi import Request
from starlette.responses import Response

from pincite.serve.events import answered
from pincite.serve.service import KEEP, Service, etag, unchanged

if TYPE_CHECKING:
    from pincite.library import Library

LEVEL = 3
SMALLEST = 1000
"""Bytes; less is not compressed."""
GZIP = b"\x1f\x8b"
"""How a gzip stream begins (RFC 1952 §2.3.1), and no JSON."""


async def read(service: Service, request: Request, make: Callable[[Library], bytes]) -> Response:
    """Return 304 or the answer. Raises what `make` raises."""
    packed = "gzip" in request.headers.get("accept-encoding", "")
    seq = await service.newest.seq()
    tag = etag(service, seq, request)
    if (same := unchanged(request, tag)) is not None:
        return same
    kept = service.kept.get(seq, _key(tag, packed))
    if kept is not None:
        body = kept
    else:
        tag, body = await service.readers.run(lambda library: _made(service, request, library, make, packed))
    if body.startswith(GZIP):
        return answered(body, ETag=tag, Cache_Control=KEEP, Content_Encoding="gzip", Vary="Accept-Encoding")
    return answered(body, ETag=tag, Cache_Control=KEEP)


def _made(service: Service, request: Request, library: Library, make: Callable[[Library], bytes], packed: bool) -> tuple[str, bytes]:
    """Make the answer, unless somebody else made it while this request waited for a thread."""
    seq, kept = library.seq(), service.kept
    tag = etag(service, seq, request)
    body = kept.get(seq, _key(tag, False)) or kept.put(seq, _key(tag, False), make(library))
    if not packed:
        return tag, body
    return tag, kept.get(seq, _key(tag, True)) or kept.put(
        seq, _key(tag, True), gzip.compress(body, LEVEL) if len(body) > SMALLEST else body
    )


def _key(tag: str, packed: bool) -> str:
    return f"{tag};gzip" if packed else tag
