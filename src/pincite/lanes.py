"""What flows from a source, made ready to be written: extracted and cut in child processes beside the crawl, or here.

In: groups of pages. Out: the same groups in the same order, each page with its document and chunks, or the reason why it has none. A
child that a page brings down, or that works on it for too long, costs that page alone.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from pincite import lane
from pincite.errors import Refused, SourceError
from pincite.interrupts import Held
from pincite.pipeline import Processed, Ready, process
from pincite.protocols import Parts
from pincite.types import Capture, PageOutcome, Snapshot, Source, Wanted, capture_of

Item = Wanted | PageOutcome
ALONE = 8
"""Pages that are processed here before children are started: a single page is done sooner than a child has begun."""
MOST = 4
"""Children at most: from there on writing what they make is what takes the time."""
CUT = "too large"
"""The reason of a page that failed since it passes the cap; its text is taken up to there nevertheless."""
PARTS = ("too-large", "too-complex")
"""Flags of documents that hold only the first part of their page."""
AHEAD = 3
"""Groups in work at once."""
_BOOT = "import sys, pickle; sys.path[:] = pickle.load(sys.stdin.buffer); from pincite.lane import main; main()"


def prepared(
    parts: Parts, source: Source, known: Mapping[str, Capture], flow: Iterable[Sequence[Item]], beside: Lanes | None = None
) -> Iterator[Ready]:
    """Yield the groups with what was made of their pages. What was in work before an error, Ctrl-C too, comes out before it."""
    work, ahead = _Work(parts, source, known, beside), deque[list[_Task]]()
    try:
        for group in flow:
            with Held():
                ahead.append([work.begun(item) for item in group])
            while ahead and (len(ahead) > AHEAD or all(task.is_done() for task in ahead[0])):
                yield work.ended(ahead)
    except GeneratorExit:
        raise
    except BaseException:
        while ahead:
            yield work.ended(ahead)
        raise
    while ahead:
        yield work.ended(ahead)


class _Task:
    """An item and what becomes of it: known already, or still to come."""

    __slots__ = ("coming", "item", "made", "snapshot")

    def __init__(self, item: Item, made: Processed | PageOutcome | None = None) -> None:
        self.item, self.made = item, made
        self.snapshot: Snapshot | None = None
        self.coming: Future[lane.Made | str] | None = None

    def is_done(self) -> bool:
        return self.coming is None or self.coming.done()


class _Work:
    """Begins and ends the processing of items."""

    def __init__(self, parts: Parts, source: Source, known: Mapping[str, Capture], beside: Lanes | None) -> None:
        self._parts, self._source, self._known, self._beside = parts, source, known, beside
        self._count = 0

    def begun(self, item: Item) -> _Task:
        if isinstance(item, Wanted) or item.fetched is None or (item.outcome != "fetched" and item.reason != CUT):
            return _Task(item)
        capture, held = capture_of(self._source.slug, item.fetched), self._known.get(item.url)
        if held is not None and held.snapshot == capture.snapshot:
            return _Task(item, item if item.reason == CUT else replace(item, outcome="unchanged"))
        self._count += 1
        policy = self._source.policy
        snapshot = Snapshot(capture, item.fetched.body, policy.selector, policy.exclude_selector)
        if self._count <= ALONE or self._beside is None:
            return _Task(item, self._here(item, snapshot))
        task = _Task(item)
        task.snapshot, task.coming = snapshot, self._beside.submit(snapshot)
        return task

    def ended(self, ahead: deque[list[_Task]]) -> Ready:
        """Take the first group when all of it is made; an interruption leaves it where it is."""
        done = [_told(task.item, self._made(task) if task.coming else task.made) for task in ahead[0]]
        ahead.popleft()
        return done

    def _made(self, task: _Task) -> Processed | PageOutcome:
        assert isinstance(task.item, PageOutcome), "only pages are processed"
        assert task.coming is not None, "it was submitted"
        assert task.snapshot is not None, "it was submitted"
        made = task.coming.result()
        if isinstance(made, str):
            return self._here(task.item, task.snapshot) if made == NO_LANE else _failed(task.item, made)
        document, chunks = made
        return Processed(document, chunks, self._parts.contextualizer.contextualize(document, chunks, task.snapshot.capture.path))

    def _here(self, item: PageOutcome, snapshot: Snapshot) -> Processed | PageOutcome:
        try:
            return process(self._parts, snapshot)
        except (SourceError, Refused) as error:
            return _failed(item, error.rule or "unreadable")


def _failed(item: PageOutcome, reason: str) -> PageOutcome:
    return item if item.reason == CUT else replace(item, outcome="failed", reason=reason)


def _told(item: Item, made: Processed | PageOutcome | None) -> tuple[Item, Processed | PageOutcome | None]:
    """Say in the report where only a part of a page was read."""
    part = next((flag for flag in made.document.flags if flag in PARTS), "") if isinstance(made, Processed) else ""
    return (replace(item, reason=item.reason or part.replace("-", " ")), made) if part and isinstance(item, PageOutcome) else (item, made)


NO_LANE = ""
"""The answer of lanes that can't start a child: then the page is processed here."""
CRASHED = "extraction crashed"


