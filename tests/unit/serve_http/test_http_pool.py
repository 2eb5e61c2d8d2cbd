"""Threads with a Library each."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from pincite.errors import StoreError, UsageError
from pincite.serve.pool import Pool


class Handle:
    """Stands for a Library: knows its thread, and whether it was closed there."""

    def __init__(self, made: list[Handle]) -> None:
        self.thread, self.closed_by = threading.get_ident(), 0
        made.append(self)

    def close(self) -> None:
        self.closed_by = threading.get_ident()


def running(count: int, made: list[Handle], **options: Any) -> Pool:
    pool = Pool(lambda: Handle(made), count, name="test", **options)  # type: ignore[arg-type,return-value]
    pool.start()
    return pool


def test_each_thread_opens_uses_and_closes_its_own_handle() -> None:
    made: list[Handle] = []
    pool, together = running(3, made), threading.Barrier(3, timeout=10)

    def work(handle: Any) -> bool:
        together.wait()
        return bool(handle.thread == threading.get_ident())

    async def calls() -> list[bool]:
        return await asyncio.gather(*(pool.run(work) for _ in range(3)))

    assert asyncio.run(calls()) == [True] * 3
    pool.stop()
    assert [handle.closed_by == handle.thread for handle in made] == [True] * 3


def test_what_the_work_raises_is_raised_where_it_is_awaited() -> None:
    pool = running(1, [])

    def work(handle: Any) -> None:
        raise UsageError("no such thing")

    with pytest.raises(UsageError, match="no such thing"):
        asyncio.run(pool.run(work))
    pool.stop()


def test_more_calls_than_may_wait_are_turned_away() -> None:
    pool, go, held = running(1, [], waiting=2), threading.Event(), threading.Event()

    def hold(handle: Any) -> bool:
        held.set()
        return go.wait(10)

    async def calls() -> list[Any]:
        first = asyncio.ensure_future(pool.run(hold))
        await asyncio.to_thread(held.wait, 10)
        rest = [asyncio.ensure_future(pool.run(lambda _: True)) for _ in range(4)]
        await asyncio.sleep(0.01)
        go.set()
        return await asyncio.gather(first, *rest, return_exceptions=True)

    done = asyncio.run(calls())
    pool.stop()
    assert done[:3] == [True] * 3
    assert all(isinstance(error, StoreError) for error in done[3:])


def test_a_cancelled_call_that_still_waits_is_not_carried_out() -> None:
    pool, go, held = running(1, []), threading.Event(), threading.Event()
    ran: list[int] = []

    def hold(handle: Any) -> bool:
        held.set()
        return go.wait(10)

    async def calls() -> None:
        first = asyncio.ensure_future(pool.run(hold))
        await asyncio.to_thread(held.wait, 10)
        second = asyncio.ensure_future(pool.run(lambda _: ran.append(1)))
        await asyncio.sleep(0.01)
        second.cancel()
        await asyncio.sleep(0.01)
        go.set()
        await first

    asyncio.run(calls())
    pool.stop()
    assert not ran


def test_a_library_that_can_not_be_opened_is_an_error_of_the_call_and_is_tried_again() -> None:
    tries: list[int] = []

    def factory() -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise StoreError("locked")
        return Handle([])

    pool = Pool(factory, 1, name="test")
    pool.start()
    with pytest.raises(StoreError, match="locked"):
        asyncio.run(pool.run(lambda _: 1))
    assert asyncio.run(pool.run(lambda _: 1)) == 1
    pool.stop()
