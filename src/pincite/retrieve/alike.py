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
    seen: dict[tuple[str, ...], list[str]] = {}
    near: dict[tuple[str, str, str], list[Entry]] = {}
    known: dict[str, frozenset[str]] = {}

    def words(one: Entry) -> frozenset[str]:
        if one.id not in known:
            known[one.id] = frozenset(one.text.split())
        return known[one.id]

    for hit, entry in found:
        same = seen.setdefault(_ends(entry.text), [])
        if same and _spaced(entry.text) in map(_spaced, same):
            continue
        same.append(entry.text)
        others = near.setdefault((entry.holding.source, entry.chunk.kind, _title(entry)), [])
        if any(other.holding.id != entry.holding.id and _alike(words(entry), words(other)) for other in others):
            continue
        others.append(entry)
        kept.append((hit, entry))
    return kept


def _ends(text: str) -> tuple[str, ...]:
    """Return the first and the last words of a text: what differs there is not the same."""
    return (*text.split(None, 3)[:3], *text.rsplit(None, 3)[-3:])


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _title(entry: Entry) -> str:
    return entry.chunk.heading[-1] if entry.chunk.heading else entry.chunk.symbol or ""


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    if min(len(words), len(others)) < 0.8 * max(len(words), len(others)):
        return False
    common = len(words & others)
    return common >= SAME * (len(words) + len(others) - common)
