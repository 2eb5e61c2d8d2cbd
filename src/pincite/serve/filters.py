"""How version ranges and filters are written, as patterns for the OpenAPI document.

In: nothing. Out: regular expressions. A filter may hold brackets within brackets, which no pattern can say: what fits is understood, what
does not fit is left to the parser (`retrieve.where`), which refuses in words what it can't read.
"""

from __future__ import annotations

_CLAUSE = r"\s*(?:===|==|~=|!=|<=|>=|<|>)\s*[^\s,<>=!~]+\s*"
VERSION_PATTERN = rf"^(?:{_CLAUSE}(?:,{_CLAUSE})*|[^\s<>=!~][\s\S]*)$"
"""A range, or a label, which begins with no mark of a range."""

_WORD = r"(?:[A-Za-z0-9_][A-Za-z0-9_.*/-]{0,40}|\"[^\"]{1,40}\")"
_TEXT = r"(?:source|version|kind|lang|language|path|url|title|ref|mark|flag)"
_DAY = r"[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
_ONE = (
    rf"(?:{_TEXT} ?(?:=|!=) ?{_WORD}|{_TEXT} (?:not )?in \({_WORD}(?:, ?{_WORD}){{0,9}}\)"
    rf"|version ?(?:<|<=|>|>=) ?[A-Za-z0-9_.-]{{1,20}}|fetched ?(?:=|!=|<|<=|>|>=) ?{_DAY})"
)
_GROUP = rf"(?:not )?(?:{_ONE}|\((?:not )?{_ONE}(?: (?:and|or) (?:not )?{_ONE}){{0,9}}\))"
PATTERN = rf"^(?:{_GROUP}(?: (?:and|or) {_GROUP}){{0,9}})?$"
"""Conditions joined by `and` and `or`, some of them in brackets; or nothing."""
