"""The extractor and the chunker, loaded when the first page is processed. Part of the wiring.

In: the path of the user's rules. Out: what fills the sockets Extractor and Chunker; a search needs neither.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from pincite.errors import UsageError
from pincite.protocols import Chunker, Extractor
from pincite.types import Chunk, Document, Snapshot


def extractor(selectors: str) -> Extractor:
    """Return what turns a snapshot into a document, the user's own rules first. Raises UsageError for rules that can't be read."""
    return extractor_of(rules(selectors))


def rules(selectors: str) -> str:
    """Return the text of the user's own rules, empty for none. Raises UsageError for a file that can't be read."""
    try:
        return Path(selectors).read_text("utf-8") if selectors else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Can't read the rules {selectors}: {error}.") from error


def extractor_of(rules: str) -> Extractor:
    """Return what turns a snapshot into a document by these rules and the shipped ones. Raises UsageError for rules that are none."""
    if not rules:
        return LateExtractor()
    from pincite.extract.extractor import DefaultExtractor

    return DefaultExtractor(rules)


class LateExtractor:
    """The extractor with the shipped rules, made when it is first asked for something."""

    @cached_property
    def _made(self) -> Extractor:
        from pincite.extract.extractor import DefaultExtractor

        return DefaultExtractor()

    @property
    def version(self) -> str:
        """Names what documents are made by."""
        return self._made.version

    def extract(self, snapshot: Snapshot) -> Document:
        """Return the document. Raises SourceError where there is no text to take."""
        return self._made.extract(snapshot)


class LateChunker:
    """The structure chunker, made when it is first asked for something."""

    @cached_property
    def _made(self) -> Chunker:
        from pincite.chunk.chunker import StructureChunker

        return StructureChunker()

    @property
    def ready(self) -> bool:
        """Load it, if it is not loaded yet."""
        return self._made is not None

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Return disjoint chunks in order, each a slice of the text."""
        return self._made.chunk(document)
