"""Sources, jobs, snapshots, passages, citations and marks.

In: paths, bodies. Out: JSON; archived copies as they were captured, under a policy that lets nothing in them run or load.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from pincite.errors import Refused, UsageError
from pincite.serve import examples, problems, schemas, shapes
from pincite.serve.auth import Principal
from pincite.serve.events import answered, event, streamed
from pincite.serve.job_store import Job
from pincite.serve.params import MarkBody, Nothing, RemoveParams, SourceBody
from pincite.serve.service import KEEP, Caller, Service, etag, require, unchanged
from pincite.urls import is_web

if TYPE_CHECKING:
    from pincite.library import Library

T = TypeVar("T")
ARCHIVE = {
    "Content-Security-Policy": "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What archived pages are served with: no script, no request, no origin of ours."""
LOOK_S = 0.25
Empty = Annotated[Nothing, Query()]
IdempotencyKey = Annotated[str | None, Header(max_length=255, description="The same key and body again give the same job.")]


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter()
    _sources(router, service)
    _jobs(router, service)
    _snapshots(router, service)
    _evidence(router, service)
    return router


def found(call: Callable[[], T]) -> T:
    """Call what looks something up by an id of the path; an unknown one is 404."""
    try:
        return call()
    except UsageError as error:
        raise problems.Problem(404, error.message) from error


def _sources(router: APIRouter, service: Service) -> None:
    @router.get("/v1/sources", response_model=shapes.Sources, summary="List the sources", tags=["sources"], responses=examples.READ)
    async def sources(request: Request, params: Empty) -> Response:
        tag, held = await service.readers.run(lambda library: (etag(service, library.seq(), request), library.sources()))
        return unchanged(request, tag) or answered({"sources": [schemas.source(s) for s in held]}, ETag=tag, Cache_Control=KEEP)

    @router.get("/v1/sources/{source}", response_model=shapes.Source, summary="Show a source", tags=["sources"], responses=examples.FIND)
    async def one(request: Request, source: str, params: Empty) -> Response:
        held = await service.readers.run(lambda library: next((s for s in library.sources() if s.slug == source), None))
        if held is None:
            raise problems.Problem(404, f"There is no source `{source}` in this library.")
        return answered(schemas.source(held), Cache_Control=KEEP)

    @router.post(
        "/v1/sources", response_model=shapes.Job, status_code=202, summary="Capture a source", tags=["sources"], responses=examples.CHANGE
    )
    async def add(body: SourceBody, params: Empty, caller: Caller, idempotency_key: IdempotencyKey = None) -> Response:
        location = allowed(body.location, service)
        policy = {name: getattr(body, name) for name in ("scope", "include", "exclude", "max_pages", "max_depth")}
        request = {"location": location, "name": body.name, "version": body.version, "policy": policy}
        return accepted(await queued(service, "add", body.name or location, request, caller, idempotency_key))

    @router.delete(
        "/v1/sources/{source}",
        response_model=shapes.Removed,
        summary="Remove a source",
        tags=["sources"],
        responses=examples.FIND | examples.CHANGE,
    )
    async def remove(source: str, params: Annotated[RemoveParams, Query()], caller: Caller) -> Response:
        if params.purge:
            require(caller, "admin")
        pages = await service.writers.run(lambda library: found(lambda: library.remove(source, purge=params.purge)))
        return answered({"source": source, "pages": pages, "purged": params.purge}, Cache_Control="no-store")


def allowed(location: str, service: Service) -> str:
    """Return the location as it may be added over HTTP: a web address, or a path under a configured root. Raises Refused."""
    location = location.strip()
    if is_web(location):
        return location
    roots = [Path(root).resolve() for root in service.settings.security_local_roots]
    path = Path(location)
    if roots and not re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", location) and path.is_absolute():
        real = path.resolve()
        if any(real.is_relative_to(root) for root in roots):
            return str(real)
    raise Refused(
        "Only http and https addresses may be added here. The operator lists local folders in `security.local_roots`.", rule="permission"
    )


async def queued(service: Service, kind: str, source: str, request: dict[str, Any], caller: Principal, key: str | None) -> Job:
    """Queue a job. Raises Problem 409 where the key was used for something else."""
    job = await asyncio.to_thread(service.jobs.submit, kind, source, request, caller.subject, key)
    if key is not None and not job.asks(kind, request):
        raise problems.Problem(409, "That Idempotency-Key was used for another request.", rule="idempotency")
    service.runner.wake()
    return job


def accepted(job: Job) -> Response:
    """Return 202 with the job and where it can be followed."""
    return answered(job.shape(), 202, Location=f"/v1/jobs/{job.id}", Cache_Control="no-store")


def _jobs(router: APIRouter, service: Service) -> None:
    async def held(id: str) -> Job:
        job = await asyncio.to_thread(service.jobs.job, id)
        if job is None:
            raise problems.Problem(404, f"There is no job {id}.")
        return job

    @router.get("/v1/jobs/{id}", response_model=shapes.Job, summary="Show a job", tags=["jobs"], responses=examples.FIND)
    async def show(id: str, params: Empty) -> Response:
        return answered((await held(id)).shape(), Cache_Control="no-store")

    @router.delete(
        "/v1/jobs/{id}", response_model=shapes.Job, summary="Cancel a job", tags=["jobs"], responses=examples.FIND | examples.CHANGE
    )
    async def cancel(id: str, params: Empty) -> Response:
        await held(id)
        job = await asyncio.to_thread(service.jobs.cancel, id)
        assert job is not None, "it was there"
        return answered(job.shape(), Cache_Control="no-store")

    @router.get(
        "/v1/jobs/{id}/events", summary="Follow a job", tags=["jobs"], responses=examples.EVENTS | examples.FIND, response_class=Response
    )
    async def events(id: str, params: Empty, last_event_id: Annotated[str | None, Header()] = None) -> Response:
        await held(id)
        return streamed(_followed(service, id, int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0))


