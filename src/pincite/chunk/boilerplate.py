"""What is navigation and no content: lists of links, index pages.

In: a piece of a document. Out: yes or no. Such chunks are stored and quotable but left out of the index.
"""

from __future__ import annotations

import re

_LINK = re.compile(r"\[([^\]\n]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"[\s*_`#>|+-]+")
_INDEX_PAGE = re.compile(
    r"(?:^|/)(?:genindex(?:-[\w]+)?|py-modindex|modindex|search|searchindex|_(?:modules|sources)/.*|sitemap)(?:\.x?html?)?/?$", re.I
)


def is_index_page(path: str) -> bool:
    """Say whether the path is that of a generated index, a search page or a source listing."""
    return bool(_INDEX_PAGE.search(path.split("?")[0].split("#")[0]))


def is_navigation(text: str) -> bool:
    """Say whether nearly all that a reader sees are links: five or more, four fifths of the letters, and no sentence of some length."""
    links = _LINK.findall(text)
    if len(links) < 5:
        return False
    seen = len(_MARKS.sub("", _LINK.sub(r"\1", text)))
    linked = sum(len(_MARKS.sub("", link)) for link in links)
    return linked >= 0.8 * max(1, seen)
