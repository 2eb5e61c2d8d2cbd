"""The nouns of Pincite: frozen values that flow from room to room, and the ids they carry.

In: nothing. Out: values. Offsets are Unicode code points into `Document.text` unless a name says otherwise; times are aware UTC datetimes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, overload

Kind = Literal["doc", "code"]
SourceKind = Literal["site", "page", "file", "folder", "glob", "raw", "context", "git"]
Outcome = Literal["fetched", "unchanged", "skipped", "failed"]
Status = Literal["exact", "normalized", "elided", "near", "unverified"]
Verdict = Literal[
    "exact",
    "moved",
    "punctuation_only",
    "ellipsis_hides",
    "truncated_condition",
    "operator_changed",
    "spliced",
    "found_elsewhere",
    "absent",
]
Support = Literal["lexical", "entailed", "unchecked", "failed"]
MarkKind = Literal["none", "expired", "needs_update", "keep"]

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

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the slice of `text` that this span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Say whether the two spans share at least one code point."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Policy:
    """How a source may be captured; what the options of `add` say."""

    scope: Literal["auto", "page", "prefix", "host", "domain"] = "auto"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_pages: int = 2000
    max_depth: int | None = None
    concurrency: int = 4
    delay_s: float = 0.25
    timeout_s: float = 30.0
    limit_bytes: int = 20 * 1024 * 1024
    allow_private: tuple[str, ...] = ()
    max_age_s: float = 24 * 3600.0
    selector: str | None = None
    exclude_selector: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    """Further options by name, added by the rooms that understand them; never secrets."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place that knowledge is captured from; `slug` is its identity in a library."""

    slug: str
    kind: SourceKind
    location: str
    version: str = ""
    policy: Policy = Policy()
    added_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer of a source: the raw bytes and what the transport said about them."""

    url: str
    final_url: str
    path: str
    """The file's path inside its source, or the URL."""
    status: int
    headers: tuple[tuple[str, str], ...]
    media_type: str
    body: bytes
    fetched_at: datetime
    redirects: tuple[str, ...] = ()
    renderer: Literal["static", "file", "browser"] = "static"
    response_body: bytes | None = None
    """For a rendered page the response as it came; `body` is then the serialised DOM that is extracted."""
    kind: Kind | None = None
    """Set where the source knows it (a code context file); else the extractor decides."""
    flags: tuple[str, ...] = ()

    def header(self, name: str) -> str:
        """Return the last header of that name, any case, or an empty string."""
        return next((v for k, v in reversed(self.headers) if k.lower() == name.lower()), "")


@dataclass(frozen=True, slots=True)
class Capture:
    """A timestamped observation of a URL; its bytes are the snapshot that `snapshot` names. Never updated."""

    ref: str
    snapshot: str
    source: str
    url: str
    path: str
    final_url: str
    status: int
    media_type: str
    charset: str
    etag: str
    last_modified: str
    fetched_at: datetime
    size: int
    renderer: str = "static"
    response: str | None = None
    """Snapshot id of the response body, for a rendered page."""
    kind: Kind | None = None
    flags: tuple[str, ...] = ()
    checked_at: datetime | None = None
    """The last time the same bytes were seen again."""
    mark: MarkKind = "none"


def capture_of(source: str, fetched: Fetched) -> Capture:
    """Return the capture that these bytes make. The store may lengthen its `ref` where six characters are already taken."""
    charset = ""
    for part in fetched.header("content-type").split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip("\"'")
    return Capture(
        ref=ref_code(fetched.url, fetched.fetched_at),
        snapshot=snapshot_id(fetched.body),
        source=source,
        url=fetched.url,
        path=fetched.path,
        final_url=fetched.final_url,
        status=fetched.status,
        media_type=fetched.media_type,
        charset=charset,
        etag=fetched.header("etag"),
        last_modified=fetched.header("last-modified"),
        fetched_at=fetched.fetched_at,
        size=len(fetched.body),
        renderer=fetched.renderer,
        response=snapshot_id(fetched.response_body) if fetched.response_body is not None else None,
        kind=fetched.kind,
        flags=fetched.flags,
    )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A capture together with its bytes: what extraction reads."""

    capture: Capture
    body: bytes


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch under one heading, term or code symbol. `path` is the trail of titles from the page's top, its own last."""

    index: int
    level: int
    path: tuple[str, ...]
    span: Span
    anchor: str | None = None
    """An `id` that exists on the page, never one made from the words."""
    parent: int | None = None
    kind: Literal["root", "heading", "term", "symbol"] = "heading"
    symbol: str | None = None
    signature: str | None = None
    doc: str | None = None
    """The doc comment of a code symbol, without its comment marks."""

    @property
    def title(self) -> str:
        """The section's own title, or an empty string for the root."""
        return self.path[-1] if self.path else ""


