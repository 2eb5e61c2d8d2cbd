"""Leaves out hits that say the same again: the same text, or nearly the same under the same heading of another page of the source.

In: hits with their entries, best first. Out: those that are not alike a better one. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from pincite.types import Entry, Hit

SAME = 0.85
"""Share of their words that two texts have in common to be one: a book printed twice, an older edition of a page."""


def apart(found: Iterable[tuple[Hit, Entry]]) -> list[tuple[Hit, Entry]]:
    """Return the hits without those whose text, or nearly all of its words, a better hit has."""
    kept: list[tuple[Hit, Entry]] = []
    seen: set[bytes] = set()
    near: dict[tuple[str, str, str], list[tuple[int, int, frozenset[str]]]] = {}
    for hit, entry in found:
        words = entry.text.split()
        digest = hashlib.blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if digest in seen:
            continue
        seen.add(digest)
        held = frozenset(words)
        others = near.setdefault((entry.holding.source, entry.chunk.kind, _title(entry)), [])
        if any(page != entry.holding.id and _alike(held, size, other) for page, size, other in others):
            continue
        others.append((entry.holding.id, len(held), held))
        kept.append((hit, entry))
    return kept


def _title(entry: Entry) -> str:
    return entry.chunk.heading[-1] if entry.chunk.heading else entry.chunk.symbol or ""


def _alike(words: frozenset[str], size: int, other: frozenset[str]) -> bool:
    if min(len(words), size) < 0.8 * max(len(words), size):
        return False
    common = len(words & other)
    return common >= SAME * (len(words) + size - common)
