"""Answers that are kept, and the one reading of the library's state for all who wait."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from pincite.errors import StoreError
from pincite.serve import heap
from pincite.serve.kept import LARGEST, Kept
from pincite.serve.newest import Newest
from pincite.serve.pool import Pool


def test_an_answer_is_given_again_as_long_as_the_library_is_the_same() -> None:
    kept = Kept()
    kept.put(3, "a", b"one")
    assert kept.get(3, "a") == b"one"
    assert kept.get(4, "a") is None
    assert kept.get(3, "a") is None, "what an older library answered is forgotten for good"


def test_an_answer_that_comes_late_is_not_kept() -> None:
    kept = Kept()
    assert kept.get(5, "a") is None
    assert kept.put(4, "a", b"old") == b"old"
    assert kept.get(4, "a") is None
    assert kept.get(5, "a") is None


def test_what_is_kept_stays_within_its_bytes_and_the_unused_goes_first() -> None:
    kept = Kept(limit_bytes=100)
    for name in "abc":
        kept.put(1, name, name.encode() * 40)
        kept.get(1, "a")
    assert [kept.get(1, name) is not None for name in "abc"] == [True, False, True]
    kept.put(1, "huge", b"x" * (LARGEST + 1))
    assert kept.get(1, "huge") is None
    kept.put(1, "a", b"again")
    assert kept.get(1, "a") == b"again"


class Counter:
    """A library whose number is how often it was asked, and that can be held up."""

    def __init__(self) -> None:
        self.asked, self.open = 0, threading.Event()

    def seq(self) -> int:
        self.open.wait(10)
        self.asked += 1
        return self.asked

    def close(self) -> None:
        """Hold nothing."""


def test_all_who_wait_share_one_reading_and_nobody_gets_one_that_began_before_he_asked() -> None:
    library: Any = Counter()
    pool = Pool(lambda: library, 1, name="test")
    pool.start()

    async def run() -> None:
        newest = Newest(pool)
        first = [asyncio.create_task(newest.seq()) for _ in range(50)]
        await asyncio.sleep(0.05)
        later = [asyncio.create_task(newest.seq()) for _ in range(50)]
        await asyncio.sleep(0.05)
        library.open.set()
        assert set(await asyncio.gather(*first)) == {1}
        assert set(await asyncio.gather(*later)) == {2}
        assert await newest.seq() == 3

    asyncio.run(run())
    pool.stop()


def test_a_reading_that_fails_fails_for_all_and_the_next_one_is_new() -> None:
    def broken() -> Any:
        raise StoreError("gone")

    pool = Pool(broken, 1, name="test")
    pool.start()

    async def run() -> None:
        newest = Newest(pool)
        for _ in range(2):
            for answer in await asyncio.gather(*(newest.seq() for _ in range(3)), return_exceptions=True):
                assert isinstance(answer, StoreError)

    asyncio.run(run())
    pool.stop()


def test_one_who_leaves_does_not_take_the_reading_from_the_others() -> None:
    library: Any = Counter()
    pool = Pool(lambda: library, 1, name="test")
    pool.start()

    async def run() -> None:
        newest = Newest(pool)
        leaving, staying = asyncio.create_task(newest.seq()), asyncio.create_task(newest.seq())
        await asyncio.sleep(0.02)
        leaving.cancel()
        library.open.set()
        assert await staying == 1
        with pytest.raises(asyncio.CancelledError):
            await leaving

    asyncio.run(run())
    pool.stop()


def test_memory_is_given_back_after_a_change_and_not_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(heap, "give_back", lambda: given.append(1))
    state = [0]

    async def run() -> None:
        task = asyncio.create_task(heap.tend(lambda: state[0], look_s=0.01))
        await asyncio.sleep(0.05)
        assert not given
        state[0] = 1
        await asyncio.sleep(0.1)
        assert given == [1]
        task.cancel()

    asyncio.run(run())


def test_the_switches_of_the_heap_may_be_pressed_anywhere() -> None:
    assert heap.give_back() in (True, False)
