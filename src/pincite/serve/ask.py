"""The context function for assistants: one behind `GET /ask` and the MCP tool.

In: a library and an `Asked`. Out: `doc_results` and `code_results`, or, without a query, the files that the whole corpora are written from.
Doc hits carry one neighbour on each side as labelled context; code hits are whole functions or methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pincite import versions
from pincite.errors import SourceError, UsageError
from pincite.serve import schemas
from pincite.tokens import estimate
from pincite.types import Document, Holding, Kind, Passage, Section, Span

if TYPE_CHECKING:
    from pincite.library import Library

ContextType = Literal["code", "doc", "all"]
MOST = 200
"""More results than this are clamped."""
LONGEST_FUNCTION = 16_000
"""Characters; a longer function is given as the part that was found, flagged `part`."""
NO_CORPUS = "Context files not found"
CONTAINERS = ("class ", "struct ", "interface ", "enum ", "trait ", "impl ", "namespace ", "module ", "object ", "protocol ", "extension ")


class NoCorpus(UsageError):
    """The library holds nothing of the kind that was asked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of `/ask`, with its defaults."""

    context_type: ContextType = "all"
    query: str | None = None
    score_ratio: float = 0.5
    max_results: int = 20
    source: tuple[str, ...] = ()
    version: str | None = None
    as_of: datetime | None = None
    max_tokens: int | None = None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds asked for, documentation first."""
        return ("doc", "code") if self.context_type == "all" else (self.context_type,)


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as it is best shown: a whole function, neighbours as labelled context. `bare` is what the search found."""

    best: Passage
    bare: Passage


def ask(library: Library, asked: Asked) -> dict[str, list[dict[str, Any]]]:
    """Return the passages for each kind asked for, best first. Raises NoCorpus, and UsageError for what `Library.search` refuses."""
    results: dict[str, list[dict[str, Any]]] = {}
    left, kinds = asked.max_tokens, asked.kinds
    for i, (kind, (shown, _)) in enumerate(found(library, asked).items()):
        budget = None if left is None else left // (len(kinds) - i)
        passages, used = _fitting(shown, budget)
        left = None if left is None else max(0, left - used)
        results[f"{kind}_results"] = [schemas.passage(p) for p in passages]
    return results


def found(library: Library, asked: Asked) -> dict[Kind, tuple[list[Shown], tuple[str, ...]]]:
    """Return for each kind asked for what answers, best first, and the words that the library does not know: the one search behind
    `GET /ask` and the MCP tool. Raises NoCorpus where the library holds nothing of any kind asked for.
    """
    results = {kind: _found(library, asked, kind) for kind in asked.kinds}
    if not any(shown for shown, _ in results.values()) and not any(_holds(library, asked, kind) for kind in asked.kinds):
        raise NoCorpus(NO_CORPUS)
    return results


def _found(library: Library, asked: Asked, kind: Kind) -> tuple[list[Shown], tuple[str, ...]]:
    if not asked.query or not asked.query.strip():
        return [], ()
    result = library.search(
        asked.query,
        kind=kind,
        source=asked.source or None,
        version=asked.version,
        max_results=min(asked.max_results, MOST),
        score_ratio=asked.score_ratio,
        neighbors=1 if kind == "doc" else 0,
        as_of=asked.as_of,
    )
    if kind == "doc":
        return [Shown(p, p) for p in result], result.unknown_terms
    documents: dict[str, Document] = {}
    shown: dict[tuple[str, int], Shown] = {}
    for passage in result:
        document = documents.get(passage.document)
        if document is None:
            document = documents[passage.document] = library.document(passage.document)
        whole = whole_function(passage, document)
        shown.setdefault((whole.ref, whole.start), Shown(whole, passage))
    return list(shown.values()), result.unknown_terms


def whole_function(passage: Passage, document: Document) -> Passage:
    """Return the passage widened to the function or method that it lies in; its text stays a slice of the document."""
    section = _function(document.sections, Span(passage.start, passage.end))
    if section is None or document.id != passage.document:
        return passage
    span = Span(min(section.span.start, passage.start), max(section.span.end, passage.end))
    span = Span(span.start, span.start + len(span.of(document.text).rstrip()))
    span = Span(span.start, max(span.end, passage.end))
    if len(span) > LONGEST_FUNCTION:
        return replace(passage, flags=(*passage.flags, "part"))
    line = None if passage.line is None else passage.line - document.text.count("\n", span.start, passage.start)
    return replace(passage, start=span.start, end=span.end, text=span.of(document.text), line=line)


def _function(sections: Sequence[Section], found: Span) -> Section | None:
    best: Section | None = None
    for section in sections:
        if section.kind == "symbol" and section.span.overlaps(found) and not _contains_others(section):
            inside = section.span.start <= found.start and found.end <= section.span.end
            if inside and (best is None or section.span.start >= best.span.start):
                best = section
    return best


def _contains_others(section: Section) -> bool:
    words = (section.signature or "").lstrip()
    return any(f" {name}" in f" {words.partition('(')[0]} " for name in CONTAINERS)


def _fitting(found: Iterable[Shown], budget: int | None) -> tuple[list[Passage], int]:
    """Return the passages that the budget holds and the tokens that they take; what is too long falls back to what was found."""
    kept: list[Passage] = []
    used = 0
    for shown in found:
        if budget is None:
            kept.append(_ranked(shown.best, len(kept) + 1))
            continue
        for passage in (shown.best, replace(shown.bare, context=())):
            cost = cost_of(passage)
            if used + cost <= budget:
                kept.append(_ranked(passage, len(kept) + 1))
                used += cost
                break
    return kept, used


def _ranked(passage: Passage, rank: int) -> Passage:
    return passage if passage.rank == rank else replace(passage, rank=rank)


def cost_of(passage: Passage) -> int:
    """Return the tokens of a passage with its context."""
    return estimate(passage.text) + sum(estimate(str(neighbour.get("text", ""))) for neighbour in passage.context)


def files(library: Library, asked: Asked) -> tuple[Holding, ...]:
    """Return what is held of the sources asked for, in order of source and path. Raises UsageError for an unknown source."""
    labels = {source.slug: source.version for source in library.sources()}
    held = [
        holding
        for slug in asked.source or (None,)  # not one by one: a source may be removed meanwhile
        for holding in library.held(slug, as_of=asked.as_of)
        if holding.source in labels and (asked.version is None or versions.meets(labels[holding.source], asked.version))
    ]
    return tuple(sorted(held, key=lambda holding: (holding.source, holding.path)))


def corpora(library: Library, asked: Asked) -> tuple[Holding, ...]:
    """Return the files that the corpora asked for are written from. Raises NoCorpus where there are none of any kind asked for."""
    held = files(library, asked)
    if not any(kind_of(library, holding) in asked.kinds for holding in held):
        raise NoCorpus(NO_CORPUS)
    return held


def _holds(library: Library, asked: Asked, kind: Kind) -> bool:
    return any(kind_of(library, holding) == kind for holding in files(library, asked))


def kind_of(library: Library, holding: Holding) -> Kind | None:
    """Return the kind of a held page's document, or None where it has no text."""
    try:
        return library.document(holding.ref).kind
    except (UsageError, SourceError):
        return None
