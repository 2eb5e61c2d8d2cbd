"""Whether a quote of code is indented as its source is, where indentation says what a line belongs to.

In: a quote's words, its place in a haystack. Out: yes or no. Less or more indentation of the whole is none of the code's; a line that
moved into or out of its block is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import Final

from pincite.cite.haystack import Haystack
from pincite.types import Span

_MEANT: Final = frozenset(
    ("python", "py", "pycon", "python3", "cython", "yaml", "yml", "coffee", "nim", "haskell", "hs", "fsharp", "pug", "jade", "sass", "haml")
)
_OPENS = re.compile(r":\s*(?:#.*)?$", re.M)


def indented_alike(words: str, place: Span, haystack: Haystack) -> bool:
    """Say whether the quote's lines stand to each other as those of the place do; always where indentation says nothing."""
    text = haystack.document.text
    block = haystack.block_at(place.start)
    language = (block.language if block else None) or haystack.document.code_language
    printed = Span(text.rfind("\n", 0, place.start) + 1, place.end).of(text)
    if (language.lower() not in _MEANT) if language else not _OPENS.search(printed):
        return True
    mine, theirs = _indents(words), _indents(printed)
    if len(mine) != len(theirs) or len(mine) < 2:
        return True
    return _ranks(mine) == _ranks(theirs) or (mine[0] == 0 and mine[1:] == theirs[1:])


def _indents(text: str) -> list[int]:
    lines = dropwhile(lambda line: not line.strip(), text.expandtabs(4).split("\n"))
    return [len(line) - len(line.lstrip()) for line in lines if line.strip()]


def _ranks(indents: Sequence[int]) -> list[int]:
    order = sorted(set(indents))
    return [order.index(i) for i in indents]
