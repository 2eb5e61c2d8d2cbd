"""Limits counted in a real Redis: shared by processes, kept when it goes away, the same as those counted in memory."""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.serve.limits import AWAY_S, MemoryLimiter, Rate, RedisLimiter

pytest.importorskip("redis")
pytestmark = [pytest.mark.redis, pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")]


class Server:
    """A Redis on loopback that keeps nothing."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [
            "redis-server",
            "--bind",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(folder),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.uri = f"redis://127.0.0.1:{self.port}/0"
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.stop()


def test_two_processes_count_one_client_together_and_clients_apart(redis: Server) -> None:
    async def run() -> None:
        first, second = RedisLimiter(Rate(4, 60), redis.uri), RedisLimiter(Rate(4, 60), redis.uri)
        waits = [await (first, second)[i % 2].wait_s("ann", 6_000_000.0) for i in range(6)]
        assert waits[:4] == [0, 0, 0, 0]
        assert all(0 < wait <= 120 for wait in waits[4:])
        assert await second.wait_s("bob", 6_000_000.0) == 0
        assert await second.wait_s("ann", 6_000_000.0 + waits[4]) == 0, "after the wait she may call"
        for limiter in (first, second):
            await limiter.close()

    asyncio.run(run())


def test_calls_at_the_same_instant_never_pass_the_limit(redis: Server) -> None:
    async def run() -> None:
        limiters = [RedisLimiter(Rate(10, 60), redis.uri) for _ in range(4)]
        waits = await asyncio.gather(*(limiters[i % 4].wait_s("ann", 6_000_000.0) for i in range(100)))
        assert waits.count(0) == 10
        for limiter in limiters:
            await limiter.close()

    asyncio.run(run())


@pytest.mark.parametrize("seed", range(5))
def test_redis_and_memory_decide_alike(redis: Server, seed: int) -> None:
    chance = random.Random(seed)

    async def run() -> None:
        limit = Rate(chance.randint(1, 8), chance.choice([1, 7, 60]))
        memory, shared, now = MemoryLimiter(limit), RedisLimiter(limit, redis.uri), 7_000_000.0
        for _ in range(150):
            now += chance.choice([0, 0.01, 0.3, 2, limit.window_s / 3, limit.window_s * 1.5])
            assert await memory.wait_s("ann", now) == await shared.wait_s("ann", now)
        await shared.close()

    asyncio.run(run())


def test_what_is_counted_is_forgotten_by_itself(redis: Server) -> None:
    async def run() -> None:
        limiter = RedisLimiter(Rate(5, 1), redis.uri)
        await limiter.wait_s("ann", 6_000_000.0)
        (key,) = await limiter._redis.keys("*")
        assert 0 < await limiter._redis.ttl(key) <= 2
        await limiter.close()

    asyncio.run(run())


def test_while_redis_is_away_each_process_still_limits_and_answers_at_once(redis: Server) -> None:
    async def run() -> None:
        limiter, now = RedisLimiter(Rate(3, 60), redis.uri), 6_000_000.0
        assert await limiter.wait_s("ann", now) == 0
        redis.stop()
        waits = [await limiter.wait_s("ann", now) for _ in range(5)]
        assert waits[:3] == [0, 0, 0]
        assert all(waits[3:])
        begun = time.perf_counter()
        for _ in range(1000):
            await limiter.wait_s("ann", now)
        assert time.perf_counter() - begun < 1, "a Redis that is away is not asked each time"
        assert await limiter.wait_s("bob", now + AWAY_S + 1) == 0
        await limiter.close()

    asyncio.run(run())


def test_a_server_counts_in_redis_and_says_when_to_come_back(redis: Server, connect: Callable[..., TestClient]) -> None:
    options = {"rate_limiting_enabled": True, "rate_limiting_default_limit": "3/hour", "rate_limiting_storage_uri": redis.uri}
    one, other = connect(**options), connect(**options)
    answers = [client.get("/v1/sources") for client in (one, other, one, other)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 0 < int(answers[3].headers["Retry-After"]) <= 7200
