"""The code-docs search tool without any framework: add documentation once, answer from it.

In: a documentation address, questions. Out: text for an agent. `crewai.py` dresses this in that framework's class.
Each address is a source of its own, and a question about one is never answered from another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pincite import urls
from pincite.errors import PinciteError, Refused, SourceError
from pincite.integrations import safety, tool_config
from pincite.types import Passage, Source, timestamp

if TYPE_CHECKING:
    from pincite.library import Library

NAME = "Search a Code Docs content"
DESCRIPTION = "A tool that can be used to semantic search a query from a Code Docs content."
FIXED_DESCRIPTION = "A tool that can be used to semantic search a query the {docs_url} Code Docs content."
SEARCH_QUERY = "Mandatory search query you want to use to search the Code Docs content"
DOCS_URL = "Mandatory docs_url path you want to search"
PREFIX = "Relevant Content:\n"
COLLECTION = "rag_tool_collection"
THRESHOLD, LIMIT = 0.6, 5


class DataType(StrEnum):
    """What an address leads to. Documentation sites are followed, pages are not."""

    DOCS_SITE = "docs_site"
    WEBSITE = "website"
    FILE = "file"
    DIRECTORY = "directory"
    GITHUB = "github"

    @classmethod
    def of(cls, location: str) -> DataType:
        """Guess from an address: `docs` in host or path means a documentation site."""
        if not urls.is_web(location):
            return cls.DIRECTORY if Path(location).is_dir() else cls.FILE
        return cls.DOCS_SITE if "docs" in location.split("://", 1)[-1].lower() else cls.WEBSITE


class UnableToFetch(SourceError, ValueError):
    """Nothing could be captured from an address."""


class Adapter(Protocol):
    """What a tool adds to and asks; any object with these two methods will do."""

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Take a source in."""

    def query(self, question: str, similarity_threshold: float | None = None, limit: int | None = None) -> str:
        """Return what was found, as text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the knowledge is kept and what may be read: `open` gives a Library that the caller closes."""

    open: Callable[[], Library]
    allow_private: tuple[str, ...] = ()
    max_age_s: float = 24 * 3600.0
    roots: tuple[Path, ...] = ()


def default_place(config: Mapping[str, Any] | None = None, collection: str = COLLECTION) -> Place:
    """Return the user's own library with what a tool's config names, files allowed below the working directory. Raises ConfigError."""
    from pincite.integrations import tool_models
    from pincite.library import Library
    from pincite.settings import load

    settings = tool_models.settings_for(tool_config.read(config), collection, load({}))
    return Place(lambda: Library(settings=settings), settings.allow_private, settings.max_age_s, (Path.cwd().resolve(),))


class LibraryAdapter:
    """Adds to and asks a Pincite library; asks only what this adapter added."""

    def __init__(
        self,
        place: Place,
        *,
        collection_name: str = COLLECTION,
        config: Mapping[str, Any] | None = None,
        summarize: bool = False,
    ) -> None:
        self._place, self._collection, self._summarize = place, collection_name, summarize
        self.config = tool_config.read(config)
        self._sources: dict[str, str] = {}
        self._guard = threading.Lock()

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Capture each source that the arguments name. Raises safety.Blocked, or UnableToFetch when nothing could be captured."""
        args, kwargs = safety.checked(args, kwargs, roots=self._place.roots, allow_private=self._place.allow_private)
        named = [str(value) for value in args] + [str(kwargs[name]) for name in kwargs if name in safety.NAMES and kwargs[name] is not None]
        kind = kwargs.get("data_type")
        for location in named:
            self._add(location, DataType(getattr(kind, "value", kind)) if kind is not None else DataType.of(location))

    def _add(self, location: str, kind: DataType) -> None:
        from pincite import wiring

        with self._guard, self._place.open() as library:
            now = wiring.now()
            held = next((s for s in library.sources() if _same(s, location, self._name(location))), None)
            if held is not None and urls.is_web(location) and _fresh(library, held, now, self._place.max_age_s):
                self._sources[location] = held.slug
                return
            policy = wiring.policy(library.settings)
            if kind is DataType.WEBSITE:
                policy = replace(policy, scope="page")
            try:
                report = library.add(location, name=held.slug if held else self._name(location), policy=policy)
            except Refused as error:
                raise safety.Blocked(f"Blocked unsafe URL: {error.message}", url=location, rule=error.rule) from error
            except SourceError as error:
                raise UnableToFetch(f"Unable to fetch documentation from {location}: {error.message}", url=location) from error
            if not any(True for _ in library.held(report.source)):
                raise _failure(location, report.failed, report.skipped)
            self._sources[location] = report.source

    def _name(self, location: str) -> str | None:
        """Return the source's name: the library's own choice for the usual collection, one with the collection's name for others."""
        if self._collection == COLLECTION:
            return None
        return f"{self._collection}-{location.split('://', 1)[-1].rstrip('/')}"

    def query(self, question: str, similarity_threshold: float | None = None, limit: int | None = None) -> str:
        """Return the passages of the added sources that cover enough of the question, best first."""
        return self.search(question, tuple(dict.fromkeys(self._sources.values())), similarity_threshold, limit)

    def query_in(self, location: str, question: str, similarity_threshold: float | None = None, limit: int | None = None) -> str:
        """Return what one added source says."""
        checked = safety.location(location, roots=self._place.roots, allow_private=self._place.allow_private)
        return self.search(question, (self._sources[checked],), similarity_threshold, limit)

    def search(self, question: str, sources: Sequence[str], similarity_threshold: float | None, limit: int | None) -> str:
        """Ask the library within these sources."""
        if not sources:
            return ""
        with self._place.open() as library:
            if self._summarize:
                return library.ask(question, source=tuple(sources), max_results=limit or LIMIT).markdown
            found = library.search(
                question,
                source=tuple(sources),
                max_results=limit or LIMIT,
                score_ratio=0.0,
                similarity_threshold=THRESHOLD if similarity_threshold is None else similarity_threshold,
            )
        return "\n\n".join(written(passage) for passage in found)


