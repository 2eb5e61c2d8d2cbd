"""Refreshes sources by themselves: each at its own moment of the interval, so that a library never fetches everything at once.

In: the sources, an interval, the time. Out: refresh jobs. Several worker processes agree, since a moment is worked out from the source's
name and its job's key from the moment: whoever comes second finds the job there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.errors import PinciteError
from pincite.types import digest

if TYPE_CHECKING:
    from pincite.serve.service import Service

SUBJECT = "schedule"
LOOK_S = 30.0


def moment_of(source: str, interval_s: float, now_s: float) -> float:
    """Return the newest moment, not after now, at which this source was due: interval after interval, shifted by its name."""
    shift = int(digest(source)[:12], 16) / 16**12 * interval_s
    return (now_s - shift) // interval_s * interval_s + shift


def due(sources: Sequence[str], interval_s: float, last_s: float, now_s: float) -> tuple[tuple[str, float], ...]:
    """Return the sources whose moment lies after `last_s` and not after `now_s`, each with it."""
    moments = ((source, moment_of(source, interval_s, now_s)) for source in sources)
    return tuple((source, moment) for source, moment in moments if last_s < moment <= now_s)


async def run(service: Service, interval_s: float, look_s: float = LOOK_S) -> None:
    """Queue a refresh for each source when it is due, until cancelled."""
    last = time.time()
    while True:
        await asyncio.sleep(look_s)
        now = time.time()
        try:
            slugs = await service.readers.run(lambda library: [source.slug for source in library.sources()])
            for slug, moment in due(slugs, interval_s, last, now):
                key = f"{slug}@{int(moment)}"
                await asyncio.to_thread(service.jobs.submit, "capture", slug, {"refresh": slug}, SUBJECT, key)
                service.runner.wake()
        except PinciteError:
            continue
        last = now
