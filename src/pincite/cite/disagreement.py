"""Two sources, or two versions, that say different things of the same subject.

In: the passages of a question, their documents. Out: pairs of sentences that share their words but for a number, a default's name or a
negation. Careful rather than complete: a pair that differs in anything else is no disagreement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.cite.facts import Facts, facts, numbers
from pincite.cite.facts import stems as stems_of
from pincite.cite.meaning import is_negation
from pincite.protocols import Evidence
from pincite.sentences import sentences
from pincite.types import Passage, Span

MAX_PAIRS: Final = 2
MAX_PASSAGES: Final = 8
ALIKE: Final = 0.8
"""Share of the words of two sentences, without what may differ, that must be the same."""
MIN_SHARED: Final = 3
_PROSE: Final = ("paragraph", "list_item", "term", "quote")
_SMALL: Final = frozenset(
    {"the", "a", "an", "is", "are", "was", "be", "to", "of", "in", "on", "at", "by", "as", "and", "or", "for", "with", "it", "its", "this"}
    | {"that", "do", "doe", "can", "will", "may", "must", "has", "have", "does", "from"}
)


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of a passage and what can be compared of it."""

    passage: Passage
    span: Span
    text: str
    facts: Facts
    units: frozenset[tuple[float, str]]
    subject: frozenset[str]


def pairs(question: str, passages: Sequence[Passage], evidence: Evidence) -> tuple[tuple[Said, Said], ...]:
    """Return at most `MAX_PAIRS` pairs that disagree, each sentence with at least half of the question's words or of its own in common."""
    if len({(p.source, p.version) for p in passages[:MAX_PASSAGES]}) < 2:
        return ()
    asked = frozenset(stems_of(question)) - _SMALL
    said = [s for p in passages[:MAX_PASSAGES] for s in _sentences(p, evidence, asked)]
    found: list[tuple[Said, Said]] = []
    for i, one in enumerate(said):
        for other in said[i + 1 :]:
            known = any(one.text in (a.text, b.text) or other.text in (a.text, b.text) for a, b in found)
            if not known and _apart(one.passage, other.passage) and _disagree(one, other):
                found.append((one, other))
                if len(found) == MAX_PAIRS:
                    return tuple(found)
    return tuple(found)


def _apart(one: Passage, other: Passage) -> bool:
    return (one.source, one.version) != (other.source, other.version)


def _sentences(passage: Passage, evidence: Evidence, asked: frozenset[str]) -> Iterator[Said]:
    document = evidence.document(passage.document)
    if document is None or document.kind == "code":
        return
    for block in document.blocks_in(Span(passage.start, passage.end)):
        if block.kind not in _PROSE:
            continue
        visible, places = document.visible_map(Span(max(block.span.start, passage.start), min(block.span.end, passage.end)))
        for cut in sentences(visible):
            text = " ".join(cut.of(visible).split())
            while cut.end > cut.start and visible[cut.end - 1].isspace():
                cut = Span(cut.start, cut.end - 1)
            while cut.start < cut.end and visible[cut.start].isspace():
                cut = Span(cut.start + 1, cut.end)
            if len(text) < 15 or not places:
                continue
            told = facts(text)
            subject = _subject(text, told)
            if len(subject & asked) * 2 >= min(len(asked), len(subject)) > 0:
                yield Said(passage, Span(places[cut.start], places[cut.end - 1] + 1), text, told, frozenset(numbers(text)), subject)


def _subject(text: str, told: Facts) -> frozenset[str]:
    """Return the stems of what a sentence is about: its words without small ones, negations and numbers."""
    return frozenset(
        s for s in told.stems if s not in _SMALL and not is_negation(s) and not s.endswith("n't") and not s.isdigit() and s != "cannot"
    )


def _disagree(one: Said, other: Said) -> bool:
    a, b = one.facts, other.facts
    if a.numbers != b.numbers:
        return bool(a.denied) == bool(b.denied) and a.names == b.names and _alike(one.subject, other.subject) and _counted(one, other)
    if bool(a.denied) != bool(b.denied):
        return a.names == b.names and _alike(one.subject, other.subject)
    mine, theirs = a.names - b.names, b.names - a.names
    if len(mine) == len(theirs) == 1 and "default" in one.subject & other.subject:
        return _alike(one.subject - set(stems_of(*mine)), other.subject - set(stems_of(*theirs)))
    return False


def _counted(one: Said, other: Said) -> bool:
    """Say whether the numbers that differ count the same thing, as many on each side."""
    mine, theirs = one.units - other.units, other.units - one.units
    return len(mine) == len(theirs) and {u for _, u in mine} == {u for _, u in theirs}


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= MIN_SHARED and shared >= ALIKE * len(one | other)
