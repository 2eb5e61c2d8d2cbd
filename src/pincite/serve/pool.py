"""Threads that each own one open Library, so that reading never blocks the event loop and no handle is shared.

In: a function of a Library. Out: what it returns, awaited. Each thread opens its Library when it starts and closes it when it stops.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.errors import StoreError

if TYPE_CHECKING:
    from pincite.library import Library

T = TypeVar("T")
Task = tuple[Callable[["Library"], Any], "Future[Any]"]
WAITING = 1000
"""Calls that may wait for a thread; more are turned away with 503 at once."""


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


class Settled:
    """What a block raises becomes the exception of its future, raised again where the result is read."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        """Hand over what the block raised."""
        if error is not None:
            self._future.set_exception(error)
        return True


class Pool:
    """A fixed number of threads before one queue, each with a Library."""

    def __init__(self, factory: Callable[[], Library], count: int, *, name: str, waiting: int = WAITING) -> None:
        self._factory, self._waiting = factory, waiting
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, name=f"pincite-{name}-{i}", daemon=True) for i in range(count)]
        self._open = False

    def start(self) -> None:
        """Start the threads."""
        self._open = True
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what waits, close every Library and join the threads."""
        self._open = False
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def waiting(self) -> int:
        """Return how many calls wait for a thread."""
        return self._tasks.qsize()

    async def run(self, work: Callable[[Library], T]) -> T:
        """Run the function at the next free thread. Raises what it raises, and StoreError where too many wait or the server stops."""
        if not self._open or self._tasks.qsize() >= self._waiting:
            raise StoreError("The server is busy or stopping. Try again in a moment.", rule="busy")
        future: Future[T] = Future()
        self._tasks.put((work, future))
        return await asyncio.wrap_future(future)

    async def stream(self, work: Callable[[Library], Iterator[T]]) -> AsyncIterator[T]:
        """Run a generator at the next free thread and give what it yields, as it comes. Left early, it ends at its next item."""
        loop, items, gone = asyncio.get_running_loop(), asyncio.Queue[T | _End](), threading.Event()

        def drive(library: Library) -> None:
            for item in work(library):
                if gone.is_set():
                    return
                loop.call_soon_threadsafe(items.put_nowait, item)

        running = asyncio.ensure_future(self.run(drive))
        running.add_done_callback(lambda done: items.put_nowait(_End(None if done.cancelled() else done.exception())))
        try:
            while not isinstance(item := await items.get(), _End):
                yield item
            if item.error is not None:
                raise item.error
        finally:
            gone.set()

    def _work(self) -> None:
        library: Library | None = None
        while (task := self._tasks.get()) is not None:
            work, future = task
            if not future.set_running_or_notify_cancel():
                continue
            with Settled(future):
                library = library or self._factory()
                future.set_result(work(library))
            del work, future, task
        if library is not None:
            library.close()
