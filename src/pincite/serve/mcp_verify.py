"""The tool `verify`: one quote, several, or every note of a whole answer.

In: an open Library and arguments that their schema has let through. Out: a `Reply` within the budget: what holds is told in a line, what
does not with the words that the page has instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.serve.mcp_fit import MARGIN, Json, Reply, cost, fenced, shortened
from pincite.serve.mcp_schemas import MAX_TOKENS
from pincite.tokens import estimate
from pincite.types import NoteCheck

if TYPE_CHECKING:
    from pincite.library import Library

HOLDS = ("exact", "normalized", "elided")
LADDER = (*HOLDS, "near", "unverified")
WORDS = (400, 120, 40, 0)
"""Tokens of the page's own words in one row, fewer and fewer until all rows fit."""
NAMED, SHORT = 90, 24
"""Characters of a quote or sentence by which a row is known again: usually, and where there are very many."""


def verify(library: Library, arguments: Json) -> Reply:
    """Check a quote, several, or an answer. Raises UsageError unless exactly one of them is given."""
    given = [name for name in ("quote", "quotes", "answer") if name in arguments]
    if len(given) != 1:
        raise UsageError("verify takes one of `quote`, `quotes` and `answer`.")
    if given == ["answer"]:
        return _several([_noted(note) for note in library.verify_answer(arguments["answer"])])
    if given == ["quotes"]:
        rows = [_placed(library, quote, arguments) for quote in arguments["quotes"]]
        return _several(
            [{"n": str(i), "quote": _start(q), **row} for i, (q, row) in enumerate(zip(arguments["quotes"], rows, strict=True), 1)]
        )
    row = _placed(library, arguments["quote"], arguments)
    if "text" in row:
        row["text"] = _cut(row["text"], 1500)
    lines = [f"{row['status']} ({row['verdict']})", *(str(row[name]) for name in ("ref", "url") if name in row)]
    return Reply(row, "\n".join(lines) + ("\n" + fenced(row["text"]) if "text" in row else ""))


def _placed(library: Library, quote: str, arguments: Json) -> Json:
    """Return where the quote fares best: in the capture that is named, or in those that its words lead to."""
    from pincite.cite.haystack import Haystack
    from pincite.cite.locate import locate

    best: Json | None = None
    ref = arguments.get("ref")
    for where in [library.capture(ref).ref] if ref else _candidates(library, quote, arguments.get("source")):
        capture, document = library.capture(where), library.document(where)
        place = locate(quote, Haystack(document))
        row: Json = {
            "holds": place.status in HOLDS,
            "status": place.status,
            "verdict": place.verdict,
            "ref": capture.ref,
            "url": capture.url,
        }
        if place.span is not None:
            row |= {"start": place.span.start, "end": place.span.end, "text": place.span.of(document.text)}
        if best is None or _rank(row) < _rank(best):
            best = row
        if place.status == "exact":
            break
    return best or {"holds": False, "status": "unverified", "verdict": "absent"}


def _candidates(library: Library, quote: str, source: str | None) -> list[str]:
    if not quote.strip():
        return []
    result = library.search(quote[:2000], source=source, max_results=50, score_ratio=0.0)
    return list(dict.fromkeys(passage.ref for passage in result))[:12]


def _rank(row: Json) -> tuple[int, int]:
    return LADDER.index(row["status"]), int("text" not in row)


def _noted(note: NoteCheck) -> Json:
    row: Json = {"n": note.note, "holds": note.holds, "status": note.status, "verdict": note.verdict, "support": note.support}
    more = {"ref": note.ref, "sentence": _start(note.sentence), "quote": _start(note.quote), "why": _cut(note.why, 60), "text": note.text}
    return row | {name: value for name, value in more.items() if value}


def _several(rows: Sequence[Json]) -> Reply:
    """Return all rows with as many of the pages' words as fit, and no row left out unless nothing else helps."""
    budget, reply = MAX_TOKENS - MARGIN, _reply(rows, 0)
    for limit in WORDS:
        reply = _reply([_brief(row, limit) for row in rows], 0)
        if cost(reply.wire()) <= budget:
            return reply
    shown = [_brief(row, 0) for row in sorted(rows, key=lambda row: row["holds"])]
    while shown and cost(reply.wire()) > budget:
        shown = shown[: len(shown) * 9 // 10]
        reply = _reply(shown, len(rows) - len(shown), all(row["holds"] for row in rows))
    return reply


def _brief(row: Json, limit: int) -> Json:
    dropped = ("text", "start", "end", "url") if row["holds"] or not limit else ()
    left = {name: value for name, value in row.items() if name not in dropped}
    if "text" in left:
        left["text"] = _cut(left["text"], limit)
    if not limit:
        left |= {name: left[name][:SHORT] for name in ("quote", "sentence", "why") if name in left}
    return {name: value for name, value in left.items() if value != ""}


def _reply(rows: Sequence[Json], omitted: int, holds: bool | None = None) -> Reply:
    structured: Json = {"holds": all(row["holds"] for row in rows) if holds is None else holds, "results": list(rows)}
    lines = [
        f"{row['n']}: {'holds' if row['holds'] else 'DOES NOT HOLD'} ({row['status']}, {row['verdict']})"
        + (f" {row['ref']}" if "ref" in row else "")
        + ("" if row["holds"] else "".join(f"\n   {name}: {row[name]}" for name in ("quote", "why", "text") if name in row))
        for row in rows
    ]
    if not rows:
        structured["holds"] = False
        lines = ["There is no note to check."]
    if omitted:
        structured["omitted"] = omitted
        lines.append(f"{omitted} more.")
    return Reply(structured, "\n".join(lines))


def _start(text: str) -> str:
    return text if len(text) <= NAMED else text[:NAMED] + "…"


def _cut(text: str, limit: int) -> str:
    return shortened(text, lambda part: estimate(part) <= limit)
