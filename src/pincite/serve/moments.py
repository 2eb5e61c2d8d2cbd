"""One reading of `as_of` for the command line, HTTP and MCP.

In: what a user wrote. Out: an aware UTC moment. A bare date is the end of that day, so that what was captured on it counts; a time without
a zone is UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime, time

from pincite.errors import UsageError

FORM = "write an ISO 8601 date or time, such as 2026-11-30 or 2026-11-30T12:00:00Z"
LAST = time(23, 59, 59, 999000)
"""The last millisecond of a day, the unit in which times are stored."""


def as_of(written: str) -> datetime:
    """Return the moment. Raises UsageError for what is no ISO 8601 date or time."""
    text = written.strip().upper()
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{written.strip()!r} is no moment: {FORM}.") from error
    if not any(mark in text for mark in "T: "):
        parsed = datetime.combine(parsed.date(), LAST)
    if parsed.tzinfo is None or parsed.year in (1, 9999):
        return parsed.replace(tzinfo=UTC)
    return parsed.astimezone(UTC)
