"""Corpora for assistants: the `## File:` form for documents and code, `llms.txt`, `llms-full.txt` and a page's Markdown.

In: a library. Out: text in parts, so that a server can stream it. The `## File:` form reads back to the same documents: fences are longer
than any inside, and lines that would open a section of their own inside a text are told apart by their indentation never being touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.types import Document, Holding, Kind

if TYPE_CHECKING:
    from pincite.library import Library

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
    for holding in sorted(library.held(source, as_of=as_of), key=lambda h: (h.source, h.path, h.url)):
        try:
            document = library.document(holding.ref)
        except UsageError:
            continue
        if kind is None or document.kind == kind:
            yield Page(holding, document)


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
    """Return one section. The text stands inside the fence as it is; a missing line end at its close is added for the fence."""
    fence = _fence(text)
    closing = "" if text.endswith("\n") or not text else "\n"
    return f"## File: {path}\n\n{fence}{language}\n{text}{closing}{fence}\n\n\n"


def _fence(text: str) -> str:
    """Return a fence that no line of the text can close."""
    longest = max((len(run) for run in re.findall(r"^[ \t]*(`{3,})", text, re.M)), default=0)
    return "`" * max(3, longest + 1)


def _word(page: Page, kind: Kind) -> str:
    if kind == "doc":
        return "md"
    _, dot, ending = page.holding.path.rpartition(".")
    return ending.lower() if dot and ending.isalnum() else ENDINGS.get(page.document.code_language, page.document.code_language)
