"""Answers to reads that were given before, as bytes, as long as the library is the same.

In: the library's sequence number, the tag of a read, which says the question and the version. Out: the bytes, or nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

LIMIT_BYTES = 32 * 1024 * 1024
LARGEST = 512 * 1024


class Kept:
    """What was asked for last of the newest state of the library, up to a number of bytes; shared by the threads of one process."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit, self._size, self._seq = limit_bytes, 0, 0
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._guard = threading.Lock()

    @property
    def seq(self) -> int:
        """The newest sequence number that anybody read."""
        return self._seq

    def get(self, seq: int, tag: str) -> bytes | None:
        """Return what was answered under that tag; what answers of an older library hold is forgotten."""
        with self._guard:
            self._move_to(seq)
            found = self._held.get(tag)
            if found is not None:
                self._held.move_to_end(tag)
            return found

    def put(self, seq: int, tag: str, body: bytes) -> bytes:
        """Keep an answer, unless the library has changed meanwhile, and return it; what was unused longest goes."""
        with self._guard:
            self._move_to(seq)
            if seq == self._seq and len(body) <= LARGEST:
                self._size += len(body) - len(self._held.pop(tag, b""))
                self._held[tag] = body
                while self._size > self._limit:
                    self._size -= len(self._held.popitem(last=False)[1])
        return body

    def _move_to(self, seq: int) -> None:
        if seq > self._seq:
            self._held.clear()
            self._seq, self._size = seq, 0
