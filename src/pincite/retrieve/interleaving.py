"""Puts what several questions found into one row: the best of each in turn.

In: groups, best first, one row a question. Out: one row in which no text stands twice. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.protocols import Found
from pincite.retrieve.joining import Group


def interleaved(rows: Sequence[Sequence[Group]]) -> list[Group]:
    """Return the groups of all rows, first the best of each row, then the second of each, and so on.

    Scores become shares of the best of the own row, so that those of several questions can be compared, and never rise along the row.
    """
    if len(rows) == 1:
        return list(rows[0])
    merged: list[Group] = []
    taken: dict[int, list[Group]] = {}
    waiting, lowest = [_shares(row) for row in rows], 1.0
    while any(waiting):
        for row in waiting:
            while row:
                group = row.pop(0)
                held = taken.setdefault(group.entry.holding.id, [])
                if not any(group.span.overlaps(other.span) for other in held):
                    lowest = min(lowest, group.hit.score)
                    held.append(group)
                    merged.append(replace(group, hit=replace(group.hit, score=lowest)))
                    break
    return merged


def _shares(row: Sequence[Group]) -> list[Group]:
    best = max((group.hit.score for group in row), default=0.0)
    return [replace(group, hit=replace(group.hit, score=group.hit.score / best)) for group in row] if best > 0 else []


def unknown(found: Iterable[Found]) -> tuple[str, ...]:
    """Return the words that no question's search knew, each once, in order."""
    return tuple(dict.fromkeys(word for one in found for word in one.unknown_terms))


def answerable(found: Sequence[Found]) -> float:
    """Return how far the library seems to answer all of the questions: the mean."""
    return sum(one.answerable for one in found) / len(found) if found else 0.0
