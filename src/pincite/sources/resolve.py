"""What a location names: file, folder, glob, raw HTML, context file, page or site.

In: what the user typed. Out: a Source with an absolute location and a stable slug. Looks at the file system; opens no connection.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import unquote, urlsplit

from pincite import urls
from pincite.errors import SourceError, UsageError
from pincite.sources import context_file, slug
from pincite.types import Policy, Source, SourceKind, digest

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_KNOWN = "Known are http(s)://, file://, git+https://, a path, a glob and raw:<html>."


def resolve(
    location: str, *, name: str | None, version: str, policy: Policy, now: datetime, taken: Mapping[str, str] | None = None
) -> Source:
    """Return the source that a location names; `taken` maps slugs of the library to their locations.

    Raises UsageError for an empty location, an unsupported scheme or a folder or glob with nothing in it, and SourceError with rule
    `missing`, `permission` or `wrong type` for a path that can't be read.
    """
    if not location.strip():
        raise UsageError("The location is empty. " + _KNOWN)
    kind, place, readable = _placed(location)
    if kind == "site" and policy.scope == "page":
        kind = "page"
    if name is not None and not slug.slug(name):
        raise UsageError(f"The name {name!r} holds no letter or digit to call the source by.")
    chosen = slug.slug(name) if name else readable
    if not name and (taken or {}).get(chosen, place) != place:
        chosen = slug.distinct(chosen, place)
    return Source(slug=chosen, kind=kind, location=place, version=version, policy=policy, added_at=now)


def _placed(location: str) -> tuple[SourceKind, str, str]:
    """Return kind, absolute location and readable slug."""
    if location[:4].lower() == "raw:":
        return _raw(location[4:])
    stripped = location.strip()
    if urls.is_web(stripped):
        return _web(stripped)
    if stripped[:4].lower() == "git+":
        return _repository(stripped)
    scheme = _SCHEME.match(stripped)
    if stripped[:5].lower() == "file:":
        return _local(_file_path(stripped), stripped)
    if scheme and len(scheme[1]) > 1 and (stripped[scheme.end() :].startswith("//") or not os.path.lexists(stripped)):
        raise UsageError(f"{stripped}: sources of the kind `{scheme[1]}:` are not supported. {_KNOWN}")
    return _local(os.path.expanduser(location if os.path.lexists(location) else stripped), stripped)


def _raw(html: str) -> tuple[SourceKind, str, str]:
    if not html.strip():
        raise UsageError("There is nothing after `raw:`; put the HTML there.")
    title = re.search(r"<(title|h1)\b[^>]*>([^<]{1,80})", html, re.I)
    return "raw", "raw:" + html, slug.slug(title[2] if title else "") or "raw-" + digest(html)[:8]


def _web(url: str) -> tuple[SourceKind, str, str]:
    try:
        place = urls.canonical(url)
        host = urlsplit(place).hostname
    except ValueError:
        host = None
    if not host:
        raise UsageError(f"{url} is no usable URL: its host or port can't be read.")
    return "site", place, slug.of_url(place)


def _repository(location: str) -> tuple[SourceKind, str, str]:
    remote = location[4:]
    if not re.match(r"(?:https?|file)://[^/]*/", remote):
        raise UsageError(f"{location} names no repository. Write git+https://host/owner/name.git@ref.")
    bare = re.sub(r"\.git(?=$|[@#])", "", remote).partition("://")[2]
    return "git", "git+" + remote, slug.slug(re.sub(r"[@#]", "-", bare)) or "git-" + digest(location)[:8]


def _file_path(url: str) -> str:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        raise UsageError(f"{url} names a file on another host, {parts.netloc}. Use file:///path.")
    path = unquote(parts.path)
    return path[1:] if os.name == "nt" and re.match(r"/[A-Za-z]:", path) else path


def _local(path: str, shown: str) -> tuple[SourceKind, str, str]:
    try:
        place = os.path.realpath(path)
        mode = os.stat(place).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if glob.has_magic(path):
            return _glob(path, shown)
        raise SourceError(f"There is no file or folder {shown}. Check the path.", url=shown, rule="missing") from None
    except OSError as error:
        raise SourceError(f"Can't look at {shown}: {error.strerror}.", url=shown, rule="permission") from error
    readable = slug.of_path(os.path.basename(place) or "root", place)
    if stat.S_ISDIR(mode):
        _looked_into(place, shown)
        return "folder", place, readable
    if not stat.S_ISREG(mode):
        raise SourceError(f"{shown} is neither a file nor a folder.", url=shown, rule="wrong type")
    return ("context" if _is_context(place, shown) else "file"), place, slug.of_path(os.path.splitext(os.path.basename(place))[0], place)


def _glob(pattern: str, shown: str) -> tuple[SourceKind, str, str]:
    place = os.path.abspath(pattern)
    if next(glob.iglob(place, recursive=True), None) is None:
        raise UsageError(f"Nothing matches {shown}, so there is nothing to add.")
    root = re.split(r"/[^/]*[*?\[]", place.replace(os.sep, "/"), maxsplit=1)[0]
    rest = place.replace(os.sep, "/")[len(root) :]
    return "glob", place, slug.slug(f"{os.path.basename(root)} {rest}") or "glob-" + digest(place)[:8]


def _looked_into(folder: str, shown: str) -> None:
    try:
        with os.scandir(folder) as found:
            empty = next(found, None) is None
    except OSError as error:
        raise SourceError(f"Can't read the folder {shown}: {error.strerror}.", url=shown, rule="permission") from error
    if empty:
        raise UsageError(f"The folder {shown} is empty, so there is nothing to add.")


def _is_context(path: str, shown: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(4 * context_file.HEAD_CHARS)
    except OSError as error:
        raise SourceError(f"Can't read {shown}: {error.strerror}.", url=shown, rule="permission") from error
    return context_file.is_context(head.decode("utf-8", "replace"))
