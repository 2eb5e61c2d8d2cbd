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


@lru_cache(maxsize=512)
def alternatives(selector: str) -> tuple[Alternative, ...]:
    """Return the selectors of a list."""
    return tuple(_alternative(part) for part in _parts(selector) if part)


@lru_cache(maxsize=512)
def bare_tags(selector: str) -> tuple[frozenset[str], str]:
    """Return the bare tags of a list, and the list without them."""
    parts = alternatives(selector)
    return frozenset(part.tag for part in parts if part.bare), ", ".join(part.selector for part in parts if not part.bare)


def possible(selector: str, classes: frozenset[str], ids: frozenset[str]) -> list[Alternative]:
    """Return the alternatives that a page with these classes and ids, in lower case, can match."""
    return [part for part in alternatives(selector) if part.classes <= classes and part.ids <= ids]


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


def _alternative(selector: str) -> Alternative:
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
