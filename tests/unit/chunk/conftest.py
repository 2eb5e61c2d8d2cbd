"""Builds small documents by hand: (kind, text) blocks under a heading trail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pincite.types import Block, BlockKind, Document, Section, Span

Laid = Sequence[tuple[tuple[str, ...], BlockKind, str]]


def lay(blocks: Laid, *, anchors: bool = False, base_url: str = "https://docs.example.org/guide.html") -> Document:
    sections = [Section(0, 0, (), Span(0, 0), kind="root")]
    made: list[Block] = []
    text, counts, numbers = "", {(): 0}, dict.fromkeys([()], 0)
    for trail, kind, body in blocks:
        text += "\n\n" if text else ""
        if trail not in counts:
            parent = counts.get(trail[:-1], 0)
            anchor = trail[-1].lower().replace(" ", "-") if anchors else None
            kind_of = "term" if kind == "term" else "heading"
            sections.append(Section(len(sections), len(trail), trail, Span(len(text), len(text)), anchor, parent, kind_of))
            counts[trail], numbers[trail] = len(sections) - 1, 0
        paragraph = None
        if kind not in ("heading", "term"):
            numbers[trail] += 1
            paragraph = numbers[trail]
        section = sections[counts[trail]]
        made.append(Block(f"b{len(made)}", kind, Span(len(text), len(text) + len(body)), section.index, paragraph, section.anchor))
        text += body
    return Document("doc_1", "sha256:0", base_url, "doc", "Guide", text, tuple(sections), tuple(made), "test@1")


@pytest.fixture
def laid() -> Callable[..., Document]:
    return lay
