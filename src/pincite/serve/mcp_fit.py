"""Results that fit a budget of tokens, and say where the rest is.

In: passages, a text, a budget. Out: as many whole passages as fit, best first; the first one cut, if it alone is too long. A budget covers
the whole result as it goes over the wire, its structured part and its readable part together, since clients differ in which they show.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
    extra = {"version": passage.version, "symbol": passage.symbol, "mark": passage.mark if passage.mark != "none" else ""}
    return shape | {name: value for name, value in extra.items() if value}


def readable(passage: Passage) -> str:
    """Return a passage as Markdown: where it stands, then its words inside a fence that they can't end."""
    trail = " › ".join(passage.heading) or passage.title
    return f"### {passage.ref} {trail}\n{passage.url}\n{fenced(passage.text, passage.language if passage.kind == 'code' else '')}"


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


def fitting(passages: Sequence[Passage], budget: int) -> tuple[tuple[Passage, ...], int]:
    """Return the leading passages that fit, and how many were left out; the first is cut where it alone is too long."""
    kept: list[Passage] = []
    left = budget - MARGIN
    for passage in passages:
        size = cost(slim(passage)) + estimate(readable(passage)) + 2
        if size > left:
            break
        kept.append(passage)
        left -= size
    if not kept and passages:
        kept.append(_cut(passages[0], left))
    return tuple(kept), len(passages) - len(kept)


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
