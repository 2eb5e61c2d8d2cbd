"""Ctrl-C between transactions, not inside them.

In: an iterator whose items are worked on by its consumer. Out: the same items; an interruption that comes while the consumer works is
raised when the consumer asks for the next item, so that what was captured is written. While the iterator itself waits, it is raised at
once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


def undisturbed(items: Iterable[T]) -> Iterator[T]:
    """Yield the items with SIGINT held back while the consumer works; a second one is raised at once.

    A generator is told of it where it stands, so that it can still give what it has in work. Does nothing outside the main thread, or
    where somebody else handles the signal.
    """
    source, interrupted = iter(items), False
    while True:
        try:
            item = source.throw(KeyboardInterrupt()) if interrupted and isinstance(source, Generator) else next(source)
        except StopIteration:
            return
        interrupted = False
        try:
            with Held():
                yield item
        except KeyboardInterrupt:
            if not isinstance(source, Generator):
                raise
            interrupted = True


class Held:
    """Holds the first SIGINT back until the block ends; a second one is raised at once."""

    def __init__(self) -> None:
        self._came = False
        self._active = False

    def __enter__(self) -> None:
        ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if ours:
            signal.signal(signal.SIGINT, self._note)
            self._active = True

    def _note(self, number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._came = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self._active:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._active = False
        if self._came and kind is None:
            raise KeyboardInterrupt
