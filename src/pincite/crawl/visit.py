"""One page of a crawl: from a job to a line of the coverage report.

In: a job of the frontier. Out: the outcome, or None for one to be tried again; links go to the frontier and are told as wanted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import anyio

from pincite import urls
from pincite.crawl import answers, hints, kinds
from pincite.crawl.addresses import MAX_URL
from pincite.crawl.flow import Emit
from pincite.crawl.frontier import Frontier, Job
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.rules import Read, SiteRules
from pincite.crawl.traps import Traps, without_session
from pincite.errors import Refused, SourceError, UsageError
from pincite.protocols import Clock
from pincite.types import Capture, Fetched, PageOutcome, Source, Wanted, snapshot_id

InScope = Callable[[str], str | None]
Scoping = Callable[[str], InScope]
"""Gives the scope rule for where the first page was found."""
Links = Callable[[Fetched], tuple[str, ...]]
Render = Callable[[Fetched], Awaitable[Fetched]]

MAX_LINKS = 20_000
"""Links taken from one page."""
LINK_BYTES = 3_000_000
"""Of a longer page, only so much is looked through for links; extraction stops there too."""
CUT_LINK_BYTES = 128 * 1024
"""Likewise of a page that passed the cap on its size: what its parser needs comes on top of that."""
MAX_TRAPPED = 1000
"""Trapped URLs that are listed in the report."""
MAX_TRIES = 3
READS = ("enabled", "read-only")
"""Cache modes in which what is held spares a request."""


class _Seen(Exception):
    """A redirect leads to a page that this crawl fetches by itself."""


class Pages:
    """Fetches the pages of one crawl and judges them. `start` is where the first page was found, None until it was fetched."""

    def __init__(
        self,
        source: Source,
        known: Mapping[str, Capture],
        fetcher: GuardedFetcher,
        frontier: Frontier,
        emit: Emit,
        *,
        scoping: Scoping,
        links: Links,
        clock: Clock,
        render: Render | None,
        robots: MutableMapping[str, Read] | None = None,
    ) -> None:
        self._source, self._policy, self._known = source, source.policy, known
        self.fetcher, self._frontier, self._emit = fetcher, frontier, emit
        self._scoping, self._links, self._clock, self._render = scoping, links, clock, render
        self.in_scope = scoping(source.location)
        self.rules = SiteRules(fetcher, clock=clock, kept=robots)
        self.start: str | None = None
        self.named: tuple[str, ...] = ()
        """Feeds and sitemaps that the first page names."""
        self._digests = {capture.snapshot: url for url, capture in known.items()}
        self._waits: dict[str, float] = {}
        self.closed: set[str] = set()
        """Hosts that asked for more patience than a crawl has."""
        self._traps, self._trapped = Traps(), 0

    async def outcome(self, job: Job, is_first: bool) -> PageOutcome | None:
        """Fetch and judge one page. Raises Refused and SourceError."""
        held = self._known.get(job.url)
        if (fresh := self.held_fresh(job.url)) is not None:
            return fresh
        asked = held if self._policy.cache in READS else None
        await self.rules.admit(job.url)
        if (delay := self.rules.delay_s(job.url)) is not None:
            self._frontier.set_delay(job.url, delay)
        try:
            fetched = await self.fetcher.fetch(
                job.url,
                etag=asked.etag if asked else "",
                last_modified=asked.last_modified if asked else "",
                admit=lambda url: self._admit(job.url, url, is_first),
                readable=kinds.is_page,
            )
        except _Seen:
            return PageOutcome(job.url, "skipped", "redirect")
        if is_first:
            self.start, self.named = urls.canonical(fetched.final_url), hints.feeds(fetched)
        if fetched.status == 304 and held is not None:
            return PageOutcome(job.url, "unchanged", ref=held.ref)
        if fetched.status in (404, 410) and held is not None:
            return PageOutcome(job.url, "skipped", "gone")
        if fetched.status not in (200, 203):
            return self._bad_status(job, fetched, is_first)
        if not kinds.is_page(fetched.media_type):
            return _unless(is_first, PageOutcome(job.url, "skipped", "wrong type"), f"is of type {fetched.media_type}, no page to read")
        return await self._page(job, fetched, is_first)

    def pause_s(self, job: Job) -> float:
        """Return how long to wait before a page is tried again: as asked, else twice as long each time."""
        return self._waits.pop(job.url, 2.0**job.attempt * max(self._policy.delay_s, 0.1))

    async def want(self, found: Iterable[str], depth: int) -> None:
        """Queue new URLs within the scope that look like pages, and tell that they are wanted."""
        wanted = []
        for link in found:
            if len(link) > MAX_URL:
                continue
            try:
                url = without_session(urls.canonical(link))
                if url in self._frontier or self.in_scope(url) is not None or kinds.is_opaque_link(urlsplit(url).path):
                    continue
            except ValueError:
                continue
            if self._traps.catches(url):
                if self._trapped < MAX_TRAPPED and self._frontier.note(url, depth):
                    self._trapped += 1
                    await self._emit(PageOutcome(url, "skipped", "trap"))
                continue
            wanted.append(url)
        if fresh := self._frontier.add(wanted, depth):
            await self._emit(Wanted(fresh, depth))

    async def _page(self, job: Job, fetched: Fetched, is_first: bool) -> PageOutcome:
        """Take in a page: follow its links, and let it stand under the URL where it was found."""
        final = without_session(urls.canonical(fetched.final_url))
        if is_first and final != job.url:
            self.in_scope = self._scoping(final)
        if final != job.url:
            if not self._frontier.note(final, job.depth):
                return PageOutcome(job.url, "skipped", "redirect")
            await self._emit(Wanted((final,), job.depth))
            await self._emit(PageOutcome(job.url, "skipped", "redirect"))
        fetched = replace(fetched, url=final, path=final, flags=fetched.flags + answers.robots_flags(fetched))
        if kinds.is_binary(fetched.body):
            return _unless(is_first, PageOutcome(final, "skipped", "binary"), "holds no text")
        if answers.is_challenge(fetched):
            return _unless(is_first, PageOutcome(final, "failed", "bot challenge"), "answers with a bot challenge")
        if hints.is_login(fetched, job.url):
            return _unless(
                is_first,
                PageOutcome(final, "failed", "login"),
                "asks for a login; give one by --auth, --header, --cookies or --login-state",
            )
        if moved := hints.moved_to(fetched):
            return await self._moved(job, final, moved, is_first)
        fetched = await self._rendered(fetched)
        twin = self._twin(fetched, final)
        if twin:
            return PageOutcome(final, "skipped", "duplicate")
        enough = CUT_LINK_BYTES if "too large" in fetched.flags else LINK_BYTES
        looked = fetched if len(fetched.body) <= enough else replace(fetched, body=fetched.body[:enough])
        await self.want(self._links(looked)[:MAX_LINKS], job.depth + 1)
        return self._judged(fetched, final)

    def _judged(self, fetched: Fetched, final: str) -> PageOutcome:
        """Keep a page that can't be cited as bytes, with the reason; else let it through."""
        if "too large" in fetched.flags:
            return PageOutcome(final, "failed", "too large", fetched=fetched)
        if hints.is_lost(fetched):
            return PageOutcome(final, "failed", "soft 404")
        if hints.is_html(fetched) and hints.text_chars(fetched.body, hints.MIN_TEXT_CHARS) < hints.MIN_TEXT_CHARS:
            empty = fetched.renderer == "static" and hints.needs_scripts(fetched)
            return PageOutcome(final, "failed", "JavaScript-empty" if empty else "too little text", fetched=fetched)
        return PageOutcome(final, "fetched", "render failed" if "render failed" in fetched.flags else "", fetched=fetched)

    async def _moved(self, job: Job, final: str, moved: str, is_first: bool) -> PageOutcome:
        """Follow `<meta http-equiv=refresh>` as a redirect."""
        target = urls.canonical(moved) if urls.is_web(moved) else ""
        if target and target != final:
            if is_first and urlsplit(target).netloc == urlsplit(final).netloc:
                self.in_scope, self.start = self._scoping(target), target
            await self.want([target], job.depth)
        return PageOutcome(final, "skipped", "redirect")

    async def _rendered(self, fetched: Fetched) -> Fetched:
        """Render where the policy says so or the page needs it; a failure falls back to what came without scripts, and is told."""
        mode = self._policy.render
        if self._render is None or mode == "never" or not hints.is_html(fetched) or (mode == "auto" and not hints.needs_scripts(fetched)):
            return fetched
        try:
            page = await self._render(fetched)
        except UsageError:
            if mode == "always":
                raise
            return fetched
        except SourceError:
            return replace(fetched, flags=(*fetched.flags, "render failed"))
        if self.in_scope(urls.canonical(page.final_url)) is not None:
            return fetched
        return replace(page, final_url=fetched.final_url)

    def _twin(self, fetched: Fetched, final: str) -> str:
        """Return the page that this one only repeats: the same bytes, or a spelling that calls itself by the other's URL."""
        if final in self._known:
            return ""
        other = self._digests.setdefault(snapshot_id(fetched.body), final)
        if other != final:
            return other
        try:
            named = urls.canonical(hints.calls_itself(fetched) or final)
        except ValueError:
            return ""
        if named == final or self.in_scope(named) is not None or not hints.are_variants(named, final):
            return ""
        return "" if self._frontier.note(named) else named

    async def _admit(self, url: str, following: str, is_first: bool) -> None:
        """Let a redirect pass: to no page that is fetched by itself, within the scope, and past robots.txt."""
        where = urls.canonical(following)
        if where in self._frontier and where != url:
            raise _Seen
        reason = self.in_scope(where)
        if reason is not None and (not is_first or reason != "scope"):
            raise Refused(f"{url} redirects out of the source.", url=url, rule="scope")
        await self.rules.admit(following)

    def _bad_status(self, job: Job, fetched: Fetched, is_first: bool) -> PageOutcome | None:
        wait_s = answers.retry_after_s(fetched, self._clock())
        if fetched.status in (429, 503) and not answers.is_bearable(wait_s):
            self.closed.add(urlsplit(job.url).netloc)
        elif fetched.status in (429, 503):
            self._frontier.slow_down(job.url, anyio.current_time(), wait_s if wait_s is not None else 2.0**job.attempt)
        if fetched.status in answers.PASSING and job.attempt < MAX_TRIES and answers.is_bearable(wait_s):
            if wait_s is not None:
                self._waits[job.url] = wait_s
            return None
        reason = "bot challenge" if answers.is_challenge(fetched) else f"http {fetched.status}"
        return _unless(is_first, PageOutcome(job.url, "failed", reason), f"answers with status {fetched.status}")

    def held_fresh(self, url: str) -> PageOutcome | None:
        """Return the outcome of a page that need not be asked for, since what is held of it is young enough."""
        held, mode = self._known.get(url), self._policy.cache
        if held is None or mode not in READS:
            return None
        young = self._clock() - (held.checked_at or held.fetched_at) < timedelta(seconds=self._policy.max_age_s)
        return PageOutcome(url, "unchanged", "fresh", ref=held.ref) if young or mode == "read-only" else None


def _unless(is_first: bool, outcome: PageOutcome, what: str) -> PageOutcome:
    """Return the outcome, but raise it for the first page: then nothing can be had."""
    if is_first:
        raise SourceError(f"{outcome.url} {what}. Nothing was captured.", url=outcome.url, rule=outcome.reason)
    return outcome
