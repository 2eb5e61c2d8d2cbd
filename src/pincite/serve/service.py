"""What the routes share: handles on the library, the list of jobs, the gate's rules, the figures.

In: settings, the address that the server is bound to, what opens a Library. Out: a `Service`, started and stopped with the app.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from fastapi import Depends, Request
from starlette.responses import Response

from pincite import __version__
from pincite.serve import problems
from pincite.serve.auth import Principal, Tokens, gatekeeper
from pincite.serve.gate import Rules, hosts
from pincite.serve.job_store import JobStore
from pincite.serve.jobs import Runner
from pincite.serve.kept import Kept
from pincite.serve.limits import limiter, networks
from pincite.serve.newest import Newest
from pincite.serve.observe import Figures, figures
from pincite.serve.pool import Pool
from pincite.settings import Settings, default_store
from pincite.types import digest
from pincite.wiring import now

if TYPE_CHECKING:
    from pincite.library import Library

T = TypeVar("T")
ANSWERERS = 4
"""Threads that answer; they may wait for a model, and for the store's write lock, since answers record their citations."""
LOOKERS = 1
"""Threads that only look whether the library has changed, so that a kept answer waits for no search."""
WRITERS = 1
"""Threads for removals and marks."""


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of one worker process."""

    settings: Settings
    readers: Pool
    lookers: Pool
    answerers: Pool
    writers: Pool
    jobs: JobStore
    runner: Runner
    rules: Rules
    figures: Figures
    stopping: threading.Event
    kept: Kept
    newest: Newest

    @property
    def tokens(self) -> Tokens | None:
        """What mints and checks tokens, where the server asks for them."""
        return self.rules.tokens

    def start(self) -> None:
        """Start the threads."""
        for pool in self._pools:
            pool.start()
        self.runner.start()

    def stop(self) -> None:
        """Give the running job back, finish what waits, close every Library."""
        self.stopping.set()
        self.runner.stop()
        for pool in self._pools:
            pool.stop()

    @property
    def _pools(self) -> tuple[Pool, ...]:
        return self.readers, self.lookers, self.answerers, self.writers


def service(factory: Callable[[], Library], settings: Settings, *, host: str) -> Service:
    """Make the parts. Raises Refused for a wide address without a credential, UsageError for settings that can't be used."""
    jobs = JobStore(job_place(settings), now)
    readers, lookers = Pool(factory, max(1, settings.serve_readers), name="read"), Pool(factory, LOOKERS, name="look")
    answerers, writers = Pool(factory, ANSWERERS, name="answer"), Pool(factory, WRITERS, name="write")
    rules = Rules(
        hosts=hosts(host, settings.security_allowed_hosts),
        origins=frozenset(origin.lower().rstrip("/") for origin in settings.security_allowed_origins),
        proxies=networks(settings.security_trusted_proxies),
        limiter=limiter(settings.rate_limiting_default_limit, settings.rate_limiting_storage_uri)
        if settings.rate_limiting_enabled
        else None,
        tokens=gatekeeper(settings, host, now),
        limit_bytes=settings.security_max_body_bytes,
    )
    measured = figures(lambda: readers.waiting() + answerers.waiting() + writers.waiting(), jobs.open_jobs)
    runner = Runner(factory, jobs)
    return Service(
        settings, readers, lookers, answerers, writers, jobs, runner, rules, measured, threading.Event(), Kept(), Newest(lookers)
    )


def job_place(settings: Settings) -> Path:
    """Return the path of the list of jobs: beside the store, or in the data folder for a store that is no file."""
    place = settings.place()
    return Path(default_store() if "://" in place else place).with_suffix(".jobs.db")


def principal(request: Request) -> Principal:
    """Return whom the gate let in."""
    found: Principal = request.state.principal
    return found


Caller = Annotated[Principal, Depends(principal)]


def log() -> logging.Logger:
    """Return the logger of requests."""
    return logging.getLogger("pincite.http")


def etag(service: Service, seq: int, request: Request) -> str:
    """Return the tag of what a read gives: it changes with the library, the question and the version of this program."""
    return 'W/"' + digest(__version__, service.settings.place(), seq, request.url.path, request.url.query)[:24] + '"'


def unchanged(request: Request, tag: str) -> Response | None:
    """Return 304 where the client holds this already (RFC 9110 §13.1.2)."""
    held = request.headers.get("if-none-match", "")
    if held.strip() == "*" or tag.removeprefix("W/") in (part.strip().removeprefix("W/") for part in held.split(",")):
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": KEEP})
    return None


KEEP = "private, no-cache"
"""Reads may be kept by the client alone, and are asked for again with their tag."""


def known(library: Library, sources: tuple[str, ...]) -> None:
    """Refuse a source that the library does not have, as what is not there."""
    held = {source.slug for source in library.sources()} if sources else set()
    for slug in sources:
        if slug not in held:
            raise problems.Problem(404, f"There is no source `{slug}` in this library. `/v1/sources` lists them.", rule="source")


def require(caller: Principal, scope: str) -> None:
    """Refuse a caller whose token does not cover the scope."""
    if not caller.may("admin" if scope == "admin" else "write"):
        raise problems.Problem(403, f"This needs the scope `{scope}`; the token grants `{caller.scope}`.", rule="permission")
