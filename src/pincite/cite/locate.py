"""Where a quote stands in a document, and whether it may be printed: the ladder of CITATIONS.md.

In: a quote's words, a `Haystack`, perhaps a place to prefer. Out: `Located`, whose spans are offsets into the document's text. Rungs:
exact, normalized (through the folded text), elided (pieces in order), near (located, never passed). Below exact, anything that turns the
meaning is a veto; a quote that leaves out its sentence's condition is refused although its words stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from pincite.cite import cut, difference, meaning
from pincite.cite.fold import CJK, Folded, fold, squeezed, tight
from pincite.cite.haystack import Haystack, whole
from pincite.cite.indent import indented_alike
from pincite.cite.offered import readings
from pincite.sentences import sentences
from pincite.types import Span, Status, Verdict

MIN_CHARS: Final = 15
MIN_CJK: Final = 6
MIN_CODE: Final = 8
MIN_PIECE: Final = 12
MAX_GAP: Final = 600
_DOTS = re.compile(r"\s*(?:\[\s*\.\.\.\s*\]|\(\s*\.\.\.\s*\)|\.\.\.(?!\w))\s*")
_LINK = re.compile(r"!?\[([^\]]*)\]\(\s*<?([^()\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
_EMPHASIS = re.compile(r"(?<!\w)_(?=[^\W_])([^_\n]+)(?<=[^\W_])_(?!\w)")
_TICKED = re.compile(r"`+([^`\n]+)`+")
_DEFINED = re.compile(r"\n: {1,3}\S")
"""A term and what it means, which a quote joins with a colon."""
_EDGE = " \"',;:.-"


@dataclass(frozen=True, slots=True)
class Located:
    """What the ladder found. `span` is absent only where nothing like the quote stands in the document."""

    status: Status
    verdict: Verdict
    span: Span | None = None
    pieces: tuple[Span, ...] = ()
    score: float = 0.0
    vetoes: tuple[str, ...] = ()
    occurrences: int = 0

    @property
    def accepted(self) -> bool:
        """Say whether the quote may be printed as verified."""
        return self.status in ("exact", "normalized", "elided")


def locate(quote: str, haystack: Haystack, *, near: Span | None = None) -> Located:
    """Climb the ladder. `near` prefers one of several places; a place outside it is reported as `moved`."""
    words = quote.strip()
    if not words:
        return Located("unverified", "absent", vetoes=("too_short",))
    found = _exact(words, haystack, near) or _read(words, haystack, near)
    for barer in readings(words) if found is None else ():
        words = barer
        found = _read(words, haystack, near)
        if found is not None:
            break
    if found is None:
        found = _respaced(words, difference.explain(_LINK.sub(r"\1", words), haystack), haystack, near)
    if (found.accepted or found.verdict == "truncated_condition") and found.span is not None and _too_short(words, haystack, found.span):
        return replace(found, status="unverified", verdict="absent", vetoes=("too_short",))
    return found


def _read(words: str, haystack: Haystack, near: Span | None) -> Located | None:
    """Return how these words stand in the folded text, or None where they don't."""
    found = _normalized(words, haystack, near) or _elided(words, haystack)
    return _unlinked(words, haystack, near) if found is None and _LINK.search(words) else found


def _respaced(words: str, found: Located, haystack: Haystack, near: Span | None) -> Located:
    """Accept the nearest place where it differs in nothing but spaces beside signs: `2 °C`, `2°C`."""
    if found.status != "near" or found.span is None:
        return found
    printed = haystack.document.visible(found.span)
    if _DEFINED.search(found.span.of(haystack.document.text)):
        printed = printed.replace("\n", ": ")
    if tight(words) != tight(printed) or not _same_case(words, found.span, haystack):
        return found
    return _settled("normalized", "punctuation_only", [found.span], haystack, near, closed=cut.ends(words))


