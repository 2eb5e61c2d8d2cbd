"""Settings -> the parts. The only module that knows which implementation fills which socket.

In: settings, a store's place. Out: `Parts`, the policy of a source, and the flow of its pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from pincite.chunk.chunker import StructureChunker
from pincite.cite.refs import refs_in as refs_in
from pincite.context.headers import HeaderContextualizer
from pincite.crawl import flow as flowing
from pincite.crawl import site, tree
from pincite.crawl.http import GuardedFetcher
from pincite.extract.extractor import DefaultExtractor
from pincite.index.lexical import LexicalIndex
from pincite.protocols import Clock, Extractor, Parts
from pincite.settings import Settings
from pincite.sources import context_file
from pincite.sources import scope as scoping
from pincite.sources.resolve import resolve as resolve
from pincite.store.sqlite import SqliteStore
from pincite.types import Capture, PageOutcome, Policy, Source, Wanted


def now() -> datetime:
    """Return the present moment, in UTC, cut to milliseconds as stored times are."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def parts(place: str, settings: Settings, *, create: bool, read_only: bool, clock: Clock = now) -> Parts:
    """Open the store and its index and wire the stages. Raises StoreError."""
    store = SqliteStore.open(place, create=create, read_only=read_only)
    return Parts(
        store=store,
        index=LexicalIndex.open(store.index_place, read_only=store.read_only),
        extractor=DefaultExtractor(),
        chunker=StructureChunker(),
        contextualizer=HeaderContextualizer(),
        clock=clock,
    )


def extractor() -> Extractor:
    """Return what turns a snapshot into a document, for extraction without a library."""
    return DefaultExtractor()


def policy(settings: Settings) -> Policy:
    """Return the policy of a source added without options of its own."""
    return Policy(
        max_pages=settings.max_pages,
        concurrency=settings.concurrency,
        delay_s=settings.delay_s,
        timeout_s=settings.timeout_s,
        limit_bytes=settings.limit_bytes,
        max_age_s=settings.max_age_s,
        allow_private=settings.allow_private,
    )


def flow(source: Source, known: Mapping[str, Capture], settings: Settings, clock: Clock) -> Iterator[Sequence[Wanted | PageOutcome]]:
    """Yield the source's pages in groups, each fit for one transaction."""
    if source.kind in ("site", "page"):
        links = DefaultExtractor().links

        async def crawl(fetcher: GuardedFetcher, emit: flowing.Emit) -> None:
            await site.crawl(source, known, fetcher, emit, scoping=partial(scoping.rule, source), links=links, clock=clock)

        return flowing.grouped(flowing.bridged(crawl, lambda: GuardedFetcher(source.policy, user_agent=settings.user_agent, clock=clock)))
    return flowing.grouped(tree.pages(source, known, clock=clock, split=context_file.sections))
