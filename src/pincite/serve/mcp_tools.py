"""The tools: each parses its arguments, calls the `Library`, and fits what comes back into the budget.

In: an open Library and arguments that their schema has let through. Out: a `Reply`. Nothing here knows the protocol; errors are ours.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from pincite.errors import UsageError
from pincite.serve import ask as asking
from pincite.serve import context_export, moments, schemas
from pincite.serve.ask import Shown
from pincite.serve.mcp_fit import MARGIN, Json, Reply, cost, fenced, fitting, readable, shortened, slim
from pincite.serve.mcp_schemas import MAX_TOKENS
from pincite.serve.mcp_verify import verify
from pincite.tokens import estimate
from pincite.types import Kind, Passage

if TYPE_CHECKING:
    from pincite.library import Library

LONGEST_LINK = 800
"""Characters of a link to the rest; a longer question gets none."""
NAMED = 12
"""Unknown words that one result names at most."""
LISTED = 200
"""Sources that one result lists at most."""


def moment(text: str | None) -> datetime | None:
    """Return `as_of` as the other surfaces read it, or None where it is not given. Raises UsageError."""
    if not text:
        return None
    try:
        return moments.as_of(text)
    except UsageError as error:
        raise UsageError(f"as_of: {error.message}") from error


def kinds(arguments: Mapping[str, Any]) -> tuple[Kind, ...]:
    """Return which types of results are asked for."""
    chosen = arguments.get("context_type", "all")
    return ("doc", "code") if chosen == "all" else (chosen,)


def found(library: Library, arguments: Mapping[str, Any]) -> tuple[list[Shown], tuple[str, ...]]:
    """Return what `/ask` finds for a query, best first whatever its type, and the words that the library does not know."""
    source = arguments.get("source")
    asked = asking.Asked(
        context_type=arguments.get("context_type", "all"),
        query=arguments["query"],
        score_ratio=arguments.get("score_ratio", 0.5),
        max_results=arguments.get("max_results", 20),
        source=(source,) if source else (),
        version=arguments.get("version"),
        as_of=moment(arguments.get("as_of")),
    )
    results = tuple(asking.found(library, asked).values())
    unknown = tuple(word for word in results[0][1] if all(word in words for _, words in results))
    return sorted((shown for passages, _ in results for shown in passages), key=lambda s: -s.bare.score), unknown


def ask(library: Library, arguments: Json) -> Reply:
    """Find passages, as many as fit; without a query, the beginning of the whole."""
    if not library.sources():
        raise UsageError("Context files not found: the library is empty. add_source captures a site.")
    if not arguments.get("query", "").strip():
        return _whole(library, arguments)
    passages, unknown = found(library, arguments)
    budget = allowed = arguments.get("max_tokens", MAX_TOKENS)
    while True:
        kept, omitted = fitting(passages, allowed)
        reply = _passages(arguments, kept, omitted, unknown)
        over = cost(reply.wire()) - budget
        if over <= 0 or (allowed <= 0 and not unknown):
            return reply
        if allowed <= over:
            unknown = unknown[:NAMED][:-1]
        allowed = max(0, allowed - over)


def _passages(arguments: Json, kept: tuple[Passage, ...], omitted: int, unknown: tuple[str, ...]) -> Reply:
    structured: Json = {f"{kind}_results": [slim(p) for p in kept if p.kind == kind] for kind in kinds(arguments)}
    lines = [readable(p) for p in kept]
    if unknown:
        unknown = unknown[:NAMED]
        structured["unknown_terms"] = list(unknown)
        lines.append(f"Not in the library: {', '.join(unknown)}.")
    if not kept:
        lines.insert(0, "Nothing found.")
    links: tuple[tuple[str, str], ...] = ()
    if omitted:
        structured["omitted"] = omitted
        rest = more_uri(arguments, len(kept))
        if len(rest) <= LONGEST_LINK:
            structured["more"] = rest
            links = ((rest, f"{omitted} more passages"),)
    return Reply(structured, "\n\n".join(lines), links)


def more_uri(arguments: Mapping[str, Any], offset: int) -> str:
    """Return the resource that holds the passages after the first `offset`."""
    names = ("query", "context_type", "source", "version", "as_of", "score_ratio", "max_results")
    return "pincite://ask?" + urlencode([(name, arguments[name]) for name in names if name in arguments] + [("offset", offset)])


def rest(library: Library, arguments: Json, offset: int) -> str:
    """Return the passages after the first `offset`, as Markdown, whole."""
    passages, _ = found(library, arguments)
    return "\n\n".join(readable(shown.best) for shown in passages[offset:]) or "Nothing more."


def _whole(library: Library, arguments: Json) -> Reply:
    asked = kinds(arguments)
    budget = (arguments.get("max_tokens", MAX_TOKENS) - MARGIN - 60) // len(asked)
    structured: Json = {}
    links = []
    for kind in asked:
        pages = context_export.pages(library, kind=kind, source=arguments.get("source"), as_of=moment(arguments.get("as_of")))
        text = "".join(_beginning(context_export.sections(pages, kind=kind), budget * 8))
        structured[f"{kind}_context"] = shortened(text, lambda part: cost(part) + estimate(part) <= budget)
        if len(structured[f"{kind}_context"]) < len(text):
            links.append((f"pincite://context/{kind}", f"all of the {kind} context"))
    note = "This is only the beginning of the library. Send `query` to find what you need."
    return Reply(structured, "\n\n".join([*structured.values(), note]), tuple(links))


def _beginning(parts: Iterator[str], characters: int) -> Iterator[str]:
    for part in parts:
        yield part
        characters -= len(part)
        if characters < 0:
            return


def answer(library: Library, arguments: Json) -> Reply:
    """Answer with verified footnotes; the records of its citations as far as the budget reaches."""
    options = dataclasses.replace(library.answer_options(), quotes=True) if arguments.get("quotes") else None
    filters = {name: arguments[name] for name in ("source", "version") if name in arguments}
    made = schemas.answer(library.ask(arguments["query"], options=options, as_of=moment(arguments.get("as_of")), **filters))
    budget = arguments.get("max_tokens", MAX_TOKENS) - MARGIN
    structured: Json = {name: made[name] for name in ("markdown", "abstained", "unknown_terms", "dropped")}
    structured["citations"] = [record if small else _brief(record) for record, small in _within(made["citations"], structured, budget)]
    if cost(structured) + estimate(made["markdown"]) > budget:
        structured["dropped"] = []
        half = budget - cost({**structured, "markdown": ""})
        structured["markdown"] = shortened(made["markdown"], lambda part: cost(part) + estimate(part) <= half)
    links = tuple((f"pincite://snapshot/{ref}", ref) for ref in dict.fromkeys(c["ref"] for c in made["citations"]))
    return Reply(structured, structured["markdown"], links[:3])


def _within(records: list[Json], structured: Json, budget: int) -> Iterator[tuple[Json, bool]]:
    left = budget - cost(structured) - estimate(structured["markdown"]) - sum(cost(_brief(r)) for r in records) - 40 * min(3, len(records))
    for record in records:
        left -= cost(record) - cost(_brief(record))
        yield record, left >= 0


def _brief(record: Json) -> Json:
    return {"id": record["id"], "ref": record["ref"], "n": record["n"], "deep_link": record["deep_link"]}


def get_passage(library: Library, arguments: Json) -> Reply:
    """Read a passage, a citation or a page by id; a long one in parts."""
    given = arguments["id"].strip()
    start = arguments.get("start", 0)
    if given.lower().startswith("psg_"):
        entry = library.passage(given)
        shape, text, base = schemas.entry(entry, library.capture(entry.holding.ref)), entry.text, entry.chunk.span.start
    elif given.lower().startswith("cit_"):
        citation = library.citation(given)
        shape, text, base = _cited(citation), citation.quote, citation.span.start
    else:
        capture, document = library.capture(given), library.document(given)
        shape = {"id": capture.ref, "ref": capture.ref, "url": capture.url, "title": document.title, "source": capture.source}
        shape |= {"snapshot": capture.snapshot, "fetched_at": schemas.moment_or_none(capture.fetched_at)}
        text, base = document.text, 0
    shape = {name: value for name, value in shape.items() if value not in (None, "", [])}
    if start > len(text):
        raise UsageError(f"start is {start}; {given} has {len(text)} characters.")
    return _part(shape, text, start, base, arguments.get("max_tokens", MAX_TOKENS))


def _cited(citation: Any) -> Json:
    from pincite.cite.record import record

    made = record(citation)
    source = made["source"]
    return {"id": citation.id, "ref": made["ref"], "url": source["url"], "title": source["title"], "record": made}


def _part(shape: Json, text: str, start: int, base: int, budget: int) -> Reply:
    head = f"### {shape['ref']} {shape.get('title', '')}\n{shape['url']}\n"
    left = budget - MARGIN - cost(shape) - estimate(head)
    part = shortened(text[start:], lambda p: cost(p) + estimate(fenced(p)) <= left)
    end = start + len(part)
    structured = shape | {"text": part, "start": base + start, "end": base + end}
    links: tuple[tuple[str, str], ...] = ()
    if end < len(text):
        structured["next_start"] = end
        links = ((f"pincite://snapshot/{shape['ref']}", "the whole page"),)
    return Reply(structured, head + fenced(part), links)


def list_sources(library: Library, arguments: Json) -> Reply:
    """List the sources with their newest coverage."""
    reports = library.status()
    rows = []
    for source in islice(library.sources(), LISTED):
        row = {name: value for name, value in schemas.source(source).items() if value}
        report = reports.get(source.slug)
        if report is not None:
            row |= {"pages": report.documents or report.fetched + report.unchanged, "finished": report.finished}
        rows.append(row)
    lines = [f"- {row['source']}: {row['location']} {row.get('version', '')}".rstrip() for row in rows]
    while cost(rows) + estimate("\n".join(lines)) > MAX_TOKENS - MARGIN:
        rows, lines = rows[:-1], lines[:-1]
    return Reply({"sources": rows}, "\n".join(lines) or "The library is empty.")


Reading = Callable[["Library", Json], Reply]
READING: Mapping[str, Reading] = {
    "ask": ask,
    "answer": answer,
    "get_passage": get_passage,
    "list_sources": list_sources,
    "verify": verify,
}
