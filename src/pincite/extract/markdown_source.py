"""Markdown files: the document's text is the file's own, and this finds its sections, blocks and marks.

In: cleaned text. Out: an `Outline` with blocks, and what the front matter says. Fence-aware: a `# comment` in a fence is no heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pincite.extract import inline_marks
from pincite.extract.outline import Outline
from pincite.types import BlockKind, Span

_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?[ \t]*)*")
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?|$)")
_FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_ATX = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r"(=+|-+)[ \t]*$")
_RULE = re.compile(r"(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_ID = re.compile(r"[ \t]*\{(?::\s*)?[^{}\n]*?#([^\s{}]+)[^{}\n]*\}[ \t]*$")
_ANCHOR = re.compile(r"<a\s+(?:id|name)\s*=\s*[\"']([^\"']+)[\"']", re.I)
_DEFINITION = re.compile(r"^(?:[ \t]*>)*[ \t]{0,3}\[(?!\^)([^\[\]\n]{1,999})\]:[ \t]*\S+.*$", re.M)
_HTML = re.compile(r"</?(?:[a-zA-Z][\w-]*)(?:\s[^<>]*)?/?>|<[!?]")
_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(.*?\r?\n)?\1[ \t]*(?:\r?\n|$)", re.S)
_TITLE = re.compile(r"^title\s*[:=]\s*(.+?)\s*$", re.M)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")


@dataclass(slots=True)
class _Line:
    start: int
    body: int
    """Offset behind indentation and quote marks."""
    end: int
    """Offset of the line's end mark."""
    after: int
    text: str
    """From `body` to `end`."""
    indent: int
    quoted: bool

    @property
    def blank(self) -> bool:
        return not self.text.strip()


@dataclass(slots=True)
class MarkdownPage:
    """What a Markdown text holds: its outline, the title that its front matter gives, its headings and explicit ids."""

    outline: Outline
    front_title: str = ""
    first_heading: str = ""
    ids: set[str] = field(default_factory=set)


