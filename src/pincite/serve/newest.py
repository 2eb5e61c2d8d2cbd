"""The newest sequence number of the library, read once for all who wait for it.

In: a pool of threads with a Library each. Out: a number that was read after it was asked for, so that nobody is told of an older state
than the one he may know of.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.serve.pool import Pool


class Newest:
    """Asks for the number; who comes while it is being read waits for the next reading, together with all others."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._reading: asyncio.Task[int] | None = None
        self._next: asyncio.Task[int] | None = None

    async def seq(self) -> int:
        """Return the number. Raises StoreError."""
        if self._next is None:
            self._next = asyncio.create_task(self._read(self._reading))
        return await asyncio.shield(self._next)

    async def _read(self, before: asyncio.Task[int] | None) -> int:
        if before is not None and not before.done():
            await asyncio.wait([before])
        self._reading, self._next = self._next, None
        return await self._pool.run(_seq)


def _seq(library: Library) -> int:
    return library.seq()
