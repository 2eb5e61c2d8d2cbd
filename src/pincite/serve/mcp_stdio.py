"""MCP over the process's own stdin and stdout: one message a line.

In: lines. Out: lines, and nothing else: whatever else the process prints goes to stderr. The first `initialize` is answered before the
SDK is loaded, since loading it takes longer than clients like to wait; the SDK then sees the same message, and its own answer to it,
which is the same, is swallowed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import anyio
import anyio.to_thread

from pincite.serve import mcp_sdk
from pincite.serve.mcp_sdk import Surface

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Protocol versions that begin with `initialize`, oldest first; the SDK answers an unknown one with the newest."""
GRACE_S = 30.0
"""How long answers may still be written after the client has closed its side."""
Json = dict[str, Any]
Send = Callable[[str], Awaitable[None]]


@contextmanager
def claimed() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Take stdin and stdout for the protocol: meanwhile what is printed goes to stderr, and what reads stdin reads nothing."""
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        with os.fdopen(wire_in, "rb", closefd=False) as reader, os.fdopen(wire_out, "wb", buffering=0, closefd=False) as writer:
            yield reader, writer
    finally:
        os.dup2(wire_in, 0)
        os.dup2(wire_out, 1)


async def serve(surface: Surface, reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve one client until it closes its side and its last answers are written."""
    lock = anyio.Lock()

    async def send(line: str) -> None:
        async with lock:
            await anyio.to_thread.run_sync(_write, writer, line.encode("utf-8", "surrogatepass") + b"\n")

    first = await _line(reader)
    swallowed = None
    while first is not None:
        early = early_answer(surface, first)
        if early is not None:
            await send(json.dumps(early, ensure_ascii=False))
            swallowed = early["id"]
            break
        if first.strip():
            break
        first = await _line(reader)
    if first is None:
        return
    made = await anyio.to_thread.run_sync(mcp_sdk.server, surface)
    async with mcp_sdk.session(made) as (inbound, outbound):
        await _pump(first, reader, inbound, outbound, send, swallowed)


async def _pump(first: bytes, reader: BinaryIO, inbound: Any, outbound: Any, send: Send, swallowed: Any) -> None:
    open_calls: set[Any] = set()
    ended = anyio.Event()

    async def writing() -> None:
        async for message in outbound:
            line = mcp_sdk.written(message)
            known = json.loads(line)
            answered = "method" not in known and "id" in known
            if answered and known["id"] == swallowed and swallowed is not None and "protocolVersion" in known.get("result", {}):
                open_calls.discard(known["id"])
                continue
            await send(line)
            if answered:
                open_calls.discard(known["id"])
                if ended.is_set() and not open_calls:
                    tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(writing)
        line: bytes | None = first
        while line is not None:
            if line.strip():
                message = mcp_sdk.parsed(line.strip())
                if isinstance(message, Exception):
                    await send(json.dumps(refusal(line)))
                else:
                    _note(line, open_calls)
                    await inbound.send(message)
            line = await _line(reader)
        if not open_calls:
            tasks.cancel_scope.cancel()
        ended.set()
        tasks.cancel_scope.deadline = anyio.current_time() + GRACE_S


def refusal(line: bytes) -> Json:
    """Return the error that answers a line which is no message: with its id where it has one (JSON-RPC 2.0, section 5.1)."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "This line is no JSON."}}
    id = message.get("id") if isinstance(message, dict) else None
    known = id if isinstance(id, str | int) and not isinstance(id, bool) else None
    return {"jsonrpc": "2.0", "id": known, "error": {"code": -32600, "message": "This line is no message of the protocol."}}


def _note(line: bytes, open_calls: set[Any]) -> None:
    try:
        message = json.loads(line)
    except ValueError:
        return
    if not isinstance(message, dict):
        return
    if "method" in message and "id" in message:
        open_calls.add(message["id"])
    elif message.get("method") == "notifications/cancelled":
        open_calls.discard((message.get("params") or {}).get("requestId"))


def early_answer(surface: Surface, line: bytes) -> Json | None:
    """Return the answer to a first `initialize` as the SDK would give it, or None for any other message."""
    try:
        message = json.loads(line)
        if message["method"] != "initialize" or message["jsonrpc"] != "2.0":
            return None
        params, id = message["params"], message["id"]
        asked, _ = params["protocolVersion"], (params["capabilities"], params["clientInfo"]["name"], params["clientInfo"]["version"])
    except (ValueError, KeyError, TypeError):
        return None
    if not isinstance(asked, str) or not isinstance(id, str | int) or isinstance(id, bool) or "_meta" in params:
        return None
    who = {"name": surface.name, "version": surface.version}
    if mcp_sdk.generation() >= 2 and surface.title:
        who["title"] = surface.title
    result = {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
        "capabilities": mcp_sdk.capabilities(surface),
        "serverInfo": who,
        "instructions": surface.instructions,
    }
    return {"jsonrpc": "2.0", "id": id, "result": result}


async def _line(reader: BinaryIO) -> bytes | None:
    line = await anyio.to_thread.run_sync(reader.readline, abandon_on_cancel=True)
    return line or None


def _write(writer: BinaryIO, data: bytes) -> None:
    while data:
        data = data[writer.write(data) or 0 :]
