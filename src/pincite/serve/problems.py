"""Errors as problem details (RFC 9457): one shape for every status, with no stack, path of this machine or resolved address.

In: errors of `pincite.errors`, of validation, of routing. Out: `application/problem+json`; on the chat routes with the member `error` that
their clients read.
"""

from __future__ import annotations

import http
import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pincite.errors import PinciteError, StoreError
from pincite.serve import errors

LOG = logging.getLogger("pincite.http")
MEDIA_TYPE = "application/problem+json"
OPENAI_PATHS = ("/v1/chat/", "/v1/models")
OPENAI_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}

GONE = frozenset({"purged"})
"""Rules of errors about what was here once: its address is one of nothing now."""


class Problem(HTTPException):
    """A refusal of the HTTP surface itself, with the facts that its body carries."""

    def __init__(self, status: int, detail: str, *, headers: Mapping[str, str] | None = None, **facts: object) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.facts = facts


def body(status: int, detail: str, path: str, facts: Mapping[str, object] | None = None, *, title: str = "") -> bytes:
    """Return the JSON of one problem."""
    shape: dict[str, object] = {"type": "about:blank", "title": title or http.HTTPStatus(status).phrase, "status": status, "detail": detail}
    shape |= facts or {}
    if path.startswith(OPENAI_PATHS):
        kind = OPENAI_TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
        shape["error"] = {"message": detail, "type": kind, "param": None, "code": shape.get("code")}
    return json.dumps(shape, ensure_ascii=False).encode()


def response(
    status: int,
    detail: str,
    path: str,
    *,
    facts: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    title: str = "",
) -> Response:
    """Return a problem as a response that no cache keeps."""
    return Response(
        body(status, detail, path, facts, title=title), status, {"Cache-Control": "no-store", **(headers or {})}, media_type=MEDIA_TYPE
    )


def of_error(error: PinciteError, path: str) -> Response:
    """Return one of our own errors; what a store says names its place, so it goes to the log alone."""
    row = errors.meaning(error)
    facts: dict[str, object] = {}
    detail = error.message
    if isinstance(error, StoreError) and error.rule != "busy":
        LOG.error("store", extra={"facts": {"error": error.message, "rule": error.rule}})
        detail = "The library cannot be read or written just now. The server's log says why."
    if error.rule:
        facts["rule"] = error.rule
    headers = {"Retry-After": "5"} if row.http_status == 503 else {}
    status = 404 if error.rule in GONE else row.http_status
    return response(status, detail, path, facts=facts, headers=headers, title=row.title)


def install(app: FastAPI) -> None:
    """Make every error of the app a problem."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, PinciteError)
        return of_error(error, request.url.path)

    async def routing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        facts = error.facts if isinstance(error, Problem) else {}
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_methods(app.openapi()["paths"], request.url.path)) or headers.get("Allow", "")
        return response(error.status_code, str(error.detail), request.url.path, facts=facts, headers=headers)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        wrong = [{"where": ".".join(str(part) for part in item["loc"]), "what": item["msg"]} for item in error.errors()]
        return response(422, _said(wrong), request.url.path, facts={"errors": wrong})

    async def unexpected(request: Request, error: Exception) -> Response:
        return response(500, "Something went wrong here. The log holds it under the request id.", request.url.path)

    app.add_exception_handler(PinciteError, ours)
    app.add_exception_handler(HTTPException, routing)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, unexpected)


def _methods(paths: Mapping[str, Mapping[str, Any]], path: str) -> list[str]:
    """Return the methods that a path takes, over all of its routes; a router's own list names the first route's alone."""
    if path in paths:
        return sorted(method.upper() for method in paths[path])
    for template, methods in paths.items():
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path):
            return sorted(method.upper() for method in methods)
    return []


def _said(wrong: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(f"{item['where']}: {item['what']}" for item in wrong[:5]) or "The request is not valid."
