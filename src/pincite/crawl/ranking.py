"""Which of the links found looks closest to a question, for `--strategy best`. No I/O.

In: the question and URLs. Out: a score, higher first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

_WORD = re.compile(r"[^\W_]+")


def by_words(query: str) -> Callable[[str], float]:
    """Return a scorer: the share of the question's words that a URL's path holds, less a little for each folder down."""
    words = {word for word in _WORD.findall(query.lower()) if len(word) > 2}

    def score(url: str) -> float:
        path = unquote(urlsplit(url).path).lower()
        held = sum(any(part.startswith(word) or word.startswith(part) for part in _WORD.findall(path) if len(part) > 2) for word in words)
        return held / len(words) - 0.01 * path.count("/") if words else -0.01 * path.count("/")

    return score
