"""What a documentation page offers beside its text: title, table of contents, related pages, metadata.

In: a captured page. Out: `Reading`. Contents come from headings of the first three levels, related pages from the navigation of the page as
it was captured, so that they can be followed; only pages of the same site count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pincite import urls
from pincite.extract import dom
from pincite.types import Document

if TYPE_CHECKING:
    from pincite.library import Library

CONTENTS, RELATED, SHOWN = 15, 20, 10
LIMIT_BYTES = 4 * 1024 * 1024
_NAVIGATION = "nav a[href], .sidebar a[href], .toc a[href], .navigation a[href]"


@dataclass(frozen=True, slots=True)
class Reading:
    """A page at a glance. `contents` are (level, heading), `related` are (words, address)."""

    source: str
    title: str
    domain: str
    doc_id: str
    ref: str
    contents: tuple[tuple[int, str], ...]
    related: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """Return the page at a glance, as an agent reads it; at most ten related pages are shown."""
        parts = [f"Title: {self.title}", f"Source: {self.source} ({self.ref})"]
        if self.contents:
            least = min(level for level, _ in self.contents)
            parts.append("Table of Contents:\n" + "\n".join("  " * (level - least) + f"- {words}" for level, words in self.contents))
        if self.related:
            parts.append("Related documentation pages:\n" + "\n".join(f"- {words}: {address}" for words, address in self.related[:SHOWN]))
        return "\n\n".join(parts)


def reading(library: Library, ref: str) -> Reading:
    """Return what a captured page offers beside its text. Raises UsageError for an unknown capture."""
    capture, document = library.capture(ref), library.document(ref)
    body = library.body(ref) if "html" in capture.media_type and capture.size <= LIMIT_BYTES else b""
    return Reading(
        source=capture.final_url or capture.url,
        title=document.title,
        domain=urlsplit(capture.url).netloc,
        doc_id=document.id,
        ref=capture.ref,
        contents=_contents(document),
        related=_related(body, capture.charset, capture.final_url or capture.url),
    )


def _contents(document: Document) -> tuple[tuple[int, str], ...]:
    found = [(s.level, s.title) for s in document.sections if s.kind in ("heading", "symbol") and 1 <= s.level <= 3 and s.title]
    return tuple(found[:CONTENTS])


def _related(body: bytes, charset: str, page: str) -> tuple[tuple[str, str], ...]:
    if not body.strip():
        return ()
    try:
        tree = dom.parse(body.decode(charset or "utf-8", "replace"))
    except LookupError:
        tree = dom.parse(body.decode("utf-8", "replace"))
    found: dict[str, str] = {}
    host = urlsplit(page).netloc
    for link in tree.select(_NAVIGATION):
        address, _ = urls.split_fragment(urls.join(page, dom.attribute(link, "href")))
        words = " ".join(dom.words(link).split())
        if words and urls.is_web(address) and urlsplit(address).netloc == host and address != urls.split_fragment(page)[0]:
            found.setdefault(address, words)
        if len(found) == RELATED:
            break
    return tuple((words, address) for address, words in found.items())
