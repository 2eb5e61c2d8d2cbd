"""What opens private docs, and cookies that a site sets on the way. No I/O; nothing here is ever stored or printed.

In: headers, cookie files, login states; answers. Out: the headers for one target. What was given goes to the one origin it was given for;
cookies that a site sets go back to that origin alone, for the length of one crawl.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pincite.crawl.addresses import Target, target
from pincite.errors import UsageError

MAX_COOKIES = 50
MAX_COOKIE_CHARS = 4096
MAX_JAR_CHARS = 8192
"""Of all cookies of an origin together: servers refuse longer headers."""
_FORBIDDEN = frozenset({"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "upgrade", "te"})


@dataclass(frozen=True, slots=True)
class Credentials:
    """Headers and cookies for one origin (`https://docs.example`). Its values are never shown."""

    origin: str
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def headers_for(self, at: Target) -> list[tuple[str, str]]:
        """Return the given headers where the target is of this very origin, else none."""
        return list(self.headers) if at.origin == self.origin else []

    def cookies_for(self, at: Target) -> dict[str, str]:
        """Return the given cookies where the target is of this very origin, else none."""
        return dict(self.cookies) if at.origin == self.origin else {}


def given(location: str, headers: Iterable[str], cookie_file: str = "", allow_private: Iterable[str] = ()) -> Credentials:
    """Return the credentials for the origin of a location, from `Name: value` lines and the text of a cookie or login-state file.

    Raises UsageError for a line or file that can't be read as such; the message never repeats a value.
    """
    at = target(location, allow_private)
    pairs = []
    for line in headers:
        name, colon, value = line.partition(":")
        if not colon or not name.strip().replace("-", "").replace("_", "").isalnum() or "\n" in line or "\r" in line:
            raise UsageError("A header is written as `Name: value`.")
        if name.strip().lower() in _FORBIDDEN:
            raise UsageError(f"The header {name.strip()} is set by the fetcher itself.")
        pairs.append((name.strip(), value.strip()))
    return Credentials(at.origin, tuple(pairs), cookies(cookie_file, at) if cookie_file else ())


def cookies(text: str, at: Target) -> tuple[tuple[str, str], ...]:
    """Return the cookies that belong to the target, of a `cookies.txt`, a JSON list, or a saved login state. Raises UsageError."""
    try:
        rows = _json_rows(text) if text.lstrip()[:1] in ("{", "[") else _netscape_rows(text)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError("The cookie file is neither cookies.txt nor the JSON of a saved login.") from None
    return tuple((name, value) for domain, secure, name, value in rows if _belongs(at, domain) and (at.scheme == "https" or not secure))


def _json_rows(text: str) -> list[tuple[str, bool, str, str]]:
    held: Any = json.loads(text)
    rows = held["cookies"] if isinstance(held, dict) else held
    return [(str(row["domain"]), bool(row.get("secure")), str(row["name"]), str(row["value"])) for row in rows]


def _netscape_rows(text: str) -> list[tuple[str, bool, str, str]]:
    rows = []
    for line in text.splitlines():
        line = line.removeprefix("#HttpOnly_")
        if not line.strip() or line.startswith("#"):
            continue
        domain, _, _, secure, _, name, value = line.split("\t")
        rows.append((domain, secure.upper() == "TRUE", name, value))
    return rows


def _belongs(at: Target, domain: str) -> bool:
    bare = domain.lower().lstrip(".")
    return at.host == bare or (domain.startswith(".") and at.host.endswith("." + bare))


def _chars(held: dict[str, str]) -> int:
    return sum(len(name) + len(value) + 3 for name, value in held.items())


class Jar:
    """The cookies that sites set during one crawl. `changes` counts them, so that a redirect that waits for one is no circle."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, str]] = {}
        self.changes = 0

    def take(self, at: Target, headers: Iterable[tuple[str, str]]) -> None:
        """Keep what an answer sets; `Max-Age=0` takes it away."""
        held = self._held.setdefault(at.origin, {})
        for key, line in headers:
            if key != "set-cookie" or len(line) > MAX_COOKIE_CHARS:
                continue
            pair, *attributes = [part.strip() for part in line.split(";")]
            name, equals, value = pair.partition("=")
            if not equals or not name or any(ord(c) < 33 or c in ',;\\"' or ord(c) > 126 for c in name + value):
                continue
            if any(a.lower().replace(" ", "") in ("max-age=0", "max-age=-1") for a in attributes):
                held.pop(name, None)
            elif held.get(name) != value and len(held) < MAX_COOKIES and _chars(held) + len(name) + len(value) <= MAX_JAR_CHARS:
                held[name] = value
                self.changes += 1

    def cookies_for(self, at: Target) -> dict[str, str]:
        """Return the cookies that the target's origin set."""
        return self._held.get(at.origin, {})
