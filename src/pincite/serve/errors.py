"""One table: what each kind of error means to a shell, to an HTTP client and to an MCP client.

In: an error of `pincite.errors`, or an OSError that a disk raised. Out: exit code, HTTP status and title (RFC 9457), MCP error code.
"""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass

from pincite.errors import EvidenceError, ModelError, PinciteError, Refused, SourceError, StoreError, StoreMissing, UsageError

DONE, ATTENTION, USAGE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes. ATTENTION: done, but something needs a look (failed pages, no evidence, a quote refused, damage)."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one kind of error is called on each surface."""

    error: type[PinciteError]
    exit_code: int
    http_status: int
    title: str
    mcp_code: int


TABLE = (
    Meaning(UsageError, USAGE, 400, "The request cannot be carried out as written", -32602),
    Meaning(Refused, REFUSED, 403, "A rule forbids it", -32001),
    Meaning(SourceError, UNUSABLE, 502, "The source cannot be reached or used", -32002),
    Meaning(EvidenceError, ATTENTION, 422, "The evidence does not hold", -32003),
    Meaning(StoreMissing, UNUSABLE, 404, "There is no library yet", -32004),
    Meaning(StoreError, UNUSABLE, 503, "The library cannot be used", -32005),
    Meaning(ModelError, UNUSABLE, 502, "A configured model failed", -32006),
)
"""One row a kind, subclasses before their parents."""


def meaning(error: PinciteError) -> Meaning:
    """Return the row of the table for an error; an unknown kind counts as a store error."""
    return next((row for row in TABLE if isinstance(error, row.error)), TABLE[-2])


def problem(error: PinciteError) -> dict[str, object]:
    """Return the error as problem details (RFC 9457 §3), with `rule` and `url` where the error knows them."""
    row = meaning(error)
    body: dict[str, object] = {"type": "about:blank", "title": row.title, "status": row.http_status, "detail": error.message}
    if error.rule:
        body["rule"] = error.rule
    if error.url:
        body["url"] = error.url
    return body


def translated(error: OSError | sqlite3.Error | MemoryError | ModuleNotFoundError) -> PinciteError:
    """Return what the system, SQLite or an incomplete installation said, outside any room, as an error of ours."""
    if isinstance(error, ModuleNotFoundError):
        return StoreError(f"This installation lacks `{error.name}`. Install Pincite again.", rule="installation")
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return StoreError("The disk is full. Free some space and run the command again: what was captured is kept.", rule="disk")
    if isinstance(error, OSError):
        name = f" {error.filename}" if error.filename else ""
        return SourceError(f"The system refused{name}: {error.strerror or error}.", rule="system")
    if isinstance(error, MemoryError):
        return StoreError("There is not enough memory for this.", rule="memory")
    return StoreError(f"The library's database said: {error}. `pincite verify` checks it.", rule="database")
