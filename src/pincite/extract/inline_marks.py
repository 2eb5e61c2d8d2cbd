"""The marks inside a stretch of Markdown that a reader does not see.

In: text and the range of one block in it. Out: the hidden ranges (escapes, code ticks, emphasis runs, link brackets with their targets,
tags, comments), in order and disjoint. Rules: CommonMark 0.31 §6, without entities, which can't be hidden away.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from pincite.types import Span

_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<break>\\(?=\n))"
    r"|(?P<ticks>`+)"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<auto><(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>)"
    r"|(?P<tag></?[a-zA-Z][a-zA-Z0-9-]*(?:\s+[^\s=<>\"'/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s<>\"'=`]+))?)*\s*/?>)"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\])"
    r"|(?P<run>\*+|_+|~~+)",
    re.S,
)
_TARGET = re.compile(
    r"\(\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]*\))*\))*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]*)\]")
_ATTRIBUTES = re.compile(r"\{(?::\s*)?[#.][^{}\n]*\}")
_SPECIAL = re.compile(r"[\\`*_\[\]<~]")


@dataclass(slots=True)
class _Run:
    start: int
    end: int
    char: str
    opens: bool
    closes: bool
    left: int = 0


def hidden(text: str, start: int, end: int, references: frozenset[str] = frozenset()) -> list[Span]:
    """Return the ranges of `text[start:end]` that are marks. `references` are the labels that the document defines, lower case."""
    if _SPECIAL.search(text, start, end) is None:
        return []
    marks: list[Span] = []
    brackets: list[tuple[int, int, int]] = []
    runs: list[_Run] = []
    at = start
    while (found := _TOKEN.search(text, at, end)) is not None:
        at = found.end()
        kind = found.lastgroup
        if kind == "ticks":
            close = _closing_ticks(text, found, end)
            if close is not None:
                marks += _code_marks(text, found, close)
                at = close.end()
        elif kind == "escape" or kind == "break":
            marks.append(Span(found.start(), found.start() + 1))
        elif kind == "comment" or kind == "tag":
            marks.append(Span(found.start(), found.end()))
        elif kind == "auto":
            marks += [Span(found.start(), found.start() + 1), Span(found.end() - 1, found.end())]
        elif kind == "open":
            brackets.append((found.start(), found.end(), len(runs)))
        elif kind == "close" and brackets:
            at = _close_link(text, brackets.pop(), found.start(), end, references, marks, runs)
        elif kind == "run":
            runs.append(_run(text, found, start, end))
    marks += _emphasis(runs)
    return merged(marks)


def merged(marks: list[Span]) -> list[Span]:
    """Return the ranges in order, touching and overlapping ones joined."""
    out: list[Span] = []
    for mark in sorted(marks):
        if mark.start >= mark.end:
            continue
        if out and mark.start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, mark.end))
        else:
            out.append(mark)
    return out


def _closing_ticks(text: str, opening: re.Match[str], end: int) -> re.Match[str] | None:
    width = len(opening.group())
    for found in re.compile("`+").finditer(text, opening.end(), end):
        if len(found.group()) == width:
            return found
    return None


def _code_marks(text: str, opening: re.Match[str], close: re.Match[str]) -> list[Span]:
    inside = text[opening.end() : close.start()]
    pad = 1 if len(inside) > 2 and inside[0] == " " == inside[-1] and inside.strip() else 0
    return [Span(opening.start(), opening.end() + pad), Span(close.start() - pad, close.end())]


def _close_link(
    text: str, bracket: tuple[int, int, int], close: int, end: int, references: frozenset[str], marks: list[Span], runs: list[_Run]
) -> int:
    start, inner, _ = bracket
    label = text[inner:close]
    target = _TARGET.match(text, close + 1, end)
    if target is None:
        reference = _REFERENCE.match(text, close + 1, end)
        if reference is not None and (reference.group(1) or label).strip().lower() in references:
            target = reference
        elif label.strip().lower() in references and not label.startswith("^"):
            marks += [Span(start, inner), Span(close, close + 1)]
            return close + 1
    if target is None:
        return close + 1
    stop = target.end()
    attributes = _ATTRIBUTES.match(text, stop, end)
    stop = attributes.end() if attributes is not None else stop
    marks += [Span(start, inner), Span(close, stop)]
    return stop


def _run(text: str, found: re.Match[str], start: int, end: int) -> _Run:
    before = text[found.start() - 1] if found.start() > start else " "
    after = text[found.end()] if found.end() < end else " "
    left = not after.isspace() and (not _punctuation(after) or before.isspace() or _punctuation(before))
    right = not before.isspace() and (not _punctuation(before) or after.isspace() or _punctuation(after))
    char = found.group()[0]
    if char == "_":
        opens, closes = left and (not right or _punctuation(before)), right and (not left or _punctuation(after))
    else:
        opens, closes = left, right
    return _Run(found.start(), found.end(), char, opens, closes, left=len(found.group()))


def _punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _emphasis(runs: list[_Run]) -> list[Span]:
    marks: list[Span] = []
    openers: list[_Run] = []
    for run in runs:
        while run.closes and run.left:
            at = next((i for i in range(len(openers) - 1, -1, -1) if openers[i].char == run.char and openers[i].left), None)
            if at is None:
                break
            opener = openers[at]
            width = min(opener.left, run.left, 2)
            if run.char == "~" and width < 2:
                break
            opened = opener.start + opener.left
            marks.append(Span(opened - width, opened))
            closed = run.end - run.left
            marks.append(Span(closed, closed + width))
            opener.left -= width
            run.left -= width
            del openers[at + 1 :]
            if not opener.left:
                openers.pop()
        if run.opens and run.left == run.end - run.start:
            openers.append(run)
    return marks
