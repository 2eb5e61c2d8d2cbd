"""What a page's HTML says to a crawler beside its text. No I/O; cheap scans, since extraction comes later.

In: HTML bytes. Out: how much text there is, where the page moved, what it calls itself.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

from pincite import urls
from pincite.types import Fetched

MIN_TEXT_CHARS = 200
"""A web page with less visible text holds nothing to cite."""
SCAN_BYTES = 2 * 1024 * 1024
_WINDOWS = (32 * 1024, 256 * 1024, SCAN_BYTES)
_UNSEEN = re.compile(rb"<(script|style|template|noscript|head)\b.*?</\1\s*>|<!--.*?-->|<(?:script|style)\b.*\Z", re.I | re.S)
_TAG = re.compile(rb"<[^>]*>")
_SPACE = re.compile(rb"(?:\s|&nbsp;)+")
_NEEDS = re.compile(rb"(?:enable|requires?|need|turn on)\s+(?:\w+\s+){0,3}javascript|javascript\s+(?:is\s+)?(?:required|disabled)", re.I)
_SHELL = re.compile(
    rb"<(?:div|main|app-root|body)\b[^>]*\bid\s*=\s*[\"']?(?:root|app|__next|__nuxt|svelte|gatsby|main-app)\b[^>]*>\s*</", re.I
)
_REFRESH = re.compile(rb"<meta\b[^>]*http-equiv\s*=\s*[\"']?refresh\b[^>]*>", re.I)
_REFRESH_URL = re.compile(rb"content\s*=\s*([\"'])\s*(\d+)[^\"']*?[;,]\s*(?:url\s*=\s*)?[\"']?(.*?)[\"']?\s*\1", re.I | re.S)
_CANONICAL = re.compile(rb"<link\b[^>]*\brel\s*=\s*[\"']?canonical\b[^>]*>", re.I)
_HREF = re.compile(rb"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.I)
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.I | re.S)
_LOST = re.compile(rb"\b404\b|not found|page (?:does ?n.t|does not) exist|nothing found", re.I)
_INDEX = re.compile(r"(?:^|/)(?:index|default)\.[a-z]{3,5}$", re.I)


def is_html(page: Fetched) -> bool:
    """Say whether a page is HTML, by its type or, without one, by its first bytes."""
    if page.media_type:
        return page.media_type in ("text/html", "application/xhtml+xml")
    return re.match(rb"(?:\xef\xbb\xbf)?\s*<", page.body[:64]) is not None


def text_chars(body: bytes, enough: int = SCAN_BYTES) -> int:
    """Return about how many bytes of visible text an HTML page holds, white space counting once; stop counting when there is `enough`."""
    count = 0
    for size in _WINDOWS:
        bare = _TAG.sub(b" ", _UNSEEN.sub(b" ", body[:size]))
        count = len(_SPACE.sub(b" ", bare).strip())
        if count >= enough or size >= len(body):
            break
    return count


def needs_scripts(page: Fetched) -> bool:
    """Say whether the text of a page comes by scripts: too little is there, or it asks for them, or its one element is empty."""
    if not is_html(page) or b"<script" not in page.body[:SCAN_BYTES].lower():
        return False
    count = text_chars(page.body, 5 * MIN_TEXT_CHARS)
    return count < MIN_TEXT_CHARS or (count < 5 * MIN_TEXT_CHARS and (_NEEDS.search(page.body) or _SHELL.search(page.body)) is not None)


def moved_to(page: Fetched) -> str:
    """Return where an HTML page sends its reader within ten seconds (`<meta http-equiv=refresh>`), or an empty string."""
    tag = _REFRESH.search(page.body[:65536]) if is_html(page) else None
    found = _REFRESH_URL.search(tag[0]) if tag else None
    if found is None or int(found[2][:6]) > 10 or not found[3].strip():
        return ""
    return urls.join(page.final_url, unescape(found[3].decode("utf-8", "replace")))


def calls_itself(page: Fetched) -> str:
    """Return the absolute URL of `rel=canonical`, or an empty string."""
    tag = _CANONICAL.search(page.body[:SCAN_BYTES]) if is_html(page) else None
    href = _HREF.search(tag[0]) if tag else None
    if href is None:
        return ""
    return urls.join(page.final_url, unescape((href[1] or href[2] or href[3] or b"").decode("utf-8", "replace")))


def is_lost(page: Fetched) -> bool:
    """Say whether a page with status 200 only says that there is no such page."""
    if not is_html(page):
        return False
    title = _TITLE.search(page.body[:65536])
    return title is not None and _LOST.search(title[1]) is not None and text_chars(page.body, 5 * MIN_TEXT_CHARS) < 5 * MIN_TEXT_CHARS


def are_variants(one: str, other: str) -> bool:
    """Say whether two URLs may be spellings of one page: they differ in scheme, case, trailing slash, index page or query."""
    return _plain(one) == _plain(other)


def _plain(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc.lower().removeprefix("www."), _INDEX.sub("", parts.path.lower()).rstrip("/").removesuffix(".html")
