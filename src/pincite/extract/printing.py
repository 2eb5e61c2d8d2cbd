"""Documents as `pincite extract` prints them: Markdown, visible text, or JSON with blocks and spans.

In: a `Document`. Out: text, or a plain dict for JSON.
"""

from __future__ import annotations

import re
from typing import Any

from pincite.types import Document, Span

_BLANK = re.compile(r"[ \t]+$", re.M)


def as_markdown(document: Document, ids: bool = False) -> str:
    """Return the canonical text; with `ids` each heading and term that has an id on the page ends in ` {#id}`."""
    if not ids:
        return document.text
    anchors = {section.span.start: section.anchor for section in document.sections if section.anchor}
    parts, at = [], 0
    for block in document.blocks:
        anchor = anchors.pop(block.span.start, None) if block.kind in ("heading", "term") else None
        if anchor and "{#" not in block.span.of(document.text).rsplit("\n", 1)[-1]:
            parts.append(document.text[at : block.span.end] + f" {{#{anchor}}}")
            at = block.span.end
    return "".join(parts) + document.text[at:]


def as_text(document: Document) -> str:
    """Return what a reader sees: each block's visible text, blank lines between blocks."""
    seen = (_BLANK.sub("", document.visible(block.span)).strip("\n") for block in document.blocks)
    return "\n\n".join(text for text in seen if text.strip()) + "\n"


def as_json(document: Document) -> dict[str, Any]:
    """Return the document with its sections and blocks, spans as `[start, end]`."""
    return {
        "id": document.id,
        "snapshot": document.snapshot,
        "base_url": document.base_url,
        "kind": document.kind,
        "title": document.title,
        "language": document.language,
        "code_language": document.code_language,
        "canonical_url": document.canonical_url,
        "extractor": document.extractor,
        "rule": document.rule,
        "main_path": document.main_path,
        "retention": round(document.retention, 4),
        "flags": list(document.flags),
        "dropped": [_pair(span) for span in document.dropped],
        "text": document.text,
        "sections": [
            {
                "index": s.index,
                "level": s.level,
                "kind": s.kind,
                "path": list(s.path),
                "anchor": s.anchor,
                "span": _pair(s.span),
                "parent": s.parent,
                "symbol": s.symbol,
                "signature": s.signature,
            }
            for s in document.sections
        ],
        "blocks": [
            {
                "id": b.id,
                "kind": b.kind,
                "span": _pair(b.span),
                "section": b.section,
                "paragraph": b.paragraph,
                "anchor": b.anchor,
                "dom_path": b.dom_path,
                "language": b.language,
                "hidden": [_pair(span) for span in b.hidden],
                "visible": document.visible(b.span),
            }
            for b in document.blocks
        ],
    }


def _pair(span: Span) -> list[int]:
    return [span.start, span.end]
