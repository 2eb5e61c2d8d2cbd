"""How much each word of a question and each kind of evidence counts.

In: analysed words, document frequencies, which terms stand where. Out: weighted words, the share of the question that is covered. For the
weights see docs/decisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.index.analyzer import Word
from pincite.index.segment import Array

MASK_BITS = 24
"""Terms of a question, and after them the synonyms of its words, that are told apart; the weightiest come first."""


@dataclass(frozen=True, slots=True)
class Blend:
    """What counts beside a chunk's own terms: its section, its page, and how much of the question it covers."""

    part: float
    page: float
    covered: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence counts. Prose leans on its page, program text hardly: measured apart, see docs/decisions."""

    name: float = 2.0
    """A chunk defines the very name asked for, times its IDF."""
    plain_name: float = 1.0
    """The same where the word is an ordinary word."""
    phrase: float = 0.5
    """A phrase that the question puts in quotes."""
    split: float = 0.6
    """Parts of an identifier, beside the whole."""
    own: float = 0.3
    """The words of an expression, beside the one that it stands for."""
    like: float = 0.95
    """A word's synonym in place of the word itself."""
    like_covers: float = 0.5
    """How far a synonym covers a word."""
    news: float = 0.8
    """Change logs and release notes name everything and explain little."""
    named: float = 1.0
    """A section of prose defines the very identifier asked for, times its IDF."""
    prose: Blend = Blend(part=1.0, page=0.6, covered=0.2)
    code: Blend = Blend(part=0.2, page=0.5, covered=1.0)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word with the IDF of each of its terms, and the share of the question that it carries."""

    word: Word
    idf: tuple[float, ...]
    share: float
    known: bool
    absent: bool = False
    """No chunk holds the whole word."""

    @property
    def whole(self) -> bool:
        """Say whether the library knows the word as written; of an identifier, its parts are not enough."""
        return self.known and not (self.word.identifier and self.absent)


def idf(count: int, frequency: int) -> float:
    """Return the BM25 inverse document frequency, never below 0."""
    return math.log(1.0 + (count - frequency + 0.5) / (frequency + 0.5))


def weigh(words: Sequence[Word], count: int, frequency: Callable[[str], int]) -> tuple[Weighed, ...]:
    """Return the words with their weights. A word that nothing holds keeps a full share: what is asked for is not there.

    A run of Chinese, Japanese or Korean weighs what its pairs weigh on average, and is known where a third are: the others may lie across
    two words.
    """
    out = []
    for word in words:
        frequencies = [frequency(term) for term in word.terms]
        values = tuple(idf(count, f) for f in frequencies)
        if word.run:
            known = 3 * sum(map(bool, frequencies)) >= len(frequencies)
            out.append(Weighed(word, values, sum(values) / len(values), known, not all(frequencies)))
        else:
            out.append(Weighed(word, values, values[0] if frequencies[0] else max(values), any(frequencies), not frequencies[0]))
    return tuple(out)


def bits(weighed: Sequence[Weighed]) -> dict[str, int]:
    """Return the bit of each term that masks tell apart, the weightiest terms first."""
    terms: dict[str, float] = {}
    for item in weighed:
        for term, value in zip(item.word.terms, item.idf, strict=True):
            terms[term] = max(value, terms.get(term, 0.0))
    return {term: bit for bit, term in enumerate(sorted(terms, key=lambda t: (-terms[t], t))[:MASK_BITS])}


def like_bits(weighed: Sequence[Weighed], taken: int) -> dict[tuple[str, ...], int]:
    """Return the bit of the synonyms of each word, as far as there is room after the terms, the weightiest words first."""
    groups = {tuple(dict.fromkeys(group for likes in item.word.likes for group in likes)): item.share for item in weighed}
    groups.pop((), None)
    return {group: taken + k for k, group in enumerate(sorted(groups, key=lambda g: (-groups[g], g))[: MASK_BITS - taken])}


class Cover:
    """Reads masks: which words of a question a chunk holds, and the share of its IDF that they carry.

    `places` are the bits of its terms, `likes` those of the synonyms of its words.
    """

    def __init__(self, weighed: Sequence[Weighed]) -> None:
        self.places = bits(weighed)
        self.likes = like_bits(weighed, len(self.places))
        self.total = sum(item.share for item in weighed)
        self._words = tuple((item.share, *_marks(item, self.places)) for item in weighed)
        self._near = tuple(_near(item, self.likes) for item in weighed)
        self._surfaces = tuple(
            (item.word.surface, whole | sum(bit for bit, value in parts if value))
            for item, (_, whole, parts) in zip(weighed, self._words, strict=True)
        )
        self._matched: dict[int, tuple[str, ...]] = {}

    def shares(self, masks: Array) -> Array:
        """Return the share of the question's IDF that each mask covers, 0..1."""
        carried = np.zeros(len(masks), np.float64)
        for share, whole, parts in self._words:
            carried += share * _held_by(masks, whole, parts)
        return carried / self.total if self.total else carried

    def nears(self, masks: Array, shares: Array, worth: float) -> Array:
        """Return the shares with synonyms, each `worth` that much of the word."""
        if not self.total or not self.likes:
            return shares
        alike = np.zeros(len(masks), np.float64)
        for (share, whole, parts), bit in zip(self._words, self._near, strict=True):
            if bit:
                alike += np.where(masks & bit, share * np.maximum(0.0, worth - _held_by(masks, whole, parts)), 0.0)
        return shares + alike / self.total

    def matched(self, mask: int) -> tuple[str, ...]:
        """Return the words of the question that a mask covers, as written."""
        found = self._matched.get(mask)
        if found is None:
            found = self._matched[mask] = tuple(surface for surface, held in self._surfaces if mask & held)
        return found


