"""In: page texts written in the tests. Out: documents with blocks and hidden marks, and evidence that holds them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from pincite.types import Block, BlockKind, Capture, Citation, Document, Passage, SearchResult, Section, Span, ref_code, snapshot_id

WHEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
_BLOCK = re.compile(r"```(\w*)\n.*?\n```|(?:(?!\n[ \t]*\n|\n```|\n- |\n#).)+", re.S)
_HIDDEN = re.compile(r"\*\*|`|(?<=\])\([^)]*\)|\[(?=[^\]]*\]\()|\](?=\()")


def build(
    text: str, *, url: str = "https://docs.example.org/page.html", title: str = "A page", kind: str = "doc", language: str = "en"
) -> Document:
    """Cut a small Markdown text into blocks as an extractor would: fences, headings, items, tables, paragraphs."""
    blocks: list[Block] = []
    sections = [Section(0, 0, (), Span(0, len(text)), kind="root")]
    trail: list[str] = []
    count = 0
    for match in _BLOCK.finditer(text):
        start, end = match.span()
        while start < end and text[start].isspace():
            start += 1
        if start == end:
            continue
        raw = text[start:end]
        form: BlockKind = "paragraph"
        hidden = [Span(start + m.start(), start + m.end()) for m in _HIDDEN.finditer(raw)]
        if raw.startswith("```"):
            first = raw.index("\n") + 1
            form, hidden = "code", [Span(start, start + first), Span(end - 4, end)]
        elif raw.startswith("#"):
            form = "heading"
            level = len(raw) - len(raw.lstrip("#"))
            hidden.insert(0, Span(start, start + level + 1))
            trail = [*trail[: level - 1], raw[level + 1 :]]
            sections.append(Section(len(sections), level, tuple(trail), Span(start, len(text)), anchor=f"s{len(sections)}"))
            count = 0
        elif raw.startswith("- "):
            form = "list_item"
            hidden.insert(0, Span(start, start + 2))
        elif raw.startswith("|"):
            form = "table"
        count += form != "heading"
        lead = blocks[-1].id if blocks and form in ("code", "list_item") and text[blocks[-1].span.end - 1] in ":：" else None
        lead = lead or (blocks[-1].lead if blocks and form == "list_item" == blocks[-1].kind else None)
        blocks.append(
            Block(
                f"b{len(blocks)}",
                form,
                Span(start, end),
                len(sections) - 1,
                None if form == "heading" else count,
                sections[-1].anchor,
                hidden=tuple(hidden),
                language=(raw[3 : raw.index("\n")] or None) if form == "code" else None,
                lead=lead,
            )
        )
    if kind == "code":
        blocks = [Block("b0", "code", Span(0, len(text)), 0)]
    body = text.encode()
    return Document(
        id="doc_" + snapshot_id(body)[7:20] + ref_code(url, WHEN),
        snapshot=snapshot_id(body),
        base_url=url,
        kind="code" if kind == "code" else "doc",
        title=title,
        text=text,
        sections=tuple(sections),
        blocks=tuple(blocks),
        extractor="test@1",
        language=language,
        code_language="python" if kind == "code" else "",
    )


@dataclass
class Shelf:
    """Evidence in memory: documents by id, one capture each."""

    held: dict[str, Document] = field(default_factory=dict)
    taken: dict[str, Capture] = field(default_factory=dict)
    printed: dict[str, Citation] = field(default_factory=dict)

    def put(self, document: Document, *, fetched_at: datetime = WHEN) -> Document:
        url = document.base_url
        path = url.removeprefix("https://docs.example.org/").removeprefix("file:///")
        ref = ref_code(url, fetched_at)
        size = len(document.text)
        self.held[document.id] = document
        self.taken[ref] = Capture(ref, document.snapshot, "docs", url, path, url, 200, "text/html", "utf-8", "", "", fetched_at, size)
        return document

    def capture(self, ref: str) -> Capture | None:
        return self.taken.get(ref)

    def captures(self, url: str) -> tuple[Capture, ...]:
        return tuple(sorted((c for c in self.taken.values() if c.url == url), key=lambda c: c.fetched_at, reverse=True))

    def body(self, snapshot: str) -> bytes:
        return next(d.text.encode() for d in self.held.values() if d.snapshot == snapshot)

    def document(self, document: str) -> Document | None:
        return self.held.get(document)

    def document_of(self, ref: str) -> Document | None:
        capture = self.taken.get(ref)
        return next((d for d in self.held.values() if capture and d.snapshot == capture.snapshot and d.base_url == capture.url), None)

    def citation(self, id: str) -> Citation | None:
        return self.printed.get(id)

    def passage(self, document: Document, start: int = 0, end: int | None = None, rank: int = 1) -> Passage:
        """Return a passage of a held document."""
        end = len(document.text) if end is None else end
        ref = next(r for r, c in self.taken.items() if c.snapshot == document.snapshot and c.url == document.base_url)
        section = document.section_of(start)
        return Passage(
            f"psg_{document.id}_{start}", rank, 1.0 / rank, {}, document.kind, ref, "docs", "", self.taken[ref].path, document.base_url,
            document.title, section.path, None, 1, None, start, end, document.text[start:end], WHEN, document.snapshot, document.id,
        )  # fmt: skip

    def result(self, question: str, *documents: Document, answerable: float = 1.0, unknown: tuple[str, ...] = ()) -> SearchResult:
        """Return all of these documents as one passage each."""
        return SearchResult(question, tuple(self.passage(d, rank=i) for i, d in enumerate(documents, 1)), unknown, answerable)


Page = Callable[..., Document]


@pytest.fixture
def page() -> Page:
    return build


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()
