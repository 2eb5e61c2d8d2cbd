"""How large a chunk may be, in estimated tokens.

In: text and spans. Out: counts. The estimator is `pincite.tokens`, shipped, offline and CJK-aware.
"""

from __future__ import annotations

from dataclasses import dataclass

from pincite.tokens import estimate as estimate


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bounds of a chunk, in estimated tokens: wished least and most, and the most that is ever made."""

    least: int = 200
    aim: int = 400
    most: int = 512
    small: int = 40
    """Pieces of prose below this join a neighbour under the same parent."""
    small_code: int = 100
    """Pieces of program text below this join the piece before them."""


DEFAULT = Sizes()
