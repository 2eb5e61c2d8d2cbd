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
    if not selectors:
        return LateExtractor()
    from pincite.extract.extractor import DefaultExtractor

    try:
        return DefaultExtractor(Path(selectors).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Can't read the rules {selectors}: {error}.") from error


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

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Return disjoint chunks in order, each a slice of the text."""
        return self._made.chunk(document)
