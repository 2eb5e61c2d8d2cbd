"""What to fetch next, and when. No I/O and no clock: `next(now)` decides, the driver fetches.

In: URLs with their depth, what became of them, the time in seconds. Out: a job, a wait, or nothing left to do.
Politeness is per host: so many requests at once, so far apart, longer where the host asked for it.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

MAX_DELAY_S = 60.0
MAX_HOLD_S = 300.0
"""The longest Retry-After that a crawl sits out; pages of a host that asks for more are reported, not waited for."""
Strategy = Literal["bfs", "dfs", "best"]


@dataclass(frozen=True, slots=True)
class Job:
    """A page to fetch now; `attempt` counts from 1."""

    url: str
    depth: int
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing may be fetched for so many seconds, unless a page in flight comes back."""

    seconds: float


@dataclass(slots=True)
class _Host:
    delay_s: float
    limit: int
    queue: deque[Job] = field(default_factory=deque)
    ranked: list[tuple[float, int, Job]] = field(default_factory=list)
    later: list[tuple[float, int, Job]] = field(default_factory=list)
    in_flight: int = 0
    free_at: float = 0.0
    good: int = 0

    def waiting(self) -> bool:
        return bool(self.queue or self.ranked or self.later)


class Frontier:
    """The pages that a crawl knows of. `max_pages` bounds those handed out; `score` ranks URLs for `best`, higher first."""

    def __init__(
        self,
        *,
        max_pages: int,
        max_depth: int | None = None,
        delay_s: float = 0.25,
        concurrency: int = 4,
        strategy: Strategy = "bfs",
        score: Callable[[str], float] | None = None,
    ) -> None:
        self._max_pages, self._max_depth = max_pages, max_depth
        self._delay_s, self._concurrency = delay_s, concurrency
        self._strategy, self._score = strategy, score or (lambda url: 0.0)
        self._hosts: dict[str, _Host] = {}
        self._seen: dict[str, int] = {}
        self._started = 0
        self._count = 0

    def __contains__(self, url: object) -> bool:
        return url in self._seen

    def note(self, url: str, depth: int = 0) -> bool:
        """Note a page that is dealt with elsewhere (the end of a redirect); False when it was known."""
        if url in self._seen:
            return False
        self._seen[url] = depth
        return True

    def add(self, urls: Iterable[str], depth: int) -> tuple[str, ...]:
        """Queue those that are new and not too deep, and return them in order."""
        if self._max_depth is not None and depth > self._max_depth:
            return ()
        fresh = tuple(dict.fromkeys(url for url in urls if url not in self._seen))
        for url in fresh:
            self._seen[url] = depth
            self._put(Job(url, depth))
        return fresh

    def next(self, now: float) -> Job | Wait | None:
        """Return the next job, a wait, or None when nothing can be started until a page in flight is done."""
        soonest: float | None = None
        if self._started >= self._max_pages and not any(host.later for host in self._hosts.values()):
            return None
        for name in list(self._hosts):
            host = self._hosts[name]
            while host.later and host.later[0][0] <= now:
                host.queue.appendleft(heapq.heappop(host.later)[2])
            if not host.waiting() or host.in_flight >= host.limit:
                continue
            ready_at = max(host.free_at, host.later[0][0] if not host.queue and not host.ranked else 0.0)
            if ready_at > now:
                soonest = ready_at if soonest is None else min(soonest, ready_at)
                continue
            job = self._take(host)
            if job is None:
                continue
            host.in_flight += 1
            host.free_at = now + host.delay_s
            self._hosts[name] = self._hosts.pop(name)
            return job
        return None if soonest is None else Wait(soonest - now)

    def done(self, job: Job, *, ok: bool = True) -> None:
        """Note that a page in flight came back. After ten good answers in a row, a host that was slowed gets faster again."""
        host = self._host(job.url)
        host.in_flight -= 1
        host.good = host.good + 1 if ok else 0
        if host.good >= 10:
            host.good = 0
            if host.limit < self._concurrency:
                host.limit += 1

    def retry(self, job: Job, at: float) -> None:
        """Queue a page again, not before `at`; it doesn't count against the budget twice."""
        self._count += 1
        heapq.heappush(self._host(job.url).later, (at, self._count, Job(job.url, job.depth, job.attempt + 1)))

    def slow_down(self, url: str, now: float, seconds: float) -> None:
        """Leave a host alone for a while, and then ask it for fewer pages at once, further apart."""
        host = self._host(url)
        host.free_at = max(host.free_at, now + min(seconds, MAX_HOLD_S))
        host.limit = max(1, host.limit // 2)
        host.delay_s = min(MAX_DELAY_S, max(host.delay_s * 2, 0.1))
        host.good = 0

    def set_delay(self, url: str, seconds: float) -> None:
        """Keep at least so many seconds between two requests to a host (its crawl delay), one at a time."""
        host = self._host(url)
        if seconds > host.delay_s:
            host.delay_s, host.limit = min(seconds, MAX_DELAY_S), 1

    def depth_of(self, url: str) -> int:
        """Return the depth at which a page was found."""
        return self._seen.get(url, 0)

    def drain(self, host_of: str | None = None) -> tuple[str, ...]:
        """Take and return what is still queued, of one host or of all: what the budget, or a host that is down, left undone."""
        left: list[str] = []
        for name, host in self._hosts.items():
            if host_of is not None and name != urlsplit(host_of).netloc:
                continue
            left += [job.url for job in host.queue] + [entry[2].url for entry in sorted(host.ranked) + sorted(host.later)]
            host.queue.clear()
            host.ranked.clear()
            host.later.clear()
        return tuple(left)

    def _take(self, host: _Host) -> Job | None:
        again = bool(host.queue) and host.queue[0].attempt > 1
        if not again and self._started >= self._max_pages:
            return None
        if not again:
            self._started += 1
        if again or self._strategy == "bfs":
            return host.queue.popleft()
        return host.queue.pop() if self._strategy == "dfs" else heapq.heappop(host.ranked)[2]

    def _put(self, job: Job) -> None:
        host = self._host(job.url)
        if self._strategy == "best":
            self._count += 1
            heapq.heappush(host.ranked, (-self._score(job.url), self._count, job))
        else:
            host.queue.append(job)

    def _host(self, url: str) -> _Host:
        name = urlsplit(url).netloc
        if name not in self._hosts:
            self._hosts[name] = _Host(self._delay_s, self._concurrency)
        return self._hosts[name]