def written(passage: Passage) -> str:
    """Return a passage with the line that says where it stands."""
    trail = " › ".join(passage.heading) or passage.title
    return f"{passage.text.rstrip()}\n[{trail}] {passage.url} ({passage.ref}, captured {timestamp(passage.fetched_at)[:10]})"


def _same(source: Source, location: str, name: str | None) -> bool:
    if name is not None:
        from pincite.sources.slug import slug

        return source.slug == slug(name)
    place = urls.canonical(location) if urls.is_web(location) else location
    return source.location == place


def _fresh(library: Library, source: Source, now: datetime, max_age_s: float) -> bool:
    report = library.status(source.slug)[source.slug]
    if report is None or not report.finished:
        return False
    refs = [holding.ref for holding in library.held(source.slug)]
    seen = [capture.checked_at or capture.fetched_at for capture in map(library.capture, refs)]
    return bool(seen) and now - max(seen) < timedelta(seconds=max_age_s)


def _failure(location: str, failed: Mapping[str, int], skipped: Mapping[str, int]) -> PinciteError:
    reasons = {**skipped, **failed}
    if set(reasons) & {"address", "scheme"}:
        return safety.Blocked(f"Blocked unsafe URL: {location} leads to an address that is not public.", url=location, rule="address")
    why = ", ".join(f"{name} ({count})" for name, count in reasons.items()) or "it holds no text"
    return UnableToFetch(f"Unable to fetch documentation from {location}: {why}", url=location)


class DocsSearch:
    """The tool's behaviour: fixed to one address, or told it in each call."""

    def __init__(
        self,
        docs_url: str | None,
        adapter: Adapter,
        *,
        similarity_threshold: float = THRESHOLD,
        limit: int = LIMIT,
        max_age_s: float = 24 * 3600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.docs_url, self.adapter = docs_url, adapter
        self.similarity_threshold, self.limit = similarity_threshold, limit
        self._max_age_s, self._clock = max_age_s, clock
        self._added_at: dict[str, float] = {}
        if docs_url is not None:
            self.add(docs_url)

    @property
    def description(self) -> str:
        """What the tool says of itself."""
        return FIXED_DESCRIPTION.format(docs_url=self.docs_url) if self.docs_url is not None else DESCRIPTION

    def add(self, docs_url: str) -> None:
        """Take a documentation site in."""
        self.adapter.add(docs_url, data_type=DataType.DOCS_SITE)
        self._added_at[docs_url] = self._clock()

    def run(
        self, search_query: str, docs_url: str | None = None, similarity_threshold: float | None = None, limit: int | None = None
    ) -> str:
        """Answer a question. Raises ValueError in dynamic mode without an address."""
        threshold = self.similarity_threshold if similarity_threshold is None else similarity_threshold
        most = self.limit if limit is None else limit
        where = docs_url or self.docs_url
        if where is None:
            raise ValueError("docs_url is required: this tool was made without one.")
        if where != self.docs_url and self._stale(where):
            self.add(where)
        if isinstance(self.adapter, LibraryAdapter):
            return PREFIX + self.adapter.query_in(where, search_query, similarity_threshold=threshold, limit=most)
        return PREFIX + self.adapter.query(search_query, similarity_threshold=threshold, limit=most)

    def _stale(self, where: str) -> bool:
        added = self._added_at.get(where)
        return added is None or not urls.is_web(where) or self._clock() - added >= self._max_age_s
