"""Anyone's Markdown -> the parts that say something, each with its line, and what its notes and links stand for.

In: Markdown as people and models write it. Out: `Written`: paragraphs, list items, rows, quote blocks and code, in order, and the
definitions of footnotes; every other way to point at a source (reference links, `[1]` with a list of sources, HTML links) is turned into
an inline link. What only looks like a source is gone: code, comments, front matter, images. Lines keep their numbers. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["text", "row", "quote", "code"]
MASK: Final = "\ue010"
"""Stands for the caret of `[^n]` in inline code, which is no note."""
_FENCE = re.compile(r"^[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})")
_FOOTNOTE = re.compile(r"^[ \t]{0,3}\[\^([^\]\s]{1,200})\]:[ \t]*(.*)$")
_LINKED = re.compile(
    r"^[ \t]{0,3}\[([^\]\[^]{1,200})\]:[ \t]*<?((?:https?|file)://[^\s>]{1,4000})>?(?:[ \t]+[\"'(].{0,500}[\"')])?[ \t]*$", re.I
)
_LISTED = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?\[(\d{1,3})\][ \t]*:?[ \t]+(.{0,500}?)((?:https?|file)://[^\s<>)\]]{1,4000})", re.I)
_NUMBERED = re.compile(
    r"^[ \t]*(?:(?:(\d{1,3})[.)]|[-*+]|\[(\d{1,3})\]:?)[ \t]+)?(?=.{0,500}?((?:https?|file)://[^\s<>)\]]{1,4000}))", re.I
)
_SOURCES = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?[*_]{0,2}(?:sources?|references?|citations?|bibliography|links|further reading|works cited|quellen|literatur"
    r"|références|fuentes|referencias|来源|参考|参考资料|参考文献|出典|출처|참고)[*_]{0,2}[ \t]*[:：]?[*_]{0,2}[ \t]*$",
    re.I,
)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?")
_DELIMITERS = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$")
_IMAGE = re.compile(r"!\[[^\]\n]{0,1000}\]\([^)\n]{0,4000}\)")
_TITLED = re.compile(r"\]\([ \t]*<?([^)\s>]{1,4000})>?[ \t]+[\"'][^\"'\n]{0,500}[\"'][ \t]*\)")
_ANCHOR = re.compile(r"<a\s[^<>]{0,500}?href=[\"']([^\"'<>\s]{1,4000})[\"'][^<>]{0,500}>([^<>]{0,500})</a>", re.I)
_SUP = re.compile(r"<sup>[ \t]*(\[[^<>\n]{1,4100})</sup>", re.I)
_REFERENCE = re.compile(r"(?<![!\\])\[([^\]\[\n]{1,1000})\](?:[ ]?\[([^\]\[\n]{0,200})\])?(?![(\[:])")
_CODE = re.compile(r"(`{1,3})(?!`)([^`\n]{1,2000})\1(?!`)")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an answer: `text` as it is written, without the marks that make it an item, a row or a quote."""

    text: str
    line: int
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Written:
    """An answer's parts in order, and the text behind each footnote's label."""

    parts: tuple[Part, ...]
    notes: dict[str, str]


def read(text: str) -> Written:
    """Take an answer apart."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = _uncommented(text).split("\n")
    if lines[0].strip() == "---" and (end := next((i for i, line in enumerate(lines[1:200], 1) if line.strip() == "---"), 0)):
        lines[: end + 1] = [""] * (end + 1)
    code = _fenced(lines)
    notes = _footnotes(lines)
    linked = _links(lines)
    parts = [*_parts(lines, linked), *code]
    return Written(tuple(sorted(parts, key=lambda part: part.line)), notes)


def _uncommented(text: str) -> str:
    """Blank HTML comments, keeping their lines."""
    out, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        out += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join((*out, text[at:]))


def _fenced(lines: list[str]) -> list[Part]:
    """Take fenced code out of the lines."""
    found: list[Part] = []
    start, fence = -1, ""
    for i, line in enumerate(lines):
        match = _FENCE.match(line)
        if start < 0:
            if match:
                start, fence = i, match.group(1)
        elif match and match.group(1).startswith(fence) and not line.strip("`~> \t"):
            found.append(Part("\n".join(lines[start + 1 : i]), start + 1, "code"))
            lines[start : i + 1] = [""] * (i + 1 - start)
            start = -1
    if start >= 0:
        found.append(Part("\n".join(lines[start + 1 :]), start + 1, "code"))
        lines[start:] = [""] * (len(lines) - start)
    return [part for part in found if part.text.strip()]


def _footnotes(lines: list[str]) -> dict[str, str]:
    """Take the definitions of footnotes out of the lines; what is indented behind one belongs to it."""
    notes: dict[str, str] = {}
    label = ""
    for i, line in enumerate(lines):
        match = _FOOTNOTE.match(line)
        if match:
            label = match.group(1).casefold()
            notes.setdefault(label, match.group(2))
        elif label and line[:1] in (" ", "\t") and line.strip():
            notes[label] += "\n" + line.strip()
        elif line.strip():
            label = ""
            continue
        if label:
            lines[i] = ""
    return notes


def _links(lines: list[str]) -> dict[str, str]:
    """Take the definitions of links and the lists of sources out of the lines."""
    linked: dict[str, str] = {}
    listing = False
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        if _SOURCES.match(line):
            listing, lines[i] = True, ""
            continue
        match = _LINKED.match(line) or _LISTED.match(line)
        if match:
            linked.setdefault(match.group(1).casefold(), match.group(match.lastindex or 2))
            lines[i] = ""
            continue
        numbered = _NUMBERED.match(line) if listing else None
        listing = numbered is not None
        if numbered:
            number = numbered.group(1) or numbered.group(2)
            if number:
                linked.setdefault(number, numbered.group(3))
            lines[i] = ""
    return linked


def _parts(lines: list[str], linked: dict[str, str]) -> Iterator[Part]:
    held: list[str] = []
    kind: Kind = "text"
    start = 0

    def whole() -> Iterator[Part]:
        text = _inlined("\n".join(held), linked)
        if text.strip():
            yield Part(text, start + 1, kind)

    for i, line in enumerate(lines):
        bare = _QUOTE.sub("", line)
        quoted = bare != line
        row = bare.strip().startswith("|") or (kind == "row" and bare.count("|") > 0)
        this: Kind = "row" if row else "quote" if quoted else "text"
        begins = _ITEM.match(bare) or _HEADING.match(bare)
        if held and (not bare.strip() or this != kind or row or begins):
            yield from whole()
            held = []
        if not bare.strip():
            kind = "text"
            continue
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if row and (_DELIMITERS.match(bare) or _DELIMITERS.match(_QUOTE.sub("", following))):
            kind = "row"
            continue
        if not held:
            start, kind = i, this
        held.append(bare[begins.end() :] if begins else bare.strip(" \t|") if row else bare.strip())
    if held:
        yield from whole()


def _inlined(text: str, linked: dict[str, str]) -> str:
    """Return a part with inline links alone, and without what is no source."""
    text = _CODE.sub(lambda m: m.group().replace("[^", "[" + MASK), text) if "`" in text else text
    text = _ANCHOR.sub(r"[\2](\1)", _IMAGE.sub("", text))
    text = _TITLED.sub(r"](\1)", text)

    def to(match: re.Match[str]) -> str:
        target = linked.get((match.group(2) or match.group(1)).casefold())
        return f"[{match.group(1)}]({target})" if target else match.group()

    return _SUP.sub(r"\1", _REFERENCE.sub(to, text) if linked else text)
