"""How often one client may call: a sliding window in memory, or counters in Redis for several processes.

In: `1000/minute`, a client's address. Out: leave, or the seconds to wait. The address is the peer's, or the one that a configured proxy
vouches for.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.errors import UsageError

LOG = logging.getLogger("pincite.http")
CONNECTIONS = 16
"""Connections of one process to Redis."""
AWAY_S = 5.0
"""How long a Redis that did not answer is left alone."""
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
WRITTEN = re.compile(r"\s*(\d+)\s*(?:/|per\s)\s*(\d+)?\s*(second|minute|hour|day)s?\s*", re.I)
CLIENTS = 50_000
"""Clients remembered at once; beyond, the one unseen for longest is forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls in a window of seconds."""

    calls: int
    window_s: int


def rate(text: str) -> Rate:
    """Parse `1000/minute`, `10 per 5 seconds`. Raises UsageError."""
    found = WRITTEN.fullmatch(text)
    if not found or not int(found[1]) or found[2] == "0":
        raise UsageError(f"`rate_limiting.default_limit` is {text!r}; write it as `1000/minute`, `20/second` or `10 per 5 minutes`.")
    return Rate(int(found[1]), int(found[2] or 1) * SECONDS[found[3].lower()])


class Limiter(Protocol):
    """Counts calls."""

    async def wait_s(self, client: str, now: float) -> int:
        """Count a call and return 0, or the whole seconds after which the client may call again."""

    async def close(self) -> None:
        """Release what it holds."""


class MemoryLimiter:
    """A sliding window made of two fixed ones, the older weighted by its overlap; memory does not grow with the number of calls."""

    def __init__(self, limit: Rate) -> None:
        self._limit = limit
        self._windows: OrderedDict[str, tuple[int, int, int]] = OrderedDict()

    async def wait_s(self, client: str, now: float) -> int:
        """Count a call and return 0, or the whole seconds after which the client may call again."""
        window = int(now // self._limit.window_s)
        share = now / self._limit.window_s - window
        held, current, before = self._windows.get(client, (window, 0, 0))
        if held != window:
            current, before = 0, current if held == window - 1 else 0
        if before * (1 - share) + current + 1 > self._limit.calls:
            self._windows[client] = (window, current, before)
            return wait_of(self._limit, current, before, share)
        self._windows[client] = (window, current + 1, before)
        self._windows.move_to_end(client)
        if len(self._windows) > CLIENTS:
            self._windows.popitem(last=False)
        return 0

    async def close(self) -> None:
        """Hold nothing."""


COUNT = """
local current, before = tonumber(redis.call("GET", KEYS[1]) or "0"), tonumber(redis.call("GET", KEYS[2]) or "0")
if before * (1 - tonumber(ARGV[2])) + current + 1 > tonumber(ARGV[1]) then return {0, current, before} end
redis.call("INCR", KEYS[1])
redis.call("EXPIRE", KEYS[1], ARGV[3])
return {1, current, before}
"""
"""One call, counted and judged at once, so that no two processes let the same last call through."""


class RedisLimiter:
    """The same sliding window counted in Redis, shared by all processes. While Redis is away, each process counts for itself."""

    def __init__(self, limit: Rate, uri: str) -> None:
        try:
            from redis import asyncio as redis
        except ImportError as error:
            raise UsageError("Limits counted in Redis need its client: pip install 'pincite[redis]'.") from error
        self._limit, self._redis = limit, redis.from_url(uri, socket_timeout=2, socket_connect_timeout=2)
        self._turns = asyncio.Semaphore(CONNECTIONS)
        self._count, self._own = self._redis.register_script(COUNT), MemoryLimiter(limit)
        self._away_until = 0.0

    async def wait_s(self, client: str, now: float) -> int:
        """Count a call and return 0, or the whole seconds after which the client may call again."""
        from redis.exceptions import RedisError

        if now < self._away_until:
            return await self._own.wait_s(client, now)
        window = int(now // self._limit.window_s)
        share = now / self._limit.window_s - window
        keys = [f"pincite:rate:{{{client}}}:{number}" for number in (window, window - 1)]
        try:
            async with self._turns:
                passed, current, before = await self._count(keys, [self._limit.calls, share, 2 * self._limit.window_s])
        except (RedisError, OSError) as error:
            LOG.warning("redis", extra={"facts": {"error": type(error).__name__}})
            self._away_until = now + AWAY_S
            return await self._own.wait_s(client, now)
        return 0 if passed else wait_of(self._limit, current, before, share)

    async def close(self) -> None:
        """Release the connections."""
        await self._redis.aclose()


def wait_of(limit: Rate, current: int, before: int, share: float) -> int:
    """Return the whole seconds until one more call fits, given the counts of this window and the one before, and the share that is over."""
    spare = limit.calls - 1
    until = 1 - (spare - current) / before if before and current <= spare else 1 + (1 - spare / current if current else 0)
    return max(1, math.ceil((until - share) * limit.window_s))


def limiter(text: str, storage: str) -> Limiter:
    """Return the limiter that the settings ask for. Raises UsageError."""
    if storage.startswith("memory:"):
        return MemoryLimiter(rate(text))
    if storage.startswith(("redis:", "rediss:", "unix:")):
        return RedisLimiter(rate(text), storage)
    raise UsageError(f"`rate_limiting.storage_uri` is {storage!r}; it may be memory:// or redis://host:port/0.")


Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]


def networks(written: Sequence[str]) -> Networks:
    """Parse the configured proxies. Raises UsageError."""
    try:
        return tuple(ipaddress.ip_network(text, strict=False) for text in written)
    except ValueError as error:
        raise UsageError(f"`security.trusted_proxies`: {error}.") from error


def client_address(peer: str, forwarded: Sequence[str], proxies: Networks) -> str:
    """Return the client's address: the right-most hop of `X-Forwarded-For` that no configured proxy wrote for itself."""
    hops = [hop.strip() for line in forwarded for hop in line.split(",") if hop.strip()]
    address = peer
    while hops and _within(address, proxies):
        address = hops.pop()
        if not _is_address(address):
            return peer
    return address


def client_key(address: str) -> str:
    """Return what a client is counted by: its IPv4 address, or the /64 of its IPv6 address, which is one customer's (RFC 6177)."""
    if ":" not in address or not _is_address(address):
        return address
    return str(ipaddress.ip_network(address.partition("%")[0] + "/64", strict=False))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _within(text: str, proxies: Networks) -> bool:
    return bool(proxies) and _is_address(text) and any(ipaddress.ip_address(text) in network for network in proxies)
