"""Caps on what a page may cost, applied before a parser sees it: beyond them the page's text is taken up to the cap, and flagged.

In: the page's text. Out: the text up to the caps, and flags. A documentation page of 1 MB has about 20,000 tags; the longest single-page
manuals that we met have fewer than 80,000.
"""

from __future__ import annotations

import re

TOO_LARGE, TOO_COMPLEX = "too-large", "too-complex"
LIMIT_CHARS = 3_000_000
LIMIT_TAGS = 80_000
LIMIT_BLOCKS = 20_000
"""Blocks written of one page: a page of documentation has some hundreds, the longest manuals a few thousand."""
_TAG = re.compile("<")


def within(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text up to the caps on length and tags, and what was exceeded."""
    flags: list[str] = []
    if len(text) > LIMIT_CHARS:
        text = text[:LIMIT_CHARS]
        flags.append(TOO_LARGE)
    if text.count("<") > LIMIT_TAGS:
        text = text[: _place(text, LIMIT_TAGS)]
        flags.append(TOO_COMPLEX)
    return text, tuple(flags)


def _place(text: str, count: int) -> int:
    """Return where the tag after the first `count` begins."""
    for number, found in enumerate(_TAG.finditer(text)):
        if number == count:
            return found.start()
    return len(text)
