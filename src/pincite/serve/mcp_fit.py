"""Results that fit a budget of tokens, and say where the rest is.

In: passages, a text, a budget. Out: as many whole passages as fit, best first; the first one cut, if it alone is too long. A budget covers
the whole result as it goes over the wire, its structured part and its readable part together, since clients differ in which they show.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pincite.serve.ask import Shown
from pincite.tokens import estimate
from pincite.types import Passage, timestamp

Json = dict[str, Any]
MARGIN = 60
"""Tokens kept back for the link to the rest and the braces around the parts."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool gives back: JSON for programs, text for readers, links to what did not fit (uri, name)."""

    structured: Json
    text: str
    links: tuple[tuple[str, str], ...] = field(default=())

    def wire(self) -> Json:
        """Return the result as `tools/call` gives it."""
        content: list[Json] = [{"type": "text", "text": self.text}]
        content += [{"type": "resource_link", "uri": uri, "name": name, "mimeType": "text/markdown"} for uri, name in self.links]
        return {"content": content, "structuredContent": self.structured, "isError": False}


def cost(value: Any) -> int:
    """Return the estimated tokens of a JSON value as it goes over the wire."""
    return estimate(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def slim(passage: Passage) -> Json:
    """Return what an agent needs of a passage; `get_passage` gives the rest. `text` is `document.text[start:end]`."""
    shape: Json = {
        "id": passage.id,
        "score": round(passage.score, 3),
        "kind": passage.kind,
        "ref": passage.ref,
        "source": passage.source,
        "path": passage.path,
        "url": passage.url,
        "heading": list(passage.heading),
        "start": passage.start,
        "end": passage.end,
        "fetched_at": timestamp(passage.fetched_at)[:10],
        "text": passage.text,
    }
    if passage.path == passage.url:
        del shape["path"]
    if passage.context:
        shape["context"] = [{name: n[name] for name in ("position", "start", "end", "text")} for n in passage.context]
    extra = {"version": passage.version, "symbol": passage.symbol, "mark": passage.mark if passage.mark != "none" else ""}
    return shape | {name: value for name, value in extra.items() if value}


def readable(passage: Passage) -> str:
    """Return a passage as Markdown: where it stands, then its words inside a fence that they can't end; neighbours after it, labelled."""
    trail = " › ".join(passage.heading) or passage.title
    language = passage.language if passage.kind == "code" else ""
    parts = [f"### {passage.ref} {trail}\n{passage.url}\n{fenced(passage.text, language)}"]
    parts += [f"Context {n['position']} it:\n{fenced(n['text'], language)}" for n in passage.context]
    return "\n".join(parts)


def fenced(text: str, language: str = "") -> str:
    """Return text inside a fence longer than any run of backticks in it."""
    return f"{fence_for(text)}{language}\n{text.rstrip(chr(10))}\n{fence_for(text)}"


def fence_for(text: str) -> str:
    """Return a fence of backticks longer than any run of them in the text, three at least."""
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)


def fitting(found: Sequence[Shown], budget: int) -> tuple[tuple[Passage, ...], int]:
    """Return the leading passages that fit, and how many were left out; the first is cut where it alone is too long.

    Hits come before context: a function is given whole where it fits, as the part that was found where it does not, and what the hits
    leave of the budget goes to neighbours, the best hit's first.
    """
    kept: list[Passage] = []
    left = budget - MARGIN
    for shown in found:
        choices = (replace(passage, context=()) for passage in (shown.best, shown.bare))
        passage = next((p for p in choices if _size(p) <= left), None)
        if passage is None:
            break
        kept.append(passage)
        left -= _size(passage)
    if not kept and found:
        return (_cut(replace(found[0].bare, context=()), left),), len(found) - 1
    for i, (passage, shown) in enumerate(zip(kept, found, strict=False)):
        near = replace(passage, context=shown.best.context)
        more = _size(near) - _size(passage)
        if near.context and more <= left:
            kept[i] = near
            left -= more
    return tuple(kept), len(found) - len(kept)


def _size(passage: Passage) -> int:
    return cost(slim(passage)) + estimate(readable(passage)) + 2


def _cut(passage: Passage, budget: int) -> Passage:
    def fits(part: str) -> bool:
        shown = replace(passage, text=part)
        return cost(slim(shown)) + estimate(readable(shown)) <= budget

    text = shortened(passage.text, fits)
    return replace(passage, text=text, end=passage.start + len(text), flags=(*passage.flags, "cut"))


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """Return the longest beginning that fits, ended at a line or a space where there is one in its last third."""
    if fits(text):
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(text[:middle]) else (low, middle - 1)
    for mark in ("\n", " "):
        at = text.rfind(mark, low * 2 // 3, low)
        if at > 0:
            return text[: at + 1]
    return text[:low]
