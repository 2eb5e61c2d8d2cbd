"""What an agent may name as a source: web addresses of the public internet, and files below the folders that are allowed.

In: the arguments of a call, positional and by name. Out: the same arguments, each path resolved once. There is no switch that turns the
check off: intranet hosts are named one by one (`allow_private`), folders by `roots`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pincite.crawl import addresses
from pincite.errors import Refused

NAMES = frozenset({"path", "file_path", "directory_path", "url", "website", "github_url", "youtube_url", "docs_url", "source", "location"})
"""Arguments that name a source."""
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")


class Blocked(Refused, ValueError):
    """A source that an agent may not name."""


def checked(
    args: Sequence[Any], kwargs: Mapping[str, Any], *, roots: Sequence[Path], allow_private: Sequence[str]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments with every path resolved. Raises Blocked for an address or a path that is not allowed."""

    def check(value: Any) -> Any:
        return location(value, roots=roots, allow_private=allow_private) if isinstance(value, str | os.PathLike) else value

    return tuple(map(check, args)), {name: check(value) if name in NAMES else value for name, value in kwargs.items()}


def location(value: str | os.PathLike[str], *, roots: Sequence[Path], allow_private: Sequence[str]) -> str:
    """Return a web address as it is, or a path with its links resolved: what is opened is what was checked."""
    text = os.fspath(value)
    if "\0" in text:
        raise Blocked("Blocked unsafe path: it holds a NUL character.", rule="scope")
    if text[:4].lower() == "raw:":
        return text
    scheme = _SCHEME.match(text)
    if scheme is None or (len(scheme[1]) == 1 and os.name == "nt"):
        return _path(text, roots)
    if scheme[1].lower() in ("http", "https"):
        return _address(text.strip(), allow_private)
    if scheme[1].lower() == "file" and urlsplit(text.strip()).netloc in ("", "localhost"):
        return _path(unquote(urlsplit(text.strip()).path), roots)
    raise Blocked(f"Blocked unsafe URL: {text!r} is neither http nor https.", url=text, rule="scheme")


def _address(url: str, allow_private: Sequence[str]) -> str:
    try:
        addresses.target(url, allow_private)
    except Refused as error:
        raise Blocked(f"Blocked unsafe URL: {error.message}", url=url, rule=error.rule) from error
    except ValueError as error:
        raise Blocked(f"Blocked unsafe URL: {url!r} can't be read.", url=url, rule="address") from error
    return url


def _path(text: str, roots: Sequence[Path]) -> str:
    try:
        resolved = Path(os.path.expanduser(text)).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise Blocked(f"Blocked unsafe path: {text!r} can't be resolved.", rule="scope") from error
    if not any(resolved.is_relative_to(root) for root in roots):
        raise Blocked(f"Blocked unsafe path: {text!r} lies outside the folders that this tool may read.", rule="scope")
    return str(resolved)
