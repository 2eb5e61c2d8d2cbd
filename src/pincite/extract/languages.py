"""The human language of a text: as the page declares it, else by script, else by the commonest words.

In: a page or a text. Out: a BCP 47 tag, or an empty string where it is not plain.
"""

from __future__ import annotations

import re
from collections import Counter

from pincite.extract.dom import Page

_TAG = re.compile(r"^[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*$")
_WORDS = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": frozenset(
        "the of and to in is that for with this are be as on it by or you not".split()  # noqa: SIM905
    ),
    "de": frozenset(
        "der die das und ist nicht mit ein eine von zu den im für auf werden sich".split()  # noqa: SIM905
    ),
    "fr": frozenset(["le", "la", "les", "des", "et", "est", "une", "dans", "pour", "que", "qui", "sur", "pas", "avec", "du", "au", "sont"]),
    "es": frozenset(["el", "los", "las", "del", "que", "es", "una", "para", "con", "por", "se", "no", "como", "más", "su", "al"]),
    "it": frozenset(["il", "gli", "che", "di", "è", "una", "per", "con", "non", "sono", "della", "nel", "dei", "alla", "si"]),
    "pt": frozenset(["o", "os", "das", "dos", "que", "é", "uma", "para", "com", "não", "por", "se", "como", "mais", "ao"]),
    "nl": frozenset(["de", "het", "een", "van", "en", "is", "dat", "niet", "met", "voor", "zijn", "op", "te", "worden"]),
}


def declared(page: Page) -> str:
    """Return what `<html lang>` says, where it is a language tag."""
    value = page.attribute("html[lang]", "lang") or page.attribute("html", "xml:lang")
    if not _TAG.match(value):
        return ""
    first, *rest = value.replace("_", "-").split("-")
    return "-".join([first.lower(), *(p.upper() if len(p) == 2 else p.title() if len(p) == 4 else p for p in rest)])


def guess(text: str) -> str:
    """Return the language of a text by its script, or by its commonest words; empty where neither decides."""
    sample = text[:20_000]
    found_words = _WORDS.findall(sample)
    found = _of_script(sample, sum(map(len, found_words)) or 1) if not sample.isascii() else ""
    if found:
        return found
    words = [w.lower() for w in found_words]
    if len(words) < 8:
        return ""
    counts = Counter(words)
    scores = sorted(((sum(counts[w] for w in common) / len(words), name) for name, common in _COMMON.items()), reverse=True)
    (best, name), (second, _) = scores[0], scores[1]
    return name if best > 0.1 and best > second * 1.3 else ""


def _of_script(sample: str, letters: int) -> str:
    kana, hangul, han = (_count(sample, first, last) for first, last in (("\u3040", "\u30ff"), ("\uac00", "\ud7a3"), ("\u4e00", "\u9fff")))
    if (kana + hangul + han) / letters > 0.1:
        if kana > (han + kana) * 0.05 and kana >= hangul:
            return "ja"
        return "ko" if hangul > han else "zh"
    for first, last, name in (
        ("\u0400", "\u04ff", "ru"),
        ("\u0590", "\u05ff", "he"),
        ("\u0600", "\u06ff", "ar"),
        ("\u0370", "\u03ff", "el"),
    ):
        if _count(sample, first, last) / letters > 0.5:
            return name
    return ""


def _count(text: str, first: str, last: str) -> int:
    return sum(map(len, re.findall(f"[{first}-{last}]+", text)))