def _unlinked(words: str, haystack: Haystack, near: Span | None) -> Located | None:
    """Search for what a reader sees of a quote with links; the targets must stand where the words do."""
    seen = _LINK.sub(r"\1", words)
    found = _normalized(seen, haystack, near) or _elided(seen, haystack)
    if found is None or not found.accepted or found.span is None:
        return found
    around = Span(found.span.start, min(len(haystack.document.text), found.span.end + MAX_GAP)).of(haystack.document.text)
    if all(target in around for _, target in _LINK.findall(words)):
        return found
    return replace(found, status="unverified", verdict="absent", vetoes=("identifier",))


def _too_short(words: str, haystack: Haystack, span: Span) -> bool:
    if len(CJK.findall(words)) * 2 > len(words):
        return len(words) < MIN_CJK
    return len(words) < (MIN_CODE if _in_code(haystack, span) else MIN_CHARS)


def _exact(words: str, haystack: Haystack, near: Span | None) -> Located | None:
    text, at = haystack.document.text, haystack.document.text.find(words)
    places: list[Span] = []
    while at >= 0 and len(places) < 64:
        if whole(text, at, at + len(words)):
            places.append(Span(at, at + len(words)))
        at = text.find(words, at + 1)
    return _settled("exact", "exact", places, haystack, near, closed=cut.ends(words)) if places else None


def _normalized(words: str, haystack: Haystack, near: Span | None) -> Located | None:
    plain = fold(words)
    needle = plain.text.strip()
    for candidate in dict.fromkeys((needle, needle.strip(_EDGE), needle.strip(" \"'.,;:"))):
        if len(candidate) < MIN_CJK:
            continue
        places = _places(words, candidate, haystack)
        if places:
            verdict: Verdict = "exact" if squeezed(words).strip() == squeezed(places[0].of(haystack.document.text)) else "punctuation_only"
            return _settled("normalized", verdict, places, haystack, near, closed=cut.ends(words))
    return None


def _places(words: str, needle: str, haystack: Haystack) -> list[Span]:
    """Return where the folded needle stands in the visible text, or in the marked-up one where the quote itself has link marks."""
    sides: Iterable[Folded] = (haystack.raw, haystack.seen) if "](" in words else (haystack.seen, haystack.raw)
    for side in sides:
        places = [_underscored(words, side.back(a, b), haystack.document.text) for a, b in haystack.occurrences(needle, side)]
        places = [p for p in places if _same_case(words, p, haystack)]
        if places:
            return places
    return []


def _underscored(words: str, place: Span, text: str) -> Span:
    """Give a name at the quote's edge the underscores back that folding took for marks: `__name__`."""
    start, end = place.start, place.end
    for _ in range(len(words) - len(words.lstrip("_"))):
        start -= start > 0 and text[start - 1] == "_"
    for _ in range(len(words) - len(words.rstrip("_"))):
        end += end < len(text) and text[end] == "_"
    return Span(start, end)


def _same_case(words: str, place: Span, haystack: Haystack) -> bool:
    """In code only white space may differ; in prose a name from code keeps its case, but for the quote's first letter."""
    text = haystack.document.text
    if _in_code(haystack, place):
        same = squeezed(words).rstrip(".") in (squeezed(place.of(text)), squeezed(haystack.document.visible(place)))
        return same and indented_alike(words, place, haystack)
    offered = re.findall(r"\w+", _EMPHASIS.sub(r"\1", words))
    printed = re.findall(r"\w+", haystack.document.visible(place))
    if len(offered) != len(printed):
        return True
    names = {w for code in _TICKED.findall(text[max(0, place.start - 1) : place.end + 1]) for w in re.findall(r"\w+", code)}
    return all(
        a == b
        or (i == 0 and a[1:] == b[1:])
        or not (b in names or meaning.is_identifier(a) or meaning.is_identifier(b))
        or fold(a).text != fold(b).text
        for i, (a, b) in enumerate(zip(offered, printed, strict=True))
        if a.isascii() and b.isascii()
    )


def _in_code(haystack: Haystack, span: Span) -> bool:
    if haystack.document.kind == "code":
        return True
    block = haystack.block_at(span.start)
    return block is not None and block.kind == "code" and span.end <= block.span.end


