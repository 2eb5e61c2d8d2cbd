"""Characters that a reader can't see and that carry text past them: dropped before anything is indexed, quoted or prompted.

In: decoded text. Out: the text without them, where they stood, and flags that say which kinds there were (SAFETY, "Text").
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from pincite.types import Span

_KINDS = (
    ("tags", "[\U000e0000-\U000e007f]+"),
    ("bidi", "[\u202a-\u202e\u2066-\u2069\u061c\u200e\u200f]+"),
    ("variation-selectors", "[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"),
    ("zero-width", "[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u034f]+"),
    ("control", "[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufff9-\ufffb]+"),
)
_UNSAFE = re.compile("|".join(f"(?P<k{i}>{pattern})" for i, (_, pattern) in enumerate(_KINDS)))
_CONTROLS = bytes(range(9)) + bytes(range(14, 32)) + b"\x7f"
_ASCII = bytes(range(128))
_ANY = re.compile("[" + "".join(pattern[1:-2] for _, pattern in _KINDS) + "]")
_JOINERS = "\u200c\u200d"
_JOINED_SCRIPTS = re.compile("[\u0600-\u07ff\u0840-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1800-\u18af]")
"""Arabic, Syriac, N'Ko, the Indic scripts, Tibetan, Myanmar, Khmer, Mongolian: ZWJ and ZWNJ change how words are spelt there."""


@dataclass(frozen=True, slots=True)
class Clean:
    """Text without unsafe characters. `dropped` counts in the cleaned text: (position, characters dropped just before it)."""

    text: str
    dropped: tuple[Span, ...] = ()
    flags: tuple[str, ...] = ()


def suspect(text: str) -> bool:
    """Say whether there is any character in the text that `clean` may drop."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data.translate(None, _CONTROLS)) != len(data):
        return True
    return not text.isascii() and _ANY.search(data.translate(None, _ASCII).decode("utf-8", "surrogatepass")) is not None


def clean(text: str) -> Clean:
    """Drop unsafe characters, keep joiners and variation selectors where a script or an emoji needs them."""
    if not suspect(text):
        return Clean(text)
    parts: list[str] = []
    dropped: list[Span] = []
    flags: list[str] = []
    at = length = 0
    for match in _UNSAFE.finditer(text):
        name = _KINDS[int((match.lastgroup or "k0")[1:])][0]
        keep = _kept(text, match, name)
        if len(keep) == len(match.group()):
            continue
        parts.append(text[at : match.start()] + keep)
        length += len(parts[-1])
        dropped.append(Span(length, len(match.group()) - len(keep)))
        at = match.end()
        if name not in flags:
            flags.append(name)
    parts.append(text[at:])
    return Clean("".join(parts), tuple(dropped), tuple(f"dropped:{name}" for name in flags))


def _kept(text: str, match: re.Match[str], name: str) -> str:
    run, before, after = match.group(), text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if name == "zero-width" and len(run) == 1 and run in _JOINERS and before and after:
        if _JOINED_SCRIPTS.match(before) and _JOINED_SCRIPTS.match(after):
            return run
        pictures = unicodedata.category(after) in ("So", "Sk") and (unicodedata.category(before) in ("So", "Sk") or before == "\ufe0f")
        return run if run == "\u200d" and pictures else ""
    if name == "variation-selectors" and len(run) == 1 and before:
        if run >= "\U000e0100" or run < "\ufe0e":
            return run if unicodedata.category(before) in ("Lo", "So", "Sm") else ""
        return run if unicodedata.category(before) in ("So", "Sm", "Po", "Nd", "Sk", "Lo") else ""
    return ""
