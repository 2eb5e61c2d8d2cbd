"""The one place that turns values into the JSON shapes of the reference: passages, answers, coverage, sources, findings.

In: values of `types`. Out: dicts of JSON types, keys in the order in which people read them. Every surface prints through these.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pincite.types import (
    Answer,
    Capture,
    ClaimCheck,
    Coverage,
    Document,
    Entry,
    Finding,
    NoteCheck,
    Passage,
    QuoteCheck,
    SearchResult,
    Source,
    timestamp,
)
from pincite.urls import with_fragment

Json = dict[str, Any]
INTERRUPTED = "interrupted"
SCORES = ("lexical", "vector", "rerank")


def moment_or_none(value: datetime | None) -> str | None:
    """Return a time as it is printed everywhere, or None."""
    return timestamp(value) if value is not None else None


def passage(value: Passage) -> Json:
    """Return a passage; `start`, `end` are code points of its document's text, `text` is exactly that slice."""
    shape: Json = {
        "id": value.id,
        "rank": value.rank,
        "score": value.score,
        "scores": {name: value.scores.get(name) for name in SCORES},
        "similarity": value.similarity,
        "kind": value.kind,
        "ref": value.ref,
        "source": value.source,
        "version": value.version,
        "path": value.path,
        "url": value.url,
        "title": value.title,
        "heading": list(value.heading),
        "symbol": value.symbol,
        "paragraph": value.paragraph,
        "line": value.line,
        "start": value.start,
        "end": value.end,
        "text": value.text,
        "context": [dict(neighbour) for neighbour in value.context],
        "fetched_at": timestamp(value.fetched_at),
        "snapshot": value.snapshot,
        "lang": value.lang,
        "language": value.language,
        "mark": value.mark,
        "drift": value.drift,
        "flags": list(value.flags),
    }
    if value.file_start is not None:
        shape |= {"file_start": value.file_start, "file_end": value.file_end}
    if value.explain is not None:
        shape["explain"] = dict(value.explain)
    return shape


def entry(value: Entry, captured: Capture) -> Json:
    """Return a passage that was asked for by its id: the shape of `passage`, without rank and scores."""
    chunk, holding = value.chunk, value.holding
    return {
        "id": value.id,
        "kind": chunk.kind,
        "ref": holding.ref,
        "source": holding.source,
        "version": value.source_version,
        "path": holding.path,
        "url": with_fragment(holding.url, chunk.anchor or ""),
        "title": value.document_title,
        "heading": list(chunk.heading),
        "symbol": chunk.symbol,
        "paragraph": chunk.paragraph,
        "line": chunk.line,
        "start": chunk.span.start,
        "end": chunk.span.end,
        "text": value.text,
        "fetched_at": timestamp(captured.fetched_at),
        "snapshot": captured.snapshot,
        "lang": value.lang,
        "language": chunk.language,
        "mark": captured.mark,
        "valid_from": timestamp(holding.valid_from),
        "valid_to": moment_or_none(holding.valid_to),
    }


def search_result(value: SearchResult) -> Json:
    """Return the answer to a search."""
    return {"query": value.query, "passages": [passage(p) for p in value.passages], "unknown_terms": list(value.unknown_terms)}


def answer(value: Answer) -> Json:
    """Return an answer with the records of its citations."""
    from pincite.cite.record import record

    return {
        "query": value.query,
        "markdown": value.markdown,
        "abstained": value.abstained,
        "unknown_terms": list(value.unknown_terms),
        "citations": [record(citation) for citation in value.citations],
        "dropped": [{"sentence": d.sentence, "reason": d.reason, "verdict": d.verdict} for d in value.dropped],
        "intent": value.intent,
        "model": value.model,
        "usage": dict(value.usage),
        "ms": round(value.ms, 1),
    }


def claim_check(value: ClaimCheck) -> Json:
    """Return what a page says to a claim."""
    return {"id": value.id, "support": value.support, "why": value.why}


def missing(value: Coverage) -> int:
    """Return how many wanted pages an interrupted run left without an outcome; the store counts them as failed, `interrupted`."""
    return value.failed.get(INTERRUPTED, 0)


