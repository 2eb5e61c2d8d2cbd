"""Places where a crawl would never end: calendars, session ids, paths that grow, queries without number. No I/O.

In: URLs as they are found. Out: the URL without its session, or that it is a trap.
"""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urlsplit, urlunsplit

MAX_SEGMENTS = 24
MAX_QUERIES = 200
"""Query variants of one path."""
MAX_DATES = 200
"""Paths that differ only in two or more numbers, as calendars do."""
_SESSION = re.compile(r"^(?:phpsessid|jsessionid|aspsessionid\w*|sid|sessid|session_?id|cfid|cftoken|zenid|oscsid)$", re.I)
_SESSION_PATH = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/?#;]*", re.I)
_NUMBER = re.compile(r"\d+")


def without_session(url: str) -> str:
    """Return the URL less the parts that only name a visit."""
    parts = urlsplit(url)
    pairs = [pair for pair in parts.query.split("&") if pair and not _SESSION.match(pair.split("=", 1)[0])]
    return urlunsplit((parts.scheme, parts.netloc, _SESSION_PATH.sub("", parts.path), "&".join(pairs), ""))


class Traps:
    """Counts what looks alike."""

    def __init__(self) -> None:
        self._queries: Counter[str] = Counter()
        self._dates: Counter[str] = Counter()

    def catches(self, url: str) -> bool:
        """Note a new URL and say whether it belongs to a place without end."""
        parts = urlsplit(url)
        segments = [s for s in parts.path.split("/") if s]
        if len(segments) > MAX_SEGMENTS or _repeats(segments):
            return True
        place = parts.netloc + parts.path
        if parts.query:
            self._queries[place] += 1
            if self._queries[place] > MAX_QUERIES:
                return True
        if len(_NUMBER.findall(parts.path + "?" + parts.query)) >= 2:
            shape = _NUMBER.sub("#", place + "?" + parts.query)
            if shape.count("/#") + shape.count("=#") >= 2:
                self._dates[shape] += 1
                return self._dates[shape] > MAX_DATES
        return False


def _repeats(segments: list[str]) -> bool:
    """Say whether a path goes round: up to four segments that follow themselves three times."""
    for length in range(1, 5):
        for at in range(len(segments) - 3 * length + 1):
            first = segments[at : at + length]
            if segments[at + length : at + 3 * length] == first * 2 and not all(s.isdigit() for s in first):
                return True
    return False
