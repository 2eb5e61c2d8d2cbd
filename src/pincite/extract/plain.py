"""Plain text: paragraphs between blank lines, in one section. The document's text is the file's own.

In: cleaned text. Out: an `Outline`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.extract.outline import Outline
from pincite.types import BlockKind, Span

_GAP = re.compile(r"(?:\r\n|\n|\r)[ \t\f\v]*(?=\r\n|\n|\r)(?:[ \t\f\v]*(?:\r\n|\n|\r))*")


def read(text: str) -> Outline:
    """Find the paragraphs of a plain text."""
    outline = Outline()
    add_runs(outline, text, 0, len(text), "paragraph")
    return outline


def add_runs(outline: Outline, text: str, start: int, end: int, kind: BlockKind, language: str = "") -> None:
    """Add a block for each run of lines between blank lines."""
    for span in runs(text, start, end):
        outline.block(kind, span, language=language)


def runs(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the runs of lines between blank lines, without the white space around them (a first line keeps its indentation)."""
    at = start
    for stop, after in [*((m.start(), m.end()) for m in _GAP.finditer(text, start, end)), (end, end)]:
        span = trimmed(text, at, stop)
        if span is not None:
            yield span
        at = after


def trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the range without blank lines at its start and white space at its end, or None where nothing is left."""
    stripped = text[start:end].rstrip()
    if not stripped:
        return None
    lead = len(stripped) - len(stripped.lstrip())
    first = max(stripped.rfind("\n", 0, lead), stripped.rfind("\r", 0, lead)) + 1
    return Span(start + first, start + len(stripped))
