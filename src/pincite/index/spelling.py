"""Which known term a word may be a misspelling of.

In: a term that nothing holds, known terms that begin like it. Out: the nearest one, or none. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rapidfuzz.distance import OSA

PREFIX = 2
"""The first letters are seldom mistyped, and only terms that share them are looked at."""


def misspellable(term: str) -> bool:
    """Say whether a term is a plain word long enough that another spelling is more likely than another word."""
    return len(term) >= 5 and term.isascii() and term.isalpha()


def nearest(term: str, known: Iterable[str], count: Callable[[str], int]) -> str | None:
    """Return the known term within one edit (two from eight letters on), the nearer and then the more frequent one.

    Those that nothing holds any more, by `count`, are passed over.
    """
    limit = 1 if len(term) < 8 else 2
    near = []
    for other in known:
        if abs(len(other) - len(term)) <= limit and other.isalpha():
            distance = OSA.distance(term, other, score_cutoff=limit)
            if 0 < distance <= limit and (held := count(other)):
                near.append((distance, -held, other))
    return min(near)[2] if near else None
