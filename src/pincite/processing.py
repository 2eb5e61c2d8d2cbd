"""The extractor and the chunker, loaded when the first page is processed. Part of the wiring.

In: the path of the user's rules. Out: what fills the sockets Extractor and Chunker; a search needs neither.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

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


def with_selectors(rules: str, policy: Policy) -> str:
    """Return the rules with those before them that a source's own selectors make. Raises UsageError for rules that are none."""
    if not policy.selector and not policy.exclude_selector:
        return rules
    import yaml

    try:
        held = yaml.safe_load(rules) or {}
        mains = [policy.selector] if policy.selector else []
        first = [{"name": "selector", "marks": [":root"], "main": mains, "drop": []}] if mains else []
        drop = [*_listed(held.get("drop")), *([policy.exclude_selector] if policy.exclude_selector else [])]
        return str(yaml.safe_dump({**held, "rules": [*first, *_listed(held.get("rules"))], "drop": drop}, allow_unicode=True))
    except (yaml.YAMLError, AttributeError) as error:
        raise UsageError(f"The rules are not valid: {error}.") from error


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


class PerSource:
    """Extractors by the selectors of the source that a snapshot is of, asked for each time since they may be changed."""

    def __init__(self, selectors: str, policy_of: Callable[[str], Policy | None]) -> None:
        self._rules, self._policy_of = rules(selectors), policy_of
        self._made: dict[str, Extractor] = {}

    def _extractor(self, text: str) -> Extractor:
        if text not in self._made:
            self._made[text] = extractor_of(text)
        return self._made[text]

    @property
    def version(self) -> str:
        """Names what documents are made by where a source has no selectors."""
        return self._extractor(self._rules).version

    def extract(self, snapshot: Snapshot) -> Document:
        """Return the document. Raises SourceError where there is no text to take."""
        policy = self._policy_of(snapshot.capture.source)
        return self._extractor(with_selectors(self._rules, policy) if policy else self._rules).extract(snapshot)


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
