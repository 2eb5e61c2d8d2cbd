"""The signed webhook that triggers a capture: Standard Webhooks 1.0 (ids, timestamps, HMAC-SHA256 signatures).

In: `webhook-id`, `webhook-timestamp`, `webhook-signature`, a body that names a source. Out: 202 with a job; a replayed or late delivery is
refused. Only a source that the library has can be captured: no address is ever taken from a delivery.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from pydantic import ValidationError
from starlette.responses import Response

from pincite.serve import examples, problems, shapes
from pincite.serve.auth import Principal
from pincite.serve.params import HookBody, Nothing
from pincite.serve.routes_library import accepted, queued
from pincite.serve.service import Service
from pincite.serve.signatures import TOLERANCE_S, genuine, key

if TYPE_CHECKING:
    from pincite.library import Library


def routes(service: Service) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["hooks"])
    secret = service.settings.security_hook_secret
    signing = key(secret) if secret else b""

    @router.post(
        "/v1/hooks/capture",
        response_model=shapes.Job,
        status_code=202,
        summary="Capture a source again, by a signed webhook",
        responses=examples.CHANGE | examples.HOOK,
        openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": HookBody.model_json_schema()}}}},
    )
    async def capture(
        request: Request,
        params: Annotated[Nothing, Query()],
        webhook_id: Annotated[str, Header(max_length=256)] = "",
        webhook_timestamp: Annotated[str, Header(max_length=20)] = "",
        webhook_signature: Annotated[str, Header(max_length=4000)] = "",
    ) -> Response:
        body = await request.body()
        if not signing or not genuine(signing, webhook_id, webhook_timestamp, body, webhook_signature, time.time()):
            raise problems.Problem(
                401,
                "The delivery is not signed by a key of this server, or not in time.",
                headers={"WWW-Authenticate": "Signature"},
                rule="signature",
            )
        try:
            wanted = HookBody.model_validate_json(body)
        except ValidationError as error:
            raise problems.Problem(422, "The body must be JSON with `source` alone.") from error
        if await asyncio.to_thread(service.jobs.delivered_before, webhook_id, time.time(), TOLERANCE_S):
            raise problems.Problem(409, "That delivery came before.", rule="replay")

        def look(library: Library) -> dict[str, object]:
            held = next((source for source in library.sources() if source.slug == wanted.source), None)
            if held is None:
                raise problems.Problem(404, f"There is no source `{wanted.source}` in this library.")
            return {"refresh": held.slug}

        asked = await service.readers.run(look)
        return accepted(await queued(service, "capture", wanted.source, asked, Principal("webhook", "write"), None))

    return router
