"""Version labels and what a filter says of them: one label, or a range such as `>=3.10,<3.13`. No I/O.

In: a label as a source was added with, and a filter. Out: yes or no. Labels that PEP 440 understands (`3.12`, `v2.1rc1`) are compared by
its rules, pre-releases included; others by their numbers and words in turn (`1.2-lts`, `2024-spring`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from pincite.errors import UsageError

_CLAUSE = re.compile(r"\s*(===|==|~=|!=|<=|>=|<|>)\s*([^\s,<>=!~]+)\s*\Z")
_BEGINS = re.compile(r"\s*(?:[<>]|[=~!]=)")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ORDER: Mapping[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
}


def is_range(wanted: str) -> bool:
    """Say whether a filter is a range; anything else names one label as it is written."""
    return bool(_BEGINS.match(wanted))


def meets(label: str, wanted: str) -> bool:
    """Say whether a label is the one wanted or lies in the range. Raises UsageError for a range that can't be read."""
    if not is_range(wanted):
        return label == wanted
    clauses = [_clause(part) for part in wanted.split(",")]
    return bool(label) and all(_meets(label, operator, bound) for operator, bound in clauses)


def _clause(part: str) -> tuple[str, str]:
    found = _CLAUSE.match(part)
    if found is None:
        raise UsageError(f"`{part.strip()}` is no part of a version range; write for example `>=3.10,<3.13`.")
    return found[1], found[2]


def _meets(label: str, operator: str, bound: str) -> bool:
    version, specifier = _version(label), _specifier(operator + bound)
    if operator == "===":
        return label.lower() == bound.lower()
    if version is not None and specifier is not None:
        return specifier.contains(version, prereleases=True)
    if operator in ("==", "!=") and bound.endswith(".*"):
        return (f"{label}.".startswith(bound[:-1])) == (operator == "==")
    if operator == "~=":
        above = bound.rpartition(".")[0]
        return _compared(label, bound, ">=") and bool(above) and f"{label}.".startswith(f"{above}.")
    return _compared(label, bound, operator)


@lru_cache(1024)
def _version(label: str) -> Version | None:
    try:
        return Version(label)
    except InvalidVersion:
        return None


@lru_cache(1024)
def _specifier(clause: str) -> SpecifierSet | None:
    try:
        return SpecifierSet(clause)
    except InvalidSpecifier:
        return None


def _compared(label: str, bound: str, operator: str) -> bool:
    """Compare piece by piece: numbers as numbers, words as words. Where a number meets a word, only `!=` holds."""
    one, other = _pieces(label), _pieces(bound)
    for mine, its in zip(one, other, strict=False):
        if mine[0] != its[0]:
            return operator == "!="
        if mine != its:
            return _ORDER[operator](-1 if mine < its else 1)
    return _ORDER[operator](len(one) - len(other))


def _pieces(label: str) -> list[tuple[bool, int, str]]:
    words = _PIECE.findall(label.casefold())
    if len(words) > 1 and words[0] == "v" and words[1].isdigit():
        words = words[1:]
    return [(True, int(word), "") if word.isdecimal() else (False, 0, word) for word in words]
