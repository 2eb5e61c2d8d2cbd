"""Pincite: citable knowledge from documentation sites, web pages, source trees and PDFs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.errors import EvidenceError, ModelError, PinciteError, Refused, SourceError, StoreError, UsageError
from pincite.settings import Settings
from pincite.types import Answer, AskOptions, Citation, Coverage, Passage, Policy, SearchResult, Source

if TYPE_CHECKING:
    from pincite.library import Library

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "AskOptions",
    "Citation",
    "Coverage",
    "EvidenceError",
    "Library",
    "ModelError",
    "Passage",
    "PinciteError",
    "Policy",
    "Refused",
    "SearchResult",
    "Settings",
    "Source",
    "SourceError",
    "StoreError",
    "UsageError",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name == "Library":
        from pincite.library import Library

        return Library
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