async def _followed(service: Service, id: str, after: int) -> AsyncIterator[bytes]:
    idle = 0
    while True:
        job = await asyncio.to_thread(service.jobs.job, id)
        news = await asyncio.to_thread(service.jobs.events, id, after)
        for after, name, data in news:
            yield event(name, data, after)
        if job is None or job.ended or service.stopping.is_set():
            return
        idle = 0 if news else idle + 1
        if idle % 60 == 59:
            yield b": still here\n\n"
        await asyncio.sleep(LOOK_S)


def _snapshots(router: APIRouter, service: Service) -> None:
    tags: list[Any] = ["snapshots"]

    @router.get("/v1/snapshots/{ref}", response_model=shapes.Capture, summary="Show a capture", tags=tags, responses=examples.FIND)
    async def capture(ref: str, params: Empty) -> Response:
        return answered(await service.readers.run(lambda library: schemas.capture(found(lambda: library.capture(ref)))), Cache_Control=KEEP)

    @router.get(
        "/v1/snapshots/{ref}/html", summary="The archived page", tags=tags, responses=examples.PAGE | examples.FIND, response_class=Response
    )
    async def html(request: Request, ref: str, params: Empty, caller: Caller) -> Response:
        held, body = await service.readers.run(partial(_copy, ref=ref, caller=caller))
        page = archived(request, held.snapshot, body, "text/html" if "html" in held.media_type else "text/plain", held.charset)
        page.headers["Link"] = f'<{request.scope.get("root_path", "")}/r/{held.ref}.md>; rel="alternate"; type="text/markdown"'
        return page

    @router.get(
        "/v1/snapshots/{ref}/markdown",
        summary="The page as Markdown",
        tags=tags,
        responses=examples.TEXT | examples.FIND,
        response_class=Response,
    )
    async def markdown(request: Request, ref: str, params: Empty, caller: Caller) -> Response:
        def look(library: Library) -> tuple[str, bytes]:
            flags = found(lambda: library.capture(ref)).flags
            document = found(lambda: library.document(ref))
            copyable((*flags, *document.flags), caller)
            return document.id, document.text.encode("utf-8", "replace")

        id, text = await service.readers.run(look)
        return archived(request, id, text, "text/markdown", "utf-8")


def _copy(library: Library, ref: str, caller: Principal) -> tuple[Any, bytes]:
    held = found(lambda: library.capture(ref))
    copyable(held.flags, caller)
    return held, library.body(held.ref)


def kept_back(flags: tuple[str, ...], caller: Principal) -> bool:
    """Say whether a page asks that this caller gets no copy of it."""
    return any("noarchive" in flag for flag in flags) and not caller.local


def copyable(flags: tuple[str, ...], caller: Principal) -> None:
    """Refuse a copy of a page that asks for none."""
    if kept_back(flags, caller):
        raise Refused("The page asks that no copy of it be shown (`noarchive`). Its address and citations remain.", rule="noarchive")


def archived(request: Request, id: str, body: bytes, media_type: str, charset: str) -> Response:
    """Return what was captured, under a policy that lets nothing in it run, or 304."""
    tag = f'"{id}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    known = charset if re.fullmatch(r"[A-Za-z0-9_.:-]{1,40}", charset) else ""
    kind = media_type + (f"; charset={known}" if known else "")
    return Response(body, headers={**ARCHIVE, "Content-Type": kind, "ETag": tag, "Cache-Control": KEEP})


def _evidence(router: APIRouter, service: Service) -> None:
    @router.get("/v1/passages/{id}", summary="Show a passage", tags=["evidence"], responses=examples.FIND)
    async def passage(id: str, params: Empty) -> Response:
        def look(library: Library) -> dict[str, Any]:
            entry = found(lambda: library.passage(id))
            return schemas.entry(entry, library.capture(entry.holding.ref))

        return answered(await service.readers.run(look), Cache_Control=KEEP)

    @router.get("/v1/citations/{id}", summary="Show a citation", tags=["evidence"], responses=examples.FIND)
    async def citation(id: str, params: Empty) -> Response:
        from pincite.cite.record import record

        return answered(await service.readers.run(lambda library: record(found(lambda: library.citation(id)))), Cache_Control=KEEP)

    @router.post(
        "/v1/marks", response_model=shapes.Marked, summary="Mark a capture", tags=["evidence"], responses=examples.FIND | examples.CHANGE
    )
    async def mark(body: MarkBody, params: Empty, caller: Caller) -> Response:
        def write(library: Library) -> str:
            held = found(lambda: library.capture(body.ref))
            library.mark(held.ref, body.mark, why=body.why, who=caller.subject)
            return held.ref

        return answered({"ref": await service.writers.run(write), "mark": body.mark}, Cache_Control="no-store")
