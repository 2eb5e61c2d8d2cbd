"""The only module that knows the official MCP SDK, 1.30 and 2.x alike.

In: a `Surface`, which maps wire methods to functions over plain JSON. Out: the SDK's server for it, and the SDK's transports.
The two generations differ in how handlers are registered and called, in how messages are parsed and in names; everything else here
talks JSON as it goes over the wire, so that no other module need know which one is installed.
"""

from __future__ import annotations

import importlib
import typing
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio

from pincite.errors import UsageError

Json = dict[str, Any]
HINT = 'MCP needs the official SDK: pip install "pincite[mcp]"'


class RpcError(Exception):
    """A request that gets a JSON-RPC error for an answer; `code` is one of JSON-RPC 2.0 §5.1 or of MCP."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


UNCACHED = {"ttlMs": 0, "cacheScope": "private"}
"""How long clients of 2026-07-28 and later may keep a result: not at all, unless the handler says so."""
INVALID_PARAMS, NOT_FOUND, INTERNAL = -32602, -32002, -32603


@dataclass(frozen=True, slots=True)
class Call:
    """One request being served: what it may tell its client meanwhile. `sdk` is the SDK's own context."""

    sdk: Any
    request: Any = None
    """The HTTP request or WebSocket that brought it, as Starlette has it; None on stdio."""

    @property
    def modern(self) -> bool:
        """Say whether the client speaks the protocol of 2026-07-28 or later, where every request stands alone."""
        return str(getattr(self.sdk, "protocol_version", "")) >= "2026"

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Send a progress notification, if the client asked for them."""
        if hasattr(self.sdk.session, "report_progress"):
            await self.sdk.session.report_progress(done, total, message)
        elif self.sdk.meta is not None and self.sdk.meta.progressToken is not None:
            await self.sdk.session.send_progress_notification(
                self.sdk.meta.progressToken, done, total, message, related_request_id=str(self.sdk.request_id)
            )


Handler = Callable[[Call, Json], Awaitable[Json]]


@dataclass(frozen=True, slots=True)
class Surface:
    """A server as plain JSON: who it is, and a function for each wire method that it answers."""

    name: str
    version: str
    instructions: str
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    title: str = ""
    input_schema: Callable[[str], Json | None] | None = None
    """A tool's input schema by name: SDK 2.x checks `Mcp-Param-*` headers against it."""
    describe: Callable[[], Json] = dict
    """What `/mcp/schema` gives: tools, resource templates and prompts as JSON."""


def _sdk(module: str) -> Any:
    """Import a module of the SDK; untyped on purpose, since the two generations differ."""
    try:
        return importlib.import_module(f"mcp.{module}")
    except ModuleNotFoundError as error:
        raise UsageError(HINT) from error


def generation() -> int:
    """Return the installed SDK's major version. Raises UsageError, saying what to install, where there is none."""
    try:
        from importlib.metadata import PackageNotFoundError, version

        return int(version("mcp").split(".")[0])
    except PackageNotFoundError as error:
        raise UsageError(HINT) from error


def server(surface: Surface) -> Any:
    """Return the SDK's low-level server that answers for the surface."""
    return _second(surface) if generation() >= 2 else _first(surface)


def _second(surface: Surface) -> Any:
    made = _sdk("server.lowlevel").Server(
        surface.name,
        version=surface.version,
        title=surface.title or None,
        instructions=surface.instructions,
        get_tool_input_schema=surface.input_schema,
    )
    params, cacheable = _sdk("types").RequestParams, _sdk("types.methods").CACHEABLE_METHODS
    for method, handler in surface.handlers.items():
        made.add_request_handler(method, params, _answering_second(handler, kept=method in cacheable))
    return made


def _answering_second(handler: Handler, *, kept: bool) -> Callable[[Any, Any], Awaitable[Json]]:
    error_type = _sdk("shared.exceptions").MCPError

    async def answer(context: Any, params: Any) -> Json:
        try:
            call = Call(context, context.request)
            result = await handler(call, dict(context.params or {}))
        except RpcError as error:
            raise error_type(error.code, error.message, error.data) from error
        if call.modern and "resultType" not in result:
            result = {"resultType": "complete", **(UNCACHED if kept else {}), **result}
        return result

    return answer


def _first(surface: Surface) -> Any:
    types = _sdk("types")
    made = _sdk("server.lowlevel").Server(surface.name, version=surface.version, instructions=surface.instructions)
    requests = {_method(request): request for request in typing.get_args(types.ClientRequest.model_fields["root"].annotation)}
    for method, handler in surface.handlers.items():
        if method in requests:
            made.request_handlers[requests[method]] = _answering_first(made, handler)
    return made


def _method(request: Any) -> str:
    return str(request.model_fields["method"].default or typing.get_args(request.model_fields["method"].annotation)[0])


