"""Patterns over paths and URLs, as `--include`, `--exclude`, `--deny` and globs write them. No I/O.

In: a pattern. Out: a compiled expression. `*` and `?` stay within one step, `**` crosses steps, `[…]` and `[!…]` are sets as in the shell.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"\*\*/?|\*|\?|\[!?\]?[^\]]*\]|[^*?\[]+|\[")


def whole(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for the whole of a relative path."""
    return re.compile(_translated(pattern) + r"\Z")


def within(pattern: str, *, rooted: bool) -> re.Pattern[str]:
    """Compile a pattern to be searched for in `/path/with/steps` or a URL.

    One without a slash fits any one step and, where that is a folder, what lies below; a slash at its end says that it must be one. One
    with a slash fits a whole path: from its start where the pattern begins with a slash or a scheme, or is `rooted`, else from any step on.
    """
    bare = pattern.rstrip("/")
    end = "/" if pattern.endswith("/") and bare else r"\Z"
    if "/" not in bare.lstrip("/") and not bare.startswith("/"):
        return re.compile(f"(?:^|/){_translated(bare)}" + ("/" if end == "/" else r"(?:/|\Z)"))
    if bare.startswith("/") or "://" in bare:
        return re.compile("^" + _translated(bare) + end)
    return re.compile(("^/?" if rooted else "(?:^|/)") + _translated(bare) + end)


def _translated(pattern: str) -> str:
    out = []
    for piece in _PIECE.findall(pattern):
        if piece.startswith("**"):
            out.append(".*" if piece == "**" else "(?:.*/)?")
        elif piece in ("*", "?"):
            out.append("[^/]*" if piece == "*" else "[^/]")
        elif piece.startswith("[") and len(piece) > 2:
            out.append(_set(piece[1:-1]))
        else:
            out.append(re.escape(piece))
    return "".join(out)


def _set(inside: str) -> str:
    """Return a set of the shell as one of an expression; one that is none there stands for its own characters."""
    negated = inside.startswith("!")
    found = ("[^/" if negated else "[") + re.escape(inside[negated:]).replace(r"\-", "-") + "]"
    try:
        re.compile(found)
    except re.error:
        return re.escape(f"[{inside}]")
    return found