def _near(item: Weighed, likes: Mapping[tuple[str, ...], int]) -> int:
    place = likes.get(tuple(dict.fromkeys(group for some in item.word.likes for group in some)))
    return 0 if place is None else 1 << place


Parts = tuple[tuple[int, float], ...]
"""The bits of an identifier's parts, each with its share of the word."""


def _marks(item: Weighed, places: dict[str, int]) -> tuple[int, Parts]:
    """Return the bit of the whole word and those of its parts, 0 where the mask has no room for one; a run of pairs has no whole."""
    if item.word.run:
        return 0, tuple((1 << places[term] if term in places else 0, 1 / len(item.word.terms)) for term in item.word.terms)
    whole, *rest = (1 << places[term] if term in places else 0 for term in item.word.terms)
    total = sum(item.idf[1:])
    return whole, tuple((bit, 0.7 * value / total) for bit, value in zip(rest, item.idf[1:], strict=True)) if total else ()


def _held_by(masks: Array, whole: int, parts: Parts) -> Array:
    """Return how far each chunk holds a word: 1 for the whole, less for the parts of an identifier alone."""
    held: Array = ((masks & whole) != 0).astype(np.float64)
    if not parts:
        return held
    partly: Array = sum(((masks & bit) != 0) * value for bit, value in parts)
    return np.maximum(held, partly)


EVIDENCE = 0.37
"""Nine tenths of questions with an answer score above this, four fifths of those without one below (100 questions on eight sites)."""


def answerable(weighed: Sequence[Weighed], similarities: Sequence[float]) -> float:
    """Return how far the library seems to hold an answer, 0..1; from 0.5 on it does.

    The best coverage among the first passages, less a half where a name is asked for that stands nowhere, less a little for each
    unknown word.
    """
    missing = any(item.word.identifier and item.absent for item in weighed)
    raw = max(similarities, default=0.0) - 0.5 * missing - 0.05 * sum(not item.known for item in weighed)
    if raw < EVIDENCE:
        return max(0.0, 0.5 * raw / EVIDENCE)
    return 0.5 + 0.5 * (raw - EVIDENCE) / (1.0 - EVIDENCE)
