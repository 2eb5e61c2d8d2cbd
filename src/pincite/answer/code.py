"""What of a function or class is shown: its signature, its doc comment, its first lines.

In: a code document and a passage's span. Out: a span of whole lines, at most the given size. Works on any language by its lines alone.
"""

from __future__ import annotations

import re

from pincite.types import Document, Span

_CLOSED = re.compile(r"[:{;]\s*(?:#.*|//.*)?$")
_DOC = re.compile(r'^\s*(?:[rRuUbB]{0,2}("""|\'\'\'))')


def excerpt(document: Document, span: Span, limit_chars: int) -> Span | None:
    """Return the first lines of the span: decorators, signature and doc comment whole, then lines while they fit."""
    text = document.text
    start, end = span.start, span.end
    while start < end and text[start] in "\r\n":
        start += 1
    lines = _lines(text, start, end)
    if not lines:
        return None
    kept = max(_doc_end(text, lines, _signature_end(text, lines)), 1)
    while kept < len(lines) and lines[kept].end - start <= limit_chars:
        kept += 1
    while kept > 1 and (lines[kept - 1].end - start > limit_chars * 2 or not lines[kept - 1].of(text).strip()):
        kept -= 1
    stop = lines[kept - 1].end
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return Span(start, stop) if stop > start else None


def _lines(text: str, start: int, end: int) -> list[Span]:
    lines, at = [], start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        lines.append(Span(at, stop))
        at = stop + 1
    return lines


def _signature_end(text: str, lines: list[Span]) -> int:
    """Return the number of lines up to the end of the signature; 1 where the lines have none."""
    for i, line in enumerate(lines[:24]):
        if _CLOSED.search(line.of(text).rstrip()):
            return i + 1
    return 1


def _doc_end(text: str, lines: list[Span], at: int) -> int:
    """Return the number of lines up to the end of a doc string that begins at line `at`, or `at` where none does."""
    if at >= len(lines):
        return at
    opening = _DOC.match(lines[at].of(text))
    if opening is None:
        return at
    mark = opening.group(1)
    if lines[at].of(text).count(mark) > 1:
        return at + 1
    for i in range(at + 1, len(lines)):
        if mark in lines[i].of(text):
            return i + 1
    return at
