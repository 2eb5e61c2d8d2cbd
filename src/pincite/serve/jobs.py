"""Captures that run by themselves: one thread of each worker process takes jobs from the list and carries them out.

In: queued jobs. Out: captured sources, progress events, a report or a problem. Stopping the server gives a running job back to the list;
what it captured is kept, and the next run compares it.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pincite.errors import PinciteError
from pincite.serve import schemas
from pincite.serve.errors import problem
from pincite.serve.job_store import LEASE_S, Job, JobStore
from pincite.serve.pool import Settled
from pincite.types import PageOutcome

if TYPE_CHECKING:
    from pincite.library import Library

LOG = logging.getLogger("pincite.jobs")
LOOK_S = 1.0
"""How often a worker process looks for jobs that another one queued."""
TELL_S = 0.5


class Stopped(BaseException):
    """Raised inside a capture to leave it between two pages; not an Exception, so that nothing on the way swallows it."""


class Runner:
    """The thread that works off the list."""

    def __init__(self, factory: Callable[[], Library], store: JobStore) -> None:
        self._factory, self._store = factory, store
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._loop, name="pincite-jobs", daemon=True)
        self.ended = 0
        """Jobs that came to an end here."""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, wait_s: float = 10.0) -> None:
        """Leave the running job at its next page and end."""
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def wake(self) -> None:
        """Look at the list now."""
        self._wake.set()

    def _loop(self) -> None:
        while not self._stopping.is_set():
            try:
                job = self._store.claim(time.time())
                if job is not None:
                    self._carry_out(job)
                    continue
            except PinciteError as error:
                LOG.warning("jobs", extra={"facts": {"error": error.message}})
            self._wake.wait(LOOK_S)
            self._wake.clear()

    def _carry_out(self, job: Job) -> None:
        beating = _Beat(self._store, job.id, self._stopping)
        beating.start()
        made: Future[dict[str, Any]] = Future()
        with Settled(made), self._factory() as library:
            made.set_result(capture(library, json.loads(job.request), beating.page))
        beating.stop()
        self.ended += 1
        self._note(job, made.exception(), made)

    def _note(self, job: Job, error: BaseException | None, made: Future[dict[str, Any]]) -> None:
        if error is None:
            self._store.end(job.id, "done", result=made.result())
        elif isinstance(error, Stopped) and self._stopping.is_set():
            self._store.release(job.id)
        elif isinstance(error, Stopped):
            self._store.end(job.id, "cancelled")
        elif isinstance(error, PinciteError):
            self._store.end(job.id, "failed", error=problem(error))
        else:
            LOG.error("job", exc_info=error, extra={"facts": {"job": job.id}})
            shape = {"type": "about:blank", "title": "Internal Server Error", "status": 500, "detail": f"The log holds it under {job.id}."}
            self._store.end(job.id, "failed", error=shape)


class _Beat:
    """Counts pages, tells of them now and then, renews the lease, and raises Stopped in the capture's own thread when it must end."""

    def __init__(self, store: JobStore, id: str, stopping: threading.Event) -> None:
        self._store, self._id, self._stopping = store, id, stopping
        self._counts: Counter[str] = Counter()
        self._told_at = 0.0
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._renew, name="pincite-lease", daemon=True)

    def start(self) -> None:
        """Start renewing the lease."""
        self._thread.start()

    def stop(self) -> None:
        """End renewing the lease."""
        self._done.set()
        self._thread.join()

    def page(self, outcome: PageOutcome) -> None:
        """Count a page. Raises Stopped when the job must end."""
        self._counts[outcome.outcome] += 1
        if time.monotonic() - self._told_at >= TELL_S:
            self._told_at = time.monotonic()
            if not self._store.beat(self._id, dict(self._counts), time.time()):
                self._cancelled.set()
        if self._stopping.is_set() or self._cancelled.is_set():
            raise Stopped

    def _renew(self) -> None:
        while not self._done.wait(LEASE_S / 3):
            try:
                if not self._store.beat(self._id, {}, time.time()):
                    self._cancelled.set()
            except PinciteError as error:
                LOG.warning("lease", extra={"facts": {"job": self._id, "error": error.message}})


def capture(library: Library, request: dict[str, Any], page: Callable[[PageOutcome], None]) -> dict[str, Any]:
    """Add a source, or capture one again, and return the report without the pages."""
    if "refresh" in request:
        made = library.refresh(request["refresh"], progress=page)
    else:
        chosen = request["policy"]
        usual = library.policy()
        policy = replace(
            usual,
            scope=chosen["scope"],
            include=tuple(chosen["include"]),
            exclude=tuple(chosen["exclude"]),
            max_pages=chosen["max_pages"] or usual.max_pages,
            max_depth=chosen["max_depth"],
        )
        made = library.add(request["location"], name=request["name"], version=request["version"], policy=policy, progress=page)
    return {name: value for name, value in schemas.coverage(made).items() if name != "pages"}
