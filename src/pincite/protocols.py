"""The sockets: what one room asks of another, as small protocols. Fakes need no base class.

In: the values of `types`. Out: nothing; implementations live in the rooms and in `adapters`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from pincite.types import (
    Capture,
    Change,
    Chunk,
    Citation,
    Context,
    Coverage,
    Document,
    Entry,
    Fetched,
    Finding,
    Hit,
    Holding,
    MarkKind,
    PageOutcome,
    Point,
    Query,
    Snapshot,
    Source,
    Span,
    Support,
)


class Clock(Protocol):
    """Tells the time; passed in, so that a test can hold it still."""

    def __call__(self) -> datetime: ...


class Extractor(Protocol):
    """Turns a snapshot into a document."""

    @property
    def version(self) -> str:
        """Names what documents are made by; a change makes `reindex` process again."""

    def extract(self, snapshot: Snapshot) -> Document:
        """Return the document. Raises SourceError, with a reason fit for the coverage report, where there is no text to take."""


class Chunker(Protocol):
    """Cuts a document into chunks."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Return disjoint chunks in order, each a slice of the text."""


class Contextualizer(Protocol):
    """Says of each chunk where it stands."""

    def contextualize(self, document: Document, chunks: Sequence[Chunk], path: str) -> tuple[Context, ...]:
        """Return one context for each chunk; `path` is the document's path inside its source."""


class HeaderWriter(Protocol):
    """Adds to contexts what the document does not say of itself."""

    def written(self, document: Document, chunks: Sequence[Chunk], contexts: Sequence[Context]) -> tuple[Context, ...]:
        """Return the contexts with what was added. Never raises for what a model does."""

    def cost(self, document: Document, chunks: Sequence[Chunk]) -> tuple[int, int]:
        """Return how many requests that takes of a model, and about how many tokens, answers included."""


class Batch(Protocol):
    """The writes of one transaction: all of them land or none does."""

    def put_capture(self, source: str, fetched: Fetched) -> tuple[Capture, bool]:
        """Store the bytes. False when the source's latest capture of that URL had the same bytes: then only a check time is added."""

    def put_document(self, document: Document, chunks: Sequence[Chunk], contexts: Sequence[Context]) -> None:
        """Store a document and its chunks; the same document again is a no-op."""

    def hold(self, capture: Capture, document: str) -> None:
        """Let the page hold this document from the capture on; closes or, for the same capture, retires what it held before."""

    def close(self, source: str, url: str, at: datetime) -> None:
        """End what a page held: it is gone from its source."""

    def checked(self, ref: str, at: datetime) -> None:
        """Note that a capture's page was asked for and had not changed."""

    def want(self, run: int, urls: Iterable[str], depth: int = 0) -> None:
        """Note pages that this run means to fetch, so that an interrupted run can say what is missing."""

    def outcome(self, run: int, outcome: PageOutcome) -> None:
        """Note what became of one page."""


class ChangeFeed(Protocol):
    """What an index follows."""

    def seq(self) -> int:
        """Return the newest sequence number of the change log, 0 when empty."""

    def changes_since(self, seq: int, limit: int = 1000) -> Sequence[Change]:
        """Return the next changes after `seq`, in order."""

    def entries(self, holding: int) -> tuple[Entry, ...]:
        """Return the entries of one holding, open, closed or retired, in the order of their spans."""

    def holdings(self, source: str | None = None, *, as_of: datetime | None = None, closed: bool = False) -> Iterator[Holding]:
        """Yield what is held now, or was at `as_of`; with `closed`, every interval that is not retired."""


class Evidence(Protocol):
    """What quotes are checked against."""

    def capture(self, ref: str) -> Capture | None:
        """Return the capture with that `REF-` code."""

    def captures(self, url: str) -> tuple[Capture, ...]:
        """Return all captures of a URL, newest first."""

    def body(self, snapshot: str) -> bytes:
        """Return the bytes of a snapshot, or raise EvidenceError when they are purged or fail their digest."""

    def document(self, document: str) -> Document | None:
        """Return a document by id."""

    def document_of(self, ref: str) -> Document | None:
        """Return the newest document made from a capture."""

    def citation(self, id: str) -> Citation | None:
        """Return a citation that was printed before."""


