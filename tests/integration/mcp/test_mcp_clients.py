"""The SDK's own clients against our server, whichever generation is installed."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from pincite.errors import UsageError
from pincite.serve import mcp, mcp_sdk

NAMES = ["ask", "answer", "get_passage", "list_sources", "add_source", "job_status", "verify"]


def transport(name: str, place: str, server: Any) -> AbstractAsyncContextManager[Any]:
    """Return the streams of a client."""
    if name == "stdio":
        stdio = importlib.import_module("mcp.client.stdio")
        arguments = ["-m", "pincite", "mcp", "--store", place]
        made: AbstractAsyncContextManager[Any] = stdio.stdio_client(stdio.StdioServerParameters(command=sys.executable, args=arguments))
        return made
    if name == "sse":
        return importlib.import_module("mcp.client.sse").sse_client(f"{server.url}/mcp/sse")  # type: ignore[no-any-return]
    if name == "websocket":
        client = importlib.import_module("mcp.client.websocket").websocket_client
        return client(f"ws://127.0.0.1:{server.port}/mcp/ws")  # type: ignore[no-any-return]
    http = importlib.import_module("mcp.client.streamable_http")
    opened = getattr(http, "streamable_http_client", None) or http.streamablehttp_client
    return opened(f"{server.url}/mcp")  # type: ignore[no-any-return]


async def everything(streams: Any, told: list[float]) -> None:
    """List and call all tools, read a resource, get a prompt."""
    session = importlib.import_module("mcp.client.session").ClientSession

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    async with session(streams[0], streams[1]) as client:
        await client.initialize()
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == NAMES
        found = await client.call_tool("ask", {"query": "descale"}, progress_callback=progress)
        assert "descale" in wire(found)["structuredContent"]["doc_results"][0]["text"]
        ref = wire(found)["structuredContent"]["doc_results"][0]["ref"]
        calls: dict[str, dict[str, Any]] = {
            "answer": {"query": "When must I never descale?"},
            "get_passage": {"id": ref},
            "list_sources": {},
            "verify": {"quote": "Never descale while a schedule is running."},
        }
        for name, arguments in calls.items():
            assert not wire(await client.call_tool(name, arguments)).get("isError"), name
        refused = await client.call_tool("add_source", {"location": "/etc/passwd"})
        assert wire(refused)["isError"] is True
        unknown = await client.call_tool("job_status", {"job": "job_0"})
        assert wire(unknown)["isError"] is True
        templates = importlib.import_module("pydantic").AnyUrl
        read = await client.read_resource(
            templates(f"pincite://snapshot/{ref}") if mcp_sdk.generation() < 2 else f"pincite://snapshot/{ref}"
        )
        assert wire(read)["contents"][0]["text"]
        prompt = await client.get_prompt("cited_answer", {"question": "why?"})
        assert "why?" in wire(prompt)["messages"][0]["content"]["text"]


def wire(model: Any) -> dict[str, Any]:
    """Return a result as it came over the wire."""
    return dict(model.model_dump(by_alias=True, mode="json", exclude_none=True))


@pytest.mark.parametrize("name", ["stdio", "http", "sse", "websocket"])
def test_the_sdks_client_lists_and_calls_every_tool(name: str, place: str, server: Any) -> None:
    if name == "websocket" and mcp_sdk.generation() >= 2:
        pytest.skip("SDK 2.x has no WebSocket client")
    told: list[float] = []

    async def talk() -> None:
        with anyio.fail_after(90):
            async with transport(name, place, server) as streams:
                await everything(streams, told)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        anyio.run(talk)
    assert told == [0.0, 1.0]


class Endless:
    """Jobs that never end; counts how often it is asked."""

    def __init__(self) -> None:
        self.looked = 0
        self.asked = anyio.Event()

    async def submit(self, location: str, **options: Any) -> dict[str, Any]:
        raise UsageError("nothing can be added here")

    async def look(self, job: str) -> dict[str, Any]:
        self.looked += 1
        self.asked.set()
        return {"job": job, "state": "running", "pages": self.looked}


def in_session(work: Callable[[Callable[[dict[str, Any]], Awaitable[None]], Any], Awaitable[None]], jobs: Endless) -> None:
    """Run a session of a surface with these jobs; `work` gets what sends and the stream of answers."""
    nobody: Any = None
    surface = mcp.surface(nobody, jobs, mcp.Powers(lambda request, scope: True))

    async def talk() -> None:
        with anyio.fail_after(30):
            async with mcp_sdk.session(mcp_sdk.server(surface)) as (inbound, outbound):
                import json

                async def send(message: dict[str, Any]) -> None:
                    await inbound.send(mcp_sdk.parsed(json.dumps({"jsonrpc": "2.0", **message})))

                who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
                await send({"id": 0, "method": "initialize", "params": who})
                await outbound.receive()
                await send({"method": "notifications/initialized"})
                await work(send, outbound)

    anyio.run(talk)


def test_a_call_that_is_cancelled_stops_working() -> None:
    jobs = Endless()

    async def work(send: Callable[[dict[str, Any]], Awaitable[None]], outbound: Any) -> None:
        await send({"id": 1, "method": "tools/call", "params": {"name": "job_status", "arguments": {"job": "j", "wait_s": 50}}})
        await jobs.asked.wait()
        await send({"method": "notifications/cancelled", "params": {"requestId": 1}})
        await send({"id": 2, "method": "ping"})
        answered = mcp_sdk.written(await outbound.receive())
        while '"id":2' not in answered:
            answered = mcp_sdk.written(await outbound.receive())
        seen = jobs.looked
        await anyio.sleep(0.7)
        assert jobs.looked == seen

    in_session(work, jobs)


def test_waiting_for_a_job_ends_in_time_and_tells_how_far_it_is() -> None:
    jobs = Endless()

    async def work(send: Callable[[dict[str, Any]], Awaitable[None]], outbound: Any) -> None:
        call = {"name": "job_status", "arguments": {"job": "j", "wait_s": 1}, "_meta": {"progressToken": "p"}}
        await send({"id": 1, "method": "tools/call", "params": call})
        lines = [mcp_sdk.written(await outbound.receive())]
        while '"id":1' not in lines[-1]:
            lines.append(mcp_sdk.written(await outbound.receive()))
        assert '"state":"running"' in lines[-1]
        assert sum("notifications/progress" in line for line in lines) >= 2

    in_session(work, jobs)
