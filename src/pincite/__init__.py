"""Pincite: citable knowledge from documentation sites, web pages, source trees and PDFs.

In: nothing. Out: the public names, each loaded when it is first asked for, so that the command line starts at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.errors import EvidenceError, ModelError, PinciteError, Refused, SourceError, StoreError, UsageError
    from pincite.library import Library
    from pincite.settings import Settings
    from pincite.types import Answer, AskOptions, Citation, Coverage, Passage, Policy, SearchResult, Source

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

_HOMES = {"Library": "pincite.library", "Settings": "pincite.settings"}
_ERRORS = ("EvidenceError", "ModelError", "PinciteError", "Refused", "SourceError", "StoreError", "UsageError")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES.get(name, "pincite.errors" if name in _ERRORS else "pincite.types")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
