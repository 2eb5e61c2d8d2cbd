"""What capture gives: sources, fetched bytes, snapshots, and what became of each wanted page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pincite.types.ids import Kind, ref_code, snapshot_id

SourceKind = Literal["site", "page", "file", "folder", "glob", "raw", "context", "git"]


Outcome = Literal["fetched", "unchanged", "skipped", "failed"]


CacheMode = Literal["enabled", "disabled", "read-only", "write-only", "bypass"]


MarkKind = Literal["none", "expired", "needs_update", "keep"]


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
    render: Literal["auto", "never", "always"] = "auto"
    """`auto` renders only pages that hold too little text without their scripts."""
    wait_for: str | None = None
    """CSS selector that must be there before a rendered page is taken."""
    strategy: Literal["bfs", "dfs", "best"] = "bfs"
    query: str | None = None
    """What `best` ranks links by."""
    https_only: bool = False
    allow: tuple[str, ...] = ()
    """Domains; when given, nothing else is fetched."""
    deny: tuple[str, ...] = ()
    """Patterns of hosts (`blog.*`) or URLs that are not fetched."""
    cache: CacheMode = "enabled"
    """`enabled` reads what is held and writes what is new; `read-only` writes nothing and asks for no page that is held, `write-only` asks
    for every page in full; `bypass` does so once; `disabled` neither reads nor writes."""
    seeds: bool = True
    """Ask for sitemaps, `llms.txt` and the like."""
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
    selector: str | None = None
    """CSS selector of the content, as the source's policy names it."""
    exclude_selector: str | None = None
    """CSS selector of what is none."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Pages that a run means to fetch, told before they are; `depth` links from its start."""

    urls: tuple[str, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of one wanted page; a line of the coverage report."""

    url: str
    outcome: Outcome
    reason: str = ""
    ref: str | None = None
    fetched: Fetched | None = None
    """The bytes, while they flow from crawl to pipeline; absent in reports."""
    warning: str = ""
    """What of the page may be missing from its document; told while it is captured, absent in reports."""


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
