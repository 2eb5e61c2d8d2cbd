"""A quote as it is offered -> the readings of it without the marks of the place that it was written in.

In: a quote's words. Out: other readings of them, each a little barer. Quotation marks around it, a fence, `> ` and list marks at its lines,
HTML tags and entities, an editor's bracket, dots at its ends, a word cut at a line's end: none of them is of the page, and none says what
the words say. A reading is searched for as strictly as the words themselves.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})[^\n`]*\n(.*?)\n?\s*\1\s*$", re.S)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.M)
_BULLET = re.compile(r"^([ \t]*)[*+•‣◦▪–][ \t]+", re.M)
_ITEM = re.compile(r"^([ \t]*)-[ \t]+", re.M)
_PROMPT = re.compile(r"^[ \t]*(?:\$|>>>|\.\.\.)[ \t]+(?=\S)", re.M)
_DOTS_AT_END = re.compile(r"^\s*(?:[\[(]\s*)?(?:…|\.{3,})(?:\s*[\])])?\s*|\s*(?:[\[(]\s*(?:…|\.{3,})\s*[\])]|…)[.\s]*$")
_EDITED = re.compile(r"(?<!\w)\[(\w)\](?=\w)")
_STRONG = re.compile(r"(?<!\w)__(?=\S)((?=[^_\n]*\s)[^_\n]+|[A-ZÀ-Þ][^_\W]*)__(?!\w)")
_TAG = re.compile(r"<(/?)(a|abbr|b|br|code|dfn|em|i|kbd|li|mark|ol|p|q|samp|small|span|strong|td|th|tr|tt|u|ul|var)(?:\s[^<>]*)?/?>", re.I)
_REFERENCE = re.compile(r"(?<=[\w.,;:!?)\"”'’])(?:\[(?:\d{1,3}|[a-z]|note \d{1,3})\])+(?!\()")
_CUT_WORD = re.compile(r"(?<=[^\W\d_])[-‐]\n\s*(?=[^\W\d_])")
_PIPE = re.compile(r"(?<!\|)[ \t]*\|[ \t]*(?!\|)")
_POWER = re.compile(r"(?<![^\W\d_])((?:[kcdm]|µ|n)?m)([23])(?!\w)")
_SMALL = re.compile(r"(?<=[^\W\d_])[²³¹⁰-⁹₀-₉]+(?!\w)")
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_AROUND: Final = ("``", '""', "''", "“”", "„“", "„”", "‘’", "«»", "»«", "「」", "『』", "《》", "〈〉", "【】")


def readings(quote: str) -> Iterator[str]:
    """Yield the readings of a quote other than its own words, each once, the barest last."""
    seen = {quote.strip()}
    words = quote
    for barer in (_unframed, _unwrapped, _untagged, _unruled, _unlisted, _unmarked, _joined, _hyphened, _flat, _raised):
        words, before = barer(words).strip(), words
        if words and words not in seen:
            seen.add(words)
            yield words
        if barer in _ALTERNATIVES or not words:
            words = before


def _unframed(text: str) -> str:
    """Take away a fence and the marks of quoted lines, of other bullets and of prompts."""
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line.lstrip().startswith(">") for line in lines) and not lines[0].lstrip().startswith(">>>"):
        text = _QUOTED_LINE.sub("", text)
    fenced = _FENCE.match(text)
    text = fenced.group(2) if fenced else text
    return _PROMPT.sub("", _BULLET.sub(r"\1- ", text) if "\n" in text.strip() else text)


def _unwrapped(text: str) -> str:
    """Take away quotation marks and ticks around the whole, dots at its ends, editors' brackets and strong marks."""
    text = _DOTS_AT_END.sub("", text)
    for _ in range(3):
        bare = text.strip().rstrip(".,;")
        pair = next((p for p in _AROUND if len(bare) > 2 and bare[0] == p[0] and bare[-1] == p[1]), None)
        if pair is None or set(pair) & set(bare[1:-1]):
            break
        text = bare[1:-1]
    text = _STRONG.sub(r"\1", _EDITED.sub(r"\1", _DOTS_AT_END.sub("", text)))
    return re.sub(r"(?<=\w)[!！]\s*$", ".", text)


def _untagged(text: str) -> str:
    """Take away tags that only say how words look, where each is closed, and read entities."""
    opened = {m.group(2).lower() for m in _TAG.finditer(text) if not m.group(1)}
    paired = opened & {m.group(2).lower() for m in _TAG.finditer(text) if m.group(1)} | {"br", "p", "li"}
    return html.unescape(
        _TAG.sub(lambda m: _shown(m.group(2).lower(), bool(m.group(1))) if m.group(2).lower() in paired else m.group(), text)
    )


def _shown(tag: str, closing: bool) -> str:
    """Return what a reader sees in a tag's place: a new line, the bar between cells, nothing."""
    if tag in ("td", "th"):
        return "" if closing else " | "
    return "\n" if tag in ("br", "p", "li", "tr", "ul", "ol") else ""


def _unruled(text: str) -> str:
    """Set the bars of a table's row apart, as they are in the canonical text."""
    return _PIPE.sub(" | ", text) if text.count("|") > 1 else text


def _unlisted(text: str) -> str:
    """Take away the marks of list items, which the page may write in another way."""
    return _ITEM.sub(r"\1", text) if "\n" in text.strip() else text


def _unmarked(text: str) -> str:
    """Take away marks of references, which the search does not see in a page either."""
    return _REFERENCE.sub("", text)


def _joined(text: str) -> str:
    return _CUT_WORD.sub("", text)


def _hyphened(text: str) -> str:
    return _CUT_WORD.sub("-", text)


def _flat(text: str) -> str:
    """Write CO2 for CO₂ and mc2 for mc²; the power of a number stays, since 10² is not 102."""
    return _SMALL.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)


def _raised(text: str) -> str:
    """Write m² for m2 and 10⁵ for 10^5."""
    text = re.sub(r"(?<=\d)\^(\d+)", lambda m: m.group(1).translate(_RAISED), text)
    return _POWER.sub(lambda m: m.group(1) + ("²" if m.group(2) == "2" else "³"), text)


_ALTERNATIVES: Final = frozenset((_unlisted, _unmarked, _joined, _flat, _raised))
"""What the next reading does not begin with."""
