"""Corpora for assistants: the `## File:` form for documents and code, `llms.txt`, `llms-full.txt` and a page's Markdown.

In: a library. Out: text in parts, so that a server can stream it. The `## File:` form reads back to the same documents: a fence is longer
than any run of backticks that begins a line inside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from pincite.errors import UsageError
from pincite.types import Document, Holding, Kind, timestamp

if TYPE_CHECKING:
    from pincite.library import Library

ABOUT_CHARS = 160
SAFE = "%/:?#@!$&'*+,;=~-._[]"
"""What stays as it is in the address of a Markdown link; brackets and spaces would end it."""
PROSE = frozenset({"md", "markdown", "mdx", "rst", "txt", "text", "adoc", "asciidoc", "html"})
"""Fence words that `add` reads as documents."""
ENDINGS = {"python": "py", "javascript": "js", "typescript": "ts", "shell": "sh", "markdown": "md"}
"""Fence words that the corpora of other tools use in place of the language's name."""


@dataclass(frozen=True, slots=True)
class Page:
    """One document that the library holds, and where."""

    holding: Holding
    document: Document


def pages(library: Library, *, kind: Kind | None = None, source: str | None = None, as_of: datetime | None = None) -> Iterator[Page]:
    """Yield the held pages of a kind, in the order of source and path. Raises UsageError for an unknown source.

    Captures of which no text could be taken are left out.
    """
    for holding in files(library, source=source, as_of=as_of):
        try:
            document = library.document(holding.ref)
        except UsageError:
            continue
        if kind is None or document.kind == kind:
            yield Page(holding, document)


def files(library: Library, *, source: str | None = None, as_of: datetime | None = None) -> tuple[Holding, ...]:
    """Return what is held, in the order of source and path. Raises UsageError for an unknown source."""
    return tuple(sorted(library.held(source, as_of=as_of), key=lambda h: (h.source, h.path, h.url)))


def head(name: str, kind: Kind, today: datetime) -> str:
    """Return the head of a corpus."""
    return f"# {name} {'Code' if kind == 'code' else 'Doc'} Context\n\nGenerated on {today:%Y-%m-%d}\n\n"


def corpus(library: Library, kind: Kind, *, name: str, today: datetime, source: str | None = None) -> Iterator[str]:
    """Yield a whole corpus in parts: head, then one section for each document."""
    yield head(name, kind, today)
    yield from sections(pages(library, kind=kind, source=source), kind=kind)


def sections(found: Iterable[Page], *, kind: Kind) -> Iterator[str]:
    """Yield a `## File:` section for each page."""
    for page in found:
        yield section(page.holding.path or page.holding.url, page.document.text, _word(page, kind))


def section(path: str, text: str, language: str) -> str:
    """Return one section. The text stands inside the fence as it is; where its last line has no end, one is added before the fence."""
    fence = _fence(text)
    closing = "" if text.endswith("\n") or not text else "\n"
    return f"## File: {' '.join(path.split())}\n\n{fence}{language}\n{text}{closing}{fence}\n\n\n"


def _fence(text: str) -> str:
    """Return a fence that no line of the text can close; four at least around a text that holds a `## File:` line of its own."""
    longest = max((len(run) for run in re.findall(r"^[ \t]*(`{3,})", text, re.M)), default=0)
    least = 4 if re.search(r"^## File:", text, re.M) else 3
    return "`" * max(least, longest + 1)


def _word(page: Page, kind: Kind) -> str:
    """Return the fence's word: `md` for documents, a file's ending or its language for code, never a word that reads as prose."""
    if kind == "doc":
        return "md"
    _, dot, ending = page.holding.path.rpartition(".")
    word = ending.lower() if dot and ending.isalnum() else ENDINGS.get(page.document.code_language, page.document.code_language)
    return "" if word in PROSE else word


def title(name: str, form: str) -> str:
    """Return the head of an `llms.txt` or `llms-full.txt`."""
    summary = "\n> Captured documentation and source code; every page is a snapshot with a date and a REF- code.\n"
    return f"# {_line(name)}\n" + (summary if form == "llms-txt" else "")


def llms_txt(library: Library, *, name: str, source: str | None = None, link: Callable[[Page], str] | None = None) -> Iterator[str]:
    """Yield an `llms.txt`: a heading for the library, one for each source, and a line for each document. `link` says where a page is read.

    The form is that of llmstxt.org: title, summary in a quotation, lists of links under second-level headings.
    """
    yield title(name, "llms-txt")
    before = None
    for page in pages(library, source=source):
        yield listed(page, before, link=link)
        before = page


def listed(page: Page, before: Page | None, *, link: Callable[[Page], str] | None = None) -> str:
    """Return a page's line of an `llms.txt`, under its source's heading where the page before is of another."""
    heading = f"\n## {_line(page.holding.source)}\n\n" if before is None or before.holding.source != page.holding.source else ""
    words = _line(page.document.title or page.holding.path or page.holding.url)
    for character in "[]":
        words = words.replace(character, "\\" + character)
    address = link(page) if link else page.holding.url
    about = _about(page.document)
    return f"{heading}- [{words}]({quote(address, safe=SAFE)}){': ' + about if about else ''}\n"


def llms_full(library: Library, *, name: str, source: str | None = None) -> Iterator[str]:
    """Yield an `llms-full.txt`: every document whole, each under its title with its address, date and REF- code."""
    yield title(name, "llms-full")
    for page in pages(library, source=source):
        yield markdown(page)


def markdown(page: Page) -> str:
    """Return a page's Markdown with a head that says what it is: what `.md` alternates give."""
    words = _line(page.document.title or page.holding.path or page.holding.url)
    head = f"\n# {words}\n\nSource: {page.holding.url}\nCaptured: {timestamp(page.holding.valid_from)} {page.holding.ref}\n\n"
    return head + page.document.text.rstrip("\n") + "\n"


def page_of(library: Library, ref: str) -> Page:
    """Return the page of a capture, whether it is still held or not. Raises UsageError."""
    capture, document = library.capture(ref), library.document(ref)
    return Page(Holding(0, capture.source, capture.url, capture.path, capture.ref, document.id, capture.fetched_at), document)


def _line(text: str) -> str:
    return " ".join(text.split())


def _about(document: Document) -> str:
    """Return the first sentence of a document's first paragraph, at most `ABOUT_CHARS` long."""
    for block in document.blocks:
        if block.kind == "paragraph":
            words = _line(document.visible(block.span))
            sentence = re.match(r".+?[.!?。！？](?=\s|$)", words)
            words = sentence[0] if sentence else words
            return words if len(words) <= ABOUT_CHARS else words[: words.rfind(" ", 0, ABOUT_CHARS)] + " …"
    return ""
