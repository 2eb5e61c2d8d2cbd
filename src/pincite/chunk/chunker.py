"""Document -> chunks: disjoint slices in order, each with the place it stands at.

In: a document with sections and blocks. Out: chunks whose text is `document.text[span.start:span.end]`. Pure; no setting, no clock.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from pincite.chunk import boilerplate, code, definitions, prose
from pincite.chunk.cuts import line_ends
from pincite.chunk.sizes import DEFAULT, Sizes
from pincite.types import Block, Chunk, Document, Section, Span, chunk_id


@dataclass(frozen=True, slots=True)
class StructureChunker:
    """Cuts prose at headings and blocks, program text at symbols."""

    sizes: Sizes = DEFAULT

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Return disjoint chunks in order, each a slice of the text; none for a text without content."""
        cutter = code if document.kind == "code" else prose
        lines = None if _is_rendered(document) else line_ends(document.text, Span(0, len(document.text)))
        path = document.base_url
        index_page = boilerplate.is_site_machinery(path) if cutter is code else boilerplate.is_index_page(path)
        pieces = cutter.pieces(document, self.sizes)
        return tuple(_chunk(document, piece, lines, index_page, len(document.sections) + n) for n, piece in enumerate(pieces))


def _is_rendered(document: Document) -> bool:
    """Say whether the text was written by an extractor, so that its line numbers mean nothing to a reader."""
    return any(block.dom_path for block in document.blocks)


def _chunk(document: Document, piece: prose.Piece, lines: list[int] | None, index_page: bool, alone: int) -> Chunk:
    section = document.sections[piece.section]
    held = [section, *(document.sections[i] for i in piece.also)]
    text = piece.span.of(document.text)
    own = [s for s in held if piece.span.start <= s.span.start < piece.span.end or (s is section and s.kind == "symbol")]
    defines = definitions.in_sections(own)
    if document.kind == "code" and not any(s.kind == "symbol" for s in document.sections):
        defines = definitions.in_code(text)
    block = _first(piece.blocks)
    return Chunk(
        id=chunk_id(document.id, piece.span),
        document=document.id,
        span=piece.span,
        section=piece.section,
        kind=document.kind,
        heading=section.path,
        symbol=section.symbol or (defines[0] if document.kind == "code" and defines else None),
        defines=defines,
        anchor=(block.anchor if block and block.anchor else None) or section.anchor,
        block=block.id if block else None,
        paragraph=block.paragraph if block else None,
        line=None if lines is None else bisect_right(lines, piece.span.start) + 1,
        language=document.code_language if document.kind == "code" else (block.language or "" if block else ""),
        boilerplate=index_page or (boilerplate.is_navigation(text) if document.kind == "doc" else boilerplate.is_generated(text)),
        part=alone if piece.alone else _read_under(document, section) if document.kind == "doc" else None,
    )


def _read_under(document: Document, section: Section) -> int | None:
    """Return the nearest section with a heading of its own above a term or a symbol, or None where the section has one itself."""
    at = section
    while at.kind not in ("heading", "root") and at.parent is not None and at.parent < at.index:
        at = document.sections[at.parent]
    return None if at is section else at.index


def _first(blocks: tuple[Block, ...]) -> Block | None:
    """Return the first block that is no heading, or the first."""
    return next((b for b in blocks if b.kind != "heading"), blocks[0] if blocks else None)
