"""What processing gives: documents with their sections and blocks, chunks with their context, and the intervals that held them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pincite.types.ids import Kind, Span

CUT = ("too-large", "too-complex")
"""Flags of a page of which only the first part was read."""
RETAINED = 0.9
"""Below this share of the main part's words a page is warned of."""


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch under one heading, term or code symbol. `path` is the trail of titles from the page's top, its own last."""

    index: int
    level: int
    path: tuple[str, ...]
    span: Span
    anchor: str | None = None
    """An `id` that exists on the page, never one made from the words."""
    parent: int | None = None
    kind: Literal["root", "heading", "term", "symbol"] = "heading"
    symbol: str | None = None
    signature: str | None = None
    doc: str | None = None
    """The doc comment of a code symbol, without its comment marks."""

    @property
    def title(self) -> str:
        """The section's own title, or an empty string for the root."""
        return self.path[-1] if self.path else ""


BlockKind = Literal["heading", "paragraph", "list_item", "code", "table", "term", "quote", "html", "math", "figure", "front_matter"]


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf block of a document. Blocks are in order and disjoint; only white space lies between them."""

    id: str
    kind: BlockKind
    span: Span
    section: int
    paragraph: int | None = None
    """1-based number among the section's own text blocks (headings don't count)."""
    anchor: str | None = None
    """The nearest `id` on the page at or above this block."""
    dom_path: str | None = None
    language: str | None = None
    """Programming language of a code block."""
    hidden: tuple[Span, ...] = ()
    """Ranges inside `span` that a reader does not see: marks, escapes, link targets. What is left is the visible text."""
    lead: str | None = None
    """Id of the block that leads into this one (the sentence before a list or a code block)."""


@dataclass(frozen=True, slots=True)
class Document:
    """The canonical text of a snapshot and its structure. Append-only; `id` digests everything that it was made from."""

    id: str
    snapshot: str
    base_url: str
    kind: Kind
    title: str
    text: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    extractor: str
    """Name and version, such as `html@1`."""
    language: str = ""
    """Human language, BCP 47, or empty where unknown."""
    code_language: str = ""
    canonical_url: str = ""
    links: tuple[str, ...] = ()
    """Absolute URLs of the page's links, in order, without duplicates; what a crawl follows."""
    retention: float = 1.0
    rule: str = ""
    """Which main-content rule found the text."""
    main_path: str = ""
    """DOM path of the main block."""
    flags: tuple[str, ...] = ()
    dropped: tuple[Span, ...] = ()
    """For texts whose unsafe characters were dropped: (position in `text`, characters dropped just before it) as Span(position, count)."""

    @property
    def warning(self) -> str:
        """What of the page may be missing from the text, or an empty string where all is there."""
        cut = [flag for flag in self.flags if flag in CUT]
        if cut:
            return f"the page is {' and '.join(cut).replace('-', ' ')}; only a part of it was read"
        if self.retention < RETAINED:
            return f"only {self.retention:.0%} of the words in its main part are in the text (rule {self.rule})"
        return ""

    def section_of(self, offset: int) -> Section:
        """Return the innermost section that covers the offset."""
        best = self.sections[0]
        for section in self.sections:
            if section.span.start <= offset < section.span.end and section.span.start >= best.span.start:
                best = section
        return best

    def blocks_in(self, span: Span) -> tuple[Block, ...]:
        """Return the blocks that share at least one code point with the span, in order."""
        first = bisect_right(self.blocks, span.start, key=_end)
        last = first
        while last < len(self.blocks) and self.blocks[last].span.start < span.end:
            last += 1
        return self.blocks[first:last]

    def visible_parts(self, span: Span) -> tuple[Span, ...]:
        """Return the ranges of `text` inside the span that a reader sees, in order: the span without its blocks' hidden ranges."""
        parts, at = [], span.start
        for block in self.blocks_in(span):
            for hidden in block.hidden:
                if hidden.end <= at:
                    continue
                if hidden.start >= span.end:
                    break
                if hidden.start > at:
                    parts.append(Span(at, hidden.start))
                at = hidden.end
        if at < span.end:
            parts.append(Span(at, span.end))
        return tuple(parts)

    def visible(self, span: Span) -> str:
        """Return what a reader sees of the span: no marks, no escapes, no link targets."""
        return "".join(part.of(self.text) for part in self.visible_parts(span))

    def visible_map(self, span: Span) -> tuple[str, tuple[int, ...]]:
        """Return the visible text and, for each of its code points, the offset in `text` that it stands at."""
        parts = self.visible_parts(span)
        return "".join(part.of(self.text) for part in parts), tuple(i for part in parts for i in range(part.start, part.end))


def _end(block: Block) -> int:
    return block.span.end


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable slice of a document: `document.text[span.start:span.end]`."""

    id: str
    document: str
    span: Span
    section: int
    kind: Kind
    heading: tuple[str, ...] = ()
    symbol: str | None = None
    defines: tuple[str, ...] = ()
    """Symbols and terms that this chunk defines, short and qualified names."""
    anchor: str | None = None
    block: str | None = None
    paragraph: int | None = None
    line: int | None = None
    """1-based line of the chunk's first character, for texts and code."""
    language: str = ""
    boilerplate: bool = False
    """Navigation, index pages and the like: stored, quotable, but left out of the index."""
    part: int | None = None
    """What this is ranked with, where that is another than `section`: the section whose heading a reader finds a term under; or, in a long
    stretch without headings, a number of its own, from the count of sections on."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a contextual header is built from. Kept apart from the text, so that any header can be built again."""

    document_title: str = ""
    document_summary: str = ""
    section_title: str = ""
    section_summary: str = ""
    path: str = ""
    trail: tuple[str, ...] = ()
    comment: str = ""
    """First doc comment that is no licence."""
    terms: tuple[str, ...] = ()
    """Aliases from a term map: for the index alone."""

    def header(self) -> str:
        """Return the header that is indexed, embedded and shown to rerankers, never quoted. A layer without a title is left out."""
        layers = []
        if self.document_title:
            first = f"Document context: the following excerpt is from a document titled '{self.document_title}'."
            layers.append(f"{first} {self.document_summary}".rstrip())
        if self.section_title:
            first = f"Section context: this excerpt is from the section titled '{self.section_title}'."
            layers.append(f"{first} {self.section_summary}".rstrip())
        return "\n\n".join(layers)

    def above(self, text: str) -> str:
        """Return what stands for a chunk of that text where meaning is compared: header, blank line, text."""
        header = self.header()
        return f"{header}\n\n{text}" if header else text


@dataclass(frozen=True, slots=True)
class Holding:
    """A page of a source and the document it held, from one capture to the next."""

    id: int
    source: str
    url: str
    path: str
    ref: str
    document: str
    valid_from: datetime
    valid_to: datetime | None = None
    retired: bool = False
    """Replaced by a reindex or purged: not the truth of any time."""


@dataclass(frozen=True, slots=True)
class Entry:
    """All that an index needs of one chunk in one holding."""

    id: str
    """`psg_…`, the digest of (capture, chunk)."""
    chunk: Chunk
    holding: Holding
    text: str
    context: Context
    source_version: str = ""
    lang: str = ""
    document_title: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the store's change log. The index replays them in order of `seq`."""

    seq: int
    op: Literal["open", "close", "retire", "mark"]
    holding: int
