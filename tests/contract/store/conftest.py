"""The stores that the contract is asked of, and a site to fill them with; a new implementation adds its factory to `FACTORIES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

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

URL = "https://docs.example.org/guide"
T0 = datetime(2026, 3, 1, 9, 0, 0, 123000, tzinfo=UTC)
HOUR = timedelta(hours=1)
SITE = Source("site", "site", "https://docs.example.org/", "2.1", Policy(include=("guide/*",), extra=(("render", "never"),)), T0)
TEXT = "Caches keep what was read before.\n\nSet `limit` to 0 and they keep nothing at all.\n" * 3
NEXT = TEXT.replace("nothing at all", "only the newest page")


@pytest.fixture(params=list(FACTORIES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = FACTORIES[request.param](tmp_path)
    yield opened
    opened.shut()


@pytest.fixture
def site(store: Store) -> Site:
    return Site(store)


@dataclass
class Site:
    """Pages, documents, chunks and citations, as the rooms before the store would make them."""

    store: Store

    def fetched(self, text: str, at: datetime = T0, url: str = URL, path: str | None = None) -> Fetched:
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

    def document(self, text: str, url: str = URL, *, how: str = "plain@1") -> Document:
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

    def cut(self, doc: Document, size: int = 40) -> tuple[tuple[Chunk, ...], tuple[Context, ...]]:
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

    def add(self, text: str, at: datetime = T0, url: str = URL, source: str = "site", *, size: int = 40, how: str = "plain@1") -> Capture:
        with self.store.batch() as batch:
            capture, _ = batch.put_capture(source, self.fetched(text, at, url))
            doc = self.document(text, url, how=how)
            batch.put_document(doc, *self.cut(doc, size))
            batch.hold(capture, doc.id)
        return capture

    def ids(self, text: str, capture: Capture, url: str = URL) -> list[str]:
        return [passage_id(capture.ref, chunk.id) for chunk in self.cut(self.document(text, url))[0]]

    def citation(self, capture: Capture, text: str = TEXT) -> Citation:
        doc = self.document(text)
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
