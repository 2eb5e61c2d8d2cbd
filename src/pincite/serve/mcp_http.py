"""MCP over HTTP, as one ASGI app: Streamable HTTP, and for older clients server-sent events and WebSocket.

In: a `Surface`. Out: an ASGI app for `/mcp` and what lies below it. Enter its `run()` in the lifespan of the app that mounts it; alone,
it answers the lifespan protocol itself. Host and Origin are checked here unless an outer layer does; tokens are an outer layer's.

White space around header values is no part of them (RFC 9110 §5.5); not every HTTP parser takes it off.

Paths: `/mcp` Streamable HTTP · `/mcp/sse` with `/mcp/messages/` · `/mcp/ws` · `/mcp/schema` the tools' schemas as JSON.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from pincite.serve import mcp_sdk
from pincite.serve.mcp_sdk import Guard, Surface

LIMIT_BYTES = 4 * 1024 * 1024
PREFIX = "/mcp"


class McpApp:
    """The ASGI app. `guard` None leaves Host and Origin to an outer layer; `stateful` False suits several worker processes."""

    def __init__(self, surface: Surface, *, guard: Guard | None, stateful: bool = True, limit_bytes: int = LIMIT_BYTES) -> None:
        self._surface, self._guard = surface, guard
        self._server = mcp_sdk.server(surface)
        self._streamable = mcp_sdk.streamable(self._server, guard, stateful=stateful, limit_bytes=limit_bytes)
        self._events = mcp_sdk.events(guard, limit_bytes)
        self._limit_bytes = limit_bytes

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Hold what the sessions need; enter it once."""
        async with self._streamable.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, WebSocket or lifespan."""
        if scope["type"] == "lifespan":
            return await self._lifespan(receive, send)
        base, below = _split(scope)
        scope = {**scope, "root_path": base, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}
        if scope["type"] == "websocket":
            return await self._websocket(below, scope, receive, send)
        if scope["method"] == "POST":
            checked = await self._readable(scope, receive, send)
            if checked is None:
                return None
            receive = checked
        if below in ("", "/"):
            await self._streamable.handle_request(scope, receive, send)
            return None
        if below == "/sse":
            return await self._sse(scope, receive, send)
        if below.rstrip("/") == "/messages":
            await self._events.handle_post_message(scope, receive, send)
            return None
        if below == "/schema":
            return await self._schema(scope, receive, send)
        return await PlainTextResponse("Not Found", 404)(scope, receive, send)

    async def _readable(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """Return what gives the body again once it is known to be text of a fair size, or None when it was refused."""
        body, more = bytearray(), True
        while more and len(body) <= self._limit_bytes:
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
        if len(body) > self._limit_bytes:
            await PlainTextResponse("The body is too large.", 413, headers={"Connection": "close"})(scope, receive, send)
            return None
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "The body is not UTF-8."}}
            await JSONResponse(error, 400)(scope, receive, send)
            return None
        waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        return again

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.run():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _sse(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = await self._refused(scope, receive, send, methods=("GET",))
        if refused:
            return
        async with self._events.connect_sse(scope, receive, send) as (inbound, outbound):
            await self._server.run(inbound, outbound, mcp_sdk.options(self._server))

    async def _schema(self, scope: Scope, receive: Receive, send: Send) -> None:
        if await self._refused(scope, receive, send, methods=("GET", "HEAD")):
            return
        listed = self._surface.describe()
        await JSONResponse(listed, headers={"Cache-Control": "no-cache"})(scope, receive, send)

    async def _refused(self, scope: Scope, receive: Receive, send: Send, *, methods: tuple[str, ...]) -> bool:
        if scope["method"] not in methods:
            await PlainTextResponse("Method Not Allowed", 405, headers={"Allow": ", ".join(methods)})(scope, receive, send)
            return True
        refusal = await self._guard.refusal(Request(scope, receive)) if self._guard else None
        if refusal is not None:
            await refusal(scope, receive, send)
        return refusal is not None

    async def _websocket(self, below: str, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        if below != "/ws" or (self._guard is not None and await self._guard.refusal(socket) is not None):
            await receive()
            await socket.close(1008)
            return
        await socket.accept("mcp" if "mcp" in scope.get("subprotocols", ()) else None)
        async with mcp_sdk.session(self._server) as (inbound, outbound), anyio.create_task_group() as tasks:
            tasks.start_soon(_to_client, outbound, socket)
            try:
                while True:
                    text = await socket.receive_text()
                    if len(text) > self._limit_bytes:
                        await socket.close(1009)
                        break
                    await inbound.send(mcp_sdk.parsed(text, socket))
            except (WebSocketDisconnect, KeyError):
                pass
            tasks.cancel_scope.cancel()


async def _to_client(outbound: Any, socket: WebSocket) -> None:
    async for message in outbound:
        try:
            await socket.send_text(mcp_sdk.written(message))
        except (WebSocketDisconnect, RuntimeError):
            return


def _split(scope: MutableMapping[str, Any]) -> tuple[str, str]:
    """Return the path up to and with `/mcp`, and what lies below it, whether the app is mounted there or asked for the full path."""
    path, root = scope["path"], scope.get("root_path", "")
    inside = path[len(root) :] if root and path.startswith(root) else path
    if root.endswith(PREFIX) and not inside.startswith(PREFIX + "/") and inside != PREFIX:
        return root, inside
    if inside == PREFIX or inside.startswith(PREFIX + "/"):
        return root + PREFIX, inside[len(PREFIX) :]
    return root, inside
