"""Context files: one Markdown file that holds many, each under a `## File: path` line and inside an outer fence.

In: the file's text. Out: its sections. The head is `# <Name> Doc Context` or `# <Name> Code Context`, then `Generated on YYYY-MM-DD`.
A section ends at the next `## File:` line, never at a fence inside it, since bodies hold fences of their own; only an outer fence of four
or more keeps a `## File:` line inside it from opening a section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.types import Kind

_HEAD = re.compile(r"\ufeff?\s*# [^\n]*\bContext[ \t]*\r?\n", re.I)
_SECTION = re.compile(r"^## File:[ \t]*(?P<path>[^\r\n]*?)[ \t]*\r?$", re.M)
_OPENING = re.compile(r"(?:[ \t]*\r?\n)*(?P<fence>`{3,}|~{3,})(?P<info>[^\r\n]*)\r?\n")
_PROSE = frozenset({"md", "markdown", "mdx", "rst", "txt", "text", "adoc", "asciidoc", "html"})
HEAD_CHARS = 4096
"""How far into a file its first section must begin for the file to be taken as a context file."""


@dataclass(frozen=True, slots=True)
class ContextSection:
    """One file of a context file. `body` is exactly what stands inside the outer fence, up to the line of the closing fence."""

    path: str
    language: str
    body: str
    kind: Kind


def is_context(head: str) -> bool:
    """Say whether a text is a context file, from its first `HEAD_CHARS` characters."""
    return _HEAD.match(head) is not None and _SECTION.search(head) is not None


def sections(text: str) -> tuple[ContextSection, ...]:
    """Return the sections in order; a text without any gives none."""
    marks = _marks(text)
    head = text[: marks[0].start()] if marks else ""
    code = re.search(r"^\ufeff?\s*# .*\bCode Context\b", head, re.I) is not None
    found = []
    for mark, end in zip(marks, [m.start() for m in marks[1:]] + [len(text)], strict=True):
        start = min(mark.end() + 1, end)
        language, body = _body(text[start:end])
        prose = language in _PROSE or (not language and not code)
        found.append(ContextSection(mark["path"], language, body, "doc" if prose else "code"))
    return tuple(found)


def _marks(text: str) -> list[re.Match[str]]:
    """Return the lines that open a section. Inside an outer fence of four or more, which closes, they are part of the text."""
    found: list[re.Match[str]] = []
    inside = 0
    for mark in _SECTION.finditer(text):
        if mark.start() < inside:
            continue
        found.append(mark)
        opening = _OPENING.match(text, mark.end() + 1)
        if opening is not None and len(opening["fence"]) > 3:
            closing = re.compile(rf"^{opening['fence']}[ \t]*\r?$", re.M).search(text, opening.end())
            inside = closing.end() if closing else 0
    return found


def _body(section: str) -> tuple[str, str]:
    """Return language and text inside the outer fence; without a fence, the section less the blank lines around it."""
    opening = _OPENING.match(section)
    if opening is None:
        return "", re.sub(r"\A(?:[ \t]*\r?\n)+", "", section).rstrip() + ("\n" if section.strip() else "")
    words = opening["info"].split()
    closing = re.compile(rf"^{opening['fence'][0]}{{{len(opening['fence'])},}}[ \t]*\r?$", re.M)
    ends = [m.start() for m in closing.finditer(section, opening.end())]
    return (words[0].lower() if words else ""), section[opening.end() : ends[-1] if ends else len(section)]