def read(text: str) -> MarkdownPage:
    """Find sections and blocks of a Markdown text."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.page = MarkdownPage(Outline())
        self.references = frozenset(m.group(1).strip().lower() for m in _DEFINITION.finditer(text))
        self.lines = [self._line(m) for m in _LINE.finditer(text) if m.group()]
        self.anchor: str | None = None
        self.pending: int | None = None
        """Where empty quote lines (`>` alone) began that the next block takes in."""

    def _line(self, match: re.Match[str]) -> _Line:
        end = match.start() + len(match.group().rstrip("\r\n"))
        prefix = _PREFIX.match(self.text, match.start(), end)
        body = prefix.end() if prefix else match.start()
        lead = self.text[match.start() : body]
        return _Line(match.start(), body, end, match.end(), self.text[body:end], len(lead.rpartition(">")[2].expandtabs(4)), ">" in lead)

    def read(self) -> MarkdownPage:
        at = self._front_matter()
        while at < len(self.lines):
            line = self.lines[at]
            if not line.blank:
                at = self._block(at, line)
                continue
            if line.quoted and self.pending is None:
                self.pending = line.start
            elif not line.quoted:
                self._flush(line.start)
            at += 1
        self._flush(len(self.text))
        return self.page

    def _flush(self, end: int) -> None:
        """Give empty quote lines that no block followed a block of their own, with nothing to see in it."""
        if self.pending is not None:
            start, self.pending = self.pending, None
            stop = start + len(self.text[start:end].rstrip())
            self.page.outline.block("html", Span(start, stop), hidden=(Span(start, stop),))

    def _begin(self, start: int, marks: list[Span]) -> int:
        """Return where a block begins, with the empty quote lines before it."""
        if self.pending is None:
            return start
        begin, self.pending = self.pending, None
        marks.append(Span(begin, start))
        return begin

    def _block(self, at: int, line: _Line) -> int:
        marker = _MARKER.match(line.text) if line.text[:1] in "-*+0123456789" and not _RULE.match(line.text) else None
        inner = line.text[marker.end() :] if marker else line.text
        offset = line.body + (marker.end() if marker else 0)
        fence = _FENCE.match(inner) if inner[:1] in "`~" else None
        if fence is not None:
            return self._fence(at, offset, fence)
        if inner[:1] == "#" and (heading := _ATX.match(inner)):
            return self._heading(at, offset, heading)
        if marker is None:
            if line.text.startswith("<!--"):
                return self._comment(at)
            if line.indent >= 4 and not line.quoted and self._is_indented_code(at):
                return self._indented(at)
            if _RULE.match(line.text):
                self._add("html", line.start, line.end, [Span(line.start, line.end)])
                return at + 1
            if _DEFINITION.fullmatch(line.text):
                self._add("html", line.start, line.end, [Span(line.start, line.end)])
                return at + 1
            if line.text.startswith("$$"):
                return self._math(at)
        if "|" in line.text and at + 1 < len(self.lines):
            below = self.lines[at + 1].text
            if "|" in below and _DELIMITER.match(below):
                return self._table(at)
        return self._prose(at, marker)

    def _front_matter(self) -> int:
        found = _FRONT.match(self.text)
        if found is None or (":" not in found.group() and "=" not in found.group()):
            return 0
        title = _TITLE.search(found.group())
        self.page.front_title = title.group(1).strip("\"'") if title else ""
        end = len(found.group().rstrip("\r\n"))
        self._add("front_matter", 0, end, [Span(0, end)])
        return next((i for i, line in enumerate(self.lines) if line.start >= found.end()), len(self.lines))

    def _heading(self, at: int, offset: int, found: re.Match[str]) -> int:
        line = self.lines[at]
        start, stop = (offset + found.start(2), offset + found.end(2)) if found.group(2) is not None else (line.end, line.end)
        self._open_heading(line, start, stop, len(found.group(1)), line.end)
        return at + 1

    def _open_heading(self, line: _Line, start: int, stop: int, level: int, end: int) -> None:
        """Open a section for the heading words `text[start:stop]` in a block that runs from the line to `end`."""
        marks = [Span(line.start, start)]
        begin = self._begin(line.start, marks)
        attributes = _ID.search(self.text[start:stop])
        anchor = None
        if attributes is not None:
            anchor, stop = attributes.group(1), start + attributes.start()
        inside = _ANCHOR.search(self.text, start, stop)
        anchor = anchor or (inside.group(1) if inside else self.anchor)
        self.anchor = None
        marks += [*inline_marks.hidden(self.text, start, stop, self.references), Span(stop, end)]
        marks = inline_marks.merged(marks)
        title = " ".join(_without(self.text, begin, end, marks).split())
        self.page.first_heading = self.page.first_heading or title
        if anchor:
            self.page.ids.add(anchor)
        self.page.outline.heading(begin, level, title, anchor)
        self.page.outline.block("heading", Span(begin, end), hidden=tuple(marks))

    def _fence(self, at: int, offset: int, found: re.Match[str]) -> int:
        mark, info = (found.group(1), found.group(2)) if found.group(1) else (found.group(3), found.group(4))
        opening, last = self.lines[at], at
        closing = re.compile(rf"{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        body: list[_Line] = []
        for last in range(at + 1, len(self.lines)):
            line = self.lines[last]
            if closing.match(line.text) or (opening.quoted and not line.quoted):
                break
            body.append(line)
        else:
            last = len(self.lines)
        shut = last < len(self.lines) and closing.match(self.lines[last].text) is not None
        indent = offset - opening.start if not opening.quoted else 0
        marks = [Span(opening.start, opening.after)]
        marks += [Span(line.start, self._code_start(line, indent, opening.quoted)) for line in body]
        if shut:
            marks.append(Span(body[-1].end if body else opening.end, self.lines[last].end))
        end = self.lines[last].end if shut else (body[-1].end if body else opening.end)
        language = re.split(r"[\s,{]", info.strip().lstrip("{").lstrip("."), maxsplit=1)[0].rstrip("}")
        self._add("code", opening.start, end, [m for m in marks if m.start < end], language=language)
        return last + 1 if shut else last

    def _code_start(self, line: _Line, indent: int, quoted: bool) -> int:
        if quoted:
            mark = re.compile(r"[ \t]*(?:>[ \t]?)+").match(self.text, line.start, line.end)
            return mark.end() if mark else line.start
        return min(line.start + indent, line.body)

    def _indented(self, at: int) -> int:
        last = at
        for i in range(at, len(self.lines)):
            if self.lines[i].blank:
                continue
            if self.lines[i].indent < 4:
                break
            last = i
        marks = [Span(line.start, min(line.start + 4, line.body)) for line in self.lines[at : last + 1] if not line.blank]
        self._add("code", self.lines[at].start, self.lines[last].end, marks)
        return last + 1

    def _is_indented_code(self, at: int) -> bool:
        if at and not self.lines[at - 1].blank:
            return False
        return not self.page.outline.blocks or self.page.outline.blocks[-1].kind != "list_item"

    def _comment(self, at: int) -> int:
        start = self.lines[at].body
        close = self.text.find("-->", start + 4)
        stop = len(self.text) if close < 0 else close + 3
        last = at
        while last + 1 < len(self.lines) and self.lines[last].end < stop:
            last += 1
        end = self.lines[last].end
        tail = inline_marks.hidden(self.text, stop, end, self.references) if stop < end else []
        self._add("html", self.lines[at].start, end, [Span(self.lines[at].start, min(stop, end)), *tail])
        return last + 1

    def _math(self, at: int) -> int:
        line = self.lines[at]
        last = at
        if line.text.rstrip() == "$$" or not line.text.rstrip().endswith("$$"):
            last = next((i for i in range(at + 1, len(self.lines)) if self.lines[i].text.rstrip().endswith("$$")), at)
        end = self.text.rindex("$$", line.body, self.lines[last].end) if last > at or line.text.count("$$") > 1 else line.end
        marks = [Span(line.start, line.body + 2), Span(end, self.lines[last].end)]
        self._add("math", line.start, self.lines[last].end, marks)
        return last + 1

    def _table(self, at: int) -> int:
        last = at + 1
        while last + 1 < len(self.lines) and "|" in self.lines[last + 1].text:
            last += 1
        rule = self.lines[at + 1]
        marks = [Span(self.lines[at].end, rule.end)]
        for line in [self.lines[at], *self.lines[at + 2 : last + 1]]:
            marks.append(Span(line.start, line.body))
            marks += inline_marks.hidden(self.text, line.body, line.end, self.references)
            for pipe in re.finditer(r"(?<!\\)\|", line.text):
                start = line.body + pipe.start()
                around = self.text[start - 1 : start] + self.text[start + 1 : start + 2]
                if pipe.start() == 0 or start + 1 == line.end or any(c.isspace() for c in around):
                    marks.append(Span(start, start + 1))
        self._add("table", self.lines[at].start, self.lines[last].end, marks)
        return last + 1

    def _prose(self, at: int, marker: re.Match[str] | None) -> int:
        line = self.lines[at]
        last = at
        while last + 1 < len(self.lines) and not self._interrupts(self.lines[last + 1], line):
            below = self.lines[last + 1]
            setext = _SETEXT.match(below.text) if marker is None and below.indent < 4 and below.quoted == line.quoted else None
            if setext is not None and (last > at or not line.text.startswith("|")):
                self._open_heading(line, line.body, self.lines[last].end, 1 if below.text[0] == "=" else 2, below.end)
                return last + 2
            last += 1
        start = line.body + (marker.end() if marker else 0)
        end = self.lines[last].end
        marks = [Span(line.start, start), *(Span(x.start, x.body) for x in self.lines[at + 1 : last + 1])]
        marks += inline_marks.hidden(self.text, start, end, self.references)
        kind: BlockKind = "list_item" if marker else "quote" if line.quoted else "html" if _HTML.match(line.text) else "paragraph"
        found = _ANCHOR.search(self.text, start, end) if kind == "html" else None
        self.anchor = found.group(1) if found else None
        self._add(kind, line.start, end, marks)
        return last + 1

    def _interrupts(self, line: _Line, first: _Line) -> bool:
        if line.blank or (line.quoted and not first.quoted):
            return True
        text = line.text
        if _SETEXT.match(text):
            return False
        if (text[0] == "#" and _ATX.match(text)) or (text[0] in "`~" and _FENCE.match(text)) or text.startswith("<!--"):
            return True
        if text[0] in "-*+" and (_MARKER.match(text) or _RULE.match(text)):
            return True
        return text[0].isdigit() and _MARKER.match(text) is not None

    def _add(self, kind: BlockKind, start: int, end: int, marks: list[Span], *, language: str = "") -> None:
        start = self._begin(start, marks)
        cut = inline_marks.merged([Span(max(m.start, start), min(m.end, end)) for m in marks])
        self.page.outline.block(kind, Span(start, end), hidden=tuple(cut), language=language)


def _without(text: str, start: int, end: int, marks: list[Span]) -> str:
    parts = []
    for mark in marks:
        parts.append(text[start : max(start, mark.start)])
        start = max(start, mark.end)
    return "".join([*parts, text[start:end]])
