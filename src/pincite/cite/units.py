"""The sentences of a page, each with what stands above it, and how near they come to a claim.

In: a document, an anchor, a claim. Out: `Unit`s, rows of tables and code blocks among them, and the nearest of them, weighed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.cite.facts import stems
from pincite.sentences import sentences
from pincite.types import Block, Document

ELSEWHERE: Final = 0.8
"""What a sentence outside the named section counts."""
KEPT: Final = 12
EMPTY: Final = frozenset(
    stems(
        "the a an and or of to in on at by for with from as is are was were be been it its this that these those which who"
        " when if then not no do does will can may"
    )
)
"""Stems that say nothing of what a sentence is about."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of a page, with what stands above it: headings, the term or sentence that leads in."""

    text: str
    above: str
    under: str
    """The innermost heading, term or first cell of a row: what the sentence is said of."""
    stems: frozenset[str]
    framed: frozenset[str]
    inside: bool
    block: str
    kind: str


@dataclass(frozen=True, slots=True)
class Weighed:
    """A unit and how much of the claim it covers."""

    unit: Unit
    cover: float


def units(document: Document, anchor: str | None) -> list[Unit]:
    """Cut a document into its sentences, rows and code blocks; `anchor` says which of them count whole."""
    inside = _inside(document, anchor)
    by_id = {b.id: b for b in document.blocks}
    term, term_section = "", -1
    found: list[Unit] = []
    for block in document.blocks:
        if block.kind in ("front_matter", "heading"):
            continue
        text = document.visible(block.span)
        if block.kind == "term":
            term, term_section = text, block.section
        lead = by_id.get(block.lead or "")
        path = document.sections[block.section].path
        named = term if block.section == term_section else ""
        above = "\n".join((document.title, *path, named, document.visible(lead.span) if lead else ""))
        framed = frozenset(stems(above))
        within = block.section in inside or (anchor is not None and block.anchor == anchor)
        said_of = named or (path[-1] if path else "")
        for before, cut in _cuts(block, text):
            under = cut.strip(" |").split("  ")[0].split("|")[0].strip() if block.kind == "table" else said_of
            found.append(Unit(cut, f"{above}\n{before}", under, frozenset(stems(cut)), framed, within, block.id, block.kind))
    return found


def _inside(document: Document, anchor: str | None) -> set[int]:
    """Return the sections that the anchor names, with those inside them."""
    inside = {s.index for s in document.sections if anchor and s.anchor == anchor}
    while more := {s.index for s in document.sections if s.parent in inside} - inside:
        inside |= more
    return inside


def _cuts(block: Block, text: str) -> Iterator[tuple[str, str]]:
    """Yield each piece of a block with what stands before it: the sentence before, or the table's first row."""
    if block.kind == "table":
        rows = [row for row in text.split("\n") if any(c.isalnum() for c in row)]
        yield from ((rows[0] if i else "", row) for i, row in enumerate(rows))
        return
    cuts = [text] if block.kind == "code" else [c.of(text) for c in sentences(text)]
    yield from (((cuts[i - 1] if i else ""), cut) for i, cut in enumerate(cuts))


def nearest(claim: str, all_units: Sequence[Unit]) -> list[Weighed]:
    """Return the units by how much of the claim's weight they cover, most first."""
    wanted = [s for s in dict.fromkeys(stems(claim)) if s not in EMPTY and not s.isdigit()]
    counts = Counter(s for u in all_units for s in u.stems)
    weight = {s: math.log(1 + len(all_units) / (0.5 + counts[s])) if counts[s] else 1.0 for s in wanted}
    total = sum(weight.values()) or 1.0
    weighed = []
    for unit in all_units:
        own = sum(w for s, w in weight.items() if s in unit.stems)
        framed = sum(w for s, w in weight.items() if s in unit.framed and s not in unit.stems)
        cover = (own + 0.5 * framed) / total if own else 0.0
        weighed.append(Weighed(unit, cover * (1.0 if unit.inside else ELSEWHERE)))
    return sorted(weighed, key=lambda w: -w.cover)[:KEPT]
