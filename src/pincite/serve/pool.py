"""Threads that each own one open Library, so that reading never blocks the event loop and no handle is shared.

In: a function of a Library. Out: what it returns, awaited. Each thread opens its Library when it starts and closes it when it stops.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.errors import PinciteError, StoreError

if TYPE_CHECKING:
    from pincite.library import Library

T = TypeVar("T")
Task = tuple[Callable[["Library"], Any], "Future[Any]"]
WAITING = 1000
"""Calls that may wait for a thread; more are turned away with 503 at once."""


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

    def _work(self) -> None:
        library: Library | None = None
        while (task := self._tasks.get()) is not None:
            work, future = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                library = library or self._factory()
                result = work(library)
            except (PinciteError, Exception) as error:  # noqa: BLE001 - it is raised again where it is awaited
                future.set_exception(error)
            else:
                future.set_result(result)
            del work, future, task
        if library is not None:
            library.close()
