"""robots.txt: what a site asks crawlers to leave alone. No I/O; works on bytes and never raises.

In: the file's bytes, a product token, a URL. Out: allowed or not, the crawl delay, the sitemaps.

RFC 9309: groups (§2.2.1), longest match with allow winning ties (§2.2.2), `*` and `$` (§2.2.3), percent-encoding (§2.2.2), 500 KiB (§2.5).
Lenient where the original Google parser is: common misspellings, a blank in place of the colon, `index.html` standing for its folder.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

LIMIT_BYTES = 500 * 1024
MAX_DELAY_S = 60.0
_LINE_BYTES = 2083 * 8 - 1
_LINE = re.compile(rb"\r\n|\r|\n")
_HEX = re.compile(rb"%[0-9A-Fa-f]{2}")
_AGENT = frozenset({b"user-agent", b"useragent", b"user agent"})
_ALLOW = frozenset({b"allow"})
_DISALLOW = frozenset({b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw"})
_SITEMAP = frozenset({b"sitemap", b"site-map"})
_INDEX = re.compile(rb"/index\.html?$")


@dataclass(frozen=True, slots=True)
class Rule:
    """One `Allow` or `Disallow` line, its pattern percent-encoded."""

    allow: bool
    pattern: bytes


@dataclass(frozen=True, slots=True)
class Group:
    """The rules for one set of product tokens, lower case; `*` stands for everyone."""

    agents: tuple[bytes, ...]
    rules: tuple[Rule, ...]
    delay_s: float | None = None


@dataclass(frozen=True, slots=True)
class Robots:
    """A parsed robots.txt. An empty one allows everything."""

    groups: tuple[Group, ...] = ()
    sitemaps: tuple[str, ...] = ()

    def allows(self, agent: str, url: str) -> bool:
        """Say whether the product token may fetch the URL; `/robots.txt` itself is always allowed (RFC 9309 §2.2.2)."""
        path = _path(url)
        longest, allowed = -1, True
        for group in self._of(agent):
            for rule in group.rules:
                for pattern in _spellings(rule):
                    if len(pattern) >= longest and _matches(pattern, path) and (len(pattern) > longest or rule.allow):
                        longest, allowed = len(pattern), rule.allow
        return allowed

    def delay_s(self, agent: str) -> float | None:
        """Return the crawl delay for the product token, at most 60 s, or None."""
        return next((min(g.delay_s, MAX_DELAY_S) for g in self._of(agent) if g.delay_s is not None), None)

    def _of(self, agent: str) -> tuple[Group, ...]:
        token = agent.lower().encode()
        own = tuple(g for g in self.groups if token and token in g.agents)
        return own or tuple(g for g in self.groups if b"*" in g.agents)


def parse(body: bytes) -> Robots:
    """Parse the first 500 KiB of a robots.txt; lines that make no sense are passed over."""
    body = body[:LIMIT_BYTES]
    body = body[next(n for n in (3, 2, 1, 0) if body.startswith(b"\xef\xbb\xbf"[:n])) :]
    groups: list[Group] = []
    sitemaps: list[str] = []
    agents: list[bytes] = []
    rules: list[Rule] = []
    delay: float | None = None
    naming = True

    def close() -> None:
        if agents:
            groups.append(Group(tuple(agents), tuple(rules), delay))

    for line in _LINE.split(body):
        key, value = _field(line)
        if key in _AGENT:
            if not naming:
                close()
                agents, rules, delay, naming = [], [], None, True
            agents.append(_token(value))
        elif key in _ALLOW or key in _DISALLOW:
            naming = False
            if agents and value:
                rules.append(Rule(key in _ALLOW, _encoded(value)))
        elif key in _SITEMAP:
            sitemaps.append(value.decode("utf-8", "replace"))
        elif key == b"crawl-delay" and delay is None:
            delay = _seconds(value)
    close()
    return Robots(tuple(groups), tuple(sitemaps))


def _field(line: bytes) -> tuple[bytes, bytes]:
    line = line[:_LINE_BYTES].split(b"#", 1)[0].replace(b"\0", b"").strip()
    key, colon, value = line.partition(b":")
    if not colon:
        words = line.split()
        key, value = (words[0], words[1]) if len(words) == 2 else (b"", b"")
    return key.strip().lower(), value.strip()


def _token(value: bytes) -> bytes:
    if value[:1] == b"*" and not value[1:2].strip():
        return b"*"
    found = re.match(rb"[A-Za-z_-]*", value)
    return found[0].lower() if found else b""


def _seconds(value: bytes) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _encoded(value: bytes) -> bytes:
    upper = _HEX.sub(lambda m: m[0].upper(), value)
    return re.sub(rb"[\x80-\xff]", lambda m: b"%%%02X" % m[0][0], upper)


def _path(url: str) -> bytes:
    rest = re.sub(r"^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?;#]*", "", url, count=1).split("#", 1)[0]
    return (rest if rest.startswith("/") else "/" + rest).encode("utf-8", "surrogatepass")


def _spellings(rule: Rule) -> tuple[bytes, ...]:
    """Return the pattern, and for an allowed index page its folder, as the original parser reads it."""
    if rule.allow and _INDEX.search(rule.pattern):
        return rule.pattern, rule.pattern[: rule.pattern.rindex(b"/") + 1] + b"$"
    return (rule.pattern,)


def _matches(pattern: bytes, path: bytes) -> bool:
    """Match from the start of the path, in linear time: each piece between stars at its first place, the last at the end if anchored."""
    anchored = pattern.endswith(b"$")
    first, *rest = (pattern[:-1] if anchored else pattern).split(b"*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not rest:
        return not anchored or at == len(path)
    for piece in rest[:-1]:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    if anchored:
        return path.endswith(rest[-1]) and len(path) - at >= len(rest[-1])
    return path.find(rest[-1], at) >= 0
