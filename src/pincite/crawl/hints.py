"""What a page's HTML says to a crawler beside its text. No I/O; cheap scans, since extraction comes later.

In: HTML bytes. Out: how much text there is, where the page moved, what it calls itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from urllib.parse import urlsplit

from pincite import urls
from pincite.types import Fetched

MIN_TEXT_CHARS = 200
"""A web page with less visible text holds nothing to cite."""
SCAN_BYTES = 2 * 1024 * 1024
_WINDOWS = (32 * 1024, 256 * 1024, SCAN_BYTES)
_UNSEEN = re.compile(rb"<(?:(script|style|template|noscript|head)\b|!--)")
_TO_THE_END = (b"script", b"style")
"""Elements that swallow the rest of a page when nothing closes them."""
_TAG = re.compile(rb"<[^<>]*>")
_NEEDS = re.compile(rb"(?:enable|requires?|need|turn on)\s+(?:\w+\s+){0,3}javascript|javascript\s+(?:is\s+)?(?:required|disabled)", re.I)
_SHELL = re.compile(
    rb"<(?:div|main|app-root|body)\b[^<>]*\bid\s*=\s*[\"']?(?:root|app|__next|__nuxt|svelte|gatsby|main-app)\b[^<>]*>\s*</", re.I
)
_HEAD_TAG = re.compile(rb"<(?:meta|link)\b[^<>]*>", re.I)
MAX_HEAD_TAGS = 1000
MAX_TAG_BYTES = 8192
_REFRESH = re.compile(rb"\bhttp-equiv\s*=\s*[\"']?refresh\b", re.I)
_REFRESH_URL = re.compile(rb"content\s*=\s*([\"'])\s*(\d+)[^\"']*?[;,]\s*(?:url\s*=\s*)?[\"']?(.*?)[\"']?\s*\1", re.I | re.S)
_CANONICAL = re.compile(rb"\brel\s*=\s*[\"']?canonical\b", re.I)
_FEED = re.compile(
    rb"\brel\s*=\s*(?:[\"']?sitemap\b|[\"']?alternate\b(?=[^<>]*application/(?:rss|atom)\+xml))"
    rb"|application/(?:rss|atom)\+xml(?=[^<>]*\brel\s*=\s*[\"']?alternate\b)",
    re.I,
)
_HREF = re.compile(rb"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.I)
_TITLE = re.compile(rb"<title\b[^<>]*>([^<]{0,2000})", re.I)
_PASSWORD = re.compile(rb"<input\b[^<>]*\btype\s*=\s*[\"']?password\b", re.I)
_SIGN_IN = re.compile(
    rb"\b(?:log|sign)[-_ ]?(?:in|on)\b|\bsso\b|\bsession/new\b|\banmeld|\bconnexion\b|\xe7\x99\xbb\xe5\xbd\x95|\xe3\x83\xad\xe3\x82\xb0",
    re.I,
)
"""Sign in: English, German, French, Chinese, Japanese."""
_LOGIN_CHARS = 1500
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
        bare = _TAG.sub(b" ", _seen(body[:size])).replace(b"&nbsp;", b" ")
        count = len(b" ".join(bare.split()))
        if count >= enough or size >= len(body):
            break
    return count


def _seen(body: bytes) -> bytes:
    """Return a page without comments, scripts, templates and its head. Time grows with the page's length, whatever it holds."""
    lower, kept, at, unclosed = body.lower(), list[bytes](), 0, set[bytes]()
    while found := _UNSEEN.search(lower, at):
        name = found[1] or b""
        closing = b"</" + name if name else b"-->"
        end = -1 if name in unclosed else lower.find(closing, found.end())
        if end < 0 and name in _TO_THE_END:
            kept.append(body[at : found.start()])
            return b" ".join(kept)
        if end < 0:
            unclosed.add(name)
            kept.append(body[at : found.end()])
            at = found.end()
            continue
        kept.append(body[at : found.start()])
        at = (lower.find(b">", end) + 1 or len(body)) if name else end + len(closing)
    kept.append(body[at:])
    return b" ".join(kept)


def head_tags(body: bytes) -> Iterator[bytes]:
    """Yield the first `meta` and `link` tags of a page."""
    for found in islice(_HEAD_TAG.finditer(body, 0, SCAN_BYTES), MAX_HEAD_TAGS):
        yield found[0][:MAX_TAG_BYTES]


def needs_scripts(page: Fetched) -> bool:
    """Say whether the text of a page comes by scripts: too little is there, or it asks for them, or its one element is empty."""
    if not is_html(page) or b"<script" not in page.body[:SCAN_BYTES].lower():
        return False
    count = text_chars(page.body, 5 * MIN_TEXT_CHARS)
    return count < MIN_TEXT_CHARS or (count < 5 * MIN_TEXT_CHARS and (_NEEDS.search(page.body) or _SHELL.search(page.body)) is not None)


def moved_to(page: Fetched) -> str:
    """Return where an HTML page sends its reader within ten seconds (`<meta http-equiv=refresh>`), or an empty string."""
    tag = next((tag for tag in head_tags(page.body[:65536]) if _REFRESH.search(tag)), None) if is_html(page) else None
    found = _REFRESH_URL.search(tag) if tag else None
    if found is None or int(found[2][:6]) > 10 or not found[3].strip():
        return ""
    return urls.join(page.final_url, unescape(found[3].decode("utf-8", "replace")))


def calls_itself(page: Fetched) -> str:
    """Return the absolute URL of `rel=canonical`, or an empty string."""
    tag = next((tag for tag in head_tags(page.body) if _CANONICAL.search(tag)), None) if is_html(page) else None
    return _href(tag, page.final_url) if tag else ""


def feeds(page: Fetched) -> tuple[str, ...]:
    """Return the absolute URLs of the feeds and sitemaps that an HTML page names in `<link rel=alternate>` and `<link rel=sitemap>`."""
    named = (_href(tag, page.final_url) for tag in head_tags(page.body) if _FEED.search(tag)) if is_html(page) else iter(())
    return tuple(dict.fromkeys(url for url in named if urls.is_web(url)))


def _href(tag: bytes, base: str) -> str:
    href = _HREF.search(tag)
    return urls.join(base, unescape((href[1] or href[2] or href[3] or b"").decode("utf-8", "replace"))) if href else ""


def is_lost(page: Fetched) -> bool:
    """Say whether a page with status 200 only says that there is no such page."""
    if not is_html(page):
        return False
    title = _TITLE.search(page.body[:65536])
    return title is not None and _LOST.search(title[1]) is not None and text_chars(page.body, 5 * MIN_TEXT_CHARS) < 5 * MIN_TEXT_CHARS


def is_login(page: Fetched, asked: str) -> bool:
    """Say whether a page asks for a login in place of what was `asked` for: with a password field, little text, and a name that says so."""
    head = page.body[: _WINDOWS[1]] if is_html(page) else b""
    if _PASSWORD.search(head) is None or text_chars(head, _LOGIN_CHARS) >= _LOGIN_CHARS:
        return False
    title = _TITLE.search(head)
    sent = urlsplit(page.final_url).path != urlsplit(asked).path and _SIGN_IN.search(urlsplit(page.final_url).path.encode()) is not None
    return sent or (title is not None and _SIGN_IN.search(title[1]) is not None)


def are_variants(one: str, other: str) -> bool:
    """Say whether two URLs may be spellings of one page: they differ in scheme, case, trailing slash, index page or query."""
    return _plain(one) == _plain(other)


def _plain(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc.lower().removeprefix("www."), _INDEX.sub("", parts.path.lower()).rstrip("/").removesuffix(".html")
