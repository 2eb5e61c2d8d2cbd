"""For operators: health, readiness, figures, and tokens made from tokens.

In: requests. Out: JSON, Prometheus text. A token is never worth more, and never lives longer, than the one it was made with.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from pincite import __version__
from pincite.serve import examples, problems, shapes
from pincite.serve.events import answered
from pincite.serve.params import Nothing, TokenBody
from pincite.serve.service import Caller, Service
from pincite.wiring import now

Empty = Annotated[Nothing, Query()]


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["operations"])

    @router.get("/health", response_model=shapes.Health, summary="Is the process alive?")
    async def health() -> Response:
        return answered({"status": "ok", "version": __version__}, Cache_Control="no-store")

    @router.get("/ready", response_model=shapes.Ready, summary="Can the library be read?", responses=examples.BUSY)
    async def ready() -> Response:
        count = await service.readers.run(lambda library: len(library.sources()))
        return answered({"status": "ok", "sources": count}, Cache_Control="no-store")

    @router.get("/metrics", summary="Figures for Prometheus", responses=examples.METRICS, response_class=Response)
    async def metrics(params: Empty) -> Response:
        text = await asyncio.to_thread(service.figures.text)
        return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})

    @router.post("/token", response_model=shapes.Token, summary="Make a narrower or shorter token", responses=examples.CHANGE)
    async def token(body: TokenBody, params: Empty, caller: Caller) -> Response:
        if service.tokens is None:
            raise problems.Problem(409, "This server asks for no token. Set `security.jwt_enabled` to true to use them.", rule="token")
        if not caller.may(body.scope):
            raise problems.Problem(403, f"Yours grants `{caller.scope}`; it can't make a token for `{body.scope}`.", rule="permission")
        if body.subject not in (None, caller.subject) and not caller.may("admin"):
            raise problems.Problem(403, "Only an `admin` makes tokens for others.", rule="permission")
        lifetime = timedelta(seconds=body.lifetime_s)
        if caller.expires_at is not None:
            lifetime = min(lifetime, caller.expires_at - now())
        if lifetime < timedelta(seconds=1):
            raise problems.Problem(
                401, "The token has expired.", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'}, rule="token"
            )
        made = service.tokens.mint(body.subject or caller.subject, body.scope, lifetime)
        shape = {"access_token": made, "token_type": "bearer", "expires_in": int(lifetime.total_seconds()), "scope": body.scope}
        return answered(shape, Cache_Control="no-store")

    return router
