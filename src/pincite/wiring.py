"""Settings -> the parts. The only module that knows which implementation fills which socket.

In: settings, a store's place. Out: `Parts`, the policy of a source, and the flow of its pages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pincite import meaning
from pincite.adapters.judge import ModelJudge
from pincite.adapters.keys import key_for
from pincite.adapters.openai import Endpoint, OpenAIModel
from pincite.chunk.chunker import StructureChunker
from pincite.cite.refs import code_of as code_of
from pincite.cite.refs import refs_in as refs_in
from pincite.context.headers import HeaderContextualizer
from pincite.crawl import flow as flowing
from pincite.crawl import repo, site, tree
from pincite.crawl.browser import Renderer, Rendering
from pincite.crawl.credentials import Credentials, given
from pincite.crawl.http import GuardedFetcher
from pincite.errors import UsageError
from pincite.extract.extractor import DefaultExtractor
from pincite.protocols import Clock, Extractor, Judge, Model, Parts
from pincite.settings import Settings
from pincite.sources import context_file, seeds
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
        index=meaning.index(store.index_place, settings, read_only=store.read_only),
        extractor=extractor(settings),
        chunker=StructureChunker(),
        contextualizer=HeaderContextualizer(),
        clock=clock,
        model=model(settings),
        reranker=meaning.reranker(settings),
        judge=judge(settings),
    )


def model(settings: Settings) -> Model | None:
    """Return the model that the settings name, or None for extractive answers. Raises UsageError for half a configuration."""
    if not settings.llm_url and not settings.model:
        return None
    if not settings.llm_url or not settings.model:
        raise UsageError("A model needs both its server and its name: --llm-url URL --model NAME (settings llm_url and model).")
    return _served(settings, settings.model)


def judge(settings: Settings) -> Judge | None:
    """Return the judge that the settings name, or None. Raises UsageError for a judge without a server."""
    if not settings.judge_model:
        return None
    if not settings.llm_url:
        raise UsageError("judge_model names a model on the server llm_url, which is not set.")
    return ModelJudge(_served(settings, settings.judge_model))


def _served(settings: Settings, name: str) -> OpenAIModel:
    return OpenAIModel(
        Endpoint(
            settings.llm_url,
            name,
            key_for(settings.llm_url, os.environ),
            timeout_s=settings.llm_timeout_s,
            retries=settings.llm_retries,
            budget_tokens=settings.llm_budget_tokens or None,
        )
    )


def extractor(settings: Settings) -> Extractor:
    """Return what turns a snapshot into a document, the user's own rules first. Raises UsageError for rules that can't be read."""
    if not settings.selectors:
        return DefaultExtractor()
    try:
        return DefaultExtractor(Path(settings.selectors).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Can't read the rules {settings.selectors}: {error}.") from error


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


def credentials(location: str, headers: Sequence[str], cookies: str, allow_private: Sequence[str]) -> Credentials | None:
    """Return what opens a source's origin, or None when nothing was given. Raises UsageError."""
    return given(location, headers, cookies, allow_private) if headers or cookies else None


def flow(
    source: Source,
    known: Mapping[str, Capture],
    settings: Settings,
    clock: Clock,
    *,
    left: Sequence[tuple[str, int]] = (),
    only: Sequence[str] | None = None,
    credentials: Credentials | None = None,
) -> Iterator[Sequence[Wanted | PageOutcome]]:
    """Yield the source's pages in groups, each fit for one transaction.

    `left` are pages, with their depth, that an earlier run left undone; with `only`, just these pages are captured.
    """
    if source.kind in ("site", "page"):
        return flowing.grouped(
            flowing.bridged(_site(source, known, clock, left, only), partial(_fetcher, source, settings, clock, credentials))
        )
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
    source: Source, known: Mapping[str, Capture], clock: Clock, left: Sequence[tuple[str, int]], only: Sequence[str] | None
) -> flowing.Crawl[GuardedFetcher]:
    """Return the crawl of a site: its pages rendered where the policy allows it, its seed files asked for."""

    async def crawl(fetcher: GuardedFetcher, emit: flowing.Emit) -> None:
        async with Renderer(source.policy, agent=fetcher.agent, how=Rendering(wait_for=source.policy.wait_for)) as renderer:
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
            )

    return crawl