BlockKind = Literal["heading", "paragraph", "list_item", "code", "table", "term", "quote", "html", "math", "figure", "front_matter"]


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf block of a document. Blocks are in order and disjoint; only white space lies between them."""

    id: str
    kind: BlockKind
    span: Span
    section: int
    paragraph: int | None = None
    """1-based number among the section's own text blocks (headings don't count)."""
    anchor: str | None = None
    """The nearest `id` on the page at or above this block."""
    dom_path: str | None = None
    language: str | None = None
    """Programming language of a code block."""
    hidden: tuple[Span, ...] = ()
    """Ranges inside `span` that a reader does not see: marks, escapes, link targets. What is left is the visible text."""
    lead: str | None = None
    """Id of the block that leads into this one (the sentence before a list or a code block)."""


@dataclass(frozen=True, slots=True)
class Document:
    """The canonical text of a snapshot and its structure. Append-only; `id` digests everything that it was made from."""

    id: str
    snapshot: str
    base_url: str
    kind: Kind
    title: str
    text: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    extractor: str
    """Name and version, such as `html@1`."""
    language: str = ""
    """Human language, BCP 47, or empty where unknown."""
    code_language: str = ""
    canonical_url: str = ""
    links: tuple[str, ...] = ()
    """Absolute URLs of the page's links, in order, without duplicates; what a crawl follows."""
    retention: float = 1.0
    rule: str = ""
    """Which main-content rule found the text."""
    main_path: str = ""
    """DOM path of the main block."""
    flags: tuple[str, ...] = ()
    dropped: tuple[Span, ...] = ()
    """For texts whose unsafe characters were dropped: (position in `text`, characters dropped just before it) as Span(position, count)."""

    def section_of(self, offset: int) -> Section:
        """Return the innermost section that covers the offset."""
        best = self.sections[0]
        for section in self.sections:
            if section.span.start <= offset < section.span.end and section.span.start >= best.span.start:
                best = section
        return best


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable slice of a document: `document.text[span.start:span.end]`."""

    id: str
    document: str
    span: Span
    section: int
    kind: Kind
    heading: tuple[str, ...] = ()
    symbol: str | None = None
    defines: tuple[str, ...] = ()
    """Symbols and terms that this chunk defines, short and qualified names."""
    anchor: str | None = None
    block: str | None = None
    paragraph: int | None = None
    line: int | None = None
    """1-based line of the chunk's first character, for texts and code."""
    language: str = ""
    boilerplate: bool = False
    """Navigation, index pages and the like: stored, quotable, but left out of the index."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a contextual header is built from. Kept apart from the text, so that any header can be built again."""

    document_title: str = ""
    document_summary: str = ""
    section_title: str = ""
    section_summary: str = ""
    path: str = ""
    trail: tuple[str, ...] = ()
    comment: str = ""
    """First doc comment that is no licence."""
    terms: tuple[str, ...] = ()
    """Aliases from a term map: for the index alone."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A page of a source and the document it held, from one capture to the next."""

    id: int
    source: str
    url: str
    path: str
    ref: str
    document: str
    valid_from: datetime
    valid_to: datetime | None = None
    retired: bool = False
    """Replaced by a reindex or purged: not the truth of any time."""


@dataclass(frozen=True, slots=True)
class Entry:
    """All that an index needs of one chunk in one holding."""

    id: str
    """`psg_…`, the digest of (capture, chunk)."""
    chunk: Chunk
    holding: Holding
    text: str
    context: Context
    source_version: str = ""
    lang: str = ""
    document_title: str = ""


