"""An interruption waits for the consumer, and only there."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import pytest

from pincite.interrupts import undisturbed


def consume(items: Iterable[int], work: Callable[[int], None]) -> list[int]:
    """Work on the items until an interruption or error, and return those whose work was done."""
    done: list[int] = []
    with suppress(KeyboardInterrupt, ZeroDivisionError):
        for item in undisturbed(items):
            work(item)
            done.append(item)
        done.append(-1)
    return done


def interrupt(_: int) -> None:
    signal.raise_signal(signal.SIGINT)


def interrupt_twice(_: int) -> None:
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)


def waiting() -> Iterator[int]:
    yield 1
    signal.raise_signal(signal.SIGINT)
    yield 2


@pytest.mark.parametrize(
    ("items", "work", "done"),
    [
        pytest.param([1, 2], print, [1, 2, -1], id="nothing happens"),
        pytest.param([1, 2], interrupt, [1], id="it waits until the work on an item is done"),
        pytest.param([1, 2], interrupt_twice, [], id="the second one is raised at once"),
        pytest.param(waiting(), print, [1], id="while the source waits it is raised at once"),
        pytest.param([0], lambda item: 1 / item, [], id="the consumer fails"),
    ],
)
def test_interruption_comes_between_two_items(items: Iterable[int], work: Callable[[int], None], done: list[int]) -> None:
    assert consume(items, work) == done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_thread_that_is_not_the_main_one_gets_the_items_as_they_are() -> None:
    got: list[int] = []
    thread = threading.Thread(target=lambda: got.extend(undisturbed([1, 2])))
    thread.start()
    thread.join()
    assert got == [1, 2]
