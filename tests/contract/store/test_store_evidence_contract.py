"""What every store must do with runs, marks, citations, removal and purge."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pincite.errors import EvidenceError, StoreError
from pincite.protocols import Store
from pincite.types import PageOutcome, Policy, Source, Span

URL = "https://docs.example.org/guide"
T0 = datetime(2026, 3, 1, 9, 0, 0, 123000, tzinfo=UTC)
HOUR = timedelta(hours=1)
SITE = Source("site", "site", "https://docs.example.org/", "2.1", Policy(include=("guide/*",), extra=(("render", "never"),)), T0)
TEXT = "Caches keep what was read before.\n\nSet `limit` to 0 and they keep nothing at all.\n" * 3
NEXT = TEXT.replace("nothing at all", "only the newest page")


def test_a_run_says_what_it_got_and_what_is_missing(store: Store, site: Any) -> None:
    store.put_source(SITE)
    run = store.start_run("site", T0)
    with store.batch() as batch:
        batch.want(run, [URL, URL + "/2", URL + "/3"])
    with store.batch() as batch:
        capture, _ = batch.put_capture("site", site.fetched(TEXT))
        doc = site.document(TEXT)
        batch.put_document(doc, *site.cut(doc))
        batch.hold(capture, doc.id)
        batch.outcome(run, PageOutcome(URL, "fetched", ref=capture.ref))
        batch.outcome(run, PageOutcome(URL + "/ad", "skipped", "scope"))
    report = store.report("site")
    assert report is not None
    assert not report.finished
    assert (report.wanted, report.fetched, report.skipped, report.failed) == (3, 1, {"scope": 1}, {"interrupted": 2})
    assert (report.documents, report.chunks) == (1, len(site.cut(doc)[0]))
    assert [p.url for p in report.pages if p.reason == "interrupted"] == [URL + "/2", URL + "/3"]
    with store.batch() as batch:
        batch.outcome(run, PageOutcome(URL + "/2", "failed", "404"))
        batch.outcome(run, PageOutcome(URL + "/3", "unchanged"))
    store.finish_run(run, T0 + HOUR, documents=1, chunks=7, removed=2)
    report = store.report("site")
    assert report is not None
    assert (report.finished, report.seconds, report.failed, report.unchanged) == (True, 3600.0, {"404": 1}, 1)
    assert (report.documents, report.chunks, report.removed) == (1, 7, 2)


def test_marks_are_rows_and_the_newest_counts(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    store.mark(capture.ref, "expired", who="ann", why="moved", at=T0)
    store.mark(capture.ref, "keep", who="bob", why="cited", at=T0)
    assert store.capture(capture.ref) == replace(capture, mark="keep")
    assert [c.op for c in store.changes_since(1)] == ["mark", "mark"]
    with pytest.raises(StoreError):
        store.mark("REF-zzzzzz", "keep", who="", why="", at=T0)


def test_citations_come_back_and_the_same_again_is_nothing(store: Store, site: Any) -> None:
    store.put_source(SITE)
    cited = site.citation(site.add(TEXT))
    store.put_citations([cited])
    store.put_citations([replace(cited, n=2)])
    assert store.citation(cited.id) == cited
    assert list(store.citations()) == [cited]
    assert store.citation("cit_none") is None
    assert list(store.check()) == []


def test_a_false_quote_is_found_by_the_check(store: Store, site: Any) -> None:
    store.put_source(SITE)
    store.put_citations([replace(site.citation(site.add(TEXT)), quote="Caches forget.")])
    assert [(f.kind, f.subject) for f in store.check()] == [("citation", "cit_0123456789abcdef")]


def test_removing_hides_at_once_and_keeps_the_evidence(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    other = site.add(TEXT, url=URL + "/2")
    store.put_citations([site.citation(capture)])
    assert store.remove("site", T0 + HOUR) == 2
    assert (store.source("site"), store.sources(), store.latest("site")) == (None, (), {})
    assert store.live(site.ids(TEXT, capture)) == {}
    assert len(store.live(site.ids(TEXT, capture), as_of=T0)) == len(site.ids(TEXT, capture))
    assert [c.op for c in store.changes_since(0)] == ["open", "open", "close", "close"]
    assert store.capture(other.ref) == other
    assert store.document_of(capture.ref) == site.document(TEXT)
    assert store.body(capture.snapshot) == TEXT.encode()
    assert store.citation("cit_0123456789abcdef") == site.citation(capture)
    assert store.remove("site", T0 + HOUR) == 0
    assert store.remove("nobody", T0 + HOUR) == 0
    assert list(store.check()) == []


def test_a_removed_source_comes_back(store: Store, site: Any) -> None:
    store.put_source(SITE)
    store.put_source(Source("other", "folder", "/srv/notes"))
    first = site.add(TEXT)
    store.remove("site", T0 + HOUR)
    store.put_source(replace(SITE, added_at=T0 + 2 * HOUR))
    again = site.add(TEXT, T0 + 2 * HOUR)
    assert again.ref == first.ref
    assert [s.slug for s in store.sources()] == ["other", "site"]
    assert len(store.live(site.ids(TEXT, again))) == len(site.ids(TEXT, again))
    assert list(store.check()) == []


def test_purging_erases_and_leaves_tombstones(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    store.put_citations([site.citation(capture)])
    passage = site.ids(TEXT, capture)[0]
    assert store.entry(passage) is not None
    assert store.remove("site", T0 + HOUR, purge=True) == 1
    with pytest.raises(EvidenceError, match="purged"):
        store.body(capture.snapshot)
    assert store.document_of(capture.ref) is None
    assert store.document(site.document(TEXT).id) is None
    assert store.chunks(site.document(TEXT).id) == ()
    assert store.entry(passage) is None
    assert list(store.holdings(closed=True)) == []
    assert list(store.live_ids()) == []
    left = store.capture(capture.ref)
    assert left is not None
    assert left.flags == ("dropped:2", "purged")
    grave = store.citation("cit_0123456789abcdef")
    assert grave is not None
    assert (grave.quote, grave.visible, grave.suffix, grave.claim, grave.deep_link) == ("", "", "", "", "")
    assert (grave.span, grave.capture, grave.flags) == (Span(0, 33), left, ("table", "purged"))
    assert [c.op for c in store.changes_since(0)] == ["open", "close", "retire"]
    assert list(store.check()) == []


def test_purging_keeps_what_another_source_holds(store: Store, site: Any) -> None:
    store.put_source(SITE)
    store.put_source(replace(SITE, slug="twin"))
    site.add(TEXT)
    kept = site.add(TEXT, T0 + HOUR, source="twin")
    store.remove("site", T0 + 2 * HOUR, purge=True)
    assert store.body(kept.snapshot) == TEXT.encode()
    assert store.document_of(kept.ref) == site.document(TEXT)
    assert len(store.live(site.ids(TEXT, kept))) == len(site.ids(TEXT, kept))
    assert list(store.check()) == []


def test_a_purged_source_added_again_is_whole_again(store: Store, site: Any) -> None:
    store.put_source(SITE)
    first = site.add(TEXT)
    store.remove("site", T0 + HOUR, purge=True)
    store.put_source(SITE)
    again = site.add(TEXT, T0 + 2 * HOUR)
    assert again.ref != first.ref
    assert store.body(again.snapshot) == TEXT.encode()
    assert store.document_of(again.ref) == site.document(TEXT)
    assert store.chunks(site.document(TEXT).id) == tuple(zip(*site.cut(site.document(TEXT)), strict=True))
    assert store.document_of(first.ref) is None
    assert len(store.live(site.ids(TEXT, again))) == len(site.ids(TEXT, again))
    assert list(store.check()) == []


def test_many_holdings_come_page_by_page(store: Store, site: Any) -> None:
    store.put_source(SITE)
    doc = site.document(TEXT)
    with store.batch() as batch:
        batch.put_document(doc, *site.cut(doc))
        for n in range(1203):
            capture, _ = batch.put_capture("site", site.fetched(TEXT, url=f"{URL}/{n}"))
            batch.hold(capture, doc.id)
    assert [h.url for h in store.holdings()] == [f"{URL}/{n}" for n in range(1203)]
    wanted = len(site.cut(doc)[0]) - 1
    assert len(set(store.live_ids())) == len(list(store.live_ids())) == 1203 * wanted
