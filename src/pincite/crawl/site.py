"""A site or a page over HTTP: the driver that fetches what the frontier decides.

In: a source, what the library holds of it, a fetcher. Out, through `emit`: what is wanted, then what became of each page.
robots.txt is asked for every URL and every redirect; links found in pages pass the same door as the first URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from urllib.parse import urlsplit

import anyio

from pincite.crawl import answers, seeding
from pincite.crawl.flow import Emit
from pincite.crawl.frontier import Frontier, Job, Wait
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.ranking import by_words
from pincite.crawl.rules import Read
from pincite.crawl.visit import Links, Pages, Render, Scoping
from pincite.errors import PinciteError, Refused, SourceError
from pincite.protocols import Clock
from pincite.types import Capture, Outcome, PageOutcome, Source, Wanted

MAX_TRIES = 3
DOWN_AFTER = 10
"""Signs in a row that a host is down: a refused connection or a name without address is two, a time-out one."""
MAX_OUTSIDE = 1000
"""URLs out of scope, named by seed files, that are listed in the report."""
WOULD_FETCH = "would be fetched"
"""What a survey says of a page."""
_BUSY = ("http 429", "http 503")
_SIGNS = {"connect": 2, "dns": 2, "timeout": 1}


async def crawl(
    source: Source,
    known: Mapping[str, Capture],
    fetcher: GuardedFetcher,
    emit: Emit,
    *,
    scoping: Scoping,
    links: Links,
    clock: Clock,
    seeds: seeding.SeedReader | None = None,
    render: Render | None = None,
    left: Sequence[tuple[str, int]] = (),
    only: Sequence[str] | None = None,
    survey: bool = False,
    robots: MutableMapping[str, Read] | None = None,
) -> None:
    """Emit the pages of a source.

    `left` are pages, with their depth, that an earlier crawl left undone; with `only`, nothing is fetched but these pages and what they
    newly link to. A `survey` fetches the first page and the lists of pages, and tells of the others what would be done.
    `robots` keeps what robots.txt files said, for the next crawl.
    Raises Refused or SourceError when the first page can't be had.
    """
    policy = source.policy
    frontier = Frontier(
        max_pages=policy.max_pages,
        max_depth=policy.max_depth,
        delay_s=policy.delay_s,
        concurrency=policy.concurrency,
        strategy=policy.strategy,
        score=by_words(policy.query or ""),
    )
    pages = Pages(source, known, fetcher, frontier, emit, scoping=scoping, links=links, clock=clock, render=render, robots=robots)
    reader = seeds if only is None and policy.seeds else None
    await _Driver(source, frontier, pages, emit, reader, survey=survey).run(known, left, only)


class _Driver:
    """Runs the frontier until nothing is left."""

    def __init__(
        self, source: Source, frontier: Frontier, pages: Pages, emit: Emit, seeds: seeding.SeedReader | None, *, survey: bool
    ) -> None:
        self._survey = survey
        self._source, self._policy = source, source.policy
        self._frontier, self._pages, self._emit, self._seeds = frontier, pages, emit, seeds
        self._failures: dict[str, int] = {}
        self._in_flight = 0
        self._wake = anyio.Event()
        self._first = source.location

    async def run(self, known: Mapping[str, Capture], left: Iterable[tuple[str, int]], only: Sequence[str] | None) -> None:
        if only is None:
            if (reason := self._pages.in_scope(self._first)) is not None:
                raise Refused(f"{self._first} is left out by your own rules: {reason}.", url=self._first, rule="scope")
            if self._seeds is not None and self._seeds.is_seed_file(self._first):
                return await self._from_list(known, left)
            await self._emit(Wanted(self._frontier.add([self._first], 0)))
            await self._take_up(known, left)
            first = self._frontier.next(anyio.current_time())
            assert isinstance(first, Job), "a new frontier hands out its first page at once"
            await self._visit(first)
            await self._seed()
        else:
            self._first = ""
            await self._emit(Wanted(self._frontier.add(only, 0)))
        await self._loop()

    async def _from_list(self, known: Mapping[str, Capture], left: Iterable[tuple[str, int]]) -> None:
        """Capture the pages that a sitemap, an `llms.txt`, an inventory or a feed names. Raises SourceError when it names none."""
        start, self._first, self._pages.start = self._first, "", self._first
        found = await self._seed()
        if not found:
            raise SourceError(f"{start} names no page of its site, so there is nothing to add.", url=start, rule="empty")
        await self._take_up(known, left)
        await self._loop()

    async def _take_up(self, known: Mapping[str, Capture], left: Iterable[tuple[str, int]]) -> None:
        """Queue what earlier crawls left undone and what they found; how deep the latter lay isn't known: as deep as may be."""
        depths = dict.fromkeys(known, self._policy.max_depth or 0) | dict(left)
        for depth in sorted(set(depths.values())):
            found = [url for url, at in depths.items() if at == depth and self._pages.in_scope(url) is None]
            if fresh := self._frontier.add(found, depth):
                await self._emit(Wanted(fresh, depth))

    async def _loop(self) -> None:
        """Hand out jobs until nothing is left."""
        if self._survey:
            return await self._surveyed()
        async with anyio.create_task_group() as tasks:
            while True:
                step = self._frontier.next(anyio.current_time())
                if isinstance(step, Job):
                    self._in_flight += 1
                    tasks.start_soon(self._one, step)
                elif isinstance(step, Wait):
                    await self._until_woken(step.seconds)
                elif self._in_flight:
                    await self._until_woken(None)
                else:
                    break
        for url in self._frontier.drain():
            await self._emit(PageOutcome(url, "skipped", "budget"))

    async def _surveyed(self) -> None:
        """Tell of each queued page what would be done with it, and fetch none."""
        for number, url in enumerate(self._frontier.drain(), start=1):
            outcome = self._pages.held_fresh(url)
            if outcome is None and number >= self._policy.max_pages:
                outcome = PageOutcome(url, "skipped", "budget")
            try:
                await self._pages.rules.admit(url)
            except (Refused, SourceError) as error:
                outcome = PageOutcome(url, "skipped" if error.rule in answers.RULED_OUT else "failed", answers.reason(error))
            await self._emit(outcome or PageOutcome(url, "skipped", WOULD_FETCH))

    async def _seed(self) -> int:
        """Queue what sitemaps and the like name and return their number; not for a page, nor when the start page was fresh."""
        if self._seeds is None or self._policy.scope == "page" or self._source.kind == "page" or self._pages.start is None:
            return 0
        pages = self._pages
        found, outside = await seeding.gather(pages.fetcher, pages.rules, self._pages.start, self._seeds, pages.in_scope, pages.named)
        await self._pages.want(found, 1)
        for url in outside[:MAX_OUTSIDE]:
            if url not in self._frontier:
                await self._emit(PageOutcome(url, "skipped", "scope"))
        return len(found)

    async def _until_woken(self, seconds: float | None) -> None:
        with anyio.move_on_after(seconds):
            await self._wake.wait()
        self._wake = anyio.Event()

    async def _one(self, job: Job) -> None:
        try:
            await self._visit(job)
        finally:
            self._in_flight -= 1
            self._wake.set()

    async def _visit(self, job: Job) -> None:
        """Fetch one page and emit what became of it; the first page's failure is the crawl's."""
        is_first, ok = job.url == self._first, False
        try:
            outcome = await self._pages.outcome(job, is_first)
            if outcome is None:
                self._frontier.retry(job, anyio.current_time() + self._pages.pause_s(job))
            else:
                ok = outcome.outcome != "failed"
                await self._emit(outcome)
                await self._note(job, DOWN_AFTER if self._is_closed(job) else outcome.reason in _BUSY, "host busy")
        except (Refused, SourceError) as error:
            if is_first:
                raise
            await self._failed(job, error)
        finally:
            self._frontier.done(job, ok=ok)
            self._wake.set()

    async def _failed(self, job: Job, error: PinciteError) -> None:
        """Report a page that could not be had, and those queued on a host that is down."""
        if error.rule in ("connection", "protocol") and job.attempt < MAX_TRIES:
            return self._frontier.retry(job, anyio.current_time() + self._pages.pause_s(job))
        kind: Outcome = "skipped" if error.rule in answers.RULED_OUT else "failed"
        await self._emit(PageOutcome(job.url, kind, answers.reason(error)))
        await self._note(job, _SIGNS.get(error.rule or "", 0), "host down")
        return None

    async def _note(self, job: Job, signs: int, reason: str) -> None:
        """Count the signs in a row that a host is down or too busy; at ten, report what is queued there instead of asking for it."""
        host = urlsplit(job.url).netloc
        self._failures[host] = self._failures.get(host, 0) + signs if signs else 0
        if self._failures[host] >= DOWN_AFTER:
            for url in self._frontier.drain(job.url):
                await self._emit(PageOutcome(url, "failed", reason))

    def _is_closed(self, job: Job) -> bool:
        return urlsplit(job.url).netloc in self._pages.closed
