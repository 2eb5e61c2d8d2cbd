"""What is committed of the index and how it grows: a list of segments, on disk or in memory.

In: entries, batch by batch. Out: states. Each batch makes a segment; small ones are merged into larger ones, so that there are few and each
entry is merged seldom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import filelock
import numpy as np

from pincite.index import files
from pincite.index.analyzer import Analyzer
from pincite.index.files import Held, State
from pincite.index.gathering import Gathering
from pincite.index.merging import merged
from pincite.index.segment import Segment
from pincite.types import Entry

GROWS = 3
"""A segment is merged with the one before it unless that is so many times larger."""
DEAD = 0.25
"""Share of a segment's holdings from which the dead are taken out of it."""


class Shelves:
    """The index as it was committed, and its one writer."""

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        self._state = State()

    @classmethod
    def opened(cls, directory: Path, *, read_only: bool) -> Self | None:
        """Open or make those on disk; None where they can only be kept in memory: the folder is missing, unwritable or unreadable."""
        if read_only and not files.place(directory).is_dir():
            return None
        if not read_only and not files.prepared(directory):
            return None
        self = cls(directory)
        try:
            self.read()
        except files.Damaged as error:
            if read_only:
                files.log.warning("The index in %s can't be read; searching an index in memory.", directory)
                return None
            files.log.warning("The index in %s is damaged and is built again: %s", directory, error)
            return self if files.emptied(directory) else None
        except OSError as error:
            files.log.warning("The index in %s can't be read (%s); searching an index in memory.", directory, error.strerror or error)
            return None
        return self

    def read(self) -> State:
        """Return the state that was committed last. Raises Damaged, OSError."""
        if self.directory is not None:
            self._state = files.read(self.directory, self._state)
        return self._state

    def writing(self, analyzer: Analyzer) -> Writing | None:
        """Take the lock, or return None while another process holds it. Raises OSError."""
        if self.directory is None:
            return Writing(self, None, analyzer)
        lock = files.locked(self.directory)
        return None if lock is None else Writing(self, lock, analyzer)

    def committed(self, state: State, fresh: Sequence[Segment]) -> None:
        """Keep a state and the segments that are new in it. Raises OSError."""
        if self.directory is None:
            held = (Held(segment, np.ones(len(segment.holdings.id), bool)) for segment in fresh)
            self._state = replace(state, held=(*state.held, *held))
        else:
            self._state = files.commit(self.directory, state, fresh)


class Writing:
    """Writes the index until it is closed."""

    def __init__(self, shelves: Shelves, lock: filelock.BaseFileLock | None, analyzer: Analyzer) -> None:
        self._shelves = shelves
        self._lock = lock
        self._analyzer = analyzer
        self._gathering = Gathering(analyzer)
        self._dropped: list[int] = []
        self._state = shelves.read()

    def clear(self) -> None:
        """Forget everything."""
        self._state = State()

    def drop(self, holding: int) -> None:
        """Forget what stands of a holding."""
        self._dropped.append(holding)

    def add(self, entries: Sequence[Entry]) -> None:
        """Add the entries of a holding."""
        self._gathering.add(entries)

    def commit(self, seen: int) -> None:
        """Commit what was dropped and added, with the number that is then seen. Raises OSError."""
        held = [self._without(one) for one in self._state.held]
        fresh = [self._gathering.segment()] if self._gathering else []
        kept = [one for one in held if one.alive.any()]
        merging = _merging(kept, len(fresh[0].holdings.id) if fresh else 0)
        if merging:
            parts = [(one.segment, one.alive) for one in kept[-merging:]]
            parts += [(segment, np.ones(len(segment.holdings.id), bool)) for segment in fresh]
            kept, fresh = kept[:-merging], [merged(parts)]
        self._shelves.committed(State(seen, tuple(kept)), fresh)
        self._state = self._shelves.read()
        self._gathering, self._dropped = Gathering(self._analyzer), []

    def compact(self) -> None:
        """Make one segment of all. Raises OSError."""
        held = self._state.held
        if len(held) > 1:
            self._shelves.committed(State(self._state.seen), [merged([(one.segment, one.alive) for one in held])])
            self._state = self._shelves.read()

    def _without(self, held: Held) -> Held:
        gone = np.isin(held.segment.holdings.id, np.array(self._dropped, np.int64))
        return replace(held, alive=held.alive & ~gone) if gone.any() else held

    def close(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            self._lock.release()


def _merging(held: Sequence[Held], fresh: int) -> int:
    """Return how many of the last segments are merged with what is new."""
    size, count = fresh, 0
    for one in reversed(held):
        living = int(one.alive.sum())
        if living > GROWS * size and living > (1 - DEAD) * len(one.alive):
            break
        size += living
        count += 1
    return count if fresh or count > 1 or (count == 1 and not bool(held[-1].alive.all())) else 0
