"""AsciiDoc sources: sections by `=` marks, delimited blocks, lists. The document's text is the file's own.

In: cleaned text. Out: an `Outline` and the first heading. Rules: the AsciiDoc language's "Sections" and "Blocks".
"""

from __future__ import annotations

import re

from pincite.extract.inline_marks import merged
from pincite.extract.outline import Outline
from pincite.types import BlockKind, Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
_HEADING = re.compile(r"(={1,6})[ \t]+(\S.*?)[ \t]*$")
_ANCHOR = re.compile(r"\[(?:\[([^\],]+)[^\]]*\]|#([\w-]+)[^\]]*)\][ \t]*$")
_ATTRIBUTES = re.compile(r"\[([^\]]*)\][ \t]*$")
_FENCE = re.compile(r"(-{4,}|\.{4,}|```+|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|\|===+)[^\r\n]*$")
_LIST = re.compile(r"[ \t]*(?:\*{1,5}|-|\.{1,5}|\d+\.)[ \t]+|.+?::+(?:[ \t]|$)")
_INLINE = re.compile(
    r"(?<![\w`])(`+|\*{1,2}|_{1,2})(?=\S)(?P<in>[^\n]+?)(?<=\S)\1(?!\w)"
    r"|(?:https?://[^\s\[]+|link:[^\s\[]+|xref:[^\s\[]+)\[(?P<label>[^\]]+)\]"
)


def read(text: str) -> tuple[Outline, str]:
    """Find sections and blocks of an AsciiDoc source; return them and its first heading."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.outline = Outline()
        self.lines = [(m.start(), m.start() + len(m.group().rstrip("\r\n"))) for m in _LINE.finditer(text) if m.group()]
        self.anchor: str | None = None
        self.language = ""

    def read(self) -> tuple[Outline, str]:
        at, first = 0, ""
        while at < len(self.lines):
            start, end = self.lines[at]
            line = self.text[start:end]
            heading = _HEADING.match(line)
            fence = _FENCE.fullmatch(line)
            if not line.strip():
                at += 1
            elif heading:
                title = heading.group(2)
                first = first or title
                self.outline.heading(start, len(heading.group(1)), title, self.anchor)
                self.outline.block("heading", Span(start, end), hidden=(Span(start, start + heading.start(2)),))
                self.anchor, at = None, at + 1
            elif fence:
                at = self._fence(at, fence.group(1))
            elif (
                line.startswith("//")
                or (line.startswith(":") and re.match(r":[\w!-]+:", line))
                or _ATTRIBUTES.match(line)
                or _ANCHOR.match(line)
            ):
                self._note(line)
                self.outline.block("html", Span(start, end), hidden=(Span(start, end),))
                at += 1
            else:
                at = self._prose(at)
        return self.outline, first

    def _note(self, line: str) -> None:
        anchor, attributes = _ANCHOR.match(line), _ATTRIBUTES.match(line)
        if anchor:
            self.anchor = anchor.group(1) or anchor.group(2)
        elif attributes and attributes.group(1).startswith("source"):
            self.language = [*attributes.group(1).split(","), ""][1].strip()

    def _fence(self, at: int, mark: str) -> int:
        kind: BlockKind = "table" if mark.startswith("|") else "code" if mark[0] in "-.`+" and mark != "--" else "html"
        last = next((i for i in range(at + 1, len(self.lines)) if self.text[slice(*self.lines[i])].rstrip() == mark), None)
        start, end = self.lines[at]
        if kind == "html":
            hidden = kind == "html" and mark[0] == "/" and last is not None
            stop = self.lines[last][1] if hidden and last is not None else end
            self.outline.block("html", Span(start, stop), hidden=(Span(start, stop),))
            return (last + 1) if hidden and last is not None else at + 1
        last = last if last is not None else len(self.lines) - 1
        stop = self.lines[last][1]
        marks = (Span(start, min(stop, self.lines[min(at + 1, last)][0])), Span(self.lines[last - 1][1] if last > at else end, stop))
        self.outline.block(kind, Span(start, stop), hidden=tuple(merged(list(marks))), language=self.language)
        self.language = ""
        return last + 1

    def _prose(self, at: int) -> int:
        last = at
        while last + 1 < len(self.lines):
            line = self.text[slice(*self.lines[last + 1])]
            if not line.strip() or _HEADING.match(line) or _FENCE.fullmatch(line) or _LIST.match(line) or _ATTRIBUTES.match(line):
                break
            last += 1
        start, end = self.lines[at][0], self.lines[last][1]
        item = _LIST.match(self.text[start : self.lines[at][1]])
        bullet = item is not None and "::" not in item.group()
        marks = [Span(start, start + item.end())] if item and bullet else []
        for found in _INLINE.finditer(self.text, start + (item.end() if item and bullet else 0), end):
            name = "in" if found.group("in") else "label"
            marks += [Span(found.start(), found.start(name)), Span(found.end(name), found.end())]
        self.outline.block("list_item" if item else "paragraph", Span(start, end), hidden=tuple(merged(marks)))
        return last + 1
