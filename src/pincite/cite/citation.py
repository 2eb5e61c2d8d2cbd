"""The making of a citation from a place in a document.

In: a capture, its document, a span that was verified. Out: `Citation`, with place, selectors and links filled in; `n` is given later.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from urllib.parse import urldefrag

from pincite.cite.selectors import context, deep_link, permalink
from pincite.errors import EvidenceError
from pincite.planted import PLANTED, addresses_assistants
from pincite.types import Capture, Citation, Document, Span, Verification, digest
from pincite.urls import is_web


@dataclass(frozen=True, slots=True)
class Place:
    """Where verified words stand: the capture, its document, the span."""

    capture: Capture
    document: Document
    span: Span


def cite(
    place: Place,
    verification: Verification,
    *,
    claim: str = "",
    version: str = "",
    model_text: str | None = None,
    flags: tuple[str, ...] = (),
) -> Citation:
    """Make the record. Raises EvidenceError for a span that is empty or outside its document."""
    capture, document, span = place.capture, place.document, place.span
    if not 0 <= span.start < span.end <= len(document.text):
        raise EvidenceError(f"The span {span.start}–{span.end} lies outside the text of {capture.ref}; nothing can be quoted from it.")
    section = document.section_of(span.start)
    block = next(iter(document.blocks_in(span)), None)
    anchor = (block.anchor if block is not None else None) or section.anchor
    before, after = context(document, span)
    numbered = not is_web(capture.url) or (capture.renderer == "file" and not any(block.dom_path for block in document.blocks))
    url = capture.final_url or capture.url
    return Citation(
        id="cit_" + digest(capture.ref, document.id, span.start, span.end)[:24],
        n=0,
        capture=capture,
        document=document.id,
        span=span,
        quote=span.of(document.text),
        visible=document.visible(span),
        title=document.title or capture.path or capture.url,
        heading=section.path,
        anchor=anchor,
        block=block.id if block is not None else None,
        paragraph=block.paragraph if block is not None else None,
        line=document.text.count("\n", 0, span.start) + 1 if numbered or document.kind == "code" else None,
        prefix=before,
        suffix=after,
        text_sha256=hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest(),
        extractor=document.extractor,
        verification=verification,
        claim=claim,
        canonical_url=document.canonical_url or urldefrag(url)[0],
        css=_css(block.dom_path) if block is not None else None,
        deep_link=_link(capture, url, anchor, document, span),
        archive_link=f"/r/{capture.ref}" + (f"#{block.id}" if block is not None else ""),
        model_text=model_text,
        language=document.language,
        version=version,
        page_chars=len(document.text),
        flags=tuple(dict.fromkeys((*capture.flags, *document.flags, *flags, *([PLANTED] if addresses_assistants(document.text) else ())))),
    )


def _link(capture: Capture, url: str, anchor: str | None, document: Document, span: Span) -> str:
    if capture.renderer == "file" and (is_web(url) or url.startswith("git+")):
        return permalink(url, document, span)
    return deep_link(url, anchor, document, span) if is_web(capture.url) else urldefrag(url)[0]


def _css(path: str | None) -> str | None:
    return path or None