def _answering_first(made: Any, handler: Handler) -> Callable[[Any], Awaitable[Any]]:
    types = _sdk("types")
    error_type = _sdk("shared.exceptions").McpError

    async def answer(request: Any) -> Any:
        context = made.request_context
        params = request.params.model_dump(by_alias=True, mode="json", exclude_unset=True) if request.params is not None else {}
        try:
            result = await handler(Call(context, context.request), params)
        except RpcError as error:
            raise error_type(types.ErrorData(code=error.code, message=error.message, data=error.data)) from error
        return types.EmptyResult.model_validate(result)

    return answer


def capabilities(surface: Surface) -> Json:
    """Return the capabilities that the installed SDK advertises for this surface, as they go over the wire."""
    methods = surface.handlers
    lists = {"prompts": {"listChanged": False}, "resources": {"subscribe": False, "listChanged": False}, "tools": {"listChanged": False}}
    found: Json = {name: value for name, value in lists.items() if f"{name}/list" in methods}
    if "resources/subscribe" in methods and generation() >= 2:
        found["resources"] = {"subscribe": True, "listChanged": False}
    if "logging/setLevel" in methods:
        found["logging"] = {}
    if "completion/complete" in methods:
        found["completions"] = {}
    return found if generation() >= 2 else {"experimental": {}, **found}


def options(made: Any) -> Any:
    """Return what the SDK's `run` wants to know of a server."""
    return made.create_initialization_options()


def parsed(text: str | bytes, request: Any = None) -> Any:
    """Return one wire message as the SDK's session takes it, or the error that it should be told of."""
    types = _sdk("types")
    messages = _sdk("shared.message")
    from pydantic import ValidationError

    try:
        if generation() >= 2:
            message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
        else:
            message = types.JSONRPCMessage.model_validate_json(text)
    except ValidationError as error:
        return error
    return messages.SessionMessage(
        message, metadata=messages.ServerMessageMetadata(request_context=request) if request is not None else None
    )


def written(message: Any) -> str:
    """Return a message of the SDK's session as one line for the wire."""
    if generation() >= 2:
        return str(message.message.model_dump_json(by_alias=True, exclude_unset=True))
    return str(message.message.model_dump_json(by_alias=True, exclude_none=True))


@dataclass(frozen=True, slots=True)
class Guard:
    """Which Host and Origin headers are let through; `port` may be `*`. None for one that an outer layer checks."""

    hosts: tuple[str, ...] = ("127.0.0.1", "127.0.0.1:*", "localhost", "localhost:*", "[::1]", "[::1]:*")
    origins: tuple[str, ...] = (
        "http://127.0.0.1",
        "http://127.0.0.1:*",
        "http://localhost",
        "http://localhost:*",
        "http://[::1]",
        "http://[::1]:*",
    )

    def settings(self) -> Any:
        """Return the SDK's form of this guard."""
        return _sdk("server.transport_security").TransportSecuritySettings(
            enable_dns_rebinding_protection=True, allowed_hosts=list(self.hosts), allowed_origins=list(self.origins)
        )

    async def refusal(self, connection: Any, *, post: bool = False) -> Any:
        """Return the response that refuses a connection, or None where it may come in."""
        return (
            await _sdk("server.transport_security").TransportSecurityMiddleware(self.settings()).validate_request(connection, is_post=post)
        )


def streamable(made: Any, guard: Guard | None, *, stateful: bool, limit_bytes: int) -> Any:
    """Return the SDK's manager of Streamable HTTP sessions; enter its `run()` once, then call its `handle_request`."""
    return _sdk("server.streamable_http_manager").StreamableHTTPSessionManager(
        app=made, security_settings=guard.settings() if guard else None, stateless=not stateful, max_request_body_size=limit_bytes
    )


def events(guard: Guard | None, limit_bytes: int) -> Any:
    """Return the SDK's transport for older clients: server-sent events one way, POST the other."""
    return _sdk("server.sse").SseServerTransport(
        "/messages/", security_settings=guard.settings() if guard else None, max_request_body_size=limit_bytes
    )


@asynccontextmanager
async def session(made: Any) -> AsyncIterator[tuple[Any, Any]]:
    """Run one session of the server; yield where to send what comes in (from `parsed`) and where to receive what goes out."""
    sender, inbound = _streams()
    outbound, receiver = _streams()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(made.run, inbound, outbound, options(made))
        async with sender, receiver:
            yield sender, receiver
        tasks.cancel_scope.cancel()


def _streams() -> tuple[Any, Any]:
    if generation() >= 2:
        made: tuple[Any, Any] = _sdk("shared._context_streams").create_context_streams(16)
        return made
    pair = anyio.create_memory_object_stream[Any](16)
    return pair[0], pair[1]
