"""A site or a page over HTTP: the driver that fetches what the frontier decides.

In: a source, what the library holds of it, a fetcher. Out, through `emit`: what is wanted, then what became of each page.
robots.txt is asked for every URL and every redirect; links found in pages pass the same door as the first URL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import anyio

from pincite import urls
from pincite.crawl import answers, kinds
from pincite.crawl.flow import Emit
from pincite.crawl.frontier import Frontier, Job, Wait
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.rules import SiteRules
from pincite.errors import PinciteError, Refused, SourceError
from pincite.protocols import Clock
from pincite.types import Capture, Fetched, Outcome, PageOutcome, Source, Wanted, snapshot_id

InScope = Callable[[str], str | None]
Scoping = Callable[[str], InScope]
"""Gives the scope rule for where the first page was found."""
Links = Callable[[Fetched], tuple[str, ...]]

MAX_LINKS = 20_000
"""Links taken from one page."""
MAX_TRIES = 3
DOWN_AFTER = 5
"""Connections in a row that failed before a host is taken for down."""


async def crawl(
    source: Source, known: Mapping[str, Capture], fetcher: GuardedFetcher, emit: Emit, *, scoping: Scoping, links: Links, clock: Clock
) -> None:
    """Emit the pages of a source. Raises Refused or SourceError when its first page can't be had."""
    await _Site(source, known, fetcher, emit, scoping, links, clock).run()


class _Seen(Exception):
    """A redirect leads to a page that this crawl fetches by itself."""


