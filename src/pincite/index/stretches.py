"""Finds in each of some sections the stretch that is worth reading: its best chunk, and those close to it.

In: the chunks of sections with their scores and the words they hold. Out: which chunks are read together, and what they hold together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Self

import numpy as np

from pincite.index.segment import Array, Rows

STRETCH_TOKENS = 1000
"""A passage is never larger: about what a reader takes in at once. 800 lost a twentieth of the right passages, 1100 won none."""
CLOSE = 0.4
"""Share of the best chunk's score from which a chunk of the section belongs to the passage."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a section: its score, its row, where it stands in its page, the tokens before it there, its own tokens."""

    score: float
    row: int
    place: int
    before: int
    tokens: int
    mask: int
    """Which words it holds, as bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """The chunks of some sections, one section after the other, with their scores and the words they hold, as bits."""

    columns: Rows
    numbers: Array
    edges: Array
    scores: Array
    masks: Array
    best: Array
    """For each section the score of its best chunk."""
    near: Array
    """Which chunks score close to the best of their section; where nothing scores, the first."""
    wide: dict[int, Sequence[Piece]] = field(default_factory=dict)
    """What is read of those sections whose good chunks lie too far apart to be read together."""

    @classmethod
    def of(cls, columns: Rows, numbers: Array, edges: Array, scores: Array, masks: Array) -> Self:
        """Return the chunks with what is read of each section. No section is empty."""
        best = np.maximum.reduceat(scores, edges[:-1])
        near = (scores > 0) & (scores >= np.repeat(np.float32(CLOSE) * best, np.diff(edges)))
        near[edges[:-1][best <= 0]] = True
        made = cls(columns, numbers, edges, scores, masks, best, near)
        before = columns.before[numbers].astype(np.int64)
        low = np.minimum.reduceat(np.where(near, before, np.iinfo(np.int64).max), edges[:-1])
        high = np.maximum.reduceat(np.where(near, before + columns.tokens[numbers], 0), edges[:-1])
        for k in np.flatnonzero(high - low > STRETCH_TOKENS).tolist():
            made.wide[k] = stretch(made._pieces(k))
        return made

    def sizes(self) -> Array:
        """Return how many chunks each section has."""
        return np.diff(self.edges)

    def together(self) -> Array:
        """Return for each section which words its stretch holds, as bits."""
        masks = np.bitwise_or.reduceat(np.where(self.near, self.masks, 0), self.edges[:-1])
        for k, pieces in self.wide.items():
            masks[k] = reduce(or_, (piece.mask for piece in pieces))
        return masks

    def held(self, section: int) -> Sequence[Piece]:
        """Return the chunks of a section's stretch, best first."""
        return self.wide.get(section) or self._pieces(section)

    def reach(self, section: int) -> tuple[int, int, int]:
        """Return the rows of the best, the first and the last chunk of a section's stretch."""
        if section in self.wide:
            held = self.wide[section]
            return held[0].row, min(held, key=lambda p: p.place).row, max(held, key=lambda p: p.place).row
        start, end = self.edges[section : section + 2].tolist()
        if end - start == 1:
            row = int(self.numbers[start])
            return row, row, row
        near = np.flatnonzero(self.near[start:end])
        own = start + int(self.scores[start:end].argmax())
        return int(self.numbers[own]), int(self.numbers[start + near[0]]), int(self.numbers[start + near[-1]])

    def _pieces(self, section: int) -> list[Piece]:
        """Return the chunks of a section that score close to its best, best first."""
        start, end = self.edges[section : section + 2].tolist()
        near = start + np.flatnonzero(self.near[start:end])
        near = near[np.argsort(-self.scores[near], kind="stable")]
        rows = self.numbers[near]
        columns = (
            self.scores[near],
            rows,
            self.columns.place[rows],
            self.columns.before[rows],
            self.columns.tokens[rows],
            self.masks[near],
        )
        return [Piece(*facts) for facts in zip(*(column.tolist() for column in columns), strict=True)]


def stretch(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the best chunk, then those close to it in score that still lie within a readable stretch with all between them."""
    held = list(pieces[:1])
    for best in pieces[:1]:
        first, last = best.before, best.before + best.tokens
        for piece in pieces[1:]:
            if piece.score < CLOSE * best.score:
                break
            low, high = min(first, piece.before), max(last, piece.before + piece.tokens)
            if high - low <= STRETCH_TOKENS:
                held.append(piece)
                first, last = low, high
    return held
