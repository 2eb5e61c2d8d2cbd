"""What every request passes before any route: host, origin, rate, token and scope, size of the body.

In: ASGI requests and WebSockets. Out: the same with `state.principal` and `state.client`, or a problem. Routes that nobody listed are
behind it too, and so is whatever is mounted later.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.errors import Refused
from pincite.serve import problems
from pincite.serve.auth import LOCAL, Principal, Tokens, is_loopback, needed
from pincite.serve.limits import Limiter, Networks, client_address, client_key
from pincite.serve.observe import Figures

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
BLANKS = " \t"
"""What may stand around a header's value and is no part of it (RFC 9110 §5.5); some ASGI servers leave it there."""
BODY_S = 20.0
"""How long a client may pause while it sends a body."""
UNCOUNTED = frozenset({"/health", "/ready"})


@dataclass(frozen=True, slots=True)
class Rules:
    """What the gate goes by. `tokens` is None on a loopback server that asks for none."""

    hosts: frozenset[str]
    origins: frozenset[str]
    proxies: Networks
    limiter: Limiter | None
    tokens: Tokens | None
    limit_bytes: int


def hosts(bound: str, allowed: Sequence[str]) -> frozenset[str]:
    """Return the names under which the server may be called: what it is bound to, and what the operator lists."""
    own = LOOPBACK_HOSTS if is_loopback(bound) else (bound,)
    return frozenset(name.lower().strip("[]") for name in (*own, *allowed) if name not in ("0.0.0.0", "::"))


@dataclass(frozen=True, slots=True)
class Turned:
    """Why a request goes no further."""

    status: int
    why: str
    detail: str
    headers: tuple[tuple[str, str], ...] = ()


class Gate:
    """The layer that refuses."""

    def __init__(self, app: ASGIApp, rules: Rules, figures: Figures) -> None:
        self._app, self._rules, self._figures = app, rules, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with a problem."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        turned = await self._judge(scope, Headers(scope=scope))
        if turned is None:
            return await self._app(scope, self._counted(receive) if scope["type"] == "http" else receive, send)
        self._figures.refused.labels(turned.why).inc()
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": turned.why})
            return None
        answer = problems.response(turned.status, turned.detail, scope["path"], facts={"rule": turned.why}, headers=dict(turned.headers))
        return await answer(scope, receive, send)

    async def _judge(self, scope: Scope, headers: Headers) -> Turned | None:
        rules = self._rules
        named = _host(headers.get("host", "").strip(BLANKS))
        if named not in rules.hosts or len(headers.getlist("host")) != 1:
            return Turned(
                421, "host", "This server does not answer under that host name. The operator lists names in `security.allowed_hosts`."
            )
        origin = headers.get("origin")
        if len(headers.getlist("origin")) > 1 or (
            origin is not None and not self._origin(origin.strip(BLANKS), headers["host"].strip(BLANKS))
        ):
            return Turned(
                403, "origin", "Pages of that origin may not call this server. The operator lists origins in `security.allowed_origins`."
            )
        peer = scope["client"][0] if scope.get("client") else ""
        state = scope.setdefault("state", {})
        state["client"] = client_address(peer, headers.getlist("x-forwarded-for"), rules.proxies)
        if rules.limiter is not None and scope["path"] not in UNCOUNTED:
            wait = await rules.limiter.wait_s(client_key(state["client"]), time.time())
            if wait:
                return Turned(429, "rate", f"Too many requests. Try again in {wait} s.", (("Retry-After", str(wait)),))
        if _length(headers) > rules.limit_bytes:
            return Turned(413, "size", f"The body has more than {rules.limit_bytes} bytes.", (("Connection", "close"),))
        return self._admit(scope, headers)

    def _origin(self, origin: str, host: str) -> bool:
        if origin.lower() in self._rules.origins:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def _admit(self, scope: Scope, headers: Headers) -> Turned | None:
        method = scope.get("method", "GET")
        asked = needed(method, scope["path"])
        if self._rules.tokens is None:
            scope["state"]["principal"] = LOCAL
            return None
        if asked is None:
            scope["state"]["principal"] = Principal("anyone", "read")
            return None
        scheme, _, token = headers.get("authorization", "").strip(BLANKS).partition(" ")
        if scheme.lower() != "bearer" or not token.strip() or len(headers.getlist("authorization")) > 1:
            return Turned(
                401, "token", "This needs a token: send `Authorization: Bearer …`.", (("WWW-Authenticate", 'Bearer realm="pincite"'),)
            )
        try:
            principal = self._rules.tokens.check(token.strip())
        except Refused as error:
            challenge = f'Bearer realm="pincite", error="invalid_token", error_description="{error.message}"'
            return Turned(401, "token", error.message, (("WWW-Authenticate", challenge),))
        scope["state"]["principal"] = principal
        if not principal.may(asked):
            challenge = f'Bearer realm="pincite", error="insufficient_scope", scope="{asked}"'
            return Turned(
                403,
                "permission",
                f"This needs the scope `{asked}`; the token grants `{principal.scope}`.",
                (("WWW-Authenticate", challenge),),
            )
        return None

    def _counted(self, receive: Receive) -> Receive:
        limit, seen, whole = self._rules.limit_bytes, 0, False

        async def counting() -> Message:
            nonlocal seen, whole
            if whole:
                return await receive()
            try:
                with anyio.fail_after(BODY_S):
                    message = await receive()
            except TimeoutError as error:
                raise problems.Problem(
                    408, f"The body stopped coming for {BODY_S:.0f} s.", headers={"Connection": "close"}, rule="time"
                ) from error
            whole = not message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > limit:
                raise problems.Problem(413, f"The body has more than {limit} bytes.", rule="size")
            return message

        return counting


def _length(headers: Headers) -> int:
    """Return what Content-Length says, or 0 where it says nothing readable; bodies are counted as they come too."""
    said = headers.get("content-length", "0").strip(BLANKS)
    return int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 0


def _host(header: str) -> str:
    """Return the name of a Host header without its port, or an empty string for one that is malformed."""
    try:
        return (urlsplit("//" + header).hostname or "").rstrip(".") if not set(header) & set("/@?#\\ \t") else ""
    except ValueError:
        return ""
