"""reStructuredText sources: sections by their adornments, literal blocks, directives. The document's text is the file's own.

In: cleaned text. Out: an `Outline` and the first heading. Rules: docutils' reStructuredText specification, "Sections", "Literal Blocks".
"""

from __future__ import annotations

import re

from pincite.extract import plain
from pincite.extract.inline_marks import merged
from pincite.extract.outline import Outline
from pincite.types import BlockKind, Span

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*$")
_HEADING = re.compile(
    r"^(?P<over>([!-/:-@\[-`{-~])\2{2,}[ \t]*\r?\n)?[ \t]*(?P<title>\S[^\r\n]*)\r?\n(?P<under>([!-/:-@\[-`{-~])\5{2,})[ \t]*(?=\r?\n|$)",
    re.M,
)
_MARKS = re.compile(
    r"(?P<literal>``)(?P<code>.+?)(?P<shut>``)"
    r"|(?P<role>:[\w:.+-]+:`[~!]?)(?P<named>[^`<]+?)(?P<rest>\s*<[^`>]*>`|`)"
    r"|(?P<link>`)(?P<words>[^`<]+?)(?P<target>\s*<[^`>]*>`_{1,2}|`_{0,2})"
    r"|(?P<bold>\*\*?)(?=\S)(?P<strong>[^*\n]+?)(?<=\S)(?P<end>\*\*?)",
    re.S,
)
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?P<name>[\w:-]+)::[ \t]*(?P<arg>[^\r\n]*)")
_CODE = {"code", "code-block", "sourcecode", "highlight", "literalinclude", "parsed-literal", "doctest", "testcode"}
_LIST = re.compile(r"[ \t]*(?:[-*+•]|(?:\d+|#|[a-zA-Z])[.)]|\(\w+\))[ \t]+")


def read(text: str) -> tuple[Outline, str]:
    """Find sections and blocks of a reStructuredText source; return them and the first heading."""
    outline, first, at = Outline(), "", 0
    levels: dict[tuple[str, bool], int] = {}
    for found in _HEADING.finditer(text):
        title = found.group("title").rstrip()
        over, under = found.group("over") or "", found.group("under")
        if found.start() < at or len(under) < min(len(title), 4) or _ADORNMENT.match(title) or (over and over[0] != under[0]):
            continue
        if found.start() and text[: found.start()].rstrip(" \t")[-1:] not in "\r\n":
            continue
        _body(outline, text, at, found.start())
        style = (under[0], bool(over))
        level = levels.setdefault(style, len(levels) + 1)
        start = found.start("title")
        outline.heading(found.start(), level, _plain(title))
        marks = [Span(found.start(), start), *_inline(text, start, start + len(title)), Span(start + len(title), found.end("under"))]
        outline.block("heading", Span(found.start(), found.end("under")), hidden=tuple(merged(marks)))
        first = first or _plain(title)
        at = found.end("under")
    _body(outline, text, at, len(text))
    return outline, first


def _body(outline: Outline, text: str, start: int, end: int) -> None:
    literal = ""
    base = 0
    for run in plain.runs(text, start, end):
        words = run.of(text)
        indent = len(words) - len(words.lstrip(" \t"))
        if literal and indent > base:
            outline.block("code", run, language="" if literal == "::" else literal)
            continue
        literal, base = "", indent
        directive = _DIRECTIVE.match(words.lstrip(" \t"))
        kind: BlockKind = "list_item" if _LIST.match(words) else "paragraph"
        hidden = _inline(text, run.start, run.end)
        if words.lstrip().startswith("..") and directive is None:
            kind, hidden = "html", [run]
        elif directive is not None and directive.group("name").rpartition(":")[2] in _CODE:
            literal = directive.group("arg").strip() or "::"
            if re.search(r"\n[ \t]+(?!:)\S", words):
                outline.block("code", run, language=directive.group("arg").strip())
                continue
        elif words.rstrip().endswith("::"):
            literal = "::"
        outline.block(kind, run, hidden=tuple(hidden))


def _inline(text: str, start: int, end: int) -> list[Span]:
    marks: list[Span] = []
    for found in _MARKS.finditer(text, start, end):
        names = [g for g in ("literal", "shut", "role", "rest", "link", "target", "bold", "end") if found.group(g)]
        if found.group("bold") and found.group("bold") != found.group("end"):
            continue
        marks += [Span(found.start(g), found.end(g)) for g in names]
    return merged(marks)


def _plain(title: str) -> str:
    hidden = _inline(title, 0, len(title))
    return "".join(char for i, char in enumerate(title) if not any(h.start <= i < h.end for h in hidden))
