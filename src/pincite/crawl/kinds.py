"""Which files and answers can hold text that Pincite reads. No I/O.

In: a path, a media type, first bytes. Out: a media type, or that it is of the wrong type.
"""

from __future__ import annotations

import mimetypes
import re

_TEXTS = {
    "html": "text/html",
    "htm": "text/html",
    "xhtml": "application/xhtml+xml",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "mdx": "text/markdown",
    "rst": "text/x-rst",
    "txt": "text/plain",
    "text": "text/plain",
    "adoc": "text/asciidoc",
    "asciidoc": "text/asciidoc",
    "py": "text/x-python",
    "pyi": "text/x-python",
    "ts": "text/x-typescript",
    "tsx": "text/x-typescript",
    "mts": "text/x-typescript",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "rs": "text/x-rust",
    "go": "text/x-go",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "ipynb": "application/x-ipynb+json",
    "json": "application/json",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "toml": "application/toml",
    "xml": "application/xml",
    "svg": "image/svg+xml",
}
_OPAQUE = re.compile(
    r"(?i)\.(?:7z|a|apk|avi|avif|bin|bmp|bz2|class|db|deb|dll|dmg|doc|ear|eot|exe|flac|gif|gz|ico|iso|jar|jpe?g|lock|m4a|m4v|map|mkv|mo|mov|mp3"
    r"|mp4|msi|node|o|obj|ogg|ogv|otf|parquet|pickle|pkl|png|pyc|pyd|rar|rpm|so|sqlite|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|whl|woff2?|xz|zip|zst)$"
)
_READABLE_WEB = re.compile(
    r"(?:text/(?:html|plain|markdown|x-markdown|x-rst|prs\.fallenstein\.rst|asciidoc|x-[a-z0-9+.-]+)|application/(?:xhtml\+xml|pdf|x-ipynb\+json))$"
)
_WEB_OPAQUE = re.compile(r"(?i)\.(?:css|js|mjs|json|xml|rss|atom|inv|woff2?|docx?|pptx?|xlsx?|epub)$")
SNIFF_BYTES = 8192


def is_opaque(path: str) -> bool:
    """Say whether a path's ending names pictures, archives, programs and the like, that hold no text."""
    return _OPAQUE.search(path) is not None


def is_opaque_link(path: str) -> bool:
    """Say whether a URL path can't lead to a page: opaque files, and what pages are made of (styles, scripts, data, feeds)."""
    return is_opaque(path) or _WEB_OPAQUE.search(path) is not None


def is_page(media_type: str) -> bool:
    """Say whether an answer of this type is a page to read; a missing type is sniffed later."""
    return not media_type or _READABLE_WEB.match(media_type.lower()) is not None


def is_binary(body: bytes) -> bool:
    """Say whether bytes are no text: a NUL in the first 8 KiB, unless a UTF-16 or UTF-32 mark or the PDF or ZIP signature explains it."""
    head = body[:SNIFF_BYTES]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:4] == b"\0\0\xfe\xff" or head[:5] == b"%PDF-":
        return False
    return b"\0" in head


def media_type_of(path: str, body: bytes = b"") -> str:
    """Return the media type of a file by its ending, else by its first bytes, else text/plain."""
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    if ending in _TEXTS:
        return _TEXTS[ending]
    if re.match(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", body[:512], re.I):
        return "text/html"
    guessed = mimetypes.guess_type(path, strict=False)[0]
    return guessed if guessed and guessed.startswith("text/") else "text/plain"
