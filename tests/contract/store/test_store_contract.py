"""What every store must do with sources, captures, documents and the intervals that held them."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pincite.errors import EvidenceError, StoreError
from pincite.protocols import Store
from pincite.types import Policy, Source, Span, passage_id

URL = "https://docs.example.org/guide"
T0 = datetime(2026, 3, 1, 9, 0, 0, 123000, tzinfo=UTC)
HOUR = timedelta(hours=1)
SITE = Source("site", "site", "https://docs.example.org/", "2.1", Policy(include=("guide/*",), extra=(("render", "never"),)), T0)
TEXT = "Caches keep what was read before.\n\nSet `limit` to 0 and they keep nothing at all.\n" * 3
NEXT = TEXT.replace("nothing at all", "only the newest page")


def test_a_new_store_is_empty_and_sound(store: Store) -> None:
    assert store.sources() == ()
    assert store.seq() == 0
    assert list(store.holdings(closed=True)) == []
    assert list(store.live_ids()) == []
    assert store.report("site") is None
    assert list(store.check()) == []


def test_a_source_comes_back_as_it_was_put(store: Store) -> None:
    assert store.put_source(SITE) == SITE
    assert store.source("site") == SITE
    assert store.sources() == (SITE,)


def test_a_source_put_again_changes_but_keeps_its_time_and_place(store: Store) -> None:
    store.put_source(SITE)
    store.put_source(Source("other", "folder", "/srv/notes", added_at=T0))
    changed = store.put_source(replace(SITE, version="3.0", added_at=T0 + HOUR))
    assert changed == replace(SITE, version="3.0")
    assert [s.slug for s in store.sources()] == ["site", "other"]


def test_a_capture_comes_back_with_all_that_was_said_of_it(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    assert store.capture(capture.ref) == capture
    assert (capture.charset, capture.etag, capture.size, capture.mark, capture.flags) == (
        "utf-8",
        '"one"',
        len(TEXT),
        "none",
        ("dropped:2",),
    )
    assert store.body(capture.snapshot) == TEXT.encode()
    assert store.captures(URL) == (capture,)
    assert store.latest("site") == {URL: capture}
    assert store.capture("REF-zzzzzz") is None


def test_a_rendered_page_keeps_response_and_dom(store: Store, site: Any) -> None:
    store.put_source(SITE)
    page = replace(site.fetched("<p>dom"), renderer="browser", response_body=b"<script>")
    with store.batch() as batch:
        capture, _ = batch.put_capture("site", page)
    assert capture.response is not None
    assert (store.body(capture.response), store.body(capture.snapshot)) == (b"<script>", b"<p>dom")


def test_a_document_and_its_chunks_come_back_equal(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    doc = site.document(TEXT)
    assert store.document(doc.id) == doc
    assert store.document_of(capture.ref) == doc
    assert store.chunks(doc.id) == tuple(zip(*site.cut(doc), strict=True))
    assert store.document("doc_" + "0" * 32) is None


def test_entries_are_slices_of_the_document_in_order(store: Store, site: Any) -> None:
    store.put_source(SITE)
    site.add(TEXT)
    (holding,) = store.holdings()
    entries = store.entries(holding.id)
    assert [e.text for e in entries] == [TEXT[i : i + 40] for i in range(0, len(TEXT), 40)]
    assert {(e.holding, e.source_version, e.lang, e.document_title) for e in entries} == {(holding, "2.1", "en", "The guide")}
    assert store.entries(holding.id + 1) == ()


def test_passages_are_found_by_their_ids_and_only_those(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    wanted = site.ids(TEXT, capture)
    found = store.live([*reversed(wanted), "psg_" + "0" * 24, "nonsense"])
    (holding,) = store.holdings()
    assert found == {e.id: e for e in store.entries(holding.id)}
    assert store.entry(wanted[0]) == found[wanted[0]]
    assert store.entry("psg_" + "0" * 24) is None
    assert store.live([]) == {}


def test_in_a_moment_all_reads_of_a_thread_are_of_one_state(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    wanted = site.ids(TEXT, capture)
    with store.moment(), store.moment():
        before = store.seq()
        removing = threading.Thread(target=store.remove, args=("site", T0 + HOUR))
        removing.start()
        removing.join()
        assert store.seq() == before
        assert list(store.live(wanted)) == wanted
    assert store.seq() > before
    assert store.live(wanted) == {}


def test_boilerplate_is_held_but_not_for_the_index(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    wanted = site.ids(TEXT, capture)
    assert list(store.live_ids()) == [id for n, id in enumerate(wanted) if n != 1]
    assert wanted[1] in store.live(wanted)


def test_unchanged_bytes_add_a_check_time_and_no_capture(store: Store, site: Any) -> None:
    store.put_source(SITE)
    first = site.add(TEXT)
    with store.batch() as batch:
        again, new = batch.put_capture("site", site.fetched(TEXT, T0 + HOUR))
    assert (new, again) == (False, replace(first, checked_at=T0 + HOUR))
    assert store.captures(URL) == (again,)
    assert store.seq() == 1


def test_a_changed_page_closes_one_interval_and_opens_the_next(store: Store, site: Any) -> None:
    store.put_source(SITE)
    first, second = site.add(TEXT), site.add(NEXT, T0 + HOUR)
    assert [(h.ref, h.valid_from, h.valid_to) for h in store.holdings(closed=True)] == [
        (first.ref, T0, T0 + HOUR),
        (second.ref, T0 + HOUR, None),
    ]
    assert [h.ref for h in store.holdings("site")] == [second.ref]
    assert [c.op for c in store.changes_since(0)] == ["open", "close", "open"]
    assert [c.op for c in store.changes_since(1, 1)] == ["close"]
    old, new = site.ids(TEXT, first), site.ids(NEXT, second)
    assert set(store.live(old + new)) == set(new)
    assert set(store.live(old + new, as_of=T0 + HOUR / 2)) == set(old)
    assert store.live(old + new, as_of=T0 - HOUR) == {}
    assert [h.ref for h in store.holdings(as_of=T0)] == [first.ref]
    before = store.entry(old[0])
    assert before is not None
    assert before.holding.valid_to == T0 + HOUR
    assert store.body(first.snapshot) == TEXT.encode()
    assert store.captures(URL) == (second, first)
    assert list(store.check()) == []


def test_bytes_that_come_back_are_a_new_capture(store: Store, site: Any) -> None:
    store.put_source(SITE)
    refs = [site.add(text, T0 + n * HOUR).ref for n, text in enumerate([TEXT, NEXT, TEXT])]
    assert len(set(refs)) == 3
    assert [h.ref for h in store.holdings(closed=True)] == refs


def test_a_page_that_is_gone_is_closed_and_may_return(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    with store.batch() as batch:
        batch.close("site", URL, T0 + HOUR)
        batch.close("site", URL + "/unknown", T0 + HOUR)
    assert list(store.holdings()) == []
    assert store.latest("site") == {}
    again = site.add(TEXT, T0 + 2 * HOUR)
    assert again.ref == capture.ref
    assert [(h.valid_from, h.valid_to) for h in store.holdings(closed=True)] == [(T0, T0 + HOUR), (T0 + 2 * HOUR, None)]
    wanted = site.ids(TEXT, capture)
    assert store.live(wanted, as_of=T0 + 1.5 * HOUR) == {}
    assert store.live(wanted[:1])[wanted[0]].holding.valid_from == T0 + 2 * HOUR
    assert list(store.check()) == []


def test_another_document_of_the_same_capture_retires_the_first(store: Store, site: Any) -> None:
    store.put_source(SITE)
    site.add(TEXT)
    site.add(TEXT, T0 + HOUR, how="plain@2")
    (holding,) = store.holdings(closed=True)
    assert (holding.document, holding.valid_from) == (site.document(TEXT, how="plain@2").id, T0)
    assert [c.op for c in store.changes_since(0)] == ["open", "retire", "open"]
    (old, *_) = store.changes_since(0)
    assert store.entries(old.holding)[0].holding.retired
    assert store.document(site.document(TEXT).id) == site.document(TEXT)


def test_other_chunks_of_the_same_document_replace_those_held(store: Store, site: Any) -> None:
    store.put_source(SITE)
    capture = site.add(TEXT)
    old = site.ids(TEXT, capture)
    site.add(TEXT, T0 + HOUR, size=60)
    assert [c.op for c in store.changes_since(0)] == ["open", "retire", "open"]
    (holding,) = store.holdings()
    assert [len(e.text) for e in store.entries(holding.id)][:2] == [60, 60]
    assert len(store.chunks(site.document(TEXT).id)) == len(store.entries(holding.id))
    assert old[0] not in store.live(old)
    assert store.entry(old[0]) is not None
    assert list(store.check()) == []


def test_the_same_again_changes_nothing(store: Store, site: Any) -> None:
    store.put_source(SITE)
    site.add(TEXT)
    before = (store.seq(), list(store.holdings(closed=True)), list(store.live_ids()))
    site.add(TEXT, T0 + HOUR)
    assert (store.seq(), list(store.holdings(closed=True)), list(store.live_ids())) == before


def test_two_captures_of_one_moment_get_two_codes_and_one_interval(store: Store, site: Any) -> None:
    store.put_source(SITE)
    store.put_source(replace(SITE, slug="twin"))
    first, second = site.add(TEXT), site.add(NEXT)
    third = site.add(TEXT, source="twin")
    assert second.ref.startswith(first.ref)
    assert [len(c.ref) for c in (first, second, third)] == [10, 12, 14]
    assert [h.ref for h in store.holdings("site", closed=True)] == [second.ref]
    assert list(store.check()) == []


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_batch_that_raises_leaves_nothing(store: Store, site: Any, kind: type[BaseException]) -> None:
    store.put_source(SITE)
    with pytest.raises(kind), store.batch() as batch:  # noqa: PT012
        capture, _ = batch.put_capture("site", site.fetched(TEXT))
        doc = site.document(TEXT)
        batch.put_document(doc, *site.cut(doc))
        batch.hold(capture, doc.id)
        raise kind
    assert store.captures(URL) == ()
    assert store.document(doc.id) is None
    assert store.seq() == 0
    site.add(TEXT)
    assert list(store.check()) == []


def test_a_page_holds_only_what_is_in_the_store(store: Store, site: Any) -> None:
    store.put_source(SITE)
    with pytest.raises(StoreError), store.batch() as batch:
        batch.put_capture("nobody", site.fetched(TEXT))
    with pytest.raises(StoreError), store.batch() as batch:  # noqa: PT012
        capture, _ = batch.put_capture("site", site.fetched(TEXT))
        batch.hold(capture, site.document(TEXT).id)
    assert store.captures(URL) == ()


def test_a_chunk_that_is_no_slice_is_refused(store: Store, site: Any) -> None:
    doc = site.document(TEXT)
    chunks, contexts = site.cut(doc)
    wrong = replace(chunks[-1], span=Span(0, len(TEXT) + 1))
    with pytest.raises(EvidenceError), store.batch() as batch:
        batch.put_document(doc, (*chunks[:-1], wrong), contexts)
    with pytest.raises(EvidenceError), store.batch() as batch:
        batch.put_document(doc, chunks, contexts[:-1])


@pytest.mark.parametrize(
    "name",
    ["a/b c#d?e", "", "日本語/ドキュメント.md", "nul\0in it", "bad\udcffbytes", "x" * 5000, "quote'\"%_--"],
    ids=["marks", "empty", "japanese", "nul", "no-utf8", "long", "quotes"],
)
def test_any_string_may_be_a_page(store: Store, site: Any, name: str) -> None:
    store.put_source(SITE)
    with store.batch() as batch:
        capture, _ = batch.put_capture("site", site.fetched(TEXT, url=name, path=name))
        doc = site.document(TEXT, name)
        batch.put_document(doc, *site.cut(doc))
        batch.hold(capture, doc.id)
    assert store.latest("site") == {name: capture}
    assert store.captures(name) == (capture,)
    (holding,) = store.holdings()
    assert (holding.url, holding.path, capture.path) == (name, name, name)
    with store.batch() as batch:
        batch.close("site", name, T0 + HOUR)
    assert list(store.holdings()) == []


@pytest.mark.parametrize(
    "text", ["", "a", "é" * 8191 + "😀" * 3, "x\udcff" * 9000, "\r\n\0\u2028" * 5000], ids=["empty", "one", "page", "odd", "ends"]
)
def test_any_text_comes_back_whole_and_in_slices(store: Store, site: Any, text: str) -> None:
    store.put_source(SITE)
    capture = site.add(text, size=3001)
    doc = site.document(text)
    assert store.document(doc.id) == doc
    for chunk in site.cut(doc, 3001)[0]:
        entry = store.entry(passage_id(capture.ref, chunk.id))
        assert entry is not None
        assert entry.text == chunk.span.of(text)
