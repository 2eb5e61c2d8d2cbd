"""Filters over what is known of a passage: `source = docs and (version >= 3.10 or lang = zh) and not mark = expired`.

In: the text of a filter, facts of a passage or of a source alone. Out: yes, no, or undecided where a fact is not known yet. Pure.
Fields: source, version, kind, lang, language, path, url, title, ref, mark, flag, fetched. `=` and `!=` take `*` and `?` as wildcards,
version and fetched are also compared by `<`, `<=`, `>`, `>=`, and `in (…)` takes several values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from functools import lru_cache

from pincite import versions
from pincite.errors import UsageError

_TOKEN = re.compile(r"\s*(?:(?P<quoted>\"[^\"]*\"|'[^']*')|(?P<mark><=|>=|!=|==|[=<>(),])|(?P<word>[^\s\"'()=<>!,]+))")
_ORDERED = ("version", "fetched")
_FORM = "write for example: source = docs and (version >= 3.10 or lang = zh)"
MOST_CONDITIONS, DEEPEST = 100, 30


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a passage; None is not known yet."""

    source: str
    version: str
    kind: str | None = None
    lang: str | None = None
    language: str | None = None
    path: str | None = None
    url: str | None = None
    title: str | None = None
    ref: str | None = None
    mark: str | None = None
    flag: tuple[str, ...] | None = None
    fetched: datetime | None = None


FIELDS = tuple(Facts.__slots__)
Test = Callable[[Facts], bool | None]


@lru_cache(64)
def read(text: str) -> Test:
    """Return the test that a filter means. Raises UsageError for one that can't be read."""
    tokens = _tokens(text)
    parser = _Parser(tokens)
    test = parser.any_of()
    if parser.at < len(tokens):
        raise UsageError(f"The filter `{text}` goes on where it should end, at `{tokens[parser.at][1]}`; {_FORM}.")
    return test


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise UsageError(f"The filter `{text}` can't be read from `{text[at:]}` on; {_FORM}.")
        kind = str(found.lastgroup)
        tokens.append((kind, found[kind][1:-1] if kind == "quoted" else found[kind]))
        at = found.end()
    if len(tokens) > 5 * MOST_CONDITIONS:
        raise UsageError(f"The filter has more than {MOST_CONDITIONS} conditions.")
    return tokens


class _Parser:
    """Reads tokens by recursive descent: `or` binds least, then `and`, then `not`."""

    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self._tokens, self.at, self._depth = tokens, 0, 0

    def any_of(self) -> Test:
        parts = [self._all_of()]
        while self._take("or"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else lambda facts: _any([part(facts) for part in parts])

    def _all_of(self) -> Test:
        parts = [self._single()]
        while self._take("and"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else lambda facts: _not(_any([_not(part(facts)) for part in parts]))

    def _single(self) -> Test:
        if self._depth >= DEEPEST:
            raise UsageError(f"The filter has more than {DEEPEST} brackets in one another.")
        self._depth += 1
        if denied := self._take("not"):
            test = self._single()
        elif self._take("("):
            test = self.any_of()
            self._want(")")
        else:
            test = self._condition()
        self._depth -= 1
        return (lambda facts: _not(test(facts))) if denied else test

    def _condition(self) -> Test:
        field = self._next().lower()
        if field not in FIELDS:
            raise UsageError(f"A filter has no field `{field}`. Fields: {', '.join(FIELDS)}.")
        denied = self._take("not")
        if denied or self._peek() == "in":
            self._want("in")
            self._want("(")
            values = [self._next()]
            while self._take(","):
                values.append(self._next())
            self._want(")")
            tests = [condition(field, "=", value) for value in values]
            within: Test = lambda facts: _any([test(facts) for test in tests])  # noqa: E731
            return (lambda facts: _not(within(facts))) if denied else within
        operator = self._next()
        return condition(field, {"==": "="}.get(operator, operator), self._next())

    def _peek(self) -> str:
        kind, text = self._tokens[self.at] if self.at < len(self._tokens) else ("end", "")
        return text.lower() if kind in ("word", "mark") else ""

    def _take(self, wanted: str) -> bool:
        found = self._peek() == wanted
        self.at += found
        return found

    def _want(self, wanted: str) -> None:
        if not self._take(wanted):
            raise UsageError(f"The filter lacks a `{wanted}`; {_FORM}.")

    def _next(self) -> str:
        if self.at >= len(self._tokens):
            raise UsageError(f"The filter ends too soon; {_FORM}.")
        self.at += 1
        return self._tokens[self.at - 1][1]


def condition(field: str, operator: str, value: str) -> Test:
    """Return the test of one field. Raises UsageError for an operator that the field does not know, or a value that it can't take."""
    if operator not in ("=", "!=", "<", "<=", ">", ">="):
        raise UsageError(f"A filter knows no `{operator}` after `{field}`; {_FORM}.")
    if operator not in ("=", "!=") and field not in _ORDERED:
        raise UsageError(f"`{field}` can't be compared by `{operator}`, only {' and '.join(_ORDERED)} can.")
    if field == "fetched":
        return _moment(operator, value)
    if field == "version" and operator not in ("=", "!="):
        return lambda facts: versions.meets(facts.version, operator + value)
    if operator == "!=":
        same = condition(field, "=", value)
        return lambda facts: _not(same(facts))
    wanted = value.casefold()

    def test(facts: Facts) -> bool | None:
        held = getattr(facts, field)
        if held is None:
            return None
        return any(_fits(field, one.casefold(), wanted) for one in (held if isinstance(held, tuple) else (held,)))

    return test


def _fits(field: str, held: str, wanted: str) -> bool:
    if field == "lang" and held.split("-")[0] == wanted:
        return True
    return held == wanted or (("*" in wanted or "?" in wanted) and fnmatchcase(held, wanted.replace("[", "[[]")))


def _moment(operator: str, value: str) -> Test:
    """Compare the time of capture; a bare date is the whole day, in UTC."""
    try:
        begin = datetime.fromisoformat(value)
    except ValueError as error:
        raise UsageError(f"`{value}` is no ISO 8601 date or time.") from error
    begin = begin.replace(tzinfo=UTC) if begin.tzinfo is None else begin
    end = begin + (timedelta(days=1) if re.fullmatch(r"\d{4}-?\d\d-?\d\d", value) else timedelta(microseconds=1))
    tests: dict[str, Callable[[datetime], bool]] = {
        "=": lambda at: begin <= at < end,
        "!=": lambda at: not begin <= at < end,
        "<": lambda at: at < begin,
        "<=": lambda at: at < end,
        ">": lambda at: at >= end,
        ">=": lambda at: at >= begin,
    }
    holds = tests[operator]
    return lambda facts: None if facts.fetched is None else holds(facts.fetched)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _any(values: Sequence[bool | None]) -> bool | None:
    return True if True in values else None if None in values else False
