"""Readable, stable names for sources.

In: a name that the user gave, or a location. Out: a slug of letters, digits, dots, dashes and underscores.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from pincite.types import digest

MAX_CHARS = 64
_TAIL = re.compile(r"/(?:index|default|contents|genindex)\.[a-z]{3,5}$|/$", re.I)


def slug(text: str) -> str:
    """Return the text as a slug, or an empty string when nothing of it can stay. Letters of all scripts stay."""
    plain = re.sub(r"[^\w.]+\.*", "-", text.strip().lower()).strip("-._")
    if len(plain) > MAX_CHARS:
        plain = plain[: MAX_CHARS - 5].rstrip("-._") + "-" + digest(text)[:4]
    return plain


def of_url(url: str) -> str:
    """Return the slug of a web page or site: host and path, without `www.`, the scheme and a trailing index page."""
    parts = urlsplit(url)
    host = parts.netloc.removeprefix("www.")
    query = f" {parts.query}" if parts.query else ""
    return slug(f"{host}{_TAIL.sub('', unquote(parts.path))}{query}") or "site-" + digest(url)[:8]


def of_path(name: str, location: str) -> str:
    """Return the slug of a file or folder by its last name."""
    return slug(name) or "files-" + digest(location)[:8]


def distinct(wanted: str, location: str) -> str:
    """Return another slug for a location whose own is taken by a different one; the same each time."""
    return f"{wanted[: MAX_CHARS - 5]}-{digest(location)[:4]}"
