"""Leaves out hits that say the same again: the same text, or nearly the same under the same heading of another page of the source.

In: hits with their entries, best first. Out: those that are not alike a better one. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from pincite.types import Entry, Hit

SAME = 0.85
"""Share of their words that two texts have in common to be one: a book printed twice, an older edition of a page."""


def apart(found: Iterable[tuple[Hit, Entry]]) -> list[tuple[Hit, Entry]]:
    """Return the hits without those whose text, or nearly all of its words, a better hit has."""
    kept: list[tuple[Hit, Entry]] = []
    seen: set[str] = set()
    near: dict[tuple[str, str, str], list[tuple[int, list[str]]]] = {}
    for hit, entry in found:
        words = entry.text.split()
        text = " ".join(words)
        if text in seen:
            continue
        seen.add(text)
        others = near.setdefault((entry.holding.source, entry.chunk.kind, _title(entry)), [])
        if any(page != entry.holding.id and _alike(frozenset(words), frozenset(other)) for page, other in others):
            continue
        others.append((entry.holding.id, words))
        kept.append((hit, entry))
    return kept


def _title(entry: Entry) -> str:
    return entry.chunk.heading[-1] if entry.chunk.heading else entry.chunk.symbol or ""


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    if min(len(words), len(others)) < 0.8 * max(len(words), len(others)):
        return False
    common = len(words & others)
    return common >= SAME * (len(words) + len(others) - common)