class Shelf(Protocol):
    """Keeps vectors by model and by the digest of the text that was embedded: made once, never twice."""

    def put_vectors(self, model: str, dim: int, vectors_: Mapping[str, bytes]) -> None:
        """Keep vectors of `dim` numbers of 4 bytes each. Raises StoreError where the model's others have another length."""

    def vectors(self, model: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those that are kept."""

    @property
    def read_only(self) -> bool: ...


class Notebook(Protocol):
    """Keeps what a model wrote about documents, by the digest of model and prompt, and forgets it with the document."""

    def written(self, key: str) -> str | None:
        """Return what was written, or None."""

    def write(self, key: str, document: str, text: str) -> None:
        """Keep it; what is there already stays."""


class Store(ChangeFeed, Evidence, Shelf, Notebook, Protocol):
    """The only truth: sources, captures, blobs, documents, chunks, vectors, intervals, runs, citations and the change log."""

    def batch(self) -> AbstractContextManager[Batch]:
        """Open a transaction; it commits at the end of the block and rolls back on any exception, Ctrl-C included."""

    def moment(self) -> AbstractContextManager[None]:
        """Let all that this thread reads in the block be of one moment, in one transaction."""

    def put_source(self, source: Source) -> Source: ...
    def source(self, slug: str) -> Source | None: ...
    def sources(self) -> tuple[Source, ...]: ...
    def remove(self, slug: str, at: datetime, *, purge: bool = False) -> int:
        """Hide a source's pages at once and return their number; with `purge` erase its bytes and texts too and leave tombstones."""

    def latest(self, source: str) -> Mapping[str, Capture]:
        """Return the newest capture of each URL that the source holds now."""

    def start_run(self, source: str, at: datetime) -> int: ...
    def finish_run(self, run: int, at: datetime, *, documents: int, chunks: int, removed: int) -> None: ...
    def interrupted(self, source: str) -> int | None:
        """Return the source's newest run when it has not come to its end."""

    def pending(self, run: int) -> tuple[tuple[str, int], ...]:
        """Return a run's wanted pages that have no outcome yet, each with its depth."""

    def report(self, source: str) -> Coverage | None:
        """Return the coverage of the source's newest run; `finished` is false when it was interrupted."""

    def chunks(self, document: str) -> tuple[tuple[Chunk, Context], ...]: ...
    def live(self, ids: Sequence[str], *, as_of: datetime | None = None, closed: bool = False) -> Mapping[str, Entry]:
        """Return those passage ids that are held now (or were at `as_of`; ever, with `closed`), with their entries."""

    def slices(self, wanted: Sequence[tuple[str, Span]]) -> Sequence[str]:
        """Return slices of documents' texts, each by document id and span; without reading the rest of a long document."""

    def captured(self, refs: Iterable[str]) -> Mapping[str, Capture]:
        """Return the captures with those `REF-` codes, all of one moment; unknown codes are left out."""

    def entry(self, passage: str) -> Entry | None:
        """Return an entry by passage id, whatever its interval."""

    def live_ids(self) -> Iterator[str]:
        """Yield the passage ids that an index must hold: all intervals that are not retired, boilerplate left out."""

    def prune(self, *, rehearse: bool = False) -> tuple[int, int]:
        """Erase what is neither held, cited, marked `keep` nor a page's latest capture; return captures and bytes."""

    def backup(self, target: str) -> int:
        """Copy the store to a new file, while it is in use, and return its bytes."""

    def mark(self, ref: str, mark: MarkKind, *, who: str, why: str, at: datetime) -> None: ...
    def put_citations(self, citations: Iterable[Citation]) -> None:
        """Record printed citations, so that `show` finds them and `prune` keeps their captures. The same citation again is a no-op."""

    def remark(self, citation: str, text: str) -> bool:
        """Put a person's note behind a printed citation, in place of an earlier one; say whether there is such a citation."""

    def citations(self) -> Iterator[Citation]: ...
    def check(self) -> Iterator[Finding]:
        """Compare every blob with its digest, every chunk and citation with its document's text, every interval with its neighbours."""

    def stats(self) -> Mapping[str, Any]: ...
    def shut(self) -> None: ...


class Found(Protocol):
    """What an index answers."""

    @property
    def hits(self) -> tuple[Hit, ...]: ...
    @property
    def unknown_terms(self) -> tuple[str, ...]: ...
    @property
    def answerable(self) -> float: ...


class Index(Protocol):
    """Derived from the store and disposable."""

    def catch_up(self, feed: ChangeFeed, *, full: bool = False) -> int:
        """Replay the changes not yet seen and return their number. A missing, damaged or older index is built again.

        Only with `full` are texts embedded that have no vector yet: a search never waits for that.
        """

    def search(self, query: Query, limit: int) -> Found:
        """Return at most `limit` hits, best first, with the filters of the query applied."""

    def ids(self) -> Iterator[str]:
        """Yield every passage id in the index, for the check against the store."""

    def shut(self) -> None: ...


class Model(Protocol):
    """A language model behind an adapter. It gets text and returns text; it has no tools."""

    @property
    def name(self) -> str: ...
    def complete(self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024) -> str:
        """Return the model's text at temperature 0. Raises ModelError."""


@runtime_checkable
class StreamingModel(Model, Protocol):
    """A model that gives its text as it comes."""

    def stream(self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024) -> Iterator[str]:
        """Yield the model's text in pieces. Raises ModelError, also in the middle."""


@runtime_checkable
class Metered(Protocol):
    """Something that counts the tokens it used."""

    @property
    def usage(self) -> Mapping[str, int]:
        """Return tokens and calls so far, by name."""


@runtime_checkable
class Closable(Protocol):
    """Something that holds connections."""

    def close(self) -> None: ...


@runtime_checkable
class Embeds(Protocol):
    """An index that searches by meaning too."""

    def embed(self, feed: ChangeFeed) -> int:
        """Make the vectors that are missing and return their number. Raises ModelError; what was made is kept, and is not made again."""


class VectorStore(Protocol):
    """Finds the nearest vectors of one model. Derived from the store and disposable; several processes may share one."""

    def seen(self) -> int:
        """Return the sequence number of the change log that it has followed, 0 when new."""

    def write(self, points: Sequence[Point], gone: Collection[int], seen: int) -> None:
        """Drop what the holdings `gone` had, put the points, then note what was seen. The same again changes nothing.

        Raises StoreError when the server can't be reached or the vectors have another length than those it has.
        """

    def nearest(self, vector: Sequence[float], limit: int, sources: Sequence[str] = ()) -> Sequence[tuple[str, float]]:
        """Return at most `limit` passage ids with their cosine similarities, best first, of these sources or of all."""

    def ids(self) -> Iterator[str]:
        """Yield every passage id that has a vector."""

    def clear(self) -> None:
        """Forget everything: it is then filled again from the store."""

    def shut(self) -> None: ...


class Embedder(Protocol):
    """Turns texts into vectors of one dimension."""

    @property
    def name(self) -> str: ...
    @property
    def limit_tokens(self) -> int:
        """Tokens of a text that it takes; what is longer is cut before it is sent."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Sequence[Sequence[float]]: ...


class Reranker(Protocol):
    """Scores texts against a question."""

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]: ...


class Judge(Protocol):
    """Says whether quoted text carries a sentence, beyond what numbers, names and negations tell."""

    def judge(self, sentence: str, quoted: Sequence[str]) -> Support:
        """Return entailed, failed, or unchecked where it can not tell. Never raises for what a model does."""


class Fetcher(Protocol):
    """The one way out to addresses that come from sources and pages."""

    async def fetch(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Return the answer, redirects followed through the guard. Raises Refused or SourceError, each with its `rule`."""


class Crawl(Protocol):
    """Yields what became of each page of a source."""

    def pages(self, source: Source, known: Mapping[str, Capture]) -> AsyncIterator[PageOutcome]: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the stages are made of."""

    store: Store
    index: Index
    extractor: Extractor
    chunker: Chunker
    contextualizer: Contextualizer
    clock: Clock
    model: Model | None = None
    """What writes answers; None means that they are extractive."""
    reranker: Reranker | None = None
    judge: Judge | None = None
    """What may call a model's sentence entailed; None means that none is."""
    headers: tuple[HeaderWriter, ...] = ()
    """What adds to contexts, in this order, what the document does not say of itself."""
