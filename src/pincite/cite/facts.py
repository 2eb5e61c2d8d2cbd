"""The checkable parts of a sentence: its numbers, its names from code, what it negates.

In: visible text. Out: `Facts`. Numbers compare by value, however they are written; names compare by their own spelling without call
brackets; a negation is known by the stems of the words that follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import snowballstemmer

from pincite.cite import meaning
from pincite.cite.fold import CJK

_ONES: Final = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS: Final = (
    {w: float(i) for i, w in enumerate(_ONES)}
    | {w: float(10 * (i + 2)) for i, w in enumerate(_TENS)}
    | {"hundred": 100.0, "thousand": 1000.0}
)
_HAN: Final = {c: float(i) for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2.0, "百": 100.0, "千": 1000.0, "万": 10000.0}
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)*\s*%?|(?<=\w)\d+(?:\.\d+)*|(?<![\w])\.\d+")
_NAME = re.compile(
    r"`[^`\n]+`"
    r"|(?<![\w-])--?[A-Za-z][\w-]*"
    r"|\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+(?:\(\))?"
    r"|\b[A-Za-z_]\w*\(\)"
    r"|\b[A-Za-z]*_\w+\b"
    r"|\b[a-z]+[a-z0-9]*[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*"
    r"|\b[A-Z][A-Z0-9]{2,}\b"
    r"|\b[A-Za-z]+\d+\w*\b"
)
_POINTED = re.compile(r"\b(?:the|this|that|each|every|any|another|which|no|only)\s+$", re.I)
"""Behind these `one` is no number."""
_BRITISH = re.compile(r"(?<=[a-z]{3})is(e[sdr]?|ing|ation|ations)$")
"""Endings that are written with z elsewhere; where they are no such ending, both sides change alike."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|_+[^\W]*")
_BREAK = re.compile(r"[.;:!?()]|,\s+(?:but|and|or|so|which|while)\b|\b(?:but|unless|except|because|although)\b", re.I)
_OR_NOT = re.compile(r"\bor\s+not$", re.I)
SCOPE: Final = 7
"""Words after a negation that it is taken to govern."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a text says that a machine can compare."""

    numbers: frozenset[float]
    names: frozenset[str]
    denied: tuple[frozenset[str], ...]
    """For each negation, the stems that it governs."""
    stems: frozenset[str]


def facts(text: str) -> Facts:
    """Take a text apart."""
    return Facts(frozenset(v for v, _ in numbers(text)), frozenset(names(text)), tuple(denials(text)), frozenset(stems(text)))


def stems(text: str) -> list[str]:
    """Return the folded stems of a text's words, in order; names are cut at their joints, Han and kana into pairs."""
    found: list[str] = []
    for word in _WORD.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text.replace("_", " "))):
        if CJK.search(word):
            found += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            found.append(word.lower().replace("’", "'"))
    return [_stem(word) for word in found]


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    """Return a word's stem; remembered, since the words of a page repeat and stemming is slow."""
    return str(snowballstemmer.stemmer("english").stemWord(_BRITISH.sub(r"iz\1", word)))


def numbers(text: str) -> Iterator[tuple[float, str]]:
    """Yield each number's value and the stem of the word after it, which is its unit more often than not."""
    for match in _NUMBER.finditer(text):
        digits = match.group().replace(",", "").replace("−", "-").strip(" %")
        parts = digits.split(".")
        try:
            value = float(digits) if len(parts) <= 2 else float("nan")
        except ValueError:
            continue
        if len(parts) > 2:
            value = float(hash_of(parts))
        yield value, _unit(text[match.end() :])
    for match in re.finditer(r"[A-Za-z]+", text):
        word = match.group().lower()
        if word in _WORDS and not (word == "one" and _POINTED.search(text, max(0, match.start() - 10), match.start())):
            unit = _unit(text[match.end() :])
            if word != "one" or unit not in ("", "of", "or", "and", "can", "is", "that", "at", "to", "in", "on", "for", "with", "by"):
                yield _WORDS[word], unit
    for match in re.finditer(r"([零一二两三四五六七八九十百千万])(?=[个個行次天日时時分秒年月章节節页頁項项種种回])", text):
        yield _HAN[match.group(1)], match.string[match.end() : match.end() + 1]


def hash_of(parts: list[str]) -> int:
    """Return one integer for a version number, the same for the same parts."""
    value = 0
    for part in parts:
        value = value * 100_003 + int(part or 0)
    return value


def _unit(after: str) -> str:
    match = re.match(r"[\s-]*([^\W\d_]+)", after)
    if match is None:
        return ""
    word = match.group(1)
    return word[:1] if CJK.match(word) else _stem(word.lower())


def names(text: str) -> Iterator[str]:
    """Yield the names from code, without ticks and call brackets."""
    for match in _NAME.finditer(text):
        name = match.group().strip("`").strip()
        if name:
            yield re.sub(r"\(.*\)$", "", name)


def denials(text: str) -> Iterator[frozenset[str]]:
    """Yield, for each negation, the stems of the words that it governs: up to the clause's end or seven words."""
    for match in re.finditer(r"[^\W_]+(?:['’]t\b)?", text):
        word = match.group().lower().replace("’", "'")
        if not (meaning.is_negation(word) or word.endswith("n't")) or CJK.search(word) or _OR_NOT.search(text[: match.end()]):
            continue
        rest = text[match.end() :]
        stop = _BREAK.search(rest)
        yield frozenset(stems(rest[: stop.start()] if stop else rest)[:SCOPE])
    for match in meaning.NEGATION_SIGNS.finditer(text):
        if CJK.search(match.group()):
            around = text[max(0, match.start() - 12) : match.end() + 12]
            yield frozenset(s for s in stems(around) if CJK.search(s))
