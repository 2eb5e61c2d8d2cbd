"""The structure of a text while it is being read: sections open and close, blocks fall into them.

In: headings, terms, symbols and blocks with their spans, in order. Out: tuples of `Section` and `Block`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pincite.types import Block, BlockKind, Section, Span

SectionKind = Literal["root", "heading", "term", "symbol"]
_LED = ("code", "table", "math", "figure", "list_item")


@dataclass(slots=True)
class _Open:
    index: int
    level: int
    path: tuple[str, ...]
    start: int
    anchor: str | None
    parent: int | None
    kind: SectionKind
    symbol: str | None = None
    signature: str | None = None
    doc: str | None = None
    end: int = -1
    paragraphs: int = 0


@dataclass(slots=True)
class Outline:
    """Collects sections and blocks. Section 0 is the root and spans the whole text."""

    sections: list[_Open] = field(default_factory=lambda: [_Open(0, 0, (), 0, None, None, "root")])
    blocks: list[Block] = field(default_factory=list)
    _stack: list[_Open] = field(default_factory=list)
    _barrier: list[int] = field(default_factory=list)

    def heading(self, at: int, level: int, title: str, anchor: str | None = None) -> int:
        """Open a section at offset `at`; it ends the sections of its level and below, but for a term that it stands in."""
        floor = self._barrier[-1] if self._barrier else 0
        while len(self._stack) > floor and self._stack[-1].level >= level:
            self._stack.pop().end = at
        return self._open(at, level, title, anchor, "heading")

    def term(self, at: int, title: str, anchor: str | None = None, *, symbol: str | None = None, signature: str | None = None) -> int:
        """Open the section of a term, one level below where it stands; `close` ends it."""
        index = self._open(at, self.level + 1, title, anchor, "term", symbol=symbol, signature=signature)
        self._barrier.append(len(self._stack))
        return index

    def symbol(self, at: int, title: str, *, symbol: str, signature: str | None, doc: str | None = None) -> int:
        """Open the section of a code symbol; `close` ends it."""
        index = self._open(at, self.level + 1, title, None, "symbol", symbol=symbol, signature=signature, doc=doc)
        self._barrier.append(len(self._stack))
        return index

    def close(self, at: int, index: int) -> None:
        """End the term or symbol `index` and all that is open inside it."""
        while self._stack:
            section = self._stack.pop()
            section.end = at
            while self._barrier and self._barrier[-1] > len(self._stack):
                self._barrier.pop()
            if section.index == index:
                return

    def document(self, path: tuple[str, ...], doc: str | None = None) -> None:
        """Give the root what is known of the whole: a module's doc comment."""
        self.sections[0].path, self.sections[0].doc = path, doc

    @property
    def level(self) -> int:
        """The level of the innermost open section."""
        return self._stack[-1].level if self._stack else 0

    @property
    def current(self) -> int:
        """The index of the innermost open section."""
        return self._stack[-1].index if self._stack else 0

    @property
    def anchor(self) -> str | None:
        """The id of the innermost open section that has one."""
        for section in reversed(self._stack):
            if section.anchor:
                return section.anchor
        return None

    def block(
        self,
        kind: BlockKind,
        span: Span,
        *,
        hidden: tuple[Span, ...] = (),
        anchor: str | None = None,
        dom_path: str | None = None,
        language: str | None = None,
    ) -> None:
        """Add a leaf block to the innermost section. Blocks come in order and don't overlap."""
        section = self._stack[-1] if self._stack else self.sections[0]
        paragraph = None
        if kind not in ("heading", "term", "front_matter") and hidden != (span,):
            section.paragraphs += 1
            paragraph = section.paragraphs
        number, lead = len(self.blocks) + 1, self._lead(kind, section.index) if kind in _LED else None
        self.blocks.append(
            Block(f"b{number}", kind, span, section.index, paragraph, anchor or section.anchor, dom_path, language or None, hidden, lead)
        )

    def _lead(self, kind: BlockKind, section: int) -> str | None:
        if not self.blocks:
            return None
        before = self.blocks[-1]
        if before.section != section:
            return None
        if before.kind == "paragraph":
            return before.id
        return before.lead if before.kind == "list_item" and kind == "list_item" else None

    def finish(self, length: int) -> tuple[tuple[Section, ...], tuple[Block, ...]]:
        """Close what is open at the end of the text and return sections and blocks."""
        for section in self._stack:
            section.end = length
        self._stack.clear()
        root = self.sections[0]
        root.end = length
        return tuple(
            Section(s.index, s.level, s.path, Span(s.start, s.end), s.anchor, s.parent, s.kind, s.symbol, s.signature, s.doc)
            for s in self.sections
        ), tuple(self.blocks)

    def _open(
        self,
        at: int,
        level: int,
        title: str,
        anchor: str | None,
        kind: SectionKind,
        *,
        symbol: str | None = None,
        signature: str | None = None,
        doc: str | None = None,
    ) -> int:
        parent = self._stack[-1] if self._stack else self.sections[0]
        path = (*parent.path, title) if parent.index else (title,)
        section = _Open(len(self.sections), level, path, at, anchor, parent.index, kind, symbol, signature, doc)
        self.sections.append(section)
        self._stack.append(section)
        return section.index
