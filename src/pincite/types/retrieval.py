"""What search takes and gives: a settled query, hits, passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, overload

from pincite.types.captures import MarkKind
from pincite.types.ids import Kind


@dataclass(frozen=True, slots=True)
class Query:
    """A question to the index after all defaults are settled."""

    text: str
    kind: Literal["all", "doc", "code"] = "all"
    sources: tuple[str, ...] = ()
    version: str | None = None
    """A label as it is written; a range is settled into `sources` before."""
    where: str = ""
    """A filter over facts of passages; see `retrieve.where`."""
    lang: str | None = None
    max_results: int = 10
    score_ratio: float = 0.5
    similarity_threshold: float | None = None
    neighbors: int = 0
    max_tokens: int | None = None
    segments: bool = False
    preset: Literal["balanced", "precision", "find_all"] = "balanced"
    """How segments are grown."""
    explain: bool = False
    as_of: datetime | None = None
    meant: str = ""
    """The question in the terms of the user's map, for matching words; empty means the text itself."""
    refs: tuple[str, ...] = ()
    """Captures that the answer is bound to (a `REF-` code in the question)."""
    questions: tuple[Query, ...] = ()
    """The questions that the text asks, where these are several: each is searched by itself."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that the index found. `score` orders hits; `similarity` is 0..1: the share of the question's IDF that it covers."""

    id: str
    score: float
    similarity: float = 0.0
    scores: tuple[tuple[str, float], ...] = ()
    matched: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    """The first and the last passage id of the stretch that this hit stands for, where that is more than its own chunk."""


@dataclass(frozen=True, slots=True)
class Point:
    """A passage's place among vectors."""

    id: str
    holding: int
    source: str
    vector: bytes
    """Numbers of 4 bytes (IEEE 754, little-endian), as many as the model has dimensions."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One or more neighbouring chunks with one span of one document: what search gives and answers quote."""

    id: str
    rank: int
    score: float
    scores: Mapping[str, float]
    kind: Kind
    ref: str
    source: str
    version: str
    path: str
    url: str
    title: str
    heading: tuple[str, ...]
    symbol: str | None
    paragraph: int | None
    line: int | None
    start: int
    end: int
    text: str
    fetched_at: datetime
    snapshot: str
    document: str
    block: str | None = None
    lang: str = ""
    language: str = ""
    mark: MarkKind = "none"
    drift: str = "unchecked"
    flags: tuple[str, ...] = ()
    context: tuple[Mapping[str, Any], ...] = ()
    """Labelled neighbours, `{"position": "before|after", "id", "start", "end", "text"}`; they never displace a hit."""
    similarity: float = 0.0
    explain: Mapping[str, Any] | None = None
    file_start: int | None = None
    file_end: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult(Sequence[Passage]):
    """The passages, best first, and the question's words that the library does not know."""

    query: str
    passages: tuple[Passage, ...]
    unknown_terms: tuple[str, ...] = ()
    answerable: float = 0.0
    """0..1: how much of the question's content words and identifiers (by IDF) the best passages cover."""

    def __len__(self) -> int:
        return len(self.passages)

    @overload
    def __getitem__(self, i: int) -> Passage: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, i: int | slice) -> Passage | tuple[Passage, ...]:
        return self.passages[i]

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)
