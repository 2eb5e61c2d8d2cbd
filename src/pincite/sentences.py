"""Where sentences end, in text that a reader sees.

In: visible text. Out: spans of sentences, in order, disjoint, trimmed of white space. Rules: Unicode UAX #29 §5 in spirit (a terminator,
its closers, then white space and no lower-case letter), plus the abbreviations that technical prose uses; CJK terminators need no space.
"""

from __future__ import annotations

import re

from pincite.types import Span

_END = re.compile(r"(?:[.!?]+|…)[\"'”’»)\]]*(?=\s)|[。！？｡]+[」』”’）)]*|\n\s*\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|al|approx|resp|incl|esp|fig|figs|eq|sec|ch|vol|no|nos|pp?|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co|dept|est"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|z\.b|d\.h|u\.a|bzw|usw|vgl|ca|nr|p\.ex|c\.-à-d|ej)|(?<![\d°])(?<![\d°]\s)\b[A-Za-z])\.$",
    re.I,
)
_SEEN = re.compile(r"\S")
_MAY_END = frozenset({"etc", "al", "inc", "ltd", "co", "no"})
"""Abbreviations that do end a sentence when a capital letter follows."""


def sentences(text: str) -> tuple[Span, ...]:
    """Cut `text` at its real sentence ends; a line break alone ends nothing, a blank line does."""
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if match.start() < start or not _ends(text, match):
            continue
        _keep(found, text, start, match.end())
        start = match.end()
    _keep(found, text, start, len(text))
    return tuple(found)


def sentence_at(text: str, offset: int) -> Span:
    """Return the sentence that covers `offset`, or the whole text where it has none."""
    cut = sentences(text)
    for span in cut:
        if offset < span.end:
            return span
    return cut[-1] if cut else Span(0, len(text))


def _ends(text: str, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark[0] in "。！？｡\n":
        return True
    after = _following(text, match.end())
    if after.islower():
        return False
    if mark[0] != ".":
        return True
    shortened = _ABBREVIATION.search(text, max(0, match.start() - 12), match.start() + 1)
    if shortened is None:
        return True
    word = shortened.group()[:-1].lower()
    return word in _MAY_END and after.isupper() and not (word == "no" and after.isdigit())


def _following(text: str, at: int) -> str:
    """Return the first character from there on that is no white space, or an empty string."""
    found = _SEEN.search(text, at)
    return found.group() if found else ""


def _keep(found: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        found.append(Span(start, end))
