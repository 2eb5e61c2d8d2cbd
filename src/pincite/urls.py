"""URLs: canonical form with the fragment apart, joining, and the file URLs of local sources.

In: URL text. Out: URL text. No I/O. Rules: RFC 3986 §6.2.2 and the WHATWG URL standard for scheme, host and default ports.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import PurePath
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit, urlunsplit

import idna

DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
TRACKING = re.compile(r"^(utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga|_gl|igshid|ref_src)$", re.I)


def split_fragment(url: str) -> tuple[str, str]:
    """Return the URL without its fragment, and the fragment decoded."""
    bare, fragment = urldefrag(url)
    return bare, unquote(fragment)


def canonical(url: str) -> str:
    """Return the form under which a page is stored: no fragment, no tracking parameters, lower-case scheme and host, no default port."""
    parts = urlsplit(url.strip())
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        return urldefrag(url)[0]
    host = (parts.hostname or "").lower().rstrip(".")
    if host and not host.isascii():
        with contextlib.suppress(idna.IDNAError):
            host = idna.encode(host, uts46=True).decode()
    if ":" in host:
        host = f"[{host}]"
    port = parts.port
    netloc = host if port in (None, DEFAULT_PORTS[scheme]) else f"{host}:{port}"
    pairs = [p for p in parts.query.split("&") if p and not TRACKING.match(p.split("=", 1)[0])]
    path = _ESCAPE.sub(_plain_escape, quote(_walked(parts.path) or "/", safe="/%:@!$&'()*+,;=~-._"))
    return urlunsplit((scheme, netloc, path, "&".join(pairs), ""))


def _plain_escape(match: re.Match[str]) -> str:
    """Return an escape as it is written: the character where it needs none, else in upper case (RFC 3986 §6.2.2.1 and 2)."""
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def _walked(path: str) -> str:
    """Return an absolute path without `.` and `..` steps (RFC 3986 §6.2.2.3); a doubled slash stays."""
    if "/." not in path and "%2e" not in path.lower():
        return path
    out: list[str] = []
    steps = re.sub("%2e", ".", path, flags=re.I).split("/")
    for step in steps:
        if step == "..":
            del out[max(1, len(out) - 1) :]
        elif step != ".":
            out.append(step)
    return "/".join(out) + "/" * (steps[-1] in (".", "..") and out[-1:] != [""])


def join(base: str, link: str) -> str:
    """Resolve a link against its page; raises nothing: a link that can't be parsed comes back empty."""
    try:
        return urljoin(base, link.strip())
    except ValueError:
        return ""


def with_fragment(url: str, fragment: str) -> str:
    """Return the URL with a percent-encoded fragment in place of its own."""
    bare = urldefrag(url)[0]
    return bare + "#" + quote(fragment, safe="!$&'()*+,;=:@/?~-._") if fragment else bare


def file_url(path: PurePath) -> str:
    """Return the `file://` URL of an absolute path."""
    return path.as_uri()


def is_web(url: str) -> bool:
    """Say whether this is an http or https URL."""
    return url[:7].lower() == "http://" or url[:8].lower() == "https://"
