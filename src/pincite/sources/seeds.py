"""Where else a site says its pages are: sitemaps, llms.txt, object inventories, feeds. No I/O.

In: bytes of what was fetched and where. Out: absolute URLs, in order: hints that pass scope, robots and address rule like any link.
Formats: sitemaps.org 0.9 (50,000 URLs, 50 MB, indexes, gz), llmstxt.org, Sphinx inventory version 2, RSS 2.0, Atom (RFC 4287).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from lxml import etree

from pincite import urls

MAX_URLS = 50_000
LIMIT_BYTES = 50 * 1024 * 1024
GUESSES = ("sitemap.xml", "llms.txt", "objects.inv")
"""Names that are asked for at the docs root, beside what robots.txt names; `sitemap.xml` at the host's root too."""
_NAMES = re.compile(
    r"(?i)/(?:[^/]*sitemap[^/]*\.xml(?:\.gz)?|llms(?:-full)?\.txt|objects\.inv|(?:feed|rss|atom|index)\.xml|[^/]+\.(?:rss|atom))$"
)
_LINK = re.compile(r"\]\(\s*<?([^\s)>]+)>?(?:\s+[\"'][^)]*)?\)")
_XML_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<")


@dataclass(frozen=True, slots=True)
class Seeds:
    """What a seed file names: pages, and further seed files."""

    pages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def is_seed_file(url: str) -> bool:
    """Say whether a location is itself a sitemap, an `llms.txt`, an inventory or a feed, by its name."""
    return _NAMES.search(urlsplit(url).path) is not None


def candidates(start: str, sitemaps: tuple[str, ...]) -> tuple[str, ...]:
    """Return the URLs of seed files to ask for, for a start page and what robots.txt names."""
    parts = urlsplit(start)
    origin = f"{parts.scheme}://{parts.netloc}"
    folder = parts.path.rpartition("/")[0] + "/"
    named = [url for url in (urls.join(origin + "/robots.txt", s) for s in sitemaps) if urls.is_web(url)]
    return tuple(dict.fromkeys([*named, *(origin + folder + name for name in GUESSES), origin + "/sitemap.xml"]))


def read(body: bytes, url: str) -> Seeds:
    """Return what a seed file names, whatever its format; damaged or foreign files name as much as could be read."""
    if body[:2] == b"\x1f\x8b":
        body = _unzipped(body)
    if body.startswith(b"# Sphinx inventory version 2"):
        return Seeds(pages=_inventory(body, url))
    if _XML_START.match(body):
        return _xml(body[:LIMIT_BYTES], url)
    text = body[:LIMIT_BYTES].decode("utf-8", "replace")
    if urlsplit(url).path.endswith(".txt") and (text.lstrip("\ufeff").startswith("#") or "](" in text):
        return Seeds(pages=_unique(pages_of_llms(text, url)))
    lines = (line.strip() for line in text.splitlines())
    return Seeds(pages=_unique(line for line in lines if urls.is_web(line)))


def pages_of_llms(text: str, url: str) -> Iterator[str]:
    """Yield the pages that an `llms.txt` links to; for a `page.html.md` or `page.md` the HTML page that readers see."""
    for link in _LINK.findall(text):
        target = urls.join(url, link)
        if urls.is_web(target):
            yield re.sub(r"(?:\.html)?\.md(?=$|[?#])", lambda m: ".html" if m[0] == ".html.md" else "", target)


def _unzipped(body: bytes) -> bytes:
    """Undo gzip up to the limit; what is damaged ends there."""
    inflate, out = zlib.decompressobj(zlib.MAX_WBITS | 32), bytearray()
    try:
        while body and not inflate.eof and len(out) < LIMIT_BYTES:
            out += inflate.decompress(body, 65536)
            body = inflate.unconsumed_tail
    except zlib.error:
        pass
    return bytes(out)


def _xml(body: bytes, url: str) -> Seeds:
    """Read a sitemap, a sitemap index or a feed; entities, DTDs and the network are off, errors are passed over."""
    parser = etree.XMLPullParser(events=("end",), resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    pages: list[str] = []
    files: list[str] = []
    try:
        for at in range(0, len(body), 65536):
            parser.feed(body[at : at + 65536])
            for _, element in parser.read_events():
                _take(element, url, pages, files)
            if len(pages) + len(files) >= MAX_URLS:
                break
    except etree.XMLSyntaxError:
        pass
    return Seeds(_unique(pages), _unique(files))


def _take(element: etree._Element, url: str, pages: list[str], files: list[str]) -> None:
    if not isinstance(element.tag, str):
        return
    name = etree.QName(element).localname
    parent = element.getparent()
    above = etree.QName(parent).localname if parent is not None and isinstance(parent.tag, str) else ""
    found = ""
    if name == "loc" and above in ("url", "sitemap"):
        found = (element.text or "").strip()
    elif name == "link" and above in ("entry", "item"):
        found = (element.get("href") or element.text or "").strip() if element.get("rel", "alternate") == "alternate" else ""
    elif name in ("url", "sitemap", "entry", "item"):
        element.clear()
    target = urls.join(url, found) if found else ""
    if urls.is_web(target):
        (files if above == "sitemap" else pages).append(target)


def _inventory(body: bytes, url: str) -> tuple[str, ...]:
    """Return the pages of a Sphinx `objects.inv`: four header lines, then zlib-compressed lines `name domain:role priority uri title`."""
    head = body.split(b"\n", 4)
    if len(head) < 5:
        return ()
    lines = _unzipped(head[4]).decode("utf-8", "replace").splitlines()
    found = (re.fullmatch(r".+?\s+\S+:\S+\s+-?\d+\s+(\S+)\s+.*", line) for line in lines[:MAX_URLS])
    return _unique(urls.join(url, m[1].split("#", 1)[0]) for m in found if m is not None)


def _unique(found: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))[:MAX_URLS]
