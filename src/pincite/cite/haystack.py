"""A document made ready to search for quotes in: folded once, its words indexed once.

In: a `Document`. Out: `Haystack`, whose positions are offsets into the document's text; `Haystacks` keeps the latest few.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pincite.cite.fold import CJK, Folded, fold
from pincite.types import Block, Document, Span

WORD = re.compile(rf"{CJK.pattern}|[^\W{CJK.pattern[1:-1]}]+(?:'[^\W{CJK.pattern[1:-1]}]+)?|[<>=!+*/%&|^~≤≥≠]+|(?<![\w-])-{{1,2}}(?=\w)")
"""One Han or kana character, one word, or one run of operator signs of folded text."""
_GOES_ON = re.compile(r"[-–—]\d|-(?:rc|alpha|beta|pre|dev|snapshot|nightly|canary|next|[ab]\d)", re.I)
"""What makes the number before it the begin of a range or of a version that is none yet."""
_REFERENCE = re.compile(r"\[(\[(?:\d{1,3}|[a-z]|note \d{1,3})\])\]\([^()\s]{1,2000}\)")
"""A link whose words are a mark in brackets."""
_SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_RARE = 400
"""Words that occur more often than this in a document say nothing about where a quote stands."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a folded text and where each stands in it."""

    words: tuple[str, ...]
    starts: array[int]
    ends: array[int]


def tokens(text: str) -> Tokens:
    """Cut folded text into words, Han characters and operators."""
    words, starts, ends = [], array("l"), array("l")
    for match in WORD.finditer(text):
        words.append(match.group())
        starts.append(match.start())
        ends.append(match.end())
    return Tokens(tuple(words), starts, ends)


class Haystack:
    """One document's visible text, folded, with a word index; all of it made on first use."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def _visible(self) -> tuple[str, array[int]]:
        parts = tuple(_unmarked(self.document.text, self.document.visible_parts(Span(0, len(self.document.text)))))
        offsets = array("l")
        for part in parts:
            offsets.extend(range(part.start, part.end))
        return "".join(_raised(self.document.text, part) for part in parts), offsets

    @cached_property
    def seen(self) -> Folded:
        """The visible text, folded, whose starts and ends are offsets into the document's text."""
        text, offsets = self._visible
        folded = fold(text)
        return Folded(folded.text, array("l", [offsets[i] for i in folded.starts]), array("l", [offsets[i - 1] + 1 for i in folded.ends]))

    @cached_property
    def raw(self) -> Folded:
        """The canonical text with its marks and link targets, folded."""
        return fold(self.document.text)

    @cached_property
    def words(self) -> Tokens:
        """The words of `seen`."""
        return tokens(self.seen.text)

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for i, word in enumerate(self.words.words):
            index.setdefault(word, []).append(i)
        return index

    def knows(self, word: str) -> bool:
        """Say whether a folded word occurs in the document."""
        return word in self._postings

    def nearest(self, words: Sequence[str]) -> tuple[int, int] | None:
        """Return the range of word numbers that shares most with `words`, in their order; None where too little is shared."""
        votes: Counter[int] = Counter()
        ranked = sorted((len(p), i, p) for i, w in enumerate(words) if (p := self._postings.get(w)) and len(p) <= _RARE)
        for _, i, posting in ranked[:24]:
            for at in posting:
                bucket = (at - i) // 4
                votes[bucket] += 1
                votes[bucket + 1] += 1
        if not votes:
            return None
        bucket, most = max(votes.items(), key=lambda kv: (kv[1], -kv[0]))
        if most < min(3, len(words)):
            return None
        start = (bucket - 1) * 4
        return max(0, start - 2), min(len(self.words.words), start + len(words) + 10)

    def occurrences(self, needle: str, folded: Folded, limit: int = 64) -> Iterator[tuple[int, int]]:
        """Yield the places of a folded needle that begin and end at the edge of a word, at most `limit`."""
        at, count = folded.text.find(needle), 0
        while at >= 0 and count < limit:
            if whole(folded.text, at, at + len(needle)):
                yield at, at + len(needle)
                count += 1
            at = folded.text.find(needle, at + 1)

    def block_at(self, offset: int) -> Block | None:
        """Return the block that holds the offset."""
        blocks = self.document.blocks
        i = bisect_left(blocks, offset + 1, key=lambda b: b.span.end)
        return blocks[i] if i < len(blocks) and blocks[i].span.start <= offset else None

    @cached_property
    def _by_id(self) -> dict[str, Block]:
        return {block.id: block for block in self.document.blocks}

    def block(self, id: str) -> Block | None:
        """Return the block of that id."""
        return self._by_id.get(id)


def _unmarked(text: str, parts: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts without the marks that link to a reference: a quote may leave out the [1] behind a word."""
    marks = [Span(*m.span(1)) for m in _REFERENCE.finditer(text)] if "[[" in text else []
    at = 0
    for part in parts:
        start = part.start
        while at < len(marks) and marks[at].start < part.end:
            if marks[at].start >= start:
                if marks[at].start > start:
                    yield Span(start, marks[at].start)
                start = min(part.end, marks[at].end)
            at += 1
        if start < part.end:
            yield Span(start, part.end)


def _raised(text: str, part: Span) -> str:
    """Return a part of the visible text; the digits of a power are small ones, so that 10<sup>5</sup> is not read as 105."""
    shown = part.of(text)
    if text[max(0, part.start - 5) : part.start] == "<sup>" and text[max(0, part.start - 6)].isdigit():
        return shown.translate(_SMALL)
    return shown


def whole(text: str, start: int, end: int) -> bool:
    """Say whether `[start, end)` cuts no word, dotted name, number, negative sign or contraction in two."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before and _word(before[-1]) and _word(text[start]):
        return False
    if after and _word(text[end - 1]) and _word(after[0]):
        return False
    if len(after) == 2 and _word(text[end - 1]) and after[0] in "'’" and after[1].isalpha():
        return False
    if len(after) == 2 and after[0] == "." and text[end - 1].isalpha() and _word(text[end - 1]) and _word(after[1]):
        return False
    if text[end - 1].isdigit() and _GOES_ON.match(text, end):
        return False
    if text[end - 1].isdigit() and (after[:1] == "%" or (len(after) == 2 and after[0] in ".,:" and after[1].isdigit())):
        return False
    if before and text[start].isdigit() and before[-1] in ".,-+" and (len(before) == 1 or before[0].isdigit() or before[0].isspace()):
        return False
    return not (len(before) == 2 and before[1] == "-" and before[0].isalpha() and text[start].isalpha())


def _word(char: str) -> bool:
    return (char.isalnum() or char == "_") and CJK.match(char) is None


class Haystacks:
    """The latest haystacks by document id, so that a run of quotes folds each document once."""

    def __init__(self, keep: int = 32) -> None:
        self._kept: OrderedDict[str, Haystack] = OrderedDict()
        self._keep = keep

    def of(self, document: Document) -> Haystack:
        """Return the document's haystack, kept or new."""
        held = self._kept.pop(document.id, None) or Haystack(document)
        self._kept[document.id] = held
        while len(self._kept) > self._keep:
            self._kept.popitem(last=False)
        return held
