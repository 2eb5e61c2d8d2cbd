"""The whole product on one screen: ingest, process, search, ask.

In: the parts that `wiring` made, and values. Out: values. Each arrow of ARCHITECTURE.md is one function here; the rooms do the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.protocols import Batch, Parts
from pincite.retrieve import looking, passages, rerank
from pincite.types import (
    Answer,
    AskOptions,
    Chunk,
    Context,
    Coverage,
    Document,
    PageOutcome,
    Query,
    SearchResult,
    Snapshot,
    Source,
    Wanted,
)

if TYPE_CHECKING:
    from pincite.answering import Turn

INDEX_EVERY = 256
"""Documents between two times that a capture's pages become searchable."""


@dataclass(frozen=True, slots=True)
class Processed:
    """A document, cut and contextualized: what is written beside its capture."""

    document: Document
    chunks: tuple[Chunk, ...]
    contexts: tuple[Context, ...]


Ready = Sequence[tuple[Wanted | PageOutcome, Processed | PageOutcome | None]]
"""Items fit for one transaction, each with what was made of it (see `lanes`)."""


def process(parts: Parts, snapshot: Snapshot) -> Processed:
    """Snapshot -> document -> chunks -> contexts; pure, offline. Raises SourceError where there is no text to take."""
    document = parts.extractor.extract(snapshot)
    chunks = parts.chunker.chunk(document)
    return Processed(document, chunks, parts.contextualizer.contextualize(document, chunks, snapshot.capture.path))


def ingest(parts: Parts, source: Source, flow: Iterable[Ready], tell: Callable[[PageOutcome], None]) -> Coverage:
    """Write what flows from a source, one group one transaction, and let the index catch up now and then and at the end."""
    run = parts.store.start_run(source.slug, parts.clock())
    documents = chunks = removed = 0
    for group in flow:
        before = documents
        with parts.store.batch() as batch:
            for item, made in group:
                if isinstance(item, Wanted):
                    batch.want(run, item.urls, item.depth)
                    continue
                done = _write(batch, source, item, made, parts)
                batch.outcome(run, done)
                tell(replace(done, warning=made.document.warning) if isinstance(made, Processed) else done)
                if isinstance(made, Processed):
                    documents, chunks = documents + 1, chunks + len(made.chunks)
                removed += done.reason == "gone"
        if documents // INDEX_EVERY > before // INDEX_EVERY:
            parts.index.catch_up(parts.store)
    parts.store.finish_run(run, parts.clock(), documents=documents, chunks=chunks, removed=removed)
    parts.index.catch_up(parts.store, full=True)
    report = parts.store.report(source.slug)
    assert report is not None, "a run that was started has a report"
    return report


def _write(batch: Batch, source: Source, item: PageOutcome, made: Processed | PageOutcome | None, parts: Parts) -> PageOutcome:
    if item.reason == "gone":
        batch.close(source.slug, item.url, parts.clock())
    if item.fetched is None:
        if item.outcome == "unchanged" and item.ref and item.reason != "fresh":
            batch.checked(item.ref, parts.clock())
        return item
    capture, _ = batch.put_capture(source.slug, item.fetched)
    if isinstance(made, Processed):
        batch.put_document(made.document, made.chunks, made.contexts)
        batch.hold(capture, made.document.id)
    return replace(made if isinstance(made, PageOutcome) else item, ref=capture.ref, fetched=None)


def search(parts: Parts, query: Query) -> SearchResult:
    """Question, or the questions in it -> hits -> live passages, filtered, cut off, widened and numbered."""
    parts.index.catch_up(parts.store)
    return passages.assembled(query, [_looked(parts, one) for one in query.questions or (query,)], parts.store)


def _looked(parts: Parts, query: Query) -> passages.Look:
    found, entries = looking.looked(query, parts.index, parts.store)
    return (found if parts.reranker is None else rerank.reranked(parts.reranker, query, found, entries)), entries


def ask(parts: Parts, query: Query, options: AskOptions, turn: Turn) -> Iterator[str | Answer]:
    """Question -> passages -> draft -> verified pieces as they hold, then the answer with its footnotes."""
    result = search(parts, query) if turn.searches else SearchResult(query.text, ())
    for item in turn.answered(result, parts.store, parts.model, options, parts.judge):
        if isinstance(item, Answer) and not parts.store.read_only:
            parts.store.put_citations(item.citations)
        yield item
