"""Runs: which pages a capture wanted, what became of each, and whether it came to its end.

In: a link, urls and outcomes. Out: coverage. A run without an end was interrupted; its wanted pages without an outcome are what is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from pincite.errors import StoreError
from pincite.store.captures import source_row
from pincite.store.codec import plain, text_of
from pincite.store.links import Link
from pincite.types import Coverage, PageOutcome, moment, timestamp

INTERRUPTED = "interrupted"


def start(link: Link, source: str, at: datetime) -> int:
    """Begin a run and return its id."""
    run = link.db.execute("INSERT INTO runs (source, started_at) VALUES (?, ?)", (source_row(link, source), timestamp(at))).lastrowid
    assert run is not None, "an insert has a row id"
    return run


def want(link: Link, run: int, urls: Iterable[str], depth: int) -> None:
    """Note pages that the run means to fetch, and how many links from its seeds they lie."""
    link.db.executemany(
        "INSERT INTO pages (run, url, wanted, depth) VALUES (?, ?, 1, ?) ON CONFLICT (run, url) DO UPDATE SET wanted = 1",
        ((run, plain(url), depth) for url in urls),
    )


def outcome(link: Link, run: int, page: PageOutcome) -> None:
    """Note what became of a page; a later word on the same page replaces the earlier one."""
    link.db.execute(
        "INSERT INTO pages (run, url, wanted, outcome, reason, ref) VALUES (?, ?, 0, ?, ?, ?)"
        " ON CONFLICT (run, url) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason, ref = excluded.ref",
        (run, plain(page.url), page.outcome, page.reason, page.ref),
    )


def finish(link: Link, run: int, at: datetime, counts: tuple[int, int, int]) -> None:
    """Note that the run came to its end, with its documents, chunks and removed pages. Raises StoreError for an unknown run."""
    done = link.db.execute(
        "UPDATE runs SET finished_at = ?, documents = ?, chunks = ?, removed = ? WHERE id = ?", (timestamp(at), *counts, run)
    )
    if done.rowcount != 1:
        raise StoreError(f"There is no run {run} in this store.")


def report(link: Link, source: str) -> Coverage | None:
    """Return the coverage of the source's newest run. Of an interrupted run, what is missing counts as failed: interrupted."""
    row = link.db.execute(
        "SELECT id, started_at, finished_at, documents, chunks, removed FROM runs"
        " WHERE source = (SELECT id FROM sources WHERE slug = ?) ORDER BY id DESC LIMIT 1",
        (source,),
    ).fetchone()
    if row is None:
        return None
    run, started, finished, documents, chunks, removed = row
    pages, wanted = [], 0
    for url, want, outcome, reason, ref in link.db.execute(
        "SELECT url, wanted, outcome, reason, ref FROM pages WHERE run = ? ORDER BY id", (run,)
    ):
        wanted += want or outcome != "skipped"
        pages.append(PageOutcome(text_of(url), outcome or "failed", reason if outcome else INTERRUPTED, ref))
    if finished is None:
        documents, chunks, removed = _so_far(link, run)
    count = Counter(page.outcome for page in pages)
    return Coverage(
        source=source,
        wanted=wanted,
        fetched=count["fetched"],
        unchanged=count["unchanged"],
        skipped=_reasons(pages, "skipped"),
        failed=_reasons(pages, "failed"),
        documents=documents,
        chunks=chunks,
        seconds=(moment(finished) - moment(started)).total_seconds() if finished else 0.0,
        pages=tuple(pages),
        finished=finished is not None,
        removed=removed,
    )


def _reasons(pages: Iterable[PageOutcome], outcome: str) -> dict[str, int]:
    return dict(Counter(page.reason for page in pages if page.outcome == outcome))


def _so_far(link: Link, run: int) -> tuple[int, int, int]:
    """Return documents, chunks and removed pages of an interrupted run."""
    documents, chunks = link.db.execute(
        "SELECT count(*), coalesce(sum(t.size), 0) FROM pages p JOIN captures c ON c.ref = p.ref"
        " JOIN holdings h ON h.capture = c.id AND h.valid_to IS NULL AND h.retired = 0 JOIN cuts t ON t.id = h.cut"
        " WHERE p.run = ? AND p.outcome = 'fetched'",
        (run,),
    ).fetchone()
    (removed,) = link.db.execute("SELECT count(*) FROM pages WHERE run = ? AND reason = 'gone'", (run,)).fetchone()
    return documents, chunks, removed


def interrupted(link: Link, source: str) -> int | None:
    """Return the source's newest run when it has no end."""
    row = link.db.execute(
        "SELECT id, finished_at FROM runs WHERE source = (SELECT id FROM sources WHERE slug = ?) ORDER BY id DESC LIMIT 1", (source,)
    ).fetchone()
    return int(row[0]) if row is not None and row[1] is None else None


def pending(link: Link, run: int) -> tuple[tuple[str, int], ...]:
    """Return the run's wanted pages that have no outcome, each with its depth, in the order they were wanted."""
    rows = link.db.execute("SELECT url, depth FROM pages WHERE run = ? AND wanted AND outcome IS NULL ORDER BY id", (run,))
    return tuple((text_of(url), depth) for url, depth in rows)
