"""Settings -> the parts. The only module that knows which implementation fills which socket.

In: settings, a store's place. Out: `Parts`, the policy of a source, and the flow of its pages. What only a capture or a model needs is
imported when it is needed, so that a search starts at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pincite import meaning, processing
from pincite.cite.refs import code_of as code_of
from pincite.cite.refs import refs_in as refs_in
from pincite.cite.refs import without_refs as without_refs
from pincite.context.headers import HeaderContextualizer, WrittenContextualizer
from pincite.context.terms import TermMap, TermWriter
from pincite.errors import UsageError
from pincite.protocols import Clock, Extractor, HeaderWriter, Judge, Model, Notebook, Parts
from pincite.settings import Settings
from pincite.sources.resolve import resolve as resolve
from pincite.store.sqlite import SqliteStore
from pincite.types import Capture, PageOutcome, Policy, Source, Wanted

if TYPE_CHECKING:
    from pincite.adapters.openai import OpenAIModel
    from pincite.context.summaries import SummaryWriter
    from pincite.crawl.credentials import Credentials
    from pincite.lanes import Lanes


def now() -> datetime:
    """Return the present moment, in UTC, cut to milliseconds as stored times are."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def parts(place: str, settings: Settings, *, create: bool, read_only: bool, clock: Clock = now) -> Parts:
    """Open the store and its index and wire the stages. Raises StoreError."""
    store = SqliteStore.open(place, create=create, read_only=read_only)
    writers = headers(settings, store)
    return Parts(
        store=store,
        index=meaning.index(store.index_place, settings, store),
        extractor=extractor(settings),
        chunker=processing.LateChunker(),
        contextualizer=WrittenContextualizer(HeaderContextualizer(), writers) if writers else HeaderContextualizer(),
        clock=clock,
        model=model(settings),
        reranker=meaning.reranker(settings),
        judge=judge(settings),
        headers=writers,
    )


def model(settings: Settings) -> Model | None:
    """Return the model that the settings name, or None for extractive answers. Raises UsageError for half a configuration."""
    if not settings.model and (not settings.llm_url or settings.header_model or settings.judge_model):
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
    from pincite.adapters.judge import ModelJudge

    return ModelJudge(_served(settings, settings.judge_model))


def headers(settings: Settings, notebook: Notebook) -> tuple[HeaderWriter, ...]:
    """Return what adds to the headers of chunks: the user's terms, a model's titles and summaries. Raises UsageError."""
    writers: list[HeaderWriter] = []
    if settings.custom_term_mapping:
        writers.append(TermWriter(terms(settings)))
    if settings.find_term_variants:
        writers.append(variants(settings, notebook))
    if settings.header_model:
        writers.append(summaries(settings, notebook))
    return tuple(writers)


def variants(settings: Settings, notebook: Notebook) -> HeaderWriter:
    """Return what finds variants of the user's terms. Raises UsageError where there are no terms or no model for it."""
    from pincite.context.variants import VariantWriter

    known = terms(settings).terms
    if not known or not settings.header_model or not settings.llm_url:
        raise UsageError("find_term_variants needs terms in custom_term_mapping, and header_model with llm_url to find them by.")
    return VariantWriter(_served(settings, settings.header_model), notebook, known, settings.llm_max_concurrent_requests)


def terms(settings: Settings) -> TermMap:
    """Return the user's term map. Raises UsageError for a line that is none."""
    return TermMap.read(settings.custom_term_mapping)


def summaries(settings: Settings, notebook: Notebook) -> SummaryWriter:
    """Return what writes titles and summaries. Raises UsageError where no model for it is set."""
    from pincite.context.summaries import SummaryWriter, Wish

    if not settings.header_model or not settings.llm_url:
        raise UsageError("Headers by a model need header_model, and llm_url for its server.")
    wish = Wish(
        settings.use_generated_title,
        settings.get_document_summary,
        settings.get_section_summaries,
        settings.document_title_guidance,
        settings.document_summary_guidance,
        settings.section_summary_guidance,
        settings.header_language,
        settings.llm_max_concurrent_requests,
    )
    return SummaryWriter(_served(settings, settings.header_model), notebook, wish)


def _served(settings: Settings, name: str) -> OpenAIModel:
    from pincite.adapters.keys import key_for
    from pincite.adapters.openai import Endpoint, OpenAIModel

    return OpenAIModel(
        Endpoint(
            settings.llm_url,
            name,
            settings.llm_key or key_for(settings.llm_url, os.environ),
            timeout_s=settings.llm_timeout_s,
            retries=settings.llm_retries,
            budget_tokens=settings.llm_budget_tokens or None,
        )
    )


def extractor(settings: Settings) -> Extractor:
    """Return what turns a snapshot into a document, the user's own rules first. Raises UsageError for rules that can't be read."""
    return processing.extractor(settings.selectors)


def lanes(settings: Settings) -> AbstractContextManager[Lanes | None]:
    """Return what processes pages beside a capture, or None where it is to be done in this process. Raises UsageError."""
    from pincite.lanes import Lanes, count_of

    count = count_of(settings.processes)
    return Lanes(count, processing.rules(settings.selectors)) if count > 0 else nullcontext()


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
    if not headers and not cookies:
        return None
    from pincite.crawl.credentials import given

    return given(location, headers, cookies, allow_private)


def restore(backup: str, place: str) -> None:
    """Replace the store at `place` by a backup. Raises StoreError."""
    from pincite.store import copies

    copies.restore(backup, place)


def flow(
    source: Source,
    known: Mapping[str, Capture],
    settings: Settings,
    clock: Clock,
    *,
    left: Sequence[tuple[str, int]] = (),
    only: Sequence[str] | None = None,
    credentials: Credentials | None = None,
    survey: bool = False,
    robots: MutableMapping[str, Any] | None = None,
) -> Iterator[Sequence[Wanted | PageOutcome]]:
    """Yield the source's pages in groups, each fit for one transaction.

    `left` are pages, with their depth, that an earlier run left undone; with `only`, just these pages are captured. A
    `survey` fetches of a site its first page and its lists of pages alone. `robots` keeps what robots.txt files said for the next capture.
    """
    from pincite import flows

    return flows.flow(source, known, settings, clock, left=left, only=only, visit=flows.Visit(credentials, survey, robots))
