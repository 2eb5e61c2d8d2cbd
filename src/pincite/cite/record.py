"""A citation's record: the one JSON of CITATIONS.md that every surface prints.

In: a `Citation`. Out: a dict of JSON values. Nothing is decided here.
"""

from __future__ import annotations

from typing import Any

from pincite.types import Citation, timestamp


def record(citation: Citation) -> dict[str, Any]:
    """Return the citation as JSON values, in the order of CITATIONS.md."""
    capture, check = citation.capture, citation.verification
    selectors: list[dict[str, Any]] = [
        {"type": "TextQuoteSelector", "exact": citation.visible, "prefix": citation.prefix, "suffix": citation.suffix},
        {"type": "TextPositionSelector", "start": citation.span.start, "end": citation.span.end},
    ]
    if citation.css:
        selectors.append({"type": "CssSelector", "value": citation.css})
    return {
        "id": citation.id,
        "ref": capture.ref,
        "n": citation.n,
        "claim": {"text": citation.claim, "answer_span": list(citation.answer_span)},
        "source": {
            "slug": capture.source,
            "version": citation.version,
            "url": capture.url,
            "canonical_url": citation.canonical_url,
            "title": citation.title,
            "heading": list(citation.heading),
            "anchor": citation.anchor,
            "block": citation.block,
            "paragraph": citation.paragraph,
            "page": citation.page,
            "line": citation.line,
            "language": citation.language,
        },
        "snapshot": {
            "id": capture.snapshot,
            "text_sha256": citation.text_sha256,
            "extractor": citation.extractor,
            "fetched_at": timestamp(capture.fetched_at),
            "status": capture.status,
            "final_url": capture.final_url,
            "etag": capture.etag,
            "last_modified": capture.last_modified,
            "media_type": capture.media_type,
        },
        "quote": {"text": citation.quote, "visible": citation.visible, "model_text": citation.model_text},
        "selectors": selectors,
        "deep_link": citation.deep_link,
        "archive_link": citation.archive_link,
        "verification": {
            "status": check.status,
            "verdict": check.verdict,
            "score": check.score,
            "vetoes": list(check.vetoes),
            "occurrences": check.occurrences,
            "support": check.support,
        },
        "drift": {"state": citation.drift, "checked_at": None, "snapshot": None},
        "mark": capture.mark,
        "quality": {"score": citation.quality, "parts": dict(citation.quality_parts)},
        "flags": list(citation.flags),
        "remark": citation.remark,
    }
