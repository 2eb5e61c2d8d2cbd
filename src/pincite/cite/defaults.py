"""What a page and a claim say is the default.

In: sentences, a claim. Out: a reason why the claim's default is not the page's, or an empty string. A default is stated in a sentence, in
a line under the setting's name, or in a signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.cite.facts import names, numbers, stems
from pincite.cite.fold import fold
from pincite.cite.units import EMPTY, Unit

_VALUE: Final = r"([-\w.+*]+)"
_FILLER: Final = r"(?:now\s+|the\s+|an?\s+|set\s+to\s+)*[\"'“‘`]*"
_STATED = re.compile(
    rf"{_VALUE}[\"'”’`]*\s+\((?:the\s+)?default\b"
    rf"|\bdefaults?\s+(?:is|to|are|of)\s+{_FILLER}{_VALUE}"
    rf"|\bdefault\s*[:=]\s*[\"'“‘`]*{_VALUE}"
    rf"|\bdefault\s+(?:\w+\s+){{1,2}}(?:is|are)\s+{_FILLER}{_VALUE}"
    rf"|\bby\s+default,?\s+(?:\w+\s+){{0,2}}uses?\s+{_FILLER}{_VALUE}",
    re.I,
)
_THE_DEFAULT = re.compile(r"((?:[A-Z][\w-]*\s+){1,3}|[\w.*-]+\s+)(?:is|are)\s+(?:used\s+)?(?:the|by)\s+default\b")
_CLAIMED = re.compile(
    rf"\bdefaults?\s+to\s+{_FILLER}{_VALUE}|\bdefault\b[^.,;]{{0,60}}?\s(?:is|are)\s+{_FILLER}{_VALUE}"
    rf"|\b(?:is|are|equals?|of|to)\s+{_FILLER}{_VALUE}\s+(?:by\s+default|per\s+default)|\bby\s+default,?\s[^.,;]{{0,60}}?\s(?:is|are)\s+{_FILLER}{_VALUE}",
    re.I,
)
_NAMED = re.compile(r"\b([A-Za-z_]\w*)\s+(?:argument|parameter|option|setting|keyword|field|attribute|flag|variable)\b", re.I)
_LITERAL = re.compile(r"(?:true|false|none|null|on|off|yes|no|-?\d[\w.]*|\*)$", re.I)
"""A value that is one or is not: a word may be a paraphrase of another."""


def other(claim: str, near: Sequence[Unit]) -> str:
    """Find a default value that the nearest sentence names and the claim, which speaks of the default, does not."""
    if not re.search(r"default", claim, re.I):
        return ""
    for unit in near:
        told = {v for v in stated(unit.text) if set(stems(v)) - EMPTY}
        if told and not any(_within(value, claim) for value in told):
            return f"the page's default is {min(told)}"
    return ""


def another(claim: str, all_units: Sequence[Unit]) -> str:
    """Find the default of the setting that the claim names, in its own line or signature, where the claim gives another literal."""
    claimed = [v for m in _CLAIMED.finditer(claim) if (v := next((g for g in m.groups() if g), "").strip(".")) and _LITERAL.match(v)]
    subjects = {fold(n).text for n in (*names(claim), *_NAMED.findall(claim))} - {fold(v).text for v in claimed}
    if not claimed or not subjects:
        return ""
    told = {fold(v).text.strip(".") for unit in all_units for v in _of(subjects, unit)}
    literal = {v for v in told if _LITERAL.match(v)}
    if literal and literal == told and not any(_same(v, t) for v in claimed for t in told):
        return f"the page's default is {min(told)}"
    return ""


def stated(text: str) -> Iterator[str]:
    """Yield the values that a text calls default."""
    for match in _STATED.finditer(text):
        yield match.group(match.lastindex or 0)
    for match in _THE_DEFAULT.finditer(text):
        if (value := match.group(1).strip()).lower() not in _POINTING:
            yield value


_POINTING: Final = frozenset({"this", "that", "it", "which", "these", "what", "value", "there", "behavior", "behaviour", "option", "mode"})


def _of(subjects: set[str], unit: Unit) -> Iterator[str]:
    """Yield the defaults that a unit states of these subjects: under their name, or in a signature that has them."""
    under = fold(unit.under).text
    if any(re.match(rf"(?:[\w.]+\.)?{re.escape(s)}(?![\w.])", under) for s in subjects):
        yield from stated(unit.text)
    if "(" in unit.under:
        for subject in subjects:
            yield from re.findall(rf"(?<![\w.]){re.escape(subject)}\s*=\s*[\"']?([-\w.*]+)", under)


def _within(value: str, claim: str) -> bool:
    mine, held = set(stems(claim)), {v for v, _ in numbers(claim)}
    return bool(set(stems(value)) & mine) or any(v in held for v, _ in numbers(value))


def _same(one: str, other: str) -> bool:
    values = {v for v, _ in numbers(one)}
    return fold(one).text == fold(other).text or bool(values & {v for v, _ in numbers(other)})