class _Site:
    """One crawl."""

    def __init__(
        self,
        source: Source,
        known: Mapping[str, Capture],
        fetcher: GuardedFetcher,
        emit: Emit,
        scoping: Scoping,
        links: Links,
        clock: Clock,
    ) -> None:
        self._source, self._policy, self._known = source, source.policy, known
        self._fetcher, self._emit, self._links, self._clock = fetcher, emit, links, clock
        self._scoping = scoping
        self._in_scope = scoping(source.location)
        self._rules = SiteRules(fetcher)
        self._frontier = Frontier(
            max_pages=self._policy.max_pages,
            max_depth=self._policy.max_depth,
            delay_s=self._policy.delay_s,
            concurrency=self._policy.concurrency,
        )
        self._digests = {capture.snapshot: url for url, capture in known.items()}
        self._failures: dict[str, int] = {}
        self._wake = anyio.Event()

    async def run(self) -> None:
        start = self._source.location
        held = [url for url in self._known if url != start and self._in_scope(url) is None]
        await self._emit(Wanted(self._frontier.add([start, *held], 0)))
        first = self._frontier.next(anyio.current_time())
        assert isinstance(first, Job), "a new frontier hands out its first page at once"
        await self._visit(first)
        async with anyio.create_task_group() as tasks:
            in_flight = self._tasks = _Counter()
            while True:
                step = self._frontier.next(anyio.current_time())
                if isinstance(step, Job):
                    in_flight.count += 1
                    tasks.start_soon(self._one, step)
                elif isinstance(step, Wait):
                    await self._until_woken(step.seconds)
                elif in_flight.count:
                    await self._until_woken(None)
                else:
                    break
        for url in self._frontier.drain():
            await self._emit(PageOutcome(url, "skipped", "budget"))

    async def _until_woken(self, seconds: float | None) -> None:
        with anyio.move_on_after(seconds):
            await self._wake.wait()
        self._wake = anyio.Event()

    async def _one(self, job: Job) -> None:
        try:
            await self._visit(job)
        finally:
            self._tasks.count -= 1
            self._wake.set()

    async def _visit(self, job: Job) -> None:
        """Fetch one page and emit what became of it; the first page's failure is the crawl's."""
        is_first = job.url == self._source.location
        ok = False
        try:
            outcome = await self._outcome(job, is_first)
            ok = outcome is not None and outcome.outcome != "failed"
            if outcome is not None:
                self._failures.pop(urlsplit(job.url).netloc, None)
                await self._emit(outcome)
        except (Refused, SourceError) as error:
            if is_first:
                raise
            await self._failed(job, error)
        finally:
            self._frontier.done(job, ok=ok)

    async def _outcome(self, job: Job, is_first: bool) -> PageOutcome | None:
        held = self._known.get(job.url)
        if held is not None and self._is_fresh(held):
            return PageOutcome(job.url, "unchanged", "fresh", ref=held.ref)
        await self._rules.admit(job.url)
        if (delay := self._rules.delay_s(job.url)) is not None:
            self._frontier.set_delay(job.url, delay)
        try:
            fetched = await self._fetcher.fetch(
                job.url,
                etag=held.etag if held else "",
                last_modified=held.last_modified if held else "",
                admit=lambda url: self._admit(job.url, url, is_first),
                readable=kinds.is_page,
            )
        except _Seen:
            return PageOutcome(job.url, "skipped", "redirect")
        if fetched.status == 304 and held is not None:
            return PageOutcome(job.url, "unchanged", ref=held.ref)
        if fetched.status in (404, 410) and held is not None:
            return PageOutcome(job.url, "skipped", "gone")
        if fetched.status != 200:
            return await self._bad_status(job, fetched, is_first)
        if not kinds.is_page(fetched.media_type):
            return self._unless_first(
                is_first, PageOutcome(job.url, "skipped", "wrong type"), f"is of type {fetched.media_type}, no page to read"
            )
        return await self._page(job, fetched, is_first)

    async def _page(self, job: Job, fetched: Fetched, is_first: bool) -> PageOutcome:
        """Take in a page: follow its links, and let it stand under the URL where it was found."""
        final = urls.canonical(fetched.final_url)
        if final != job.url:
            if is_first:
                self._in_scope = self._scoping(final)
            if not self._frontier.note(final, job.depth):
                return PageOutcome(job.url, "skipped", "redirect")
            await self._emit(Wanted((final,)))
            await self._emit(PageOutcome(job.url, "skipped", "redirect"))
        fetched = replace(fetched, url=final, path=final, flags=fetched.flags + answers.robots_flags(fetched))
        if kinds.is_binary(fetched.body):
            return self._unless_first(is_first, PageOutcome(final, "skipped", "binary"), "holds no text")
        if answers.is_challenge(fetched):
            return self._unless_first(is_first, PageOutcome(final, "failed", "bot challenge", fetched=None), "answers with a bot challenge")
        first_url = self._digests.setdefault(snapshot_id(fetched.body), final)
        if first_url != final and final not in self._known:
            return PageOutcome(final, "skipped", "duplicate")
        await self._follow(fetched, job.depth + 1)
        if "too large" in fetched.flags:
            return PageOutcome(final, "failed", "too large", fetched=fetched)
        return PageOutcome(final, "fetched", fetched=fetched)

    async def _follow(self, fetched: Fetched, depth: int) -> None:
        found = []
        for link in self._links(fetched)[:MAX_LINKS]:
            try:
                url = urls.canonical(link)
            except ValueError:
                continue
            if self._in_scope(url) is None and not kinds.is_opaque_link(urlsplit(url).path):
                found.append(url)
        if fresh := self._frontier.add(found, depth):
            await self._emit(Wanted(fresh))
            self._wake.set()

    async def _admit(self, url: str, following: str, is_first: bool) -> None:
        """Let a redirect pass: to no page that is fetched by itself, within the scope, and past robots.txt."""
        where = urls.canonical(following)
        if where in self._frontier and where != url:
            raise _Seen
        if not is_first and self._in_scope(where) is not None:
            raise Refused(f"{url} redirects out of the source.", url=url, rule="scope")
        await self._rules.admit(following)

    async def _bad_status(self, job: Job, fetched: Fetched, is_first: bool) -> PageOutcome | None:
        wait_s = answers.retry_after_s(fetched, self._clock())
        if fetched.status in (429, 503):
            self._frontier.slow_down(job.url, anyio.current_time(), wait_s if wait_s is not None else 2.0**job.attempt)
        if fetched.status in answers.PASSING and job.attempt < MAX_TRIES and answers.is_bearable(wait_s):
            self._frontier.retry(job, anyio.current_time() + (wait_s if wait_s is not None else 2.0**job.attempt * self._policy.delay_s))
            return None
        reason = "bot challenge" if answers.is_challenge(fetched) else f"http {fetched.status}"
        return self._unless_first(is_first, PageOutcome(job.url, "failed", reason), f"answers with status {fetched.status}")

    async def _failed(self, job: Job, error: PinciteError) -> None:
        """Report a page that could not be had, and those queued on a host that is down."""
        host = urlsplit(job.url).netloc
        if error.rule in ("timeout", "connect", "connection", "dns", "protocol"):
            self._failures[host] = self._failures.get(host, 0) + 1
            if error.rule in ("connection", "protocol") and job.attempt < MAX_TRIES:
                return self._frontier.retry(job, anyio.current_time() + 2.0**job.attempt * max(self._policy.delay_s, 0.1))
        kind: Outcome = "skipped" if error.rule in answers.RULED_OUT else "failed"
        await self._emit(PageOutcome(job.url, kind, answers.reason(error)))
        if self._failures.get(host, 0) >= DOWN_AFTER:
            for url in self._frontier.drain(job.url):
                await self._emit(PageOutcome(url, "failed", "host down"))

    def _unless_first(self, is_first: bool, outcome: PageOutcome, what: str) -> PageOutcome:
        if is_first:
            raise SourceError(f"{outcome.url} {what}. Nothing was captured.", url=outcome.url, rule=outcome.reason)
        return outcome

    def _is_fresh(self, held: Capture) -> bool:
        seen = held.checked_at or held.fetched_at
        return self._clock() - seen < timedelta(seconds=self._policy.max_age_s)


class _Counter:
    """How many pages are in flight."""

    def __init__(self) -> None:
        self.count = 0
