"""Where one stretch of text that is too large for a chunk may be cut.

In: the document's text and a span. Out: disjoint spans in order that cover it, white space apart. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.chunk.sizes import Sizes, estimate
from pincite.types import BlockKind, Span

_SENTENCE = re.compile(r"[.!?…]+[\"'”’)\]`*_]*(?=\s+[^\sa-z])|[。！？．][」』”’）]*|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|Fig|Sec|Eq|al|approx|resp|[A-Z])\.$")
_BLANK = re.compile(r"\n[ \t]*(?=\n)")
_INDENT = re.compile(r"[ \t]*")
_WORD_END = re.compile(r"\s+|(?<=[,;:，；：、|])")


def trim(text: str, span: Span) -> Span:
    """Return the span without blank lines and spaces around it; a first line that is whole keeps its indentation."""
    start, end = span.start, span.end
    while end > start and text[end - 1].isspace():
        end -= 1
    first = start
    while first < end and text[first].isspace():
        first += 1
    line = text.rfind("\n", start, first) + 1
    if not line:
        line = start if start == 0 or text[start - 1] == "\n" else first
    return Span(line, end) if end > first else Span(start, start)


def cut(text: str, span: Span, kind: BlockKind, sizes: Sizes) -> tuple[Span, ...]:
    """Cut a block: code at blank lines, then line ends; a table at row ends; prose at sentence ends; else between words."""
    if len(span) <= sizes.most or estimate(span.of(text)) <= sizes.most:
        return (span,)
    if kind in ("code", "front_matter", "html", "math"):
        tiers = code_tiers(text, span)
    elif kind == "table":
        tiers = [line_ends(text, span)]
    else:
        tiers = [_sentence_ends(text, span), line_ends(text, span)]
    return fill(text, span, tiers, sizes)


def code_tiers(text: str, span: Span) -> list[list[int]]:
    """Return the places where code may be cut, best first: blank lines before unindented, little indented and other lines, line ends."""
    outer: list[int] = []
    inner: list[int] = []
    blank: list[int] = []
    for match in _BLANK.finditer(text, span.start, span.end):
        at = match.end() + 1
        following = at
        while following < span.end and text[following] == "\n":
            following += 1
        indent = _INDENT.match(text, following)
        width = len(indent.group().expandtabs(4)) if indent else 0
        closing = text[following + width : following + width + 1] in ("}", ")", "]", "")
        (blank if closing else outer if width == 0 else inner if width <= 4 else blank).append(at)
    return [outer, inner, blank, line_ends(text, span)]


def line_ends(text: str, span: Span) -> list[int]:
    """Return the offsets just after each line feed inside the span."""
    ends, at = [], text.find("\n", span.start, span.end)
    while at >= 0:
        ends.append(at + 1)
        at = text.find("\n", at + 1, span.end)
    return ends


def _sentence_ends(text: str, span: Span) -> list[int]:
    ends = []
    for match in _SENTENCE.finditer(text, span.start, span.end):
        before = text[max(span.start, match.start() - 8) : match.start() + 1]
        if not _ABBREVIATION.search(before):
            ends.append(match.end())
    return ends


def fill(text: str, span: Span, tiers: Sequence[Sequence[int]], sizes: Sizes) -> tuple[Span, ...]:
    """Fill chunks up to the aim, each ended at the best place that keeps it at least half full."""
    rank: dict[int, int] = {}
    for tier in range(len(tiers) - 1, -1, -1):
        rank.update((offset, tier) for offset in tiers[tier] if span.start < offset < span.end)
    atoms = _atoms(text, span, sorted(rank), sizes)
    cuts: list[int] = []
    start, first = span.start, 0
    while first < len(atoms):
        total, last = 0, first
        while last < len(atoms) and (last == first or total + atoms[last][1] <= sizes.aim):
            total += atoms[last][1]
            last += 1
        if last < len(atoms):
            last = _best(atoms, first, last, rank, total / 2)
        cuts.append(atoms[last - 1][0])
        first = last
    spans = []
    for end in cuts:
        spans.append(Span(start, end))
        start = end
    return tuple(s for s in (trim(text, s) for s in spans) if len(s))


def _best(atoms: Sequence[tuple[int, int]], first: int, last: int, rank: dict[int, int], least: float) -> int:
    best, best_rank, filled = last, rank.get(atoms[last - 1][0], 99), 0
    for k in range(first, last):
        filled += atoms[k][1]
        here = rank.get(atoms[k][0], 99)
        if filled >= least and here <= best_rank:
            best, best_rank = k + 1, here
    return best


def _atoms(text: str, span: Span, offsets: Sequence[int], sizes: Sizes) -> list[tuple[int, int]]:
    """Return (end, tokens) of the smallest pieces; one larger than a chunk is cut between words, or anywhere where there are none."""
    atoms: list[tuple[int, int]] = []
    start = span.start
    for end in [*offsets, span.end]:
        size = estimate(text[start:end])
        if size <= sizes.most:
            atoms.append((end, size))
        else:
            atoms.extend(_torn(text, Span(start, end), sizes))
        start = end
    return atoms


def _torn(text: str, span: Span, sizes: Sizes) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    start = span.start
    while start < span.end:
        end = min(span.end, start + sizes.aim * 4)
        while estimate(text[start:end]) > sizes.aim:
            end = start + (end - start) * 3 // 4
        if end < span.end:
            gaps = [m.end() for m in _WORD_END.finditer(text, start + (end - start) // 2, end)]
            end = gaps[-1] if gaps else end
        pieces.append((end, estimate(text[start:end])))
        start = end
    return pieces
