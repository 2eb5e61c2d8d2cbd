"""Every error that Pincite raises on purpose.

PinciteError
├── UsageError            the call itself is wrong: unknown id, empty question, nothing to add
├── Refused               a rule forbids it: `rule` is robots, address, scope, size, permission, read_only …
├── SourceError           unreachable or unusable: missing path, 404, DNS, time-out, nothing readable
├── EvidenceError         a quote, span or citation does not hold
├── StoreError            locked, damaged, newer version, not a store, disk full
│   └── StoreMissing      a command that only reads found no store
└── ModelError            a configured model, embedder or reranker failed

Messages say what happened, to what, and what to do next; facts are attributes. Exit codes and HTTP statuses: `serve/errors.py`.
"""

from __future__ import annotations


class PinciteError(Exception):
    """What all errors of this package derive from."""

    def __init__(self, message: str, *, url: str | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.url = url
        self.rule = rule


class UsageError(PinciteError):
    """The call cannot be carried out as written."""


class Refused(PinciteError):
    """A safety, politeness or permission rule forbids it; `rule` names it."""


class SourceError(PinciteError):
    """A source cannot be reached or used."""


class EvidenceError(PinciteError):
    """A quote, span or citation does not hold against its snapshot."""


class StoreError(PinciteError):
    """The store cannot be opened, read or written."""


class StoreMissing(StoreError):
    """There is no store at the given place yet."""


class ModelError(PinciteError):
    """A configured model, embedder or reranker failed."""
