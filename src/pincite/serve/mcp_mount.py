"""The MCP server of a library, put together: for `pincite mcp` and for the app of `pincite serve`.

In: what opens a Library, settings; or the parts that an HTTP server already has. Out: a `Surface` on stdio, an ASGI app for `/mcp`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import UsageError
from pincite.serve import mcp, mcp_sdk
from pincite.serve.mcp_sdk import Json, Surface

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from pincite.library import Library
    from pincite.serve.mcp_http import McpApp
    from pincite.serve.service import Service
    from pincite.settings import Settings


def mounted(parts: Service, *, stateful: bool = True) -> McpApp | None:
    """Return the MCP app over an HTTP server's own parts, or None where the SDK is not installed.

    `stateful` False lets any of several worker processes answer any request; such a server keeps no session between them.
    Host, Origin, tokens and rates are checked by the gate before it. Enter its `run()` in the server's lifespan.
    """
    try:
        mcp_sdk.generation()
    except UsageError:
        return None
    from pincite.serve.mcp_http import McpApp
    from pincite.serve.mcp_jobs import StoredJobs

    settings = parts.settings
    powers = mcp.Powers(principal_may, tuple(Path(root).resolve() for root in settings.security_local_roots))
    surface = mcp.surface(parts.readers, StoredJobs(parts.jobs, parts.runner), powers, writer=parts.answerers)
    return McpApp(surface, guard=None, stateful=stateful, limit_bytes=settings.security_max_body_bytes)


def routes(app: McpApp) -> list[BaseRoute]:
    """Return the routes of `/mcp` and of what lies below it."""
    from starlette.routing import Mount, Route, WebSocketRoute

    return [Mount("/mcp", app), Route("/mcp", app, include_in_schema=False), WebSocketRoute("/mcp/ws", app)]


def principal_may(request: Any, scope: str) -> bool:
    """Say whether whoever sent the request may use a scope."""
    principal = request.scope.get("state", {}).get("principal") if request is not None else None
    return principal is None or bool(principal.may(scope))


@contextmanager
def local(library_factory: Callable[[], Library], settings: Settings, *, roots: tuple[str, ...] = ()) -> Iterator[Surface]:
    """Hold the server of the user's own library, who may do everything but add files outside `roots`."""
    from pincite.serve.pool import Pool

    pool = Pool(library_factory, 2, name="mcp")
    jobs = _LazyJobs(library_factory, settings)
    pool.start()
    try:
        powers = mcp.Powers(lambda request, scope: True, tuple(Path(root).resolve() for root in roots))
        yield mcp.surface(pool, jobs, powers)
    finally:
        jobs.stop()
        pool.stop()


class _LazyJobs:
    """Opens the list of jobs when the first one comes, so that a client that only asks never waits for it."""

    def __init__(self, library_factory: Callable[[], Library], settings: Settings) -> None:
        self._factory, self._settings = library_factory, settings
        self._made: Any = None
        self._runner: Any = None

    def _jobs(self) -> Any:
        if self._made is None:
            from pincite.serve.job_store import JobStore
            from pincite.serve.jobs import Runner
            from pincite.serve.mcp_jobs import StoredJobs

            place = self._settings.place()
            store = JobStore(Path(place).with_suffix(".jobs.db"))
            self._runner = Runner(self._factory, store)
            self._runner.start()
            self._made = StoredJobs(store, self._runner)
        return self._made

    async def submit(self, location: str, *, name: str | None, version: str, scope: str, max_pages: int) -> Json:
        """Queue a capture and return its id at once."""
        told: Json = await self._jobs().submit(location, name=name, version=version, scope=scope, max_pages=max_pages)
        return told

    async def look(self, job: str) -> Json:
        """Return how far a job is. Raises UsageError for an unknown one."""
        told: Json = await self._jobs().look(job)
        return told

    def stop(self) -> None:
        """Give a running job back to the list."""
        if self._runner is not None:
            self._runner.stop()
