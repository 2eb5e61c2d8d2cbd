"""Which passages become notes: the best, then those that add something.

In: what each passage would print, in search order, and the question's terms. Out: the chosen ones, best first. Lists that point elsewhere
rank behind the pages they point to; a passage that defines what the first one names comes second. Deterministic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answer.terms import cover
from pincite.types import Document, Passage, Span

DEPTH: Final = 8
"""Passages looked at for an answer."""
POINTING: Final = 0.6
"""What the score of a passage that is an index of others is worth."""
CLOSE: Final = 0.8
"""Share of the first passage's score that earns a note without new words."""
HOLDING: Final = 0.5
"""Share of what the first note covers that a note that adds nothing must cover itself."""
ADDED: Final = 0.15
"""Share of the question's weight that a further note must add."""
_ENTRY = re.compile(r"^\s*(?:\||[-*+]|\d+[.)])\s*(?:`[^`|]*`\s*)?\[")
_DEFINED = re.compile(r"[A-Za-z_][\w.]*(?=\s*(?:\(|$))")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage, the span it would print, and the question's terms in what it prints with its headings."""

    passage: Passage
    document: Document
    span: Span
    visible: str
    terms: frozenset[str]


def chosen(candidates: Sequence[Candidate], weighted: Mapping[str, float], limit: int) -> tuple[Candidate, ...]:
    """Return at most `limit` candidates: the first, one that defines what it names, those that add covered terms or score close to it."""
    if not candidates:
        return ()
    ranked = sorted(candidates, key=lambda c: (-worth(c.passage), c.passage.rank))
    first, rest = ranked[0], ranked[1:]
    names = {name.lower() for name in _NAME.findall(first.visible) if _is_code(name, first.visible)}
    rest.sort(key=lambda c: not _defines(c.passage, names))
    total, kept = sum(weighted.values()) or 1.0, [first]
    covered = first.terms
    for candidate in rest:
        if len(kept) == limit:
            break
        adds = cover(candidate.terms - covered, weighted) >= ADDED * total
        near = worth(candidate.passage) >= CLOSE * worth(first.passage)
        share = cover(candidate.terms, weighted) / (cover(first.terms, weighted) or 1.0)
        if adds or (near and share >= HOLDING) or (share >= 0.5 and _defines(candidate.passage, names)):
            kept.append(candidate)
            covered |= candidate.terms
    return tuple(kept)


def worth(passage: Passage) -> float:
    """Return the passage's score, less where it is an index of other places."""
    return passage.score * (POINTING if points_elsewhere(passage.text) else 1.0)


def points_elsewhere(text: str) -> bool:
    """Say whether a text is an index: most of its lines, four or more, are rows or items that begin with a link."""
    lines = [line for line in text.split("\n") if line.strip() and not re.fullmatch(r"[\s|:-]+", line)]
    entries = sum(_ENTRY.match(line) is not None for line in lines)
    return entries >= 4 and entries >= 0.6 * len(lines)


def _defines(passage: Passage, names: set[str]) -> bool:
    """Say whether the passage stands under the symbol or term that is named."""
    titles = (passage.symbol or "", passage.heading[-1] if passage.heading else "", passage.url.partition("#")[2])
    defined = [match.group().lower() for title in titles if (match := _DEFINED.search(title))]
    return any({name, name.rpartition(".")[2]} & names for name in defined)


def _is_code(name: str, text: str) -> bool:
    return len(name) > 2 and ("_" in name or "." in name or name + "(" in text or re.search(r"[a-z][A-Z]", name) is not None)
