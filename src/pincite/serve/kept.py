"""Answers to reads that were given before, as bytes, as long as the library is the same.

In: the tag of a read, which changes with the library's sequence number, the question and the version. Out: the bytes, or nothing.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

LIMIT_BYTES = 32 * 1024 * 1024
LARGEST = 512 * 1024


class Kept:
    """What was asked for last, up to a number of bytes; shared by the threads of one process."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit, self._size = limit_bytes, 0
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, tag: str) -> bytes | None:
        """Return what was answered under that tag."""
        with self._guard:
            found = self._held.get(tag)
            if found is not None:
                self._held.move_to_end(tag)
            return found

    def put(self, tag: str, body: bytes) -> bytes:
        """Keep an answer and return it; what was unused longest goes."""
        if len(body) > LARGEST:
            return body
        with self._guard:
            self._size += len(body) - len(self._held.pop(tag, b""))
            self._held[tag] = body
            while self._size > self._limit:
                self._size -= len(self._held.popitem(last=False)[1])
        return body