def _settled(status: Status, verdict: Verdict, places: list[Span], haystack: Haystack, near: Span | None, *, closed: bool) -> Located:
    """Choose one of the places: whole ones before cut ones, inside `near` before outside, then the first."""
    part = {p: cut.cut(haystack, p, closed=closed) for p in places}
    best = min(places, key=lambda p: (part[p], near is not None and not _inside(p, near), abs(p.start - near.start) if near else p.start))
    if part[best]:
        return Located("unverified", "truncated_condition", best, (best,), 100.0, ("condition",), len(places))
    if near is not None and not _inside(best, near):
        verdict = "moved"
    return Located(status, verdict, best, (best,), 100.0, (), len(places))


def _inside(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end


def _elided(words: str, haystack: Haystack) -> Located | None:
    """Find the pieces between the dots, in order, inside one sentence. None where the quote has no dots or a piece is not found."""
    pieces = [p.strip(_EDGE) for p in _DOTS.split(fold(words).text)]
    pieces = [p for p in pieces if p]
    if len(pieces) < 2 or any(len(p) < 2 for p in pieces):
        return None
    chain = _chain(pieces, haystack)
    if chain is None:
        return None
    side = haystack.seen
    spans = tuple(side.back(a, b) for a, b in chain)
    located = Located("elided", "exact", Span(spans[0].start, spans[-1].end), spans, 100.0, (), 1)
    for left, right in pairwise(chain):
        gap = Span(side.ends[left[1] - 1], side.starts[right[0]])
        raw = gap.of(haystack.document.text)
        if (
            right[0] - left[1] > MAX_GAP
            or re.search(r"\n\s*\n", raw)
            or _ends_sentence(raw, side.back(*right).of(haystack.document.text)[:40])
        ):
            return replace(located, status="unverified", verdict="spliced", vetoes=("two_sentences",))
        if difference.hides(side.text[left[1] : right[0]], side.text[right[0] : right[1]]):
            return replace(located, status="unverified", verdict="ellipsis_hides", vetoes=("negation",))
    return _whole_pieces(words, pieces, located, haystack)


def _whole_pieces(words: str, pieces: list[str], located: Located, haystack: Haystack) -> Located:
    """Refuse pieces that are too short to mean one place, names in another case, and a sentence without its condition."""
    if any(len(p) < (MIN_CJK if CJK.search(p) else MIN_PIECE) for p in pieces):
        return replace(located, status="unverified", verdict="absent", vetoes=("too_short",))
    offered = [p for p in _DOTS.split(words.replace("…", "...")) if p.strip(_EDGE)]
    if len(offered) == len(pieces) and any(not _same_case(w, s, haystack) for w, s in zip(offered, located.pieces, strict=True)):
        return replace(located, status="unverified", verdict="absent", vetoes=("identifier",))
    if located.span is not None and cut.cut(haystack, located.span, closed=cut.ends(words)):
        return replace(located, status="unverified", verdict="truncated_condition", vetoes=("condition",))
    return located


def _ends_sentence(gap: str, right: str) -> bool:
    """Say whether a sentence ends in what the dots skip, or where `right` begins."""
    return any(end.end <= len(gap.rstrip()) for end in sentences(gap + right)[:-1])


def _chain(pieces: list[str], haystack: Haystack) -> list[tuple[int, int]] | None:
    """Return the tightest run of the pieces in order."""
    best: list[tuple[int, int]] | None = None
    for first in haystack.occurrences(pieces[0], haystack.seen):
        run = [first]
        for piece in pieces[1:]:
            following = _next(piece, haystack, run[-1][1])
            if following is None:
                break
            run.append(following)
        if len(run) == len(pieces) and (best is None or run[-1][1] - run[0][0] < best[-1][1] - best[0][0]):
            best = run
    return best


def _next(piece: str, haystack: Haystack, start: int) -> tuple[int, int] | None:
    text = haystack.seen.text
    at = text.find(piece, start)
    while at >= 0 and not whole(text, at, at + len(piece)):
        at = text.find(piece, at + 1)
    return (at, at + len(piece)) if at >= 0 else None
