"""Rates, windows, and whom a request is counted for."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.serve.limits import MemoryLimiter, Rate, client_address, client_key, limiter, networks, rate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1000/minute", Rate(1000, 60)),
        ("20/second", Rate(20, 1)),
        ("5 per hour", Rate(5, 3600)),
        ("10 per 5 minutes", Rate(10, 300)),
        ("3/day", Rate(3, 86400)),
    ],
)
def test_rates_are_read_as_they_are_written(text: str, expected: Rate) -> None:
    assert rate(text) == expected


@pytest.mark.parametrize("text", ["", "many", "0/minute", "10/fortnight", "10", "10 per 0 minutes"])
def test_a_rate_that_is_none_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="1000/minute"):
        rate(text)


@given(st.integers(1, 50), st.integers(1, 120), st.lists(st.floats(0, 30), min_size=1, max_size=200))
def test_no_window_lets_more_calls_through_than_twice_the_limit_and_a_wait_is_long_enough(
    calls: int, window: int, gaps: list[float]
) -> None:
    limit, at, passed = MemoryLimiter(Rate(calls, window)), 1_000_000.0, []

    async def run() -> None:
        nonlocal at
        for gap in gaps:
            at += gap
            wait = await limit.wait_s("c", at)
            if wait:
                assert await limit.wait_s("c", at + wait) == 0, "after the wait it may call"
                passed.append(at + wait)
                at += wait
            else:
                passed.append(at)

    asyncio.run(run())
    for first in passed:
        assert sum(first <= moment < first + window for moment in passed) <= 2 * calls


def test_clients_are_counted_apart_and_forgotten_ones_cost_no_memory() -> None:
    limit = MemoryLimiter(Rate(1, 60))

    async def run() -> None:
        assert await limit.wait_s("a", 0.0) == 0
        assert await limit.wait_s("a", 1.0) > 0
        assert await limit.wait_s("b", 1.0) == 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "expected"),
    [
        pytest.param("198.51.100.9", ["203.0.113.5"], [], "198.51.100.9", id="a header from anyone is not believed"),
        pytest.param("10.0.0.1", ["203.0.113.5"], ["10.0.0.0/8"], "203.0.113.5", id="a configured proxy is believed"),
        pytest.param("10.0.0.1", ["1.1.1.1, 203.0.113.5"], ["10.0.0.0/8"], "203.0.113.5", id="what the client wrote before is not"),
        pytest.param("10.0.0.1", ["203.0.113.5, 10.0.0.2"], ["10.0.0.0/8"], "203.0.113.5", id="two proxies in a row"),
        pytest.param("10.0.0.1", ["203.0.113.5", "198.51.100.1"], ["10.0.0.0/8"], "198.51.100.1", id="two header lines"),
        pytest.param("10.0.0.1", ["nonsense"], ["10.0.0.0/8"], "10.0.0.1", id="nonsense counts for the proxy"),
        pytest.param("10.0.0.1", [], ["10.0.0.0/8"], "10.0.0.1", id="no header"),
    ],
)
def test_forwarded_addresses_are_believed_from_configured_proxies_alone(
    peer: str, forwarded: list[str], proxies: list[str], expected: str
) -> None:
    assert client_address(peer, forwarded, networks(proxies)) == expected


def test_ipv6_clients_are_counted_by_their_network() -> None:
    assert client_key("2001:db8:1:2:aaaa::1") == client_key("2001:db8:1:2:bbbb::9") != client_key("2001:db8:1:3::1")
    assert client_key("203.0.113.5") == "203.0.113.5"


@pytest.mark.parametrize("storage", ["file:///tmp/x", "", "http://example.org"])
def test_an_unknown_storage_is_a_usage_error(storage: str) -> None:
    with pytest.raises(UsageError, match="storage_uri"):
        limiter("10/minute", storage)


def test_proxies_that_are_no_networks_are_a_usage_error() -> None:
    with pytest.raises(UsageError, match="trusted_proxies"):
        networks(["everyone"])
