"""CSS selector lists cut down to what a page can match, so that the parser tries few alternatives on each element.

In: a selector list; the classes and ids that a page has. Out: the alternatives whose every class and id is among them. What this can't
judge (attributes, escapes, what stands inside `:has()` or `:not()`) is let through: the parser decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(
    r"""(?P<string>"[^"]*"|'[^']*')|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)|(?P<escape>\\.)"""
    r"""|(?P<class>\.[\w-]+)|(?P<id>\#[\w-]+)|(?P<joined>[\s>+~]+)|(?P<pseudo>::?[\w-]+)|(?P<tag>[a-zA-Z][\w-]*)""",
    re.S,
)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One selector of a list and what must be on a page for it to match, in lower case: pages without a doctype ignore case."""

    selector: str
    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    tag: str = ""
    """Tag of what matches, where the selector is a single compound that names one."""
    bare: bool = False
    """It names a tag and nothing else."""
    role: str = ""
    """Value of `role`, where the selector asks for it and nothing else."""
    part: str = ""
    """Part of the class attribute, where the selector asks for it and nothing else."""


@lru_cache(maxsize=512)
def alternatives(selector: str) -> tuple[Alternative, ...]:
    """Return the selectors of a list."""
    return tuple(_alternative(part) for part in _parts(selector) if part)


@dataclass(frozen=True, slots=True)
class Plain:
    """A selector list with those apart that ask for a tag or a role alone: they can be checked without the parser."""

    tags: frozenset[str]
    roles: frozenset[str]
    rest: str


@lru_cache(maxsize=512)
def plain(selector: str) -> Plain:
    """Sort a list's selectors."""
    parts = alternatives(selector)
    return Plain(
        frozenset(part.tag for part in parts if part.bare),
        frozenset(part.role for part in parts if part.role),
        ", ".join(part.selector for part in parts if not part.bare and not part.role),
    )


@dataclass(frozen=True, slots=True)
class Names:
    """What a page's elements are called: ids as they are; classes, ids and the whole of the class attributes in lower case."""

    ids: frozenset[str]
    classes: frozenset[str]
    lower_ids: frozenset[str]
    text: str


def possible(selector: str, names: Names) -> list[Alternative]:
    """Return the alternatives that a page with these names can match."""
    classes, ids = names.classes, names.lower_ids
    return [
        part
        for part in alternatives(selector)
        if part.classes <= classes and part.ids <= ids and (not part.part or part.part in names.text)
    ]


def _parts(selector: str) -> Iterator[str]:
    depth = start = 0
    for found in _PIECE.finditer(selector):
        if found["open"]:
            depth += 1
        elif found["close"]:
            depth -= 1
        elif found["comma"] and depth <= 0:
            yield selector[start : found.start()].strip()
            start = found.end()
    yield selector[start:].strip()


_ROLE = re.compile(r"""\[role=(["']?)([\w-]+)\1\]""")
_PART = re.compile(r"""\[class[*^]=(["']?)([\w-]+)\1\]""")


def _alternative(selector: str) -> Alternative:
    if found := _ROLE.fullmatch(selector):
        return Alternative(selector, role=found[2])
    if found := _PART.fullmatch(selector):
        return Alternative(selector, part=found[2].lower())
    classes, ids, tag, joined = set(), set(), "", False
    depth = 0
    for found in _PIECE.finditer(selector):
        kind = found.lastgroup
        if kind == "escape":
            return Alternative(selector)
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif depth > 0:
            continue
        elif kind == "class":
            classes.add(found[0][1:].lower())
        elif kind == "id":
            ids.add(found[0][1:].lower())
        elif kind == "joined":
            joined = True
        elif kind == "tag":
            tag = found[0]
    tag = "" if joined else tag
    return Alternative(selector, frozenset(classes), frozenset(ids), tag, tag == selector and tag.islower())
