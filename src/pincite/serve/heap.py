"""The C library's heap of a server process: kept from growing with threads that come and go, and given back after a burst.

In: nothing. Out: fewer arenas, memory returned to the system. Each thread that allocates gets an arena of its own, and what is freed there
stays there: threads that lived for one change left up to 64 MB behind in each (`benchmarks/soak.py`).
Only glibc has these switches; elsewhere nothing is done.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable

ARENAS = 2
"""Arenas that all threads share; Python's own small objects have pools beside them."""
LOOK_S = 5.0
"""How often memory is given back while the library changes."""
_M_ARENA_MAX = -8
"""mallopt(3)."""


def limit_arenas() -> bool:
    """Let later threads share the arenas; called before there are any. Says whether it could be done."""
    limit = getattr(ctypes.CDLL(None), "mallopt", None) if _glibc() else None
    return limit is not None and bool(limit(_M_ARENA_MAX, ARENAS))


def give_back() -> bool:
    """Return to the system what is free in all arenas (malloc_trim(3)); takes milliseconds, without the interpreter's lock."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if _glibc() else None
    return trim is not None and bool(trim(0))


async def tend(state: Callable[[], object], look_s: float = LOOK_S) -> None:
    """Give memory back after the state has changed, until cancelled."""
    before = state()
    while True:
        await asyncio.sleep(look_s)
        if (now := state()) != before:
            before = now
            await asyncio.to_thread(give_back)


def _glibc() -> bool:
    try:
        return hasattr(ctypes.CDLL(None), "gnu_get_libc_version")
    except (OSError, TypeError):  # Windows has no library of that kind
        return False
