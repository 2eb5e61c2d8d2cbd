"""The shapes that the HTTP routes answer with, for the OpenAPI document. Bodies are written by `schemas`; the tests compare the two.

In: nothing. Out: pydantic models.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

Kind = Literal["doc", "code"]


class Passage(BaseModel):
    """A slice of a held document, and where it stands."""

    id: str = Field(examples=["psg_4f0c9a6be1d2a7c0b1e3d5f7"])
    rank: int
    score: float
    scores: dict[str, float | None]
    similarity: float = Field(description="0..1: the share of the question's IDF that the passage covers.")
    kind: Kind
    ref: str = Field(examples=["REF-7k3m9q"])
    source: str
    version: str
    path: str
    url: str = Field(description="With the page's own anchor where there is one.")
    title: str
    heading: list[str]
    symbol: str | None
    paragraph: int | None
    line: int | None
    start: int = Field(description="Code points into the document's text; `text` is exactly that slice.")
    end: int
    text: str
    context: list[dict[str, Any]] = Field(description="Neighbouring chunks, labelled; they never displace a hit.")
    fetched_at: str
    snapshot: str
    lang: str
    language: str
    mark: str
    drift: str
    flags: list[str]


class Asked(BaseModel):
    """What `/ask` answers: results with a query, whole corpora without; each key only for a type asked for."""

    doc_results: list[Passage] | None = None
    code_results: list[Passage] | None = None
    doc_context: str | None = None
    code_context: str | None = None


class Found(BaseModel):
    """Passages, best first."""

    query: str
    passages: list[Passage]
    unknown_terms: list[str]


class Dropped(BaseModel):
    """A sentence that was not printed, and why."""

    sentence: str
    reason: str
    verdict: str


class Answer(BaseModel):
    """Markdown whose every `[^n]` has its verified citation."""

    query: str
    markdown: str
    abstained: bool
    unknown_terms: list[str]
    citations: list[dict[str, Any]]
    dropped: list[Dropped]
    intent: str
    model: str | None
    usage: dict[str, int]
    ms: float


class Source(BaseModel):
    """A place that knowledge is captured from."""

    source: str
    kind: str
    location: str
    version: str
    scope: str
    added_at: str | None


class Sources(BaseModel):
    """All sources of the library."""

    sources: list[Source]


class Removed(BaseModel):
    """What was taken out of search."""

    source: str
    pages: int
    purged: bool


class Job(BaseModel):
    """A capture that runs by itself."""

    id: str = Field(examples=["job_1f6c2a9e8b7d"])
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    source: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    progress: dict[str, int]
    result: dict[str, Any] | None = Field(description="The coverage report, without its pages.")
    error: dict[str, Any] | None = Field(description="Problem details of what went wrong.")


class Capture(BaseModel):
    """A timestamped observation of a URL."""

    ref: str
    source: str
    url: str
    path: str
    final_url: str
    snapshot: str
    status: int
    media_type: str
    size: int
    fetched_at: str
    checked_at: str | None
    renderer: str
    mark: str
    flags: list[str]


class Marked(BaseModel):
    """A mark as it now stands."""

    ref: str
    mark: str


class Token(BaseModel):
    """A token, as OAuth 2.0 names its parts (RFC 6749 §5.1)."""

    access_token: str
    token_type: Literal["bearer"]
    expires_in: int
    scope: str


class Health(BaseModel):
    """That the process answers."""

    status: Literal["ok"]
    version: str


class Ready(BaseModel):
    """That the library can be read."""

    status: Literal["ok"]
    sources: int


class Wrong(BaseModel):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    rule: str | None = None
