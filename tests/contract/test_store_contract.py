"""What every implementation of `protocols.Store` must do; a new one adds its factory to `FACTORIES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pincite.errors import EvidenceError, StoreError
from pincite.protocols import Store
from pincite.store.sqlite import SqliteStore
from pincite.types import (
    Block,
    Capture,
    Chunk,
    Citation,
    Context,
    Document,
    Fetched,
    PageOutcome,
    Policy,
    Section,
    Source,
    Span,
    Verification,
    chunk_id,
    document_id,
    passage_id,
    snapshot_id,
)

Factory = Callable[[Path], Store]

FACTORIES: dict[str, Factory] = {"sqlite": lambda folder: SqliteStore.open(str(folder / "library.db"), create=True)}

T0 = datetime(2026, 3, 1, 9, 0, 0, 123000, tzinfo=UTC)
HOUR = timedelta(hours=1)
SITE = Source("site", "site", "https://docs.example.org/", "2.1", Policy(include=("guide/*",), extra=(("render", "never"),)), T0)
URL = "https://docs.example.org/guide"


@pytest.fixture(params=list(FACTORIES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = FACTORIES[request.param](tmp_path)
    yield opened
    opened.shut()


def fetched(text: str, at: datetime = T0, url: str = URL, path: str | None = None) -> Fetched:
    return Fetched(
        url=url,
        final_url=url + "/",
        path=url if path is None else path,
        status=200,
        headers=(("Content-Type", "text/plain; charset=utf-8"), ("ETag", '"one"')),
        media_type="text/plain",
        body=text.encode("utf-8", "surrogatepass"),
        fetched_at=at,
        flags=("dropped:2",),
    )


def document(text: str, url: str = URL, *, how: str = "plain@1") -> Document:
    body = text.encode("utf-8", "surrogatepass")
    middle = len(text) // 2
    return Document(
        id=document_id(snapshot_id(body), url, how),
        snapshot=snapshot_id(body),
        base_url=url,
        kind="doc",
        title="The guide",
        text=text,
        sections=(
            Section(0, 0, (), Span(0, len(text)), kind="root"),
            Section(1, 1, ("The guide", "Caches"), Span(middle, len(text)), anchor="caches", parent=0),
        ),
        blocks=(
            Block("b1", "paragraph", Span(0, middle), 0, 1, dom_path="body > p", hidden=(Span(0, 1),)),
            Block("b2", "code", Span(middle, len(text)), 1, 1, anchor="caches", language="python", lead="b1"),
        ),
        extractor=how,
        language="en",
        links=("https://docs.example.org/next",),
        retention=0.75,
        dropped=(Span(3, 1),),
    )


def cut(doc: Document, size: int = 40) -> tuple[tuple[Chunk, ...], tuple[Context, ...]]:
    spans = [Span(start, min(start + size, len(doc.text))) for start in range(0, len(doc.text), size)]
    chunks = tuple(
        Chunk(
            chunk_id(doc.id, span),
            doc.id,
            span,
            section=n % 2,
            kind="doc",
            heading=("The guide", f"Part {n}"),
            defines=("cache",) if n else (),
            boilerplate=n == 1,
        )
        for n, span in enumerate(spans)
    )
    contexts = tuple(
        Context("The guide", "About it.", f"Part {n}" if n else "", path="guide.md", terms=("store",) * n) for n in range(len(spans))
    )
    return chunks, contexts


def add(
    store: Store, text: str, at: datetime = T0, url: str = URL, source: str = "site", *, size: int = 40, how: str = "plain@1"
) -> Capture:
    with store.batch() as batch:
        capture, _ = batch.put_capture(source, fetched(text, at, url))
        doc = document(text, url, how=how)
        batch.put_document(doc, *cut(doc, size))
        batch.hold(capture, doc.id)
    return capture


def ids(store: Store, text: str, capture: Capture, url: str = URL) -> list[str]:
    return [passage_id(capture.ref, chunk.id) for chunk in cut(document(text, url))[0]]


TEXT = "Caches keep what was read before.\n\nSet `limit` to 0 and they keep nothing at all.\n" * 3
NEXT = TEXT.replace("nothing at all", "only the newest page")


def citation(capture: Capture, text: str = TEXT) -> Citation:
    doc = document(text)
    return Citation(
        id="cit_0123456789abcdef",
        n=1,
        capture=capture,
        document=doc.id,
        span=Span(0, 33),
        quote=text[:33],
        visible=text[:33],
        title="The guide",
        heading=("The guide", "Caches"),
        anchor="caches",
        block="b1",
        paragraph=1,
        line=1,
        prefix="",
        suffix=text[33:60],
        text_sha256="00",
        extractor="plain@1",
        verification=Verification("exact", "exact", 100.0, ("none",)),
        claim="Caches keep pages.",
        answer_span=(0, 18),
        deep_link=URL + "#:~:text=Caches%20keep",
        quality=0.5,
        flags=("table",),
    )


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


def test_a_capture_comes_back_with_all_that_was_said_of_it(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
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


def test_a_rendered_page_keeps_response_and_dom(store: Store) -> None:
    store.put_source(SITE)
    page = replace(fetched("<p>dom"), renderer="browser", response_body=b"<script>")
    with store.batch() as batch:
        capture, _ = batch.put_capture("site", page)
    assert capture.response is not None
    assert (store.body(capture.response), store.body(capture.snapshot)) == (b"<script>", b"<p>dom")


def test_a_document_and_its_chunks_come_back_equal(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    doc = document(TEXT)
    assert store.document(doc.id) == doc
    assert store.document_of(capture.ref) == doc
    assert store.chunks(doc.id) == tuple(zip(*cut(doc), strict=True))
    assert store.document("doc_" + "0" * 32) is None


def test_entries_are_slices_of_the_document_in_order(store: Store) -> None:
    store.put_source(SITE)
    add(store, TEXT)
    (holding,) = store.holdings()
    entries = store.entries(holding.id)
    assert [e.text for e in entries] == [TEXT[i : i + 40] for i in range(0, len(TEXT), 40)]
    assert {(e.holding, e.source_version, e.lang, e.document_title) for e in entries} == {(holding, "2.1", "en", "The guide")}
    assert store.entries(holding.id + 1) == ()


def test_passages_are_found_by_their_ids_and_only_those(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    wanted = ids(store, TEXT, capture)
    found = store.live([*reversed(wanted), "psg_" + "0" * 24, "nonsense"])
    (holding,) = store.holdings()
    assert found == {e.id: e for e in store.entries(holding.id)}
    assert store.entry(wanted[0]) == found[wanted[0]]
    assert store.entry("psg_" + "0" * 24) is None
    assert store.live([]) == {}


def test_boilerplate_is_held_but_not_for_the_index(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    wanted = ids(store, TEXT, capture)
    assert list(store.live_ids()) == [id for n, id in enumerate(wanted) if n != 1]
    assert wanted[1] in store.live(wanted)


def test_unchanged_bytes_add_a_check_time_and_no_capture(store: Store) -> None:
    store.put_source(SITE)
    first = add(store, TEXT)
    with store.batch() as batch:
        again, new = batch.put_capture("site", fetched(TEXT, T0 + HOUR))
    assert (new, again) == (False, replace(first, checked_at=T0 + HOUR))
    assert store.captures(URL) == (again,)
    assert store.seq() == 1


def test_a_changed_page_closes_one_interval_and_opens_the_next(store: Store) -> None:
    store.put_source(SITE)
    first, second = add(store, TEXT), add(store, NEXT, T0 + HOUR)
    assert [(h.ref, h.valid_from, h.valid_to) for h in store.holdings(closed=True)] == [
        (first.ref, T0, T0 + HOUR),
        (second.ref, T0 + HOUR, None),
    ]
    assert [h.ref for h in store.holdings("site")] == [second.ref]
    assert [c.op for c in store.changes_since(0)] == ["open", "close", "open"]
    assert [c.op for c in store.changes_since(1, 1)] == ["close"]
    old, new = ids(store, TEXT, first), ids(store, NEXT, second)
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


def test_bytes_that_come_back_are_a_new_capture(store: Store) -> None:
    store.put_source(SITE)
    refs = [add(store, text, T0 + n * HOUR).ref for n, text in enumerate([TEXT, NEXT, TEXT])]
    assert len(set(refs)) == 3
    assert [h.ref for h in store.holdings(closed=True)] == refs


def test_a_page_that_is_gone_is_closed_and_may_return(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    with store.batch() as batch:
        batch.close("site", URL, T0 + HOUR)
        batch.close("site", URL + "/unknown", T0 + HOUR)
    assert list(store.holdings()) == []
    assert store.latest("site") == {}
    again = add(store, TEXT, T0 + 2 * HOUR)
    assert again.ref == capture.ref
    assert [(h.valid_from, h.valid_to) for h in store.holdings(closed=True)] == [(T0, T0 + HOUR), (T0 + 2 * HOUR, None)]
    wanted = ids(store, TEXT, capture)
    assert store.live(wanted, as_of=T0 + 1.5 * HOUR) == {}
    assert store.live(wanted[:1])[wanted[0]].holding.valid_from == T0 + 2 * HOUR
    assert list(store.check()) == []


def test_another_document_of_the_same_capture_retires_the_first(store: Store) -> None:
    store.put_source(SITE)
    add(store, TEXT)
    add(store, TEXT, T0 + HOUR, how="plain@2")
    (holding,) = store.holdings(closed=True)
    assert (holding.document, holding.valid_from) == (document(TEXT, how="plain@2").id, T0)
    assert [c.op for c in store.changes_since(0)] == ["open", "retire", "open"]
    (old, *_) = store.changes_since(0)
    assert store.entries(old.holding)[0].holding.retired
    assert store.document(document(TEXT).id) == document(TEXT)


def test_other_chunks_of_the_same_document_replace_those_held(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    old = ids(store, TEXT, capture)
    add(store, TEXT, T0 + HOUR, size=60)
    assert [c.op for c in store.changes_since(0)] == ["open", "retire", "open"]
    (holding,) = store.holdings()
    assert [len(e.text) for e in store.entries(holding.id)][:2] == [60, 60]
    assert len(store.chunks(document(TEXT).id)) == len(store.entries(holding.id))
    assert old[0] not in store.live(old)
    assert store.entry(old[0]) is not None
    assert list(store.check()) == []


def test_the_same_again_changes_nothing(store: Store) -> None:
    store.put_source(SITE)
    add(store, TEXT)
    before = (store.seq(), list(store.holdings(closed=True)), list(store.live_ids()))
    add(store, TEXT, T0 + HOUR)
    assert (store.seq(), list(store.holdings(closed=True)), list(store.live_ids())) == before


def test_two_captures_of_one_moment_get_two_codes_and_one_interval(store: Store) -> None:
    store.put_source(SITE)
    store.put_source(replace(SITE, slug="twin"))
    first, second = add(store, TEXT), add(store, NEXT)
    third = add(store, TEXT, source="twin")
    assert second.ref.startswith(first.ref)
    assert [len(c.ref) for c in (first, second, third)] == [10, 12, 14]
    assert [h.ref for h in store.holdings("site", closed=True)] == [second.ref]
    assert list(store.check()) == []


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_batch_that_raises_leaves_nothing(store: Store, kind: type[BaseException]) -> None:
    store.put_source(SITE)
    with pytest.raises(kind), store.batch() as batch:  # noqa: PT012
        capture, _ = batch.put_capture("site", fetched(TEXT))
        doc = document(TEXT)
        batch.put_document(doc, *cut(doc))
        batch.hold(capture, doc.id)
        raise kind
    assert store.captures(URL) == ()
    assert store.document(doc.id) is None
    assert store.seq() == 0
    add(store, TEXT)
    assert list(store.check()) == []


def test_a_page_holds_only_what_is_in_the_store(store: Store) -> None:
    store.put_source(SITE)
    with pytest.raises(StoreError), store.batch() as batch:
        batch.put_capture("nobody", fetched(TEXT))
    with pytest.raises(StoreError), store.batch() as batch:  # noqa: PT012
        capture, _ = batch.put_capture("site", fetched(TEXT))
        batch.hold(capture, document(TEXT).id)
    assert store.captures(URL) == ()


def test_a_chunk_that_is_no_slice_is_refused(store: Store) -> None:
    doc = document(TEXT)
    chunks, contexts = cut(doc)
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
def test_any_string_may_be_a_page(store: Store, name: str) -> None:
    store.put_source(SITE)
    with store.batch() as batch:
        capture, _ = batch.put_capture("site", fetched(TEXT, url=name, path=name))
        doc = document(TEXT, name)
        batch.put_document(doc, *cut(doc))
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
def test_any_text_comes_back_whole_and_in_slices(store: Store, text: str) -> None:
    store.put_source(SITE)
    capture = add(store, text, size=3001)
    doc = document(text)
    assert store.document(doc.id) == doc
    for chunk in cut(doc, 3001)[0]:
        entry = store.entry(passage_id(capture.ref, chunk.id))
        assert entry is not None
        assert entry.text == chunk.span.of(text)


def test_a_run_says_what_it_got_and_what_is_missing(store: Store) -> None:
    store.put_source(SITE)
    run = store.start_run("site", T0)
    with store.batch() as batch:
        batch.want(run, [URL, URL + "/2", URL + "/3"])
    with store.batch() as batch:
        capture, _ = batch.put_capture("site", fetched(TEXT))
        doc = document(TEXT)
        batch.put_document(doc, *cut(doc))
        batch.hold(capture, doc.id)
        batch.outcome(run, PageOutcome(URL, "fetched", ref=capture.ref))
        batch.outcome(run, PageOutcome(URL + "/ad", "skipped", "scope"))
    report = store.report("site")
    assert report is not None
    assert not report.finished
    assert (report.wanted, report.fetched, report.skipped, report.failed) == (3, 1, {"scope": 1}, {"interrupted": 2})
    assert (report.documents, report.chunks) == (1, len(cut(doc)[0]))
    assert [p.url for p in report.pages if p.reason == "interrupted"] == [URL + "/2", URL + "/3"]
    with store.batch() as batch:
        batch.outcome(run, PageOutcome(URL + "/2", "failed", "404"))
        batch.outcome(run, PageOutcome(URL + "/3", "unchanged"))
    store.finish_run(run, T0 + HOUR, documents=1, chunks=7, removed=2)
    report = store.report("site")
    assert report is not None
    assert (report.finished, report.seconds, report.failed, report.unchanged) == (True, 3600.0, {"404": 1}, 1)
    assert (report.documents, report.chunks, report.removed) == (1, 7, 2)


def test_marks_are_rows_and_the_newest_counts(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    store.mark(capture.ref, "expired", who="ann", why="moved", at=T0)
    store.mark(capture.ref, "keep", who="bob", why="cited", at=T0)
    assert store.capture(capture.ref) == replace(capture, mark="keep")
    assert [c.op for c in store.changes_since(1)] == ["mark", "mark"]
    with pytest.raises(StoreError):
        store.mark("REF-zzzzzz", "keep", who="", why="", at=T0)


def test_citations_come_back_and_the_same_again_is_nothing(store: Store) -> None:
    store.put_source(SITE)
    cited = citation(add(store, TEXT))
    store.put_citations([cited])
    store.put_citations([replace(cited, n=2)])
    assert store.citation(cited.id) == cited
    assert list(store.citations()) == [cited]
    assert store.citation("cit_none") is None
    assert list(store.check()) == []


def test_a_false_quote_is_found_by_the_check(store: Store) -> None:
    store.put_source(SITE)
    store.put_citations([replace(citation(add(store, TEXT)), quote="Caches forget.")])
    assert [(f.kind, f.subject) for f in store.check()] == [("citation", "cit_0123456789abcdef")]


def test_removing_hides_at_once_and_keeps_the_evidence(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    other = add(store, TEXT, url=URL + "/2")
    store.put_citations([citation(capture)])
    assert store.remove("site", T0 + HOUR) == 2
    assert (store.source("site"), store.sources(), store.latest("site")) == (None, (), {})
    assert store.live(ids(store, TEXT, capture)) == {}
    assert len(store.live(ids(store, TEXT, capture), as_of=T0)) == len(ids(store, TEXT, capture))
    assert [c.op for c in store.changes_since(0)] == ["open", "open", "close", "close"]
    assert store.capture(other.ref) == other
    assert store.document_of(capture.ref) == document(TEXT)
    assert store.body(capture.snapshot) == TEXT.encode()
    assert store.citation("cit_0123456789abcdef") == citation(capture)
    assert store.remove("site", T0 + HOUR) == 0
    assert store.remove("nobody", T0 + HOUR) == 0
    assert list(store.check()) == []


def test_a_removed_source_comes_back(store: Store) -> None:
    store.put_source(SITE)
    store.put_source(Source("other", "folder", "/srv/notes"))
    first = add(store, TEXT)
    store.remove("site", T0 + HOUR)
    store.put_source(replace(SITE, added_at=T0 + 2 * HOUR))
    again = add(store, TEXT, T0 + 2 * HOUR)
    assert again.ref == first.ref
    assert [s.slug for s in store.sources()] == ["other", "site"]
    assert len(store.live(ids(store, TEXT, again))) == len(ids(store, TEXT, again))
    assert list(store.check()) == []


def test_purging_erases_and_leaves_tombstones(store: Store) -> None:
    store.put_source(SITE)
    capture = add(store, TEXT)
    store.put_citations([citation(capture)])
    passage = ids(store, TEXT, capture)[0]
    assert store.entry(passage) is not None
    assert store.remove("site", T0 + HOUR, purge=True) == 1
    with pytest.raises(EvidenceError, match="purged"):
        store.body(capture.snapshot)
    assert store.document_of(capture.ref) is None
    assert store.document(document(TEXT).id) is None
    assert store.chunks(document(TEXT).id) == ()
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


def test_purging_keeps_what_another_source_holds(store: Store) -> None:
    store.put_source(SITE)
    store.put_source(replace(SITE, slug="twin"))
    add(store, TEXT)
    kept = add(store, TEXT, T0 + HOUR, source="twin")
    store.remove("site", T0 + 2 * HOUR, purge=True)
    assert store.body(kept.snapshot) == TEXT.encode()
    assert store.document_of(kept.ref) == document(TEXT)
    assert len(store.live(ids(store, TEXT, kept))) == len(ids(store, TEXT, kept))
    assert list(store.check()) == []


def test_a_purged_source_added_again_is_whole_again(store: Store) -> None:
    store.put_source(SITE)
    first = add(store, TEXT)
    store.remove("site", T0 + HOUR, purge=True)
    store.put_source(SITE)
    again = add(store, TEXT, T0 + 2 * HOUR)
    assert again.ref != first.ref
    assert store.body(again.snapshot) == TEXT.encode()
    assert store.document_of(again.ref) == document(TEXT)
    assert store.chunks(document(TEXT).id) == tuple(zip(*cut(document(TEXT)), strict=True))
    assert store.document_of(first.ref) is None
    assert len(store.live(ids(store, TEXT, again))) == len(ids(store, TEXT, again))
    assert list(store.check()) == []


def test_many_holdings_come_page_by_page(store: Store) -> None:
    store.put_source(SITE)
    doc = document(TEXT)
    with store.batch() as batch:
        batch.put_document(doc, *cut(doc))
        for n in range(1203):
            capture, _ = batch.put_capture("site", fetched(TEXT, url=f"{URL}/{n}"))
            batch.hold(capture, doc.id)
    assert [h.url for h in store.holdings()] == [f"{URL}/{n}" for n in range(1203)]
    wanted = len(cut(doc)[0]) - 1
    assert len(set(store.live_ids())) == len(list(store.live_ids())) == 1203 * wanted
