"""Cuts program text: whole functions and methods where they fit, class heads and module-level code apart.

In: a document of kind code. Out: pieces. Without symbols (a language that was not parsed) blank lines and indentation decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.chunk.cuts import code_tiers, fill, trim
from pincite.chunk.prose import Piece
from pincite.chunk.sizes import Sizes, estimate
from pincite.types import Document, Section, Span

_COMMENT = re.compile(r"\s*(?:#(?!include|define|if|endif|else|pragma)|//|/\*|\*|--|;;|@\w|\[\[?\w|\"\"\"$)")


def pieces(document: Document, sizes: Sizes) -> list[Piece]:
    """Return the pieces in order."""
    children: dict[int, list[Section]] = {}
    for section in document.sections:
        if section.kind == "symbol":
            children.setdefault(_owner(document, section), []).append(section)
    root = document.sections[0]
    spans = _inside(document, root.index, Span(0, len(document.text)), children, sizes)
    return [_piece(document, span, index) for span, index in _packed(document.text, spans, sizes) if len(span)]


def _owner(document: Document, section: Section) -> int:
    parent = section.parent
    while parent is not None and document.sections[parent].kind != "symbol":
        parent = document.sections[parent].parent
    return 0 if parent is None else parent


def _inside(document: Document, index: int, span: Span, children: dict[int, list[Section]], sizes: Sizes) -> list[tuple[Span, int]]:
    """Return (span, section) of what lies in one symbol: itself when it fits or has no parts, else its parts and what is between them."""
    own = children.get(index, [])
    if not own or (index and estimate(span.of(document.text)) <= sizes.aim):
        return [(s, index) for s in _fitted(document.text, span, sizes)]
    out: list[tuple[Span, int]] = []
    at = span.start
    for child in sorted(own, key=lambda s: s.span):
        start = _with_comment(document.text, at, _line_start(document.text, at, child.span.start))
        out.extend((s, index) for s in _fitted(document.text, Span(at, start), sizes))
        end = max(child.span.end, start)
        out.extend(_inside(document, child.index, Span(start, end), children, sizes))
        at = end
    out.extend((s, index) for s in _fitted(document.text, Span(at, span.end), sizes))
    return out


def _line_start(text: str, floor: int, at: int) -> int:
    start = text.rfind("\n", floor, at) + 1 or floor
    return start if not text[start:at].strip() else at


def _with_comment(text: str, floor: int, start: int) -> int:
    """Return where the comment lines directly above a symbol begin."""
    while start > floor:
        line = text.rfind("\n", floor, start - 1) + 1 or floor
        if line >= start or not _COMMENT.match(text, line, start):
            break
        start = line
    return start


def _fitted(text: str, span: Span, sizes: Sizes) -> list[Span]:
    span = trim(text, span)
    if not len(span):
        return []
    if estimate(span.of(text)) <= sizes.aim:
        return [span]
    return list(fill(text, span, code_tiers(text, span), sizes))


def _packed(text: str, spans: Sequence[tuple[Span, int]], sizes: Sizes) -> list[tuple[Span, int]]:
    """Join neighbours that are crumbs: an import line, a brace, a getter of three lines."""
    out: list[tuple[Span, int]] = []
    for span, index in spans:
        if out and min(estimate(span.of(text)), estimate(out[-1][0].of(text))) < sizes.small_code:
            before, owner = out[-1]
            if estimate(text[before.start : span.end]) <= sizes.least:
                keep = owner if estimate(before.of(text)) >= estimate(span.of(text)) else index
                out[-1] = (Span(before.start, span.end), keep)
                continue
        out.append((span, index))
    return out


def _piece(document: Document, span: Span, index: int) -> Piece:
    blocks = tuple(block for block in document.blocks if block.span.overlaps(span))
    also = tuple(s.index for s in document.sections if s.kind == "symbol" and s.index != index and span.start <= s.span.start < span.end)
    return Piece(span, index, blocks, also)
