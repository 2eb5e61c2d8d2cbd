"""How large a chunk may be, in estimated tokens.

In: text and spans. Out: counts. The estimator is `pincite.tokens`, shipped, offline and CJK-aware.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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

    long: int = 3000
    """What goes on for longer without a heading has no section to be ranked with: its chunks are smaller and ranked one by one."""
    share: float = 0.6
    """The share of `aim` and `most` that such chunks have; see docs/decisions/0007."""

    def plain(self) -> Sizes:
        """Return the sizes for long texts without headings."""
        return replace(
            self, least=min(self.least, int(self.aim * self.share)), aim=int(self.aim * self.share), most=int(self.most * self.share)
        )


DEFAULT = Sizes()
