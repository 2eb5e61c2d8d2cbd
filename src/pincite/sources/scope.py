"""Which of the URLs that a crawl finds belong to its source. No I/O.

In: a Source. Out: a rule that says of a canonical URL why it is left out. Hosts are compared as parsed, never as string prefixes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from pincite import globs
from pincite.types import Policy, Source

Rule = Callable[[str], str | None]
"""Returns None for a URL that belongs, else the reason: `scope`, `excluded`, `denied` or `not https`."""

_VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))+", re.I)
_LANGUAGE = re.compile(r"(?:de|fr|es|ja|ko|ru|zh|pl|it|tr|uk|pt|fa|nl|cs|id|vi|hi)|[a-z]{2}[-_](?:[A-Za-z]{2}|[Hh]an[st])")
_INDEX = re.compile(r"[^/]*\.[A-Za-z0-9]{1,5}$")


def rule(source: Source, start: str | None = None) -> Rule:
    """Return the scope rule of a site or page; `start` is where the first page was found, if a redirect moved it.

    `page` is the one URL; `prefix` its folder; `host` its host and port; `domain` its host, the hosts below it and, for `www.`, its parent;
    `auto` is the docs root: the folder of the start page, less the copies in other versions and languages below it.
    The scheme may differ: http and https serve the same docs.
    """
    root = start or source.location
    place = urlsplit(root)
    folder = _folder(place.path)
    scope = source.policy.scope
    include = tuple(globs.within(p, rooted=False) for p in source.policy.include)
    exclude = tuple(globs.within(p, rooted=False) for p in source.policy.exclude)

    intake = _intake(source.policy)

    def within(url: str) -> str | None:
        try:
            parts = urlsplit(url)
            same = _origin(url) == _origin(root)
        except ValueError:
            return "scope"
        if parts.scheme not in ("http", "https"):
            return "scope"
        if (refusal := intake(url)) is not None:
            return refusal
        if url in (root, source.location):
            return None
        if scope == "page" or source.kind == "page":
            return "scope"
        if scope == "domain":
            belongs = _below(parts.hostname or "", (place.hostname or "").removeprefix("www."))
        else:
            belongs = same and (scope == "host" or unquote(parts.path).startswith(folder))
        if not belongs or (scope == "auto" and _is_other_copy(unquote(parts.path).removeprefix(folder))):
            return "scope"
        if any(p.search(parts.path) or p.search(url) for p in exclude):
            return "excluded"
        return None if not include or any(p.search(parts.path) or p.search(url) for p in include) else "excluded"

    return within


def _intake(policy: Policy) -> Rule:
    """Return the rule of what may be fetched at all, start page and redirects included: https only, allowed domains, denied patterns."""
    allow = tuple(entry.strip().lower().removeprefix("*.").removeprefix(".").rstrip(".") for entry in policy.allow if entry.strip())
    deny = tuple(_denied(pattern.strip()) for pattern in policy.deny if pattern.strip())

    def refusal(url: str) -> str | None:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        if policy.https_only and parts.scheme != "https":
            return "not https"
        if allow and not any(_below(host, domain) for domain in allow):
            return "denied"
        return "denied" if any((pattern.search(url) if "/" in pattern.pattern else pattern.fullmatch(host)) for pattern in deny) else None

    return refusal


def _denied(pattern: str) -> re.Pattern[str]:
    """Compile a deny pattern: a host with `*` and every host below it, or, with a slash in it, a glob over paths and URLs."""
    if "/" in pattern:
        return globs.within(pattern, rooted=False)
    host = re.escape(pattern.lower()).replace(r"\*", ".*")
    return re.compile(rf"(?:.*\.)?{host}")


def allow_list(text: str) -> tuple[str, ...]:
    """Return the domains of an allow-list file: one a line, `#` starts a comment, a scheme, a path and `*.` are passed over."""
    found = []
    for line in text.splitlines():
        entry = line.split("#", 1)[0].strip().lower()
        if entry:
            found.append(re.sub(r"^[a-z]+://", "", entry).split("/", 1)[0].split(":", 1)[0].removeprefix("*."))
    return tuple(dict.fromkeys(found))


def _folder(path: str) -> str:
    """Return the folder that a start page stands for: `/docs/` for `/docs/index.html`, `/docs/` and, a folder by its looks, `/docs`."""
    path = unquote(path or "/")
    if path.endswith("/"):
        return path
    head, _, last = path.rpartition("/")
    return head + "/" if _INDEX.fullmatch(last) else path + "/"


def _is_other_copy(path: str) -> bool:
    """Say whether a path below the docs root leads into another version or language: a folder, not a page, of that name."""
    steps = [step for step in path.split("/") if step][:-1]
    return any(_VERSION.fullmatch(step) for step in steps[:2]) or (bool(steps) and _LANGUAGE.fullmatch(steps[0]) is not None)


def _origin(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return (parts.hostname or "").lower().rstrip("."), 80 if port == 443 else port


def _below(host: str, domain: str) -> bool:
    return host == domain or host.endswith("." + domain)
