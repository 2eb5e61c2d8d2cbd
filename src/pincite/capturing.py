"""One capture of a source, from the pages that are to be had to the report about them.

In: the parts, settings, a source, what may open it. Out: its coverage report. Loaded when something is captured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pincite import lanes, pipeline, processing, wiring
from pincite.errors import PinciteError
from pincite.interrupts import undisturbed
from pincite.protocols import Parts
from pincite.settings import Settings
from pincite.types import Capture, Coverage, PageOutcome, Source, Wanted, snapshot_id

WRITES = ("enabled", "write-only", "bypass")
"""Cache modes in which what is captured is kept."""
WOULD_FETCH = "would be fetched"
_FINAL = frozenset({"interrupted", "http 410"})
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
    added: bool = False,
    dry_run: bool = False,
    robots: MutableMapping[str, Any] | None = None,
) -> Coverage:
    """Capture a source and what its last capture left undone; with `only`, just these pages. Raises UsageError, SourceError, Refused.

    One that is `added` is put into the library. A `dry_run`, and a cache mode that writes nothing, only tell what would come of it.
    """
    processing.check_selectors(source.policy)
    writes = _writes(source, dry_run=dry_run)
    unknown = added and writes and parts.store.source(source.slug) is None
    if added and writes:
        kept = replace(source.policy, cache="enabled") if source.policy.cache == "bypass" else source.policy
        source = replace(parts.store.put_source(replace(source, policy=kept)), policy=source.policy)
    try:
        return _captured(parts, settings, source, tell, headers=headers, cookies=cookies, only=only, dry_run=dry_run, robots=robots)
    except PinciteError:
        if unknown and not parts.store.latest(source.slug):
            parts.store.remove(source.slug, parts.clock())  # nothing came of it: no source without a page is left behind
        raise


def _writes(source: Source, *, dry_run: bool) -> bool:
    return not dry_run and source.policy.cache in WRITES


def _captured(
    parts: Parts,
    settings: Settings,
    source: Source,
    tell: Callable[[PageOutcome], None],
    *,
    headers: Sequence[str],
    cookies: str,
    only: tuple[str, ...] | None,
    dry_run: bool,
    robots: MutableMapping[str, Any] | None,
) -> Coverage:
    left = _left(parts, source) if only is None else ()
    secret = wiring.credentials(source.location, headers, cookies, source.policy.allow_private)
    known = parts.store.latest(source.slug) if source.policy.cache != "disabled" else {}
    flow = wiring.flow(source, known, settings, parts.clock, left=left, only=only, credentials=secret, survey=dry_run, robots=robots)
    if not _writes(source, dry_run=dry_run):
        return _rehearsed(source, known, flow, tell, parts.clock(), dry_run=dry_run)
    with wiring.lanes(settings) as beside:
        return pipeline.ingest(parts, source, undisturbed(lanes.prepared(parts, source, known, flow, beside)), tell)


def _rehearsed(
    source: Source,
    known: Mapping[str, Capture],
    flow: Iterable[Sequence[Wanted | PageOutcome]],
    tell: Callable[[PageOutcome], None],
    began: datetime,
    *,
    dry_run: bool,
) -> Coverage:
    """Return the report of a capture of which nothing is written."""
    wanted, pages = dict[str, None](), dict[str, PageOutcome]()
    for group in flow:
        for item in group:
            if isinstance(item, Wanted):
                wanted |= dict.fromkeys(item.urls)
                continue
            held = known.get(item.url)
            if item.fetched is not None and item.outcome == "fetched":
                same = held is not None and held.snapshot == snapshot_id(item.fetched.body)
                item = (
                    replace(item, outcome="unchanged")
                    if same
                    else replace(item, outcome="skipped", reason=WOULD_FETCH)
                    if dry_run
                    else item
                )
            pages[item.url] = replace(item, fetched=None)
            tell(pages[item.url])
    outcomes = Counter(page.outcome for page in pages.values())
    return Coverage(
        source=source.slug,
        wanted=len(wanted.keys() | {url for url, page in pages.items() if page.outcome != "skipped"}),
        fetched=outcomes["fetched"],
        unchanged=outcomes["unchanged"],
        skipped=Counter(page.reason for page in pages.values() if page.outcome == "skipped"),
        failed=Counter(page.reason for page in pages.values() if page.outcome == "failed"),
        documents=0,
        chunks=0,
        seconds=(wiring.now() - began).total_seconds(),
        pages=tuple(pages.values()),
    )


def _left(parts: Parts, source: Source) -> tuple[tuple[str, int], ...]:
    """Return what the source's last capture left undone, each with its depth: interrupted, over the budget, or failed."""
    store = parts.store
    run, before = store.interrupted(source.slug), store.report(source.slug)
    pending = store.pending(run) if run is not None else ()
    deepest = source.policy.max_depth or 0
    again = [p.url for p in before.pages if p.reason == "budget" or (p.outcome == "failed" and p.reason not in _FINAL)] if before else []
    return (*pending, *((url, deepest) for url in again))
