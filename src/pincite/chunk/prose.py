"""Cuts documents made of headings and blocks.

In: a document. Out: pieces: spans that begin and end at block boundaries, each in one section, none above the most that a chunk may hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pincite.chunk.cuts import cut
from pincite.chunk.sizes import Sizes, estimate
from pincite.types import Block, Document, Span

FLOWING = ("paragraph", "list_item", "quote")
"""What may be cut smaller where there is no heading: a fence or a table is kept whole as long as it fits a chunk."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk to be: its span, its section, the blocks it draws from and the further sections it spans."""

    span: Span
    section: int
    blocks: tuple[Block, ...]
    also: tuple[int, ...] = ()
    alone: bool = False
    """Lies in a long stretch without headings, and is ranked by itself."""


@dataclass(frozen=True, slots=True)
class _Atom:
    span: Span
    block: Block
    tokens: int


def pieces(document: Document, sizes: Sizes) -> list[Piece]:
    """Return the pieces in order: the blocks of one section together, or shared out evenly where they are too many."""
    out: list[Piece] = []
    waiting: list[_Atom] = []
    owners = _owners(document)
    for index, run in groupby(document.blocks, key=lambda block: owners[block.section]):
        blocks = list(run)
        own = _sizes_of(document, owners, index, blocks, sizes)
        atoms = waiting + [a for block in blocks for a in _atoms(document.text, block, own if block.kind in FLOWING else sizes)]
        if all(atom.block.kind == "heading" for atom in atoms) and sum(a.tokens for a in atoms) < sizes.least:
            waiting = atoms
            continue
        waiting = []
        packed = _packed(atoms, index, own)
        out.extend(replace(piece, alone=True) for piece in packed) if own is not sizes else out.extend(packed)
    if waiting:
        out.extend(_packed(waiting, owners[waiting[-1].block.section], sizes))
    return _joined(document, out, sizes)


def _sizes_of(document: Document, owners: Sequence[int], index: int, blocks: Sequence[Block], sizes: Sizes) -> Sizes:
    """Return smaller sizes for a stretch that goes on for long under no heading, or under one with nothing below it."""
    if document.sections[index].kind not in ("root", "heading") or any(owners[block.section] != block.section for block in blocks):
        return sizes
    size = 0
    for block in blocks:
        size += estimate(block.span.of(document.text))
        if size > sizes.long:
            return sizes.plain()
    return sizes


def _owners(document: Document) -> list[int]:
    """Return for each section the one that its blocks are cut with: a term that no reader can be sent to belongs to what is above it."""
    owners: list[int] = []
    for section in document.sections:
        loose = section.kind == "term" and not section.anchor and section.parent is not None and section.parent < section.index
        owners.append(owners[section.parent] if loose and section.parent is not None else section.index)
    return owners


def _atoms(text: str, block: Block, sizes: Sizes) -> list[_Atom]:
    return [_Atom(span, block, estimate(span.of(text)) + 1) for span in cut(text, block.span, block.kind, sizes)]


def _packed(atoms: Sequence[_Atom], section: int, sizes: Sizes) -> list[Piece]:
    total = sum(atom.tokens for atom in atoms)
    aim = sizes.most if total <= sizes.most else total / -(-total // sizes.aim)
    out: list[Piece] = []
    held: list[_Atom] = []
    size = 0
    for group in _glued(atoms, sizes):
        tokens = sum(atom.tokens for atom in group)
        if held and (size + tokens > sizes.most or (size >= sizes.least / 2 and size + tokens / 2 > aim)):
            out.append(_piece(held, section))
            held, size = [], 0
        held.extend(group)
        size += tokens
    if held:
        out.append(_piece(held, section))
    return out


def _glued(atoms: Sequence[_Atom], sizes: Sizes) -> list[list[_Atom]]:
    """Group what is read together: a heading with what follows, a leading sentence with the block that it introduces."""
    groups: list[list[_Atom]] = []
    for atom in atoms:
        last = groups[-1] if groups else None
        if last and sum(a.tokens for a in last) + atom.tokens <= sizes.most and _leads(last[-1].block, atom.block):
            last.append(atom)
        else:
            groups.append([atom])
    return groups


def _leads(before: Block, block: Block) -> bool:
    return before.kind in ("heading", "term") or (block.lead == before.id and before.id != block.id)


def _piece(atoms: Sequence[_Atom], section: int) -> Piece:
    blocks = tuple({atom.block.id: atom.block for atom in atoms}.values())
    also = tuple(dict.fromkeys(block.section for block in blocks if block.section != section))
    return Piece(Span(atoms[0].span.start, atoms[-1].span.end), section, blocks, also)


def _joined(document: Document, found: Sequence[Piece], sizes: Sizes) -> list[Piece]:
    """Join crumbs to the piece before them where both lie under one parent."""
    out: list[Piece] = []
    for piece in found:
        tokens = estimate(piece.span.of(document.text))
        if out and tokens < sizes.small and _kin(document, out[-1].section, piece.section):
            before = out[-1]
            if estimate(document.text[before.span.start : piece.span.end]) <= sizes.least:
                also = tuple(i for i in dict.fromkeys((*before.also, piece.section, *piece.also)) if i != before.section)
                out[-1] = Piece(Span(before.span.start, piece.span.end), before.section, before.blocks + piece.blocks, also)
                continue
        out.append(piece)
    return out


def _kin(document: Document, one: int, other: int) -> bool:
    a, b = document.sections[one], document.sections[other]
    return one == other or (a.parent == b.parent and a.kind == b.kind == "term")