def passage_id(ref: str, chunk_id: str) -> str:
    """Return the id of a chunk as held by a capture."""
    return "psg_" + digest(ref, chunk_id)[:24]


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the store's change log. The index replays them in order of `seq`."""

    seq: int
    op: Literal["open", "close", "retire", "mark"]
    holding: int


@dataclass(frozen=True, slots=True)
class Query:
    """A question to the index after all defaults are settled."""

    text: str
    kind: Literal["all", "doc", "code"] = "all"
    sources: tuple[str, ...] = ()
    version: str | None = None
    lang: str | None = None
    max_results: int = 10
    score_ratio: float = 0.5
    similarity_threshold: float | None = None
    neighbors: int = 0
    max_tokens: int | None = None
    segments: bool = False
    explain: bool = False
    as_of: datetime | None = None
    refs: tuple[str, ...] = ()
    """Captures that the answer is bound to (a `REF-` code in the question)."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that the index found. `score` orders hits; `similarity` is 0..1: the share of the question's IDF that it covers."""

    id: str
    score: float
    similarity: float = 0.0
    scores: tuple[tuple[str, float], ...] = ()
    matched: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Verification:
    """What the quote check found. `support` says, apart, whether the quote carries the sentence."""

    status: Status
    verdict: Verdict
    score: float = 100.0
    vetoes: tuple[str, ...] = ()
    occurrences: int = 1
    support: Support = "unchecked"


@dataclass(frozen=True, slots=True)
class Citation:
    """The record of a footnote: a quote, where it stands, the snapshot it was checked against. Its JSON shape is `cite.footnotes.record`."""

    id: str
    n: int
    capture: Capture
    document: str
    span: Span
    quote: str
    visible: str
    title: str
    heading: tuple[str, ...]
    anchor: str | None
    block: str | None
    paragraph: int | None
    line: int | None
    prefix: str
    suffix: str
    text_sha256: str
    extractor: str
    verification: Verification
    claim: str = ""
    answer_span: Span = Span(0, 0)
    canonical_url: str = ""
    css: str | None = None
    deep_link: str = ""
    archive_link: str = ""
    model_text: str | None = None
    language: str = ""
    version: str = ""
    page: int | None = None
    drift: str = "unchecked"
    quality: float = 0.0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence that was not printed, and why."""

    sentence: str
    reason: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Text whose every `[^n]` has its citation. Made only by `cite`."""

    query: str
    markdown: str
    abstained: bool
    citations: tuple[Citation, ...] = ()
    unknown_terms: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    intent: str = "how_to"
    model: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class DraftQuote:
    """A quote that a draft offers for a claim. Extractive drafts know the span; a model's only say words and, perhaps, a block."""

    text: str
    passage: str | None = None
    block: str | None = None
    document: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence, list item or code block of a draft and the quotes it rests on."""

    text: str
    quotes: tuple[DraftQuote, ...]
    kind: Literal["sentence", "item", "code", "table", "lead"] = "sentence"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What composing gives to verification. Nothing of it is printed unless `cite` has checked it."""

    claims: tuple[Claim, ...]
    model: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    intent: str = "how_to"


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How an answer is made and printed."""

    notes: Literal["footnotes", "inline"] = "footnotes"
    quotes: bool = False
    passages: int = 3
    passage_chars: int = 512
    floor: float = 0.5
    style: Literal["short", "medium", "long"] = "medium"
    model: bool = True
    """False: extractive, even where a model is configured."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Pages that a run means to fetch, told before they are."""

    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of one wanted page; a line of the coverage report."""

    url: str
    outcome: Outcome
    reason: str = ""
    ref: str | None = None
    fetched: Fetched | None = None
    """The bytes, while they flow from crawl to pipeline; absent in reports."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a capture wanted, got and did not get, each with its reason."""

    source: str
    wanted: int
    fetched: int
    unchanged: int
    skipped: Mapping[str, int]
    failed: Mapping[str, int]
    documents: int
    chunks: int
    seconds: float
    pages: tuple[PageOutcome, ...] = ()
    finished: bool = True
    removed: int = 0
    """Pages that the source no longer has; their last captures stay readable."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a check of the whole store found wrong."""

    kind: str
    subject: str
    detail: str