class Lanes:
    """Up to `count` child processes, started when there is work, each fed by a thread. Use it as a context manager.

    A page that takes more than `cpu_s` seconds of processor time ends its child and is too complex.
    """

    def __init__(self, count: int, rules: str, *, cpu_s: float = lane.PAGE_CPU_S) -> None:
        self._asks = rules, cpu_s
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="lane")
        self._idle: queue.SimpleQueue[Child] = queue.SimpleQueue()
        self._busy: set[Child] = set()
        self._started: list[Child] = []
        self._barred = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the children; what was not begun is dropped, and after an error what was begun too."""
        self._barred = True
        for child in tuple(self._busy) if kind is not None else ():
            child.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        while not self._idle.empty():
            _end(self._idle.get())

    @property
    def alive(self) -> tuple[int, ...]:
        """Return the process ids of the children that run."""
        return tuple(child.pid for child in self._started if child.poll() is None)

    def submit(self, snapshot: Snapshot) -> Future[lane.Made | str]:
        """Return the document with its chunks, or a reason, when they are made."""
        return self._threads.submit(self._made, snapshot)

    def _made(self, snapshot: Snapshot) -> lane.Made | str:
        for _ in range(2):
            child = self._child()
            if child is None:
                return NO_LANE
            self._busy.add(child)
            try:
                made: lane.Made | str = _asked(child, snapshot)
            except BROKEN:
                ended = _end(child)
                if ended == -getattr(signal, "SIGPROF", 0):
                    return lane.TOO_COMPLEX
                if ended in KILLED:
                    continue
                return CRASHED
            finally:
                self._busy.discard(child)
            self._idle.put(child)
            return made
        return CRASHED

    def _child(self) -> Child | None:
        """Return a child that waits for work, or None on a machine where none can be started."""
        with suppress(queue.Empty):
            return self._idle.get_nowait()
        if self._barred:
            return None
        try:
            child = subprocess.Popen(
                [sys.executable, "-c", _BOOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=os.name == "posix"
            )
        except OSError:
            self._barred = True
            return None
        self._started.append(child)
        try:
            _asked(child, self._asks, pickle.dumps(sys.path))
        except BROKEN:
            _end(child)
            self._barred = True
            return None
        return child


Child = subprocess.Popen[bytes]
BROKEN = (OSError, EOFError, ValueError, pickle.UnpicklingError)
"""What a child that ends, or says what it must not, looks like from here."""
KILLED = tuple(-getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ends that are not the page's doing, or may not be: it gets one more try."""


def _asked(child: Child, value: object, before: bytes = b"") -> Any:
    """Send a message to a child and return its answer. Raises BROKEN."""
    assert child.stdin is not None, "it is a pipe"
    assert child.stdout is not None, "it is a pipe"
    child.stdin.write(before)
    lane.send(child.stdin, value)
    return lane.receive(child.stdout)


def _end(child: subprocess.Popen[bytes]) -> int:
    """Close the pipes of a child, wait for its end and return its exit code."""
    for pipe in (child.stdin, child.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    try:
        return child.wait(5)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


def count_of(processes: int) -> int:
    """Return how many children go with so many processes; 0 of them means one a core, five at most, the main one counted."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST, cores - 1) if processes == 0 else processes - 1
