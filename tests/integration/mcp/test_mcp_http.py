"""MCP over HTTP: Streamable HTTP, server-sent events, WebSocket, and who is let in."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp")

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def call(id: Any, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return a call of a tool."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def events(text: str) -> list[dict[str, Any]]:
    """Return the messages of a stream of events, or of a JSON body."""
    if text.lstrip().startswith("{"):
        return [json.loads(text)]
    return [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]


class Session:
    """A client of Streamable HTTP, by hand."""

    def __init__(self, client: httpx.Client) -> None:
        self.client, self.headers = client, dict(ACCEPT)
        answer = client.post("/mcp", json=HELLO, headers=self.headers)
        assert answer.status_code == 200, answer.text
        self.hello = events(answer.text)[-1]["result"]
        if "mcp-session-id" in answer.headers:
            self.headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
        self.headers["Mcp-Protocol-Version"] = self.hello["protocolVersion"]
        assert client.post("/mcp", json=READY, headers=self.headers).status_code == 202

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer."""
        answer = self.client.post("/mcp", json=message, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return next(m for m in events(answer.text) if m.get("id") == message["id"])


@pytest.fixture
def client(server: Any) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as made:
        yield made


def test_streamable_http_lists_and_calls_the_tools(client: httpx.Client) -> None:
    session = Session(client)
    assert session.hello["serverInfo"]["name"] == "pincite"
    tools = session.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]
    assert len(tools) == 7
    found = session.ask(call(2, "ask", query="descale"))["result"]["structuredContent"]
    assert "descale" in found["doc_results"][0]["text"]
    assert session.ask(call(3, "ask", query="x", nope=1))["result"]["isError"] is True


def test_progress_comes_on_the_stream_of_its_call(client: httpx.Client) -> None:
    session = Session(client)
    asked = call(5, "ask", query="descale")
    asked["params"]["_meta"] = {"progressToken": 77}
    answer = client.post("/mcp", json=asked, headers=session.headers)
    told = [m for m in events(answer.text) if m.get("method") == "notifications/progress"]
    assert told
    assert {m["params"]["progressToken"] for m in told} == {77}


def test_a_session_that_is_ended_or_unknown_answers_404(client: httpx.Client) -> None:
    session = Session(client)
    assert client.delete("/mcp", headers=session.headers).status_code in (200, 204)
    gone = client.post("/mcp", json=call(1, "list_sources"), headers=session.headers)
    assert gone.status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example.com"}, 421),
        ({"Origin": "http://evil.example.com"}, 403),
        ({"Host": "evil.example.com", "Origin": "http://evil.example.com"}, 421),
        ({"Origin": "http://localhost:3000"}, 200),
    ],
    ids=["host", "origin", "rebinding", "local page"],
)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/schema"])
def test_names_of_others_are_refused(client: httpx.Client, path: str, headers: dict[str, str], status: int) -> None:
    sent = {"json": HELLO} if path == "/mcp" else {}
    answer = client.request("POST" if sent else "GET", path, headers={**ACCEPT, **headers}, **sent)
    assert answer.status_code == status


@pytest.mark.parametrize("path", ["/mcp/sse", "/mcp/messages/?session_id=0"])
def test_older_paths_are_guarded_too(client: httpx.Client, path: str) -> None:
    method = "GET" if path.endswith("sse") else "POST"
    answer = client.request(method, path, headers={"Host": "evil.example.com", "Content-Type": "application/json"}, content=b"{}")
    assert answer.status_code == 421


@pytest.mark.parametrize(("method", "path"), [("PUT", "/mcp"), ("POST", "/mcp/sse"), ("GET", "/mcp/messages/"), ("POST", "/mcp/schema")])
def test_another_method_is_not_allowed(client: httpx.Client, method: str, path: str) -> None:
    assert client.request(method, path, headers=ACCEPT).status_code == 405


def test_a_path_below_that_is_none_is_not_found(client: httpx.Client) -> None:
    assert client.get("/mcp/nothing").status_code == 404


