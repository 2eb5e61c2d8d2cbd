"""Text without the differences that carry no meaning, and the way back to its offsets.

In: text. Out: `Folded`: the text under NFKC and case folding, quotes and dashes made plain, invisible characters, Markdown marks and
spaces beside Han and kana dropped, white space collapsed; each character knows where it came from. Superscripts, subscripts, fractions
and circled numbers stay as they are: folding 10⁵ to 105 would change a number. Works by one pass over the characters that do change, so a
long document costs little more than a copy of it.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass

from pincite.types import Span

_PLAIN = {
    **dict.fromkeys("‘’‚‛′ʼ´", "'"),
    **dict.fromkeys("“”„‟″«»「」『』｢｣", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
    "…": "...",
    "。": ".",
    "、": ",",
    "｡": ".",
    "､": ",",
}
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_COMPOSED = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u1100-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\uff9e\uff9f]"
)
_KEPT = ("<super>", "<sub>", "<fraction>", "<circle>")
_HAN = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
CJK = re.compile(f"[{_HAN}]")
_JAMO = "\u1100-\u11ff"
_HALF_WIDE, _VOICED = "\uff9e\uff9f", "\u3099\u309a"
"""The marks of half-width kana and what each of them folds to: they join the kana before them."""
_MARKS = r"(?<![^\W_])\*+(?=\S)|(?<=\S)\*+(?![^\W_])|`+|(?<!\w)_+(?=\w)|(?<=[^\W_])_+(?!\w)"

_LOOSE = re.compile(r"(?<!\w)\s+|\s+(?!\w)|(?<=\d)\s+(?=[^\W\d_])")
_ENDS = " \"',;:.!?()[]{}「」『』《》〈〉【】|*"


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `starts[i]` and `ends[i]` bound the place in the original that character `i` came from."""

    text: str
    starts: array[int]
    ends: array[int]

    def back(self, start: int, end: int) -> Span:
        """Return the span of the original that the folded range `[start, end)` came from."""
        return Span(self.starts[start], self.ends[end - 1])


def fold(text: str) -> Folded:
    """Fold `text`; linear in its length."""
    table, longer = _changes(text)
    plain = text.translate(table)
    special = _special(text, longer)
    out: list[str] = []
    starts, ends = array("l"), array("l")
    at = 0
    for match in special.finditer(plain):
        a, b = match.span()
        if a > at:
            out.append(plain[at:a])
            starts.extend(range(at, a))
            ends.extend(range(at + 1, a + 1))
        made = _made(match.lastgroup or "", text[a:b], longer)
        out.append(made)
        starts.extend([a] * len(made))
        ends.extend([b] * len(made))
        at = b
    out.append(plain[at:])
    starts.extend(range(at, len(plain)))
    ends.extend(range(at + 1, len(plain) + 1))
    return Folded("".join(out), starts, ends)


def squeezed(text: str) -> str:
    """Return the text with its white space collapsed and nothing else changed: what code is compared by."""
    return " ".join(_INVISIBLE.sub("", text).split())


def tight(text: str) -> str:
    """Return the folded text without the spaces beside signs and between a number and its unit, one comma for every lesser stop."""
    return re.sub("[;:]", ",", _LOOSE.sub("", fold(text).text).strip(_ENDS)).replace("'", '"')


def _changes(text: str) -> tuple[dict[int, str], dict[str, str]]:
    """Return the characters of this text that fold to one other character, and those that fold to none or several."""
    table: dict[int, str] = {}
    longer: dict[str, str] = {}
    for char in set(text):
        if char == "`" or char.isspace():
            continue
        made = _char(char)
        if made == char:
            continue
        if len(made) == 1:
            table[ord(char)] = made
        else:
            longer[char] = made
    return table, longer


def _char(char: str) -> str:
    if _INVISIBLE.match(char):
        return ""
    if char in _PLAIN:
        return _PLAIN[char]
    if unicodedata.decomposition(char).startswith(_KEPT):
        return char
    made = unicodedata.normalize("NFKC", char).casefold()
    return "".join(_PLAIN.get(c, c) for c in made)


_REFERENCE = r"(?<=\w[.,;:!?\"')])\[\d{1,3}\](?=\s|\[|$)"
"""A reference mark behind a stop, `1887.[1]`: it is no part of what is said. Behind a word it may be an index."""
_ALWAYS = (
    rf"(?P<drop>{_REFERENCE}|(?<=\d)\s+(?=%)|(?<=[{_HAN}])\s+|\s+(?=[{_HAN}])|{_MARKS})"
    r"|(?P<dash>(?<=\s)-{2,3}(?=\s))|(?P<space>\s{2,}|[^\S ])"
)
_USUAL = re.compile(rf"(?=[\s*`_…\-\[]|{_INVISIBLE.pattern})(?:(?P<longer>…|{_INVISIBLE.pattern})|{_ALWAYS})", re.S)
"""Enough for most texts, and quick: most characters fail at the look-ahead. Others get a pattern of their own, a millisecond each."""


def _special(text: str, longer: dict[str, str]) -> re.Pattern[str]:
    if all(c == "…" or _INVISIBLE.match(c) for c in longer) and not _COMPOSED.search(text):
        return _USUAL
    parts = []
    held = set(text)
    marks = {c for c in held if unicodedata.combining(c)}
    if held & set(_HALF_WIDE):
        marks |= set(_HALF_WIDE + _VOICED)
    combining = "".join(sorted(marks))
    if combining:
        parts.append(f"(?P<compose>.[{re.escape(combining)}]+)")
    if re.search(f"[{_JAMO}]", text):
        parts.append(f"(?P<jamo>[{_JAMO}]+)")
    if longer:
        parts.append("(?P<longer>[" + "".join(re.escape(c) for c in sorted(longer)) + "])")
    parts.append(_ALWAYS)
    return re.compile("|".join(parts), re.S)


def _made(kind: str, original: str, longer: dict[str, str]) -> str:
    if kind == "longer":
        return longer[original]
    if kind in ("compose", "jamo"):
        return "".join(_char(c) for c in unicodedata.normalize("NFKC", original))
    return {"drop": "", "dash": "-", "space": " "}[kind]
