"""Ids, times and spans: how a thing is named for good."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Kind = Literal["doc", "code"]


CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 alphabet, lower case: no i, l, o, u, so a printed code can be read aloud."""


def digest(*parts: str | bytes | int) -> str:
    """Return the hex SHA-256 of the parts, each length-prefixed so that no two tuples collide by concatenation."""
    h = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        h.update(b"%d:" % len(data))
        h.update(data)
    return h.hexdigest()


def snapshot_id(body: bytes) -> str:
    """Return the id of stored bytes: `sha256:` and the hex digest of exactly those bytes."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


def ref_code(url: str, fetched_at: datetime, length: int = 6) -> str:
    """Return the short code `REF-xxxxxx` of a capture; `length` is 8 where 6 characters are already taken."""
    number = int(digest(url, timestamp(fetched_at)), 16)
    return "REF-" + "".join(CROCKFORD[(number >> (5 * i)) & 31] for i in range(length))


def timestamp(moment: datetime) -> str:
    """Return a UTC moment as `2026-11-30T12:00:00.123Z`, the one form in which times are stored and printed."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def moment(text: str) -> datetime:
    """Parse what `timestamp` wrote."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points, `[start, end)`."""

    start: int
    end: int

    def __init__(self, start: int, end: int) -> None:
        _set_start(self, start)
        _set_end(self, end)

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the slice of `text` that this span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Say whether the two spans share at least one code point."""
        return self.start < other.end and other.start < self.end


def passage_id(ref: str, chunk_id: str) -> str:
    """Return the id of a chunk as held by a capture."""
    return "psg_" + digest(ref, chunk_id)[:24]


def chunk_id(document: str, span: Span) -> str:
    """Return the id of a slice of a document."""
    return "chk_" + digest(document, span.start, span.end)[:24]


def document_id(snapshot: str, base_url: str, *how: str) -> str:
    """Return the id of what a snapshot was turned into; `how` names decoding, extractor, version and settings."""
    return "doc_" + digest(snapshot, base_url, *how)[:32]


_set_start, _set_end = Span.__dict__["start"].__set__, Span.__dict__["end"].__set__
"""What a frozen dataclass does through `object.__setattr__`, at 60 % of its cost: a long page holds some thousand spans."""
