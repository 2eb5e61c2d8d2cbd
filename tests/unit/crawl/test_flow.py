"""Grouping for transactions, and the bridge from the asynchronous crawl."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
import pytest

from pincite.crawl import flow
from pincite.crawl.flow import Emit
from pincite.errors import SourceError
from pincite.types import PageOutcome

OPEN: list[str] = []


@asynccontextmanager
async def fetcher() -> AsyncIterator[str]:
    OPEN.append("open")
    try:
        yield "fetcher"
    finally:
        OPEN.clear()


def page(n: int) -> PageOutcome:
    return PageOutcome(f"https://docs.example/{n}", "skipped", "x")


async def ten(_: str, emit: Emit) -> None:
    for n in range(10):
        await emit(page(n))


async def failing(_: str, emit: Emit) -> None:
    await emit(page(1))
    async with anyio.create_task_group():
        raise SourceError("broken", rule="dns")


async def endless(_: str, emit: Emit) -> None:
    n = 0
    while True:
        await emit(page(n := n + 1))


def test_what_is_emitted_comes_out_in_order() -> None:
    assert [item for item in flow.bridged(ten, fetcher) if item] == [page(n) for n in range(10)]
    assert not OPEN


def test_it_works_inside_a_running_loop() -> None:
    async def main() -> int:
        return len([item for item in flow.bridged(ten, fetcher) if item])

    assert asyncio.run(main()) == 10


def test_the_crawls_own_error_comes_out_after_its_pages() -> None:
    got: list[object] = []
    groups = flow.grouped(flow.bridged(failing, fetcher))
    got.extend(next(groups))
    with pytest.raises(SourceError) as caught:
        next(groups)
    assert caught.value.rule == "dns"
    assert got == [page(1)]


def test_a_consumer_that_stops_ends_the_crawl_and_its_thread() -> None:
    before = threading.active_count()
    items = flow.bridged(endless, fetcher)
    assert next(items)
    items.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert not OPEN


def test_a_slow_consumer_holds_the_crawl_up() -> None:
    emitted: list[int] = []

    async def eager(_: str, emit: Emit) -> None:
        for n in range(1000):
            await emit(page(n))
            emitted.append(n)

    items = flow.bridged(eager, fetcher)
    next(items)
    threading.Event().wait(0.2)
    assert len(emitted) <= flow.QUEUE_ITEMS + 2
    items.close()  # type: ignore[attr-defined]


def test_groups_are_bounded_by_count_and_by_age() -> None:
    assert [len(g) for g in flow.grouped(page(n) for n in range(flow.GROUP_ITEMS + 1))] == [flow.GROUP_ITEMS, 1]
    times = iter([0.0, 0.0, 0.1, flow.GROUP_S + 1, 9.0, 9.0, 9.0])
    ticking = [page(1), None, None, page(2)]
    assert [len(g) for g in flow.grouped(ticking, seconds=lambda: next(times))] == [1, 1]


def test_ctrl_c_keeps_what_was_gathered() -> None:
    def interrupted() -> Iterator[PageOutcome]:
        yield page(1)
        raise KeyboardInterrupt

    groups = flow.grouped(interrupted())
    assert next(groups) == (page(1),)
    with pytest.raises(KeyboardInterrupt):
        next(groups)
