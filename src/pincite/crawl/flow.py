"""The bridge from the asynchronous crawl to the synchronous pipeline, and the grouping of pages into transactions.

In: a coroutine that emits pages. Out: an iterator of groups, each fit for one transaction. Works inside a running event loop too, since the
crawl runs in a thread of its own.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import anyio
from anyio.from_thread import start_blocking_portal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from pincite.types import PageOutcome, Wanted

Item = Wanted | PageOutcome
Emit = Callable[[Item], Awaitable[None]]
F = TypeVar("F")
Crawl = Callable[[F, Emit], Awaitable[None]]
"""Crawls with an opened fetcher and emits what it wants and gets."""

GROUP_ITEMS = 32
GROUP_BYTES = 4 * 1024 * 1024
GROUP_S = 2.0
"""Bounds of a group: what a kill can lose, against the cost of a transaction."""
TICK_S = 0.5
QUEUE_ITEMS = 64


def grouped(items: Iterable[Item | None], *, seconds: Callable[[], float] = time.monotonic) -> Iterator[Sequence[Item]]:
    """Yield the items in groups by count, bytes and age; None is a tick of time. What was gathered before an error comes out before it."""
    group: list[Item] = []
    size, began = 0, seconds()
    source = iter(items)
    while True:
        try:
            item = next(source)
        except StopIteration:
            break
        except BaseException:
            if group:
                yield tuple(group)
            raise
        if item is not None:
            if not group:
                began = seconds()
            group.append(item)
            size += _weight(item)
        if group and (len(group) >= GROUP_ITEMS or size >= GROUP_BYTES or seconds() - began >= GROUP_S):
            yield tuple(group)
            group, size = [], 0
    if group:
        yield tuple(group)


def _weight(item: Item) -> int:
    return len(item.fetched.body) if isinstance(item, PageOutcome) and item.fetched is not None else 0


def bridged(crawl: Crawl[F], make_fetcher: Callable[[], AbstractAsyncContextManager[F]]) -> Iterator[Item | None]:
    """Run the crawl in a thread of its own and yield what it emits; None when nothing came for half a second.

    The crawl waits when the consumer is slow. Closing the iterator, or an exception in the consumer, ends the crawl and its connections; an
    exception of the crawl comes out here, after what was emitted before it.
    """
    send, receive = anyio.create_memory_object_stream[Item](QUEUE_ITEMS)
    with start_blocking_portal() as portal:
        task = portal.start_task_soon(_drive, crawl, make_fetcher, send)
        try:
            while True:
                ended, item = portal.call(_next, receive)
                if ended:
                    break
                yield item
            task.result()
        finally:
            task.cancel()
            portal.call(_shut, receive)


async def _drive(crawl: Crawl[F], make_fetcher: Callable[[], AbstractAsyncContextManager[F]], send: MemoryObjectSendStream[Item]) -> None:
    try:
        async with send, make_fetcher() as fetcher:
            await crawl(fetcher, send.send)
    except BaseExceptionGroup as group:
        raise _only(group) from group


def _only(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return what a task group of one failure failed with."""
    first: BaseException = group
    while isinstance(first, BaseExceptionGroup) and len(first.exceptions) == 1:
        first = first.exceptions[0]
    return first


async def _next(receive: MemoryObjectReceiveStream[Item]) -> tuple[bool, Item | None]:
    with anyio.move_on_after(TICK_S):
        try:
            return False, await receive.receive()
        except anyio.EndOfStream:
            return True, None
    return False, None


async def _shut(receive: MemoryObjectReceiveStream[Item]) -> None:
    receive.close()
