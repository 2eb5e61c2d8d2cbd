"""What a reader of one format hands to the extractor.

In: nothing. Out: the value `Reading`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pincite.types import Block, Section, Span


@dataclass(frozen=True, slots=True)
class Reading:
    """A document but for its identity."""

    text: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    extractor: str
    title: str = ""
    language: str = ""
    code_language: str = ""
    canonical_url: str = ""
    links: tuple[str, ...] = ()
    retention: float = 1.0
    rule: str = ""
    main_path: str = ""
    flags: tuple[str, ...] = ()
    dropped: tuple[Span, ...] = ()
