"""The frontier decides what to fetch next, and when."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.crawl.frontier import MAX_HOLD_S, Frontier, Job, Wait

A, B, C = ("https://a.example/1", "https://a.example/2", "https://a.example/3")
OTHER = "https://b.example/1"


def test_pages_of_one_host_are_kept_apart_and_another_host_is_not_held_up() -> None:
    frontier = Frontier(max_pages=10, delay_s=1.0)
    frontier.add([A, B, OTHER], 0)
    assert frontier.next(0.0) == Job(A, 0)
    assert frontier.next(0.0) == Job(OTHER, 0)
    assert frontier.next(0.25) == Wait(0.75)
    assert frontier.next(1.0) == Job(B, 0)


def test_no_more_pages_at_once_than_allowed() -> None:
    frontier = Frontier(max_pages=10, delay_s=0.0, concurrency=2)
    frontier.add([A, B, C], 0)
    first = frontier.next(0.0)
    assert isinstance(first, Job)
    assert isinstance(frontier.next(0.0), Job)
    assert frontier.next(0.0) is None
    frontier.done(first)
    assert frontier.next(0.0) == Job(C, 0)


def test_a_page_is_queued_once() -> None:
    frontier = Frontier(max_pages=10)
    assert frontier.add([A, A, B], 0) == (A, B)
    assert frontier.add([B, C], 1) == (C,)
    assert frontier.note(A) is False


def test_what_the_budget_leaves_over_is_told() -> None:
    frontier = Frontier(max_pages=1, delay_s=0.0)
    frontier.add([A, B, C], 0)
    assert frontier.next(0.0) == Job(A, 0)
    assert frontier.next(0.0) is None
    assert frontier.drain() == (B, C)
    assert frontier.drain() == ()


def test_links_too_deep_are_not_wanted() -> None:
    frontier = Frontier(max_pages=10, max_depth=1)
    assert frontier.add([A], 1) == (A,)
    assert frontier.add([B], 2) == ()


def test_a_page_comes_back_when_its_time_has_come_and_costs_no_budget() -> None:
    frontier = Frontier(max_pages=1, delay_s=0.0)
    frontier.add([A], 0)
    job = frontier.next(0.0)
    assert isinstance(job, Job)
    frontier.retry(job, 5.0)
    frontier.done(job, ok=False)
    assert frontier.next(1.0) == Wait(4.0)
    assert frontier.next(5.0) == Job(A, 0, attempt=2)


def test_a_host_that_asks_for_time_gets_it_and_is_asked_less_at_once() -> None:
    frontier = Frontier(max_pages=10, delay_s=0.0, concurrency=4)
    frontier.add([A, B, C], 0)
    job = frontier.next(0.0)
    assert isinstance(job, Job)
    frontier.slow_down(A, 0.0, 7.0)
    frontier.done(job, ok=False)
    assert frontier.next(1.0) == Wait(6.0)
    assert isinstance(frontier.next(7.0), Job)
    step = frontier.next(7.0)
    assert isinstance(step, Wait)


def test_nobody_is_waited_for_without_end() -> None:
    frontier = Frontier(max_pages=10)
    frontier.add([A], 0)
    frontier.slow_down(A, 0.0, 1e9)
    assert frontier.next(0.0) == Wait(MAX_HOLD_S)


def test_crawl_delay_means_one_page_at_a_time() -> None:
    frontier = Frontier(max_pages=10, delay_s=0.0)
    frontier.add([A, B], 0)
    frontier.set_delay(A, 3.0)
    assert frontier.next(0.0) == Job(A, 0)
    assert frontier.next(9.0) is None


def test_depth_first_takes_the_newest_and_best_first_the_highest_score() -> None:
    deep = Frontier(max_pages=10, delay_s=0.0, strategy="dfs")
    deep.add([A, B], 0)
    assert deep.next(0.0) == Job(B, 0)
    best = Frontier(max_pages=10, delay_s=0.0, strategy="best", score=lambda url: float(url[-1]))
    best.add([A, C, B], 0)
    assert best.next(0.0) == Job(C, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=40), st.integers(1, 4), st.floats(0, 2))
def test_every_page_is_handed_out_exactly_once(pages: list[tuple[str, int]], concurrency: int, delay_s: float) -> None:
    frontier, now, seen = Frontier(max_pages=1000, delay_s=delay_s, concurrency=concurrency), 0.0, list[str]()
    wanted = frontier.add([f"https://{host}.example/{n}" for host, n in pages], 0)
    flying: list[Job] = []
    while True:
        step = frontier.next(now)
        if isinstance(step, Job):
            seen.append(step.url)
            flying.append(step)
        elif isinstance(step, Wait):
            assert step.seconds > 0
            now += step.seconds
        elif flying:
            frontier.done(flying.pop())
        else:
            break
    assert sorted(seen) == sorted(wanted)
