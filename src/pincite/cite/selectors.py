"""Selectors and deep links of a quote: W3C Web Annotation selectors and text fragments.

In: a document, a span of it, the page's URL. Out: prefix and suffix, a deep link. Both speak of visible text, or they would never match a
live page. Rules: W3C Web Annotation Data Model §4.2, WICG Scroll To Text Fragment §3 (`-`, `,` and `&` are percent-encoded).
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urldefrag, urlsplit

from pincite.types import Block, Document, Span
from pincite.urls import is_web

CONTEXT: Final = 32
"""Characters of prefix and suffix in a TextQuoteSelector."""
LONG: Final = 300
"""From this many characters on, a fragment names only the quote's start and end."""

_SHOWN_RENDERED = re.compile(r"\.(?:md|markdown|mdx|rst|adoc|asciidoc|ipynb|svg|csv|org|textile)$", re.I)


def context(document: Document, span: Span) -> tuple[str, str]:
    """Return up to 32 visible characters before and after the span."""
    before = document.visible(Span(max(0, span.start - CONTEXT * 12), span.start))[-CONTEXT:]
    after = document.visible(Span(span.end, min(len(document.text), span.end + CONTEXT * 12)))[:CONTEXT]
    return before, after


def text_fragment(document: Document, span: Span) -> str:
    """Return the `text=…` directive that finds the span on the live page, unique there, or an empty string where it has no words.

    A match must lie inside one block when it is given whole, so a quote over several blocks, or a long one, is given by its start and end.
    """
    pieces = _pieces(document, span)
    if not pieces:
        return ""
    first, last = pieces[0], pieces[-1]
    whole = first if len(pieces) == 1 else ""
    if whole and len(whole) <= LONG:
        start, end = whole, ""
    else:
        start, end = _head(first), _tail(last)
    target = start + ("," if end else "") + end
    directive = _encode(start) + ("," + _encode(end) if end else "")
    if target and _occurrences(document, start) > 1:
        before, after = _around(document, span)
        directive = (f"{_encode(before)}-," if before else "") + directive + (f",-{_encode(after)}" if after else "")
    return "text=" + directive


def deep_link(url: str, anchor: str | None, document: Document, span: Span) -> str:
    """Return the URL that scrolls to the quote: the page's own anchor, where there is one, and a text fragment."""
    bare = urldefrag(url)[0]
    directive = text_fragment(document, span)
    own = quote(anchor, safe="!$'()*+;=:@/?~._-") if anchor else ""
    if not directive:
        return f"{bare}#{own}" if own else bare
    return f"{bare}#{own}:~:{directive}"


def permalink(url: str, document: Document, span: Span) -> str:
    """Return the URL of the quoted lines in a repository, as the host that shows it names lines; of its file where lines mean nothing."""
    if not is_web(url):
        return url
    bare = urldefrag(url)[0]
    if any(block.dom_path for block in document.blocks):
        return bare
    text, host = document.text, urlsplit(url).hostname or ""
    first = text.count("\n", 0, span.start) + 1
    last = first + text.count("\n", span.start, max(span.start, span.end - 1))
    if host == "bitbucket.org":
        return f"{bare}#lines-{first}" + (f":{last}" if last > first else "")
    plain = "?plain=1" if _SHOWN_RENDERED.search(bare) and host == "github.com" else ""
    more = f"-{last}" if "/-/blob/" in bare else f"-L{last}"
    return f"{bare}{plain}#L{first}" + (more if last > first else "")


def _encode(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")


def _pieces(document: Document, span: Span) -> list[str]:
    """Return the visible text of the span, one piece a block and line of it, white space collapsed."""
    blocks: tuple[Block | None, ...] = document.blocks_in(span) or (None,)
    pieces = []
    for block in blocks:
        part = span if block is None else Span(max(span.start, block.span.start), min(span.end, block.span.end))
        text = document.visible(part)
        lines = text.splitlines() if block is not None and block.kind in ("table", "list_item", "term") else [text]
        for line in lines:
            cells = re.split(r"\s*\|\s*", line) if block is not None and block.kind == "table" else [line]
            pieces += [c for c in (" ".join(cell.split()) for cell in cells) if re.search(r"\w", c)]
    return pieces


def _head(text: str) -> str:
    words = text.split(" ")
    return " ".join(words[:6]) if len(words) > 7 else text[:48] if len(words) == 1 else text


def _tail(text: str) -> str:
    words = text.split(" ")
    return " ".join(words[-6:]) if len(words) > 7 else text[-48:] if len(words) == 1 else text


def _occurrences(document: Document, text: str) -> int:
    everything = " ".join(document.visible(Span(0, len(document.text))).split()).casefold()
    return everything.count(" ".join(text.split()).casefold())


def _around(document: Document, span: Span) -> tuple[str, str]:
    """Return a few words before and after the span, from its own blocks' neighbours, cut at word ends."""
    before, after = context(document, span)
    left = " ".join(before.splitlines()[-1:] and before.split("\n\n")[-1].split())
    right = " ".join(after.split("\n\n")[0].split())
    if before and not before[0].isspace() and " " in left and len(before) == CONTEXT:
        left = left.split(" ", 1)[1]
    if after and not after[-1].isspace() and " " in right and len(after) == CONTEXT:
        right = right.rsplit(" ", 1)[0]
    return left.strip(), right.strip()
