"""The one object that every surface calls: a library of sources in a store.

In: plain arguments. Out: values of `types`. Each method settles defaults and calls one stage of `pipeline` or one
method of the store.
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from pincite import asking, pipeline, upkeep, wiring
from pincite.cite import quality, remarks
from pincite.errors import UsageError
from pincite.protocols import Closable
from pincite.settings import Settings
from pincite.types import (
    Answer,
    AskOptions,
    Capture,
    Citation,
    ClaimCheck,
    Coverage,
    Document,
    Entry,
    Finding,
    Holding,
    MarkKind,
    NoteCheck,
    PageOutcome,
    Policy,
    Query,
    QuoteCheck,
    SearchResult,
    Source,
)

if TYPE_CHECKING:
    from pincite.cite import reach

Progress = Callable[[PageOutcome], None]


class Library:
    """Sources, snapshots and the index over them. Use it as a context manager, or call `close`.

    `store` is the path of the SQLite file (default: the setting, else the XDG data folder). With `create=False` a missing store is a
    StoreMissing instead of a new one.
    """

    def __init__(self, store: str | None = None, *, settings: Settings | None = None, create: bool = True, read_only: bool = False) -> None:
        self.settings = settings or Settings()
        self.place = store or self.settings.place()
        self._robots: dict[str, Any] = {}
        self._weights = quality.weights_of(self.settings.domain_weights)
        self._terms = wiring.terms(self.settings)
        self._parts = wiring.parts(self.place, self.settings, create=create, read_only=read_only)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the store, the index and the model's connections."""
        for held in (self._parts.model, self._parts.judge, self._parts.reranker, *self._parts.headers):
            if isinstance(held, Closable):
                held.close()
        self._parts.index.shut()
        self._parts.store.shut()

    def add(
        self,
        location: str,
        *,
        name: str | None = None,
        version: str = "",
        policy: Policy | None = None,
        progress: Progress | None = None,
        headers: Sequence[str] = (),
        cookies: str = "",
        dry_run: bool = False,
    ) -> Coverage:
        """Capture and process a source; what was there before is compared, not doubled. What an earlier one missed is tried again.

        `headers` (`Name: value`) and `cookies` (the text of a cookies.txt or a saved login) go to the location's own origin alone and are
        not stored. A `dry_run` tells what would be fetched and writes nothing. Ctrl-C is raised between two transactions. Raises UsageError
        or SourceError for a location that is none, Refused where a rule forbids it; single pages that fail are lines of the report.
        """
        now = self._parts.clock()
        taken = {held.slug: held.location for held in self.sources()}
        source = wiring.resolve(location, name=name, version=version, policy=policy or self.policy(), now=now, taken=taken)
        return self._capture(source, progress, headers=headers, cookies=cookies, added=True, dry_run=dry_run)

    def refresh(self, source: str, *, progress: Progress | None = None, headers: Sequence[str] = (), cookies: str = "") -> Coverage:
        """Ask again for every page of a source, conditionally, whatever its age; only what changed is processed."""
        held = self._known(source)
        now = replace(held, policy=replace(held.policy, max_age_s=0.0))
        return self._capture(now, progress, headers=headers, cookies=cookies)

    def retry(self, source: str, *, progress: Progress | None = None, headers: Sequence[str] = (), cookies: str = "") -> Coverage:
        """Try the pages that failed, or that an interruption left, in the source's last capture. Raises UsageError when there are none."""
        held = self._known(source)
        report = self._parts.store.report(held.slug)
        failed = tuple(page.url for page in report.pages if page.outcome == "failed") if report else ()
        if not failed:
            raise UsageError(f"No page of `{source}` failed in its last capture, so there is nothing to try again.")
        now = replace(held, policy=replace(held.policy, max_age_s=0.0))
        return self._capture(now, progress, headers=headers, cookies=cookies, only=failed)

    def _capture(self, source: Source, progress: Progress | None, **how: Any) -> Coverage:
        from pincite import capturing

        return capturing.capture(self._parts, self.settings, source, progress or _silent, robots=self._robots, **how)

    def policy(self) -> Policy:
        """Return the policy of a source that is added without options of its own."""
        return wiring.policy(self.settings)

    def search(
        self,
        query: str,
        *,
        kind: Literal["all", "doc", "code"] = "all",
        source: str | tuple[str, ...] | None = None,
        version: str | None = None,
        lang: str | None = None,
        max_results: int | None = None,
        score_ratio: float | None = None,
        similarity_threshold: float | None = None,
        neighbors: int = 0,
        max_tokens: int | None = None,
        as_of: datetime | None = None,
        explain: bool = False,
        where: str = "",
        segments: bool = False,
        preset: Literal["balanced", "precision", "find_all"] = "balanced",
    ) -> SearchResult:
        """Find passages, best first; of several questions in one, the best of each in turn.

        `version` is a label or a range (`>=3.10,<3.13`), `where` a filter (`lang = zh or not mark = expired`). With `segments` passages
        are whole stretches of their documents. Raises UsageError for an empty question, an unknown source, a filter that can't be read
        or a number out of range.
        """
        found = pipeline.search(
            self._parts,
            self._query(
                query,
                kind=kind,
                source=source,
                version=version,
                lang=lang,
                max_results=max_results,
                score_ratio=score_ratio,
                similarity_threshold=similarity_threshold,
                neighbors=neighbors,
                max_tokens=max_tokens,
                as_of=as_of,
                explain=explain,
                where=where,
                segments=segments,
                preset=preset,
            ),
        )
        return replace(found, query=query)

    def ask(self, question: str, *, options: AskOptions | None = None, **filters: Any) -> Answer:
        """Answer with footnotes, every quote verified; or abstain. `filters` are those of `search`.

        Raises ModelError where a model is configured and fails before anything holds.
        """
        return self.chat([("user", question)], options=options, **filters)

    def chat(self, messages: Sequence[tuple[str, str]], *, options: AskOptions | None = None, **filters: Any) -> Answer:
        """Answer the last of the messages, (role, text) from the oldest on; a follow-up question is made to stand alone first."""
        begun = time.perf_counter()
        *_, answer = self.stream(messages, options=options, **filters)
        assert isinstance(answer, Answer), "the last thing that a stream gives is the answer"
        return replace(answer, ms=(time.perf_counter() - begun) * 1000)

    def stream(
        self, messages: str | Sequence[tuple[str, str]], *, options: AskOptions | None = None, **filters: Any
    ) -> Iterator[str | Answer]:
        """Yield printed sentences as soon as they are verified, then the answer. `messages` is a question or a conversation."""
        from pincite import answering

        turns = [("user", messages)] if isinstance(messages, str) else list(messages)
        if not turns or turns[-1][0] != "user":
            raise UsageError("The last message must be the user's question.")
        refs = wiring.refs_in(turns[-1][1], self._parts.store)
        turn = answering.Turn(turns[-1][1], tuple(turns[:-1]), about=self._about(turns[-1][1]) if refs else "")
        query = self._query(turn.searched, **filters)
        turn = turn if query.meant == turn.searched else replace(turn, meant=query.meant)
        for item in pipeline.ask(self._parts, replace(query, refs=refs or query.refs), options or self.answer_options(), turn):
            yield replace(item, citations=tuple(self._graded(c) for c in item.citations)) if isinstance(item, Answer) else item

    def _graded(self, citation: Citation) -> Citation:
        return quality.graded(citation, self._parts.clock(), self._weights)

    def _about(self, question: str) -> str:
        """Return what a question asks of the captures that it names: its own words, or their titles where it has none."""
        from pincite import answering

        refs = wiring.refs_in(question, self._parts.store)
        if rest := answering.asks_of(wiring.without_refs(question)):
            return rest
        made = (self._parts.store.document_of(ref) for ref in refs)
        return " ".join(document.title for document in made if document) or question

    def answer_options(self) -> AskOptions:
        """Return how this library answers when nothing else is asked for."""
        settings = self.settings
        return AskOptions(passages=settings.answer_passages, passage_chars=settings.passage_chars, floor=settings.answer_floor)

    def _query(self, text: str, *, source: str | tuple[str, ...] | None = None, **options: Any) -> Query:
        if not text.strip():
            raise UsageError("The question is empty. Write what you want to know, in any language.")
        sources = (source,) if isinstance(source, str) else tuple(source or ())
        for slug in sources:
            self._known(slug)
        options = asking.settled(options, self.settings)
        refs = wiring.refs_in(text, self._parts.store)
        asked = self._about(text) if refs else text
        query = asking.narrowed(Query(text=asked, meant=self._terms.meant(asked), sources=sources, refs=refs, **options), self.sources())
        several = asking.questions(asked, self.settings, self._parts.model)
        if len(several) < 2:
            return query
        return replace(query, questions=tuple(replace(query, text=one, meant=self._terms.meant(one)) for one in several))

    def _known(self, slug: str) -> Source:
        source = self._parts.store.source(slug)
        if source is None:
            names = ", ".join(s.slug for s in self._parts.store.sources()) or "none yet"
            raise UsageError(f"There is no source `{slug}` in this library. Its sources: {names}.")
        return source

    def sources(self) -> tuple[Source, ...]:
        """Return the sources in the order they were added."""
        return self._parts.store.sources()

    def status(self, source: str | None = None) -> Mapping[str, Coverage | None]:
        """Return the newest coverage report of each source, or of one; `finished` is false for an interrupted run."""
        slugs = [self._known(source).slug] if source else [s.slug for s in self.sources()]
        return {slug: self._parts.store.report(slug) for slug in slugs}

    def held(self, source: str | None = None, *, as_of: datetime | None = None) -> Iterator[Holding]:
        """Yield the pages that are held now, or were at `as_of`, of one source or of all."""
        if source is not None:
            self._known(source)
        yield from self._parts.store.holdings(source, as_of=as_of)

    def seq(self) -> int:
        """Return the number of the newest change; as long as it is the same, searches give the same."""
        return self._parts.store.seq()

    def stats(self) -> Mapping[str, Any]:
        """Return counts and sizes of the store."""
        return self._parts.store.stats()

    def remove(self, source: str, *, purge: bool = False) -> int:
        """Hide a source at once and return how many pages it held; with `purge` erase it, hidden or not, and leave tombstones."""
        if not purge:
            self._known(source)
        pages = self._parts.store.remove(source, self._parts.clock(), purge=purge)
        if purge and not pages:
            self._known(source)
        self._parts.index.catch_up(self._parts.store)
        return pages

    def reindex(self, source: str | None = None, *, progress: Progress | None = None) -> int:
        """Process the held snapshots again, offline, and return the number of pages whose document changed. Resumable."""
        if source:
            self._known(source)
        return upkeep.reindex(self._parts, source, progress or _silent)

    def prune(self, *, rehearse: bool = False) -> tuple[int, int]:
        """Erase old captures that are not cited or marked `keep`; return how many and their bytes. `rehearse` only counts."""
        done = self._parts.store.prune(rehearse=rehearse)
        self._parts.index.catch_up(self._parts.store)
        return done

    def backup(self, target: str) -> int:
        """Copy the library to a new file, while it is in use, and return its bytes. Raises StoreError, also where the file exists."""
        return self._parts.store.backup(target)

    def header_cost(self, source: str | None = None) -> tuple[int, int]:
        """Return what `reindex` would ask the model of `header_model`: requests, and about how many tokens, answers included."""
        if source:
            self._known(source)
        return upkeep.header_cost(self._parts, source)

    def embed(self) -> int:
        """Make the vectors that are missing and return their number. Raises ModelError; what was made is kept. Resumable."""
        return upkeep.embed(self._parts)

    def capture(self, ref: str) -> Capture:
        """Return a capture by its `REF-` code in any case, its fingerprint (Base64 of `url:fetched_at`), or a `cit_` or `psg_` id of it.

        Raises UsageError, with the codes that look like it, when there is none.
        """
        found = self._parts.store.capture(wiring.code_of(ref, self._parts.store) or ref)
        if found is None:
            held = {holding.ref for holding in self._parts.store.holdings(closed=True)}
            near = ", ".join(difflib.get_close_matches(ref, held, cutoff=0.7))
            hint = f"Did you mean {near}?" if near else "`pincite search` shows the codes of what it holds."
            raise UsageError(f"There is no capture {ref} in this library. {hint}")
        return found

    def body(self, ref: str) -> bytes:
        """Return the snapshot's bytes."""
        return self._parts.store.body(self.capture(ref).snapshot)

    def document(self, ref: str) -> Document:
        """Return the document made from a capture, or one by its `doc_` id."""
        store = self._parts.store
        found = store.document(ref) if ref.startswith("doc_") else store.document_of(self.capture(ref).ref)
        if found is None:
            raise UsageError(f"{ref} was kept as bytes only: no text could be taken from it. `pincite show {ref} --raw` prints them.")
        return found

    def passage(self, id: str) -> Entry:
        """Return a passage by its `psg_` id, as it was held, whenever that was."""
        found = self._parts.store.entry(id)
        if found is None:
            raise UsageError(f"There is no passage {id} in this library.")
        return found

    def citation(self, id: str) -> Citation:
        """Return a printed citation by its `cit_` id."""
        found = self._parts.store.citation(id)
        if found is None:
            raise UsageError(f"There is no citation {id} in this library.")
        return self._graded(found)

    def mark(self, ref: str, mark: MarkKind, *, why: str = "", who: str = "") -> None:
        """Mark a capture expired, needs_update or keep; `none` takes the mark away. The rows are kept."""
        self._parts.store.mark(self.capture(ref).ref, mark, who=who, why=why, at=self._parts.clock())

    def remark(self, citation: str, text: str) -> None:
        """Put a note for readers behind a printed citation, by its `cit_` id; later footnotes show it. An empty text takes it away."""
        if len(text) > remarks.MAX_REMARK:
            raise UsageError(f"The note has {len(text)} characters; {remarks.MAX_REMARK} is the limit.")
        if not self._parts.store.remark(citation, text.strip()):
            raise UsageError(f"There is no citation {citation} in this library.")

    def verify(self) -> Iterator[Finding]:
        """Check the whole store: digests, spans, intervals, citations, and the index's ids against the store's."""
        yield from upkeep.check(self._parts)

    def verify_quotes(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[QuoteCheck]:
        """Check `{"id", "quote", "source"?, "path"?}` lines against what is held now. Raises UsageError for a line without a quote."""
        from pincite.cite import verify

        yield from verify.verify_quotes(lines, self._reach())

    def verify_claims(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[ClaimCheck]:
        """Check `{"id", "claim", "site"?, "path"?, "anchor"?}` lines against the pages they name, without a model."""
        from pincite.cite import verify

        yield from verify.verify_claims(lines, self._reach())

    def verify_answer(self, text: str) -> tuple[NoteCheck, ...]:
        """Check every note of an answer, Pincite's own JSON or anyone's Markdown. Raises UsageError for JSON that is no answer."""
        from pincite.cite import verify

        return verify.verify_answer(text, self._parts.store, self._reach())

    def _reach(self) -> reach.Reach:
        from pincite.cite import reach

        def search(words: str) -> SearchResult:
            return pipeline.search(self._parts, Query(text=words, max_results=20, score_ratio=0.0))

        return reach.reach(self._parts.store, search, self._parts.judge)


def restore(backup: str, store: str) -> None:
    """Replace the library at `store`, or make it, by a backup that is sound. Raises StoreError, and then the library is as it was."""
    wiring.restore(backup, store)


def _silent(_: PageOutcome) -> None:
    return None
