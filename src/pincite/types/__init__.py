"""The nouns of Pincite: frozen values that flow from room to room, and the ids they carry.

In: nothing. Out: values. Offsets are Unicode code points into `Document.text` unless a name says otherwise; times are aware UTC datetimes.
"""

from __future__ import annotations

from pincite.types.answers import Answer, AskOptions, Citation, Claim, Draft, DraftQuote, Dropped, Status, Support, Verdict, Verification
from pincite.types.captures import (
    Capture,
    Coverage,
    Fetched,
    Finding,
    MarkKind,
    Outcome,
    PageOutcome,
    Policy,
    Snapshot,
    Source,
    SourceKind,
    Wanted,
    capture_of,
)
from pincite.types.documents import Block, BlockKind, Change, Chunk, Context, Document, Entry, Holding, Section
from pincite.types.ids import CROCKFORD, Kind, Span, chunk_id, digest, document_id, moment, passage_id, ref_code, snapshot_id, timestamp
from pincite.types.retrieval import Hit, Passage, Query, SearchResult

__all__ = [
    "CROCKFORD",
    "Answer",
    "AskOptions",
    "Block",
    "BlockKind",
    "Capture",
    "Change",
    "Chunk",
    "Citation",
    "Claim",
    "Context",
    "Coverage",
    "Document",
    "Draft",
    "DraftQuote",
    "Dropped",
    "Entry",
    "Fetched",
    "Finding",
    "Hit",
    "Holding",
    "Kind",
    "MarkKind",
    "Outcome",
    "PageOutcome",
    "Passage",
    "Policy",
    "Query",
    "SearchResult",
    "Section",
    "Snapshot",
    "Source",
    "SourceKind",
    "Span",
    "Status",
    "Support",
    "Verdict",
    "Verification",
    "Wanted",
    "capture_of",
    "chunk_id",
    "digest",
    "document_id",
    "moment",
    "passage_id",
    "ref_code",
    "snapshot_id",
    "timestamp",
]
