"""A source -> the flow of its pages. Part of the wiring, loaded when something is captured.

In: a source, what is held of it, settings. Out: pages in groups, each fit for one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pincite.crawl import flow as flowing
from pincite.crawl import repo, site, tree
from pincite.crawl.browser import Renderer, Rendering
from pincite.crawl.credentials import Credentials
from pincite.crawl.http import GuardedFetcher
from pincite.extract.extractor import DefaultExtractor
from pincite.protocols import Clock
from pincite.settings import Settings
from pincite.sources import context_file, seeds
from pincite.sources import scope as scoping
from pincite.types import Capture, PageOutcome, Source, Wanted


@dataclass(frozen=True, slots=True)
class Visit:
    """What is of one capture alone: what opens its source, whether it only looks, and what robots.txt files said so far."""

    credentials: Credentials | None = None
    survey: bool = False
    robots: MutableMapping[str, Any] | None = None


def flow(
    source: Source,
    known: Mapping[str, Capture],
    settings: Settings,
    clock: Clock,
    *,
    left: Sequence[tuple[str, int]],
    only: Sequence[str] | None,
    visit: Visit,
) -> Iterator[Sequence[Wanted | PageOutcome]]:
    """Yield the source's pages in groups. `left` are pages that an earlier run left; with `only`, just these are captured."""
    if source.kind in ("site", "page"):
        crawl = _site(source, known, settings, clock, left, only, visit)
        return flowing.grouped(flowing.bridged(crawl, partial(_fetcher, source, settings, clock, visit.credentials)))
    if source.kind == "git":
        files = repo.pages(source, known if only is None else {}, clock=clock)
        return flowing.grouped(files if only is None else tree.selected(files, frozenset(only)))
    if only is None:
        return flowing.grouped(tree.pages(source, known, clock=clock, split=context_file.sections))
    some = {url: capture for url, capture in known.items() if url in only}
    return flowing.grouped(tree.selected(tree.pages(source, some, clock=clock, split=context_file.sections), frozenset(only)))


def _fetcher(source: Source, settings: Settings, clock: Clock, credentials: Credentials | None) -> GuardedFetcher:
    return GuardedFetcher(source.policy, user_agent=settings.user_agent, clock=clock, credentials=credentials)


def _site(
    source: Source,
    known: Mapping[str, Capture],
    settings: Settings,
    clock: Clock,
    left: Sequence[tuple[str, int]],
    only: Sequence[str] | None,
    visit: Visit,
) -> flowing.Crawl[GuardedFetcher]:
    """Return the crawl of a site: its pages rendered where the policy allows it, its seed files asked for."""

    async def crawl(fetcher: GuardedFetcher, emit: flowing.Emit) -> None:
        how = Rendering(wait_for=source.policy.wait_for, trace=settings.browser_trace or None)
        async with Renderer(source.policy, agent=fetcher.agent, how=how, credentials=visit.credentials) as renderer:
            await site.crawl(
                source,
                known,
                fetcher,
                emit,
                scoping=partial(scoping.rule, source),
                links=DefaultExtractor().links,
                clock=clock,
                seeds=seeds,
                render=renderer.render,
                left=left,
                only=only,
                survey=visit.survey,
                robots=visit.robots,
            )

    return crawl
