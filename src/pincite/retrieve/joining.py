"""Joins hits that lie side by side in one section into one passage with one span.

In: hits with their entries, best first. Out: groups of neighbours, each at the place of its best hit. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pincite.tokens import estimate
from pincite.types import Chunk, Entry, Hit, Span

GAP = 4
"""Characters of white space that may lie between neighbouring chunks."""
MOST_TOKENS = 900
"""A joined passage is never larger than this: about two full chunks."""


@dataclass(frozen=True, slots=True)
class Group:
    """A hit, its entry, and the stretch that it grew to, with the chunk that begins it. `texts` are those of the chunks that it joins."""

    hit: Hit
    entry: Entry
    first: Chunk
    span: Span
    texts: tuple[str, ...] = ()


def joined(found: Iterable[tuple[Hit, Entry]]) -> list[Group]:
    """Return the groups, best first. A hit joins an earlier group of its section when their spans touch and the whole stays readable."""
    groups: list[Group] = []
    places: dict[tuple[int, int], list[int]] = {}
    for hit, entry in found:
        key = (entry.holding.id, entry.chunk.section)
        at = next((i for i in places.get(key, ()) if _touch(groups[i], entry) and _readable(groups[i], entry)), None)
        if at is None:
            places.setdefault(key, []).append(len(groups))
            groups.append(Group(hit, entry, entry.chunk, entry.chunk.span, (entry.text,)))
        else:
            before = groups[at]
            span = Span(min(before.span.start, entry.chunk.span.start), max(before.span.end, entry.chunk.span.end))
            first = min(before.first, entry.chunk, key=lambda chunk: chunk.span)
            groups[at] = Group(before.hit, before.entry, first, span, (*before.texts, entry.text))
    return groups


def _readable(group: Group, entry: Entry) -> bool:
    return sum(map(estimate, (*group.texts, entry.text))) <= MOST_TOKENS


def _touch(group: Group, entry: Entry) -> bool:
    span = entry.chunk.span
    return 0 <= span.start - group.span.end <= GAP or 0 <= group.span.start - span.end <= GAP
