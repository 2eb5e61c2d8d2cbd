"""One capture of a source, from the pages that are to be had to the report about them.

In: the parts, settings, a source, what may open it. Out: its coverage report. Loaded when something is captured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite import lanes, pipeline, wiring
from pincite.interrupts import undisturbed
from pincite.protocols import Parts
from pincite.settings import Settings
from pincite.types import Coverage, PageOutcome, Source

_FINAL = frozenset({"interrupted", "http 404", "http 410", "soft 404"})
"""Reasons that the next capture of a source need not look into: told apart already, or gone for good."""


def capture(
    parts: Parts,
    settings: Settings,
    source: Source,
    tell: Callable[[PageOutcome], None],
    *,
    headers: Sequence[str],
    cookies: str,
    only: tuple[str, ...] | None = None,
) -> Coverage:
    """Capture a source and what its last capture left undone; with `only`, just these pages. Raises UsageError, SourceError, Refused."""
    left = _left(parts, source) if only is None else ()
    secret = wiring.credentials(source.location, headers, cookies, source.policy.allow_private)
    known = parts.store.latest(source.slug)
    flow = wiring.flow(source, known, settings, parts.clock, left=left, only=only, credentials=secret)
    with wiring.lanes(settings) as beside:
        return pipeline.ingest(parts, source, undisturbed(lanes.prepared(parts, source, known, flow, beside)), tell)


def _left(parts: Parts, source: Source) -> tuple[tuple[str, int], ...]:
    """Return what the source's last capture left undone, each with its depth: interrupted, over the budget, or failed but for 404."""
    store = parts.store
    run, before = store.interrupted(source.slug), store.report(source.slug)
    pending = store.pending(run) if run is not None else ()
    deepest = source.policy.max_depth or 0
    again = [p.url for p in before.pages if p.reason == "budget" or (p.outcome == "failed" and p.reason not in _FINAL)] if before else []
    return (*pending, *((url, deepest) for url in again))
