"""What is navigation and no content: lists of links, index pages, the scripts of a site's theme.

In: a piece of a document, its path. Out: yes or no. Such chunks are stored and quotable but left out of the index.
"""

from __future__ import annotations

import re

_LINK = re.compile(r"\[([^\]\n]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"[\s*_`#>|+-]+")
_INDEX_PAGE = re.compile(
    r"(?:^|/)(?:genindex(?:-[\w]+)?|py-modindex|modindex|bookindex|ix\d{2}|index-all|search|searchindex|_(?:modules|sources)/.*|sitemap)"
    r"(?:\.x?html?)?/?$",
    re.I,
)


_MACHINERY = re.compile(
    r"(?:^|/)(?:_static/(?:.*/)?[^/]+\.(?:js|css)|search_?index(?:[-.]\w+)?\.js(?:on)?|[^/]+[.-]min\.(?:js|css)"
    r"|(?:book|elasticlunr|doctools|language_data|searchtools|documentation_options)\.js)$",
    re.I,
)


def is_site_machinery(path: str) -> bool:
    """Say whether a script or a style sheet serves a documentation site: its theme, its search index, anything minified."""
    return bool(_MACHINERY.search(path.split("?")[0].split("#")[0]))


def is_generated(text: str) -> bool:
    """Say whether program text was written for machines: lines far longer than anybody reads."""
    return len(text) > 1000 and len(text) > 400 * (text.count("\n") + 1)


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
