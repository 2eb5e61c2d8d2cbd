"""The extractor and the chunker, loaded when the first page is processed. Part of the wiring.

In: the path of the user's rules. Out: what fills the sockets Extractor and Chunker; a search needs neither.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from pincite.errors import UsageError
from pincite.protocols import Chunker, Extractor
from pincite.types import Chunk, Document, Policy, Snapshot, digest, document_id


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
    return RuledExtractor(rules) if rules else LateExtractor()


def check_selectors(policy: Policy) -> None:
    """Raise UsageError for selectors of a source that can't be read, before anything is asked for."""
    if policy.selector or policy.exclude_selector:
        from pincite.extract import rules

        rules.chosen(policy.selector or "", policy.exclude_selector or "")


class RuledExtractor:
    """The extractor with rules of the user's own; they are part of what a document is known by, so that other rules make another."""

    def __init__(self, rules: str) -> None:
        from pincite.extract.extractor import DefaultExtractor

        self._made, self._mark = DefaultExtractor(rules), digest(rules)[:16]

    @property
    def version(self) -> str:
        """Names what documents are made by."""
        return f"{self._made.version} {self._mark}"

    def extract(self, snapshot: Snapshot) -> Document:
        """Return the document. Raises SourceError where there is no text to take."""
        made = self._made.extract(snapshot)
        return replace(made, id=document_id(made.snapshot, made.base_url, made.id, self._mark))


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