def test_a_body_that_is_too_large_is_refused(client: httpx.Client) -> None:
    answer = client.post("/mcp", content=b"[" + b" " * 200_000 + b"]", headers={**ACCEPT, "Content-Type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b"null", b'{"jsonrpc":"2.0"}', b"\xff"], ids=["empty", "cut", "list", "null", "no method", "bytes"]
)
def test_a_body_that_is_no_message_is_the_clients_error(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/mcp", content=body, headers={**ACCEPT, "Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500


def test_white_space_around_a_header_value_is_no_part_of_it(client: httpx.Client, server: Any) -> None:
    session = Session(client)
    plain = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    padded = {name: f" {value} \t" for name, value in {**session.headers, "Content-Type": "application/json"}.items()}
    plain.request("POST", "/mcp", json.dumps(call(1, "list_sources")), padded)
    answer = plain.getresponse()
    text = answer.read().decode()
    plain.close()
    assert answer.status == 200, text
    assert "kettle" in text


def test_the_schema_is_there_to_read(client: httpx.Client) -> None:
    shown = client.get("/mcp/schema").json()
    assert next(t["name"] for t in shown["tools"]) == "ask"
    assert shown["tools"][0]["inputSchema"]["properties"]["query"]["description"]


def test_an_older_client_talks_over_server_sent_events(client: httpx.Client) -> None:
    with client.stream("GET", "/mcp/sse") as stream:
        lines = stream.iter_lines()

        def event() -> str:
            for line in lines:
                if line.startswith("data:"):
                    return line[5:].strip()
            raise AssertionError("the stream ended")

        where = event()
        assert where.startswith("/mcp/messages/?session_id=")
        for message in (HELLO, READY, call(1, "ask", query="descale")):
            assert client.post(where, json=message).status_code == 202
        assert json.loads(event())["result"]["serverInfo"]["name"] == "pincite"
        result = json.loads(event())
        while "result" not in result:
            result = json.loads(event())
        assert "descale" in result["result"]["structuredContent"]["doc_results"][0]["text"]


def test_a_client_talks_over_a_websocket(server: Any) -> None:
    sync = pytest.importorskip("websockets.sync.client")
    with sync.connect(f"ws://127.0.0.1:{server.port}/mcp/ws", subprotocols=["mcp"], proxy=None) as link:
        assert link.subprotocol == "mcp"
        link.send(json.dumps(HELLO))
        assert json.loads(link.recv(30))["result"]["serverInfo"]["name"] == "pincite"
        link.send(json.dumps(READY))
        link.send("no JSON at all")
        link.send(json.dumps(call(9, "ask", query="descale")))
        answer = json.loads(link.recv(30))
        while answer.get("id") != 9:
            answer = json.loads(link.recv(30))
        assert "descale" in answer["result"]["structuredContent"]["doc_results"][0]["text"]


@pytest.mark.parametrize(("origin", "host"), [("http://evil.example.com", "127.0.0.1"), (None, "evil.example.com")], ids=["origin", "host"])
def test_a_websocket_of_another_page_is_refused(server: Any, origin: str | None, host: str) -> None:
    sync = pytest.importorskip("websockets.sync.client")
    errors = pytest.importorskip("websockets.exceptions")
    plain = socket.create_connection(("127.0.0.1", server.port))
    with pytest.raises(errors.InvalidStatus) as refused:
        sync.connect(f"ws://{host}:{server.port}/mcp/ws", sock=plain, origin=origin, proxy=None)
    assert refused.value.response.status_code == 403


def test_many_clients_at_once_get_their_own_answers(server: Any) -> None:
    wrong: list[str] = []

    def one(number: int) -> None:
        with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as made:
            session = Session(made)
            for i in range(3):
                answer = session.ask(call(f"{number}-{i}", "ask", query="descale" if number % 2 else "schedule"))
                text = answer["result"]["content"][0]["text"]
                if ("descale" if number % 2 else "schedule") not in text:
                    wrong.append(text)

    threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong


def test_a_token_that_may_only_read_cannot_add(place: str) -> None:
    import anyio
    from starlette.requests import Request

    from pincite.serve import mcp, mcp_mount
    from pincite.serve.mcp_sdk import Call

    class Reader:
        def may(self, scope: str) -> bool:
            return scope == "read"

    nobody: Any = None
    surface = mcp.surface(nobody, nobody, mcp.Powers(mcp_mount.principal_may))
    request = Request({"type": "http", "method": "POST", "path": "/mcp", "headers": [], "state": {"principal": Reader()}})
    params = {"name": "add_source", "arguments": {"location": "https://docs.example.org/"}}

    async def asked() -> dict[str, Any]:
        return await surface.handlers["tools/call"](Call(None, request), params)

    result = anyio.run(asked)
    assert result["isError"] is True
    assert "write" in result["content"][0]["text"]


def test_the_http_server_has_mcp_beside_its_routes(whole: Any) -> None:
    with httpx.Client(base_url=whole.url, timeout=60, trust_env=False) as client:
        session = Session(client)
        found = session.ask(call(2, "ask", query="descale"))["result"]["structuredContent"]
        assert "descale" in found["doc_results"][0]["text"]
        assert "[^1]" in session.ask(call(3, "answer", query="When must I never descale?"))["result"]["structuredContent"]["markdown"]
        assert client.get("/mcp/schema").json()["tools"]
        assert client.get("/health").status_code == 200
        refused = client.post("/mcp", json=HELLO, headers={**ACCEPT, "Host": "evil.example.com"})
        assert refused.status_code == 421


def test_the_mounted_server_talks_over_server_sent_events_and_websocket(whole: Any) -> None:
    sync = pytest.importorskip("websockets.sync.client")
    with sync.connect(f"ws://127.0.0.1:{whole.port}/mcp/ws", proxy=None) as link:
        link.send(json.dumps(HELLO))
        assert json.loads(link.recv(30))["result"]["serverInfo"]["name"] == "pincite"
    with (
        httpx.Client(base_url=whole.url, timeout=60, trust_env=False) as client,
        client.stream("GET", "/mcp/sse") as stream,
    ):
        line = next(line for line in stream.iter_lines() if line.startswith("data:"))
        assert line[5:].strip().startswith("/mcp/messages/?session_id=")
