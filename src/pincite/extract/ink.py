"""The canonical Markdown while it is being written: what shows and what is mark, block by block.

In: pieces (text, whether a reader sees it) and containers (quotes, list items, definitions). Out: the text, and an `Outline` whose blocks
know their hidden ranges.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.extract.outline import Outline
from pincite.types import BlockKind, Span

Piece = tuple[str, bool]
"""Text, and whether it shows."""
Ranges = list[list[int]]
"""Start and end of what does not show, in order; touching ranges are one."""


@dataclass(slots=True, eq=False)
class Container:
    """Something that blocks stand in: its mark on the first line, and on each line after."""

    first: str
    rest: str
    quote: bool = False
    used: bool = False
    tight: bool = False


@dataclass(slots=True)
class Ink:
    """Collects text and blocks."""

    outline: Outline = field(default_factory=Outline)
    containers: list[Container] = field(default_factory=list)
    length: int = 0
    unseen: list[str] = field(default_factory=list)
    """What was written that does not show."""
    _parts: list[str] = field(default_factory=list)
    _last: tuple[Container, ...] = ()
    _anchors: dict[int, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that was written, with one line end at its end."""
        return "".join([*self._parts, "\n"]) if self._parts else ""

    def position(self, *, margin: bool = False, tight: bool = False) -> int:
        """Return the offset at which the next block will start."""
        return self.length + len(self._gap(self._standing(margin), tight))

    def block(
        self,
        kind: BlockKind,
        pieces: list[Piece],
        *,
        margin: bool = False,
        tight: bool = False,
        anchor: str | None = None,
        dom_path: str | None = None,
        language: str = "",
    ) -> Span:
        """Write one block; line ends in the pieces get the containers' marks. `margin` leaves list and definition marks out."""
        hidden: Ranges = []
        rest = ""
        standing = self._standing(margin) if self.containers else self.containers
        if standing:
            start, rest = self._open(standing, tight, hidden)
        else:
            if self._parts:
                self._write("\n" if tight else "\n\n")
            start = self.length
        self._put(pieces, rest, hidden)
        span = Span(start, self.length)
        self.outline.block(kind, span, hidden=tuple([Span(*pair) for pair in hidden]), anchor=anchor, dom_path=dom_path, language=language)
        self._last = tuple(standing)
        return span

    def _open(self, standing: list[Container], tight: bool, hidden: Ranges) -> tuple[int, str]:
        """Write the gap and the containers' marks; return where the block starts, and what begins its further lines."""
        gap = self._gap(standing, tight)
        self._write(gap)
        start, rest = self.length, _lines(standing)
        if gap == "\n" and self._parts and any(c.quote and c in self._last for c in standing) and not self._tight(standing, tight):
            self._hide(rest.rstrip() + "\n", hidden)
        self._hide("".join([c.rest if c.used else c.first for c in standing]), hidden)
        for container in standing:
            container.used = True
        return start, rest

    def _put(self, pieces: list[Piece], rest: str, hidden: Ranges) -> None:
        """Add the pieces; `rest` begins each line after the first."""
        parts, unseen, length = self._parts, self.unseen, self.length
        last = hidden[-1] if hidden else [-1, -1]
        for words, shows in pieces:
            if rest and "\n" in words:
                self.length = length
                self._put_lines(words, shows, rest, hidden)
                length = self.length
                last = hidden[-1]
                continue
            if not words:
                continue
            parts.append(words)
            if not shows:
                unseen.append(words)
                if last[1] == length:
                    last[1] = length + len(words)
                else:
                    last = [length, length + len(words)]
                    hidden.append(last)
            length += len(words)
        self.length = length

    def _put_lines(self, words: str, shows: bool, rest: str, hidden: Ranges) -> None:
        for i, line in enumerate(words.split("\n")):
            if i:
                self._put([("\n", shows)], "", hidden)
                self._hide(rest, hidden)
            self._put([(line, shows)], "", hidden)

    def _standing(self, margin: bool) -> list[Container]:
        return [c for c in self.containers if c.quote] if margin else self.containers

    def _tight(self, standing: list[Container], tight: bool) -> bool:
        return tight or any(c.tight and not c.used for c in standing)

    def _gap(self, standing: list[Container], tight: bool) -> str:
        if not self._parts:
            return ""
        shared = any(c.quote and c in self._last for c in standing)
        return "\n" if shared or self._tight(standing, tight) else "\n\n"

    def _hide(self, text: str, hidden: Ranges) -> None:
        if text:
            start = self.length
            self._parts.append(text)
            self.unseen.append(text)
            self.length = start + len(text)
            if hidden and hidden[-1][1] == start:
                hidden[-1][1] = self.length
            else:
                hidden.append([start, self.length])

    def _write(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self.length += len(text)


def _lines(standing: list[Container]) -> str:
    return "".join(c.rest for c in standing)
