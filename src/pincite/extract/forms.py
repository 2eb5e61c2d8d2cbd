"""Which format a snapshot is: by media type, what its source says, path ending, and content.

In: media type, kind, path, bytes. Out: the name of a form, such as `html`, `markdown`, `code:python`, `pdf` or `binary`.
"""

from __future__ import annotations

import re

from pincite.extract import code, office
from pincite.types import Kind

_MARKUP = re.compile(r"^\s*+(?:\ufeff)?(?:(?><!--.*?-->|<\?xml[^>]*>)\s*+)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_FEED = re.compile(rb"^\s*+(?:\xef\xbb\xbf\s*+)?(?:(?><!--.*?-->|<\?[^>]*>)\s*+)*+<(?:rss|feed|rdf:RDF)\b", re.I | re.S)
_BINARY = (
    b"\x7fELF", b"MZ\x90", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"(\xb5/\xfd", b"%PDF",
    b"\xca\xfe\xba\xbe", b"OggS", b"RIFF", b"SQLite format 3", b"wOFF", b"wOF2",
)  # fmt: skip
_ENDINGS = {
    "md": "markdown", "markdown": "markdown", "mdx": "markdown", "mkd": "markdown", "mdown": "markdown",
    "qmd": "markdown", "rmd": "markdown",
    "rst": "rst", "rest": "rst", "adoc": "asciidoc", "asciidoc": "asciidoc", "asc": "asciidoc", "ipynb": "notebook", "html": "html",
    "htm": "html", "xhtml": "html", "txt": "text", "text": "text", "rss": "feed", "atom": "feed",
}  # fmt: skip
_TYPES = {
    "text/html": "html", "application/xhtml+xml": "html", "text/markdown": "markdown", "text/x-markdown": "markdown", "text/x-rst": "rst",
    "application/rss+xml": "feed", "application/atom+xml": "feed", "application/x-ipynb+json": "notebook", "text/asciidoc": "asciidoc",
}  # fmt: skip
_UNSURE = frozenset(("", "asp", "aspx", "jsp", "cgi", "xml", "php"))


def form(media_type: str, kind: Kind | None, path: str, body: bytes) -> str:
    """Return the form. What the source says outweighs the ending, the ending outweighs the content."""
    name = path.partition("?")[0].partition("#")[0].rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if body.startswith(b"%PDF"):
        return "pdf"
    if body.startswith(b"PK\x03\x04") and office.is_docx(body):
        return "docx"
    if is_binary(body, media_type):
        return "binary"
    language = code.language_of(name)
    if kind == "code":
        return f"code:{language or 'text'}"
    if media_type in _TYPES and not (media_type == "text/html" and ending == "ipynb"):
        return _TYPES[media_type]
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    if ending in _UNSURE and (_FEED.match(body[:4096]) or _MARKUP.match(body[:2048].decode("latin-1"))):
        return "feed" if _FEED.match(body[:4096]) else "html"
    if re.fullmatch(r"[1-9][a-z]{0,3}|man|mdoc", ending):
        return "man"
    if language and kind != "doc":
        return f"code:{language}"
    if kind == "doc":
        return "text" if ending else "markdown"
    return "html" if _MARKUP.match(body[:2048].decode("latin-1")) else "text"


def is_binary(body: bytes, media_type: str) -> bool:
    """Say whether the bytes are no text."""
    if body.startswith((b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")):
        return False
    if body.startswith(_BINARY):
        return True
    head = body[:8192]
    if b"\x00" in head:
        return not media_type.startswith("text/html") or head.count(b"\x00") > len(head) // 4
    return len(head.translate(None, _CONTROL)) < len(head) * 0.9


_CONTROL = bytes(b for b in range(32) if b not in (9, 10, 11, 12, 13, 27))
