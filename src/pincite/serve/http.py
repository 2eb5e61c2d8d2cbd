"""The HTTP surface: one FastAPI app over one library.

In: what opens a Library, settings, the address that the server is bound to. Out: an ASGI app. The layers from the outside: observation,
gate, CORS for listed origins, gzip, routes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from pincite import __version__
from pincite.serve import (
    examples,
    heap,
    hooks,
    mcp_mount,
    problems,
    routes_answers,
    routes_ask,
    routes_chat,
    routes_export,
    routes_library,
    routes_ops,
    schedule,
)
from pincite.serve.auth import needed
from pincite.serve.gate import Gate
from pincite.serve.mcp_http import McpApp
from pincite.serve.observe import Observer
from pincite.serve.service import Service, log, service

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.settings import Settings

ABOUT = "Citable knowledge: every passage is a slice of a stored snapshot, every quote of an answer is checked against one."


def create_app(library_factory: Callable[[], Library], settings: Settings, *, host: str = "127.0.0.1", workers: int = 1) -> FastAPI:
    """Return the app. Raises Refused for a wide address without a credential, UsageError for settings that can't be used."""
    parts = service(library_factory, settings, host=host)
    app = FastAPI(
        title="Pincite",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(parts, lambda: tools),
        openapi_url="/openapi.json",
    )
    app.state.service = parts
    for room in (routes_ask, routes_export, routes_answers, routes_library, routes_chat, routes_ops, hooks):
        app.include_router(room.routes(parts))
    tools = mcp_mount.mounted(parts, stateful=workers == 1)
    if tools is not None:
        app.router.routes.extend(mcp_mount.routes(tools))
    problems.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=3)
    if parts.rules.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(parts.rules.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
            expose_headers=["ETag", "Location", "Retry-After", "X-Request-ID"],
        )
    app.add_middleware(Gate, rules=parts.rules, figures=parts.figures)
    app.add_middleware(Observer, figures=parts.figures, log=log())
    app.openapi = lambda: _document(app, parts)  # type: ignore[method-assign]
    return app


def _lifespan(parts: Service, tools: Callable[[], McpApp | None]) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            parts.start()
            mcp = tools()
            try:
                if mcp is not None:
                    await stack.enter_async_context(mcp.run())
                tending = asyncio.create_task(heap.tend(lambda: (parts.kept.seq, parts.runner.ended)))
                hours = parts.settings.serve_refresh_hours
                refreshing = asyncio.create_task(schedule.run(parts, hours * 3600)) if hours > 0 else None
                yield
                tending.cancel()
                if refreshing is not None:
                    refreshing.cancel()
            finally:
                if parts.rules.limiter is not None:
                    await parts.rules.limiter.close()
                await anyio.to_thread.run_sync(parts.stop)

    return lifespan


def _document(app: FastAPI, parts: Service) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document: the routes', with the problems and the security that the gate adds to each."""
    if app.openapi_schema:
        return app.openapi_schema
    made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes, openapi_version="3.1.0")
    schemas = made.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas.update(examples.components())
    made["components"]["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            scope = needed(method.upper(), path)
            common = {**examples.EVERY, **(examples.AUTHENTICATED if scope else {})}
            operation["responses"] |= {
                str(status): shape for status, shape in common.items() if str(status) not in operation["responses"] or status == 422
            }
            if scope and parts.tokens:
                operation["security"] = [{"bearer": [scope]}]
    app.openapi_schema = made
    return made