def coverage(value: Coverage) -> Json:
    """Return the report of a capture; `missing` counts what an interruption left, `interrupted` among `failed`."""
    return {
        "source": value.source,
        "wanted": value.wanted,
        "fetched": value.fetched,
        "unchanged": value.unchanged,
        "skipped": dict(value.skipped),
        "failed": dict(value.failed),
        "removed": value.removed,
        "missing": missing(value),
        "documents": value.documents,
        "chunks": value.chunks,
        "seconds": round(value.seconds, 3),
        "finished": value.finished,
        "pages": [{"url": p.url, "outcome": p.outcome, "reason": p.reason, "ref": p.ref} for p in value.pages],
    }


def source(value: Source) -> Json:
    """Return a source."""
    return {
        "source": value.slug,
        "kind": value.kind,
        "location": value.location,
        "version": value.version,
        "scope": value.policy.scope,
        "added_at": moment_or_none(value.added_at),
    }


def capture(value: Capture) -> Json:
    """Return a capture: what was observed at a URL, when, and the digest of its bytes."""
    return {
        "ref": value.ref,
        "source": value.source,
        "url": value.url,
        "path": value.path,
        "final_url": value.final_url,
        "snapshot": value.snapshot,
        "status": value.status,
        "media_type": value.media_type,
        "charset": value.charset,
        "size": value.size,
        "etag": value.etag,
        "last_modified": value.last_modified,
        "fetched_at": timestamp(value.fetched_at),
        "checked_at": moment_or_none(value.checked_at),
        "renderer": value.renderer,
        "mark": value.mark,
        "flags": list(value.flags),
    }


def finding(value: Finding) -> Json:
    """Return one thing that a check of the store found wrong."""
    return {"kind": value.kind, "subject": value.subject, "detail": value.detail}


def document(value: Document) -> Json:
    """Return a document: its canonical text, and its sections and blocks as spans of it."""
    return {
        "id": value.id,
        "snapshot": value.snapshot,
        "url": value.base_url,
        "canonical_url": value.canonical_url,
        "kind": value.kind,
        "title": value.title,
        "language": value.language,
        "code_language": value.code_language,
        "extractor": value.extractor,
        "rule": value.rule,
        "main_path": value.main_path,
        "retention": value.retention,
        "flags": list(value.flags),
        "links": list(value.links),
        "text": value.text,
        "sections": [
            {
                "level": s.level,
                "path": list(s.path),
                "start": s.span.start,
                "end": s.span.end,
                "anchor": s.anchor,
                "parent": s.parent,
                "kind": s.kind,
                "symbol": s.symbol,
            }
            for s in value.sections
        ],
        "blocks": [
            {
                "id": b.id,
                "kind": b.kind,
                "start": b.span.start,
                "end": b.span.end,
                "section": b.section,
                "paragraph": b.paragraph,
                "anchor": b.anchor,
                "dom_path": b.dom_path,
                "language": b.language,
                "hidden": [[h.start, h.end] for h in b.hidden],
            }
            for b in value.blocks
        ],
    }


def dumps(shape: Any) -> str:
    """Return a shape as one line of JSON."""
    return json.dumps(shape, ensure_ascii=False)


def quote_check(value: QuoteCheck) -> Json:
    """Return what became of a quote; `text` is the document's own slice `[start, end)`."""
    return {
        "id": value.id,
        "status": value.status,
        "verdict": value.verdict,
        "start": value.start,
        "end": value.end,
        "text": value.text,
        "ms": round(value.ms, 3),
        "vetoes": list(value.vetoes),
        "occurrences": value.occurrences,
    }


def note_check(value: NoteCheck) -> Json:
    """Return what became of one note of an answer."""
    return {
        "note": value.note,
        "holds": value.holds,
        "sentence": value.sentence,
        "line": value.line,
        "quote": value.quote,
        "ref": value.ref,
        "status": value.status,
        "verdict": value.verdict,
        "support": value.support,
        "why": value.why,
        "text": value.text,
    }


def plain(value: Mapping[str, Any]) -> Json:
    """Return counts and sizes as they are, times written out."""
    return {name: timestamp(item) if isinstance(item, datetime) else item for name, item in value.items()}
