"""Content codings undone in bounded steps, so that a small answer can't become a large one at once. No I/O.

In: raw chunks and the Content-Encoding. Out: decoded chunks of at most 64 KiB, gathered up to a limit. Only what was offered is undone:
gzip and deflate.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import Protocol

from pincite.errors import SourceError

OFFERED = "gzip, deflate"
STEP_BYTES = 65536


class Decoder(Protocol):
    """Undoes one coding."""

    def feed(self, chunk: bytes) -> Iterator[bytes]: ...
    def is_done(self) -> bool: ...


class Identity:
    """Hands chunks on as they are."""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the chunk."""
        yield chunk

    def is_done(self) -> bool:
        """Say that nothing is missing; the transport knows the length."""
        return True


class Inflate:
    """Undoes gzip (several members too), zlib, and deflate without a header, as some servers send it."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._begun = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what the chunk decodes to, step by step. Raises SourceError (rule `encoding`) for damaged data."""
        while chunk:
            if self._inflate.eof:
                if not chunk.strip(b"\0"):
                    return
                self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
            try:
                out = self._inflate.decompress(chunk, STEP_BYTES)
            except zlib.error as error:
                if self._begun:
                    raise SourceError("The answer's compression is damaged.", rule="encoding") from error
                self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
                self._begun = True
                continue
            self._begun = True
            if out:
                yield out
            chunk = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail

    def is_done(self) -> bool:
        """Say whether the coding came to its end."""
        return self._inflate.eof or not self._begun


def decoder(coding: str) -> Decoder:
    """Return the decoder for a Content-Encoding. Raises SourceError (rule `encoding`) for one that was not offered, and for chains."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        return Identity()
    if name in ("gzip", "x-gzip", "deflate"):
        return Inflate()
    raise SourceError(f"The server answered in a coding that was not offered: {name[:40]}.", rule="encoding")


class Bounded:
    """Gathers a body up to a limit; at no time is there more of it in memory, and no second copy."""

    def __init__(self, limit: int) -> None:
        self._limit, self._held, self._full = limit, io.BytesIO(), False

    def take(self, piece: bytes) -> bool:
        """Add a piece; False where it did not fit, and only its beginning was taken."""
        at = self._held.tell()
        room = self._limit - at
        if not self._full and 8 * (at + len(piece)) > 7 * self._limit > 0:
            self._full = True
            self._held.seek(self._limit - 1)
            self._held.write(b"\0")  # the last growth, and an exact one: BytesIO would add an eighth each time
            self._held.seek(at)
        self._held.write(piece if len(piece) <= room else piece[:room])
        return len(piece) <= room

    def value(self) -> bytes:
        """Return what was gathered."""
        self._held.truncate()
        return self._held.getvalue()
