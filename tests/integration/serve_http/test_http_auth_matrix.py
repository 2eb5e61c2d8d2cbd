"""Every route, with every kind of credential. The table is compared with the routes of the app, so a new one can't be forgotten."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import APIRouter
from starlette.routing import Mount, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from pincite.serve.auth import SCOPES, needed

SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"
BODIES: dict[str, dict[str, Any]] = {
    "/v1/answers": {"question": "How is the cache emptied?"},
    "/v1/sources": {"location": "ftp://nowhere.invalid/"},
    "/v1/marks": {"ref": "REF-000000", "mark": "keep"},
    "/v1/chat/completions": {"model": "pincite", "messages": [{"role": "user", "content": "How is the cache emptied?"}]},
    "/token": {"scope": "read"},
}


ROUTES: dict[tuple[str, str], str | None] = {
    ("GET", "/ask"): "read",
    ("GET", "/v1/search"): "read",
    ("GET", "/llms.txt"): "read",
    ("GET", "/llms-full.txt"): "read",
    ("GET", "/v1/export"): "read",
    ("GET", "/r/{ref}.md"): "read",
    ("POST", "/v1/answers"): "read",
    ("GET", "/v1/sources"): "read",
    ("POST", "/v1/sources"): "write",
    ("GET", "/v1/sources/{source}"): "read",
    ("DELETE", "/v1/sources/{source}"): "write",
    ("GET", "/v1/jobs/{id}"): "read",
    ("DELETE", "/v1/jobs/{id}"): "write",
    ("GET", "/v1/jobs/{id}/events"): "read",
    ("GET", "/v1/snapshots/{ref}"): "read",
    ("GET", "/v1/snapshots/{ref}/html"): "read",
    ("GET", "/v1/snapshots/{ref}/markdown"): "read",
    ("GET", "/v1/passages/{id}"): "read",
    ("GET", "/v1/citations/{id}"): "read",
    ("POST", "/v1/marks"): "write",
    ("GET", "/v1/models"): "read",
    ("GET", "/v1/models/{model:path}"): "read",
    ("POST", "/v1/chat/completions"): "read",
    ("GET", "/health"): None,
    ("GET", "/ready"): None,
    ("GET", "/metrics"): "read",
    ("POST", "/token"): "read",
    ("POST", "/v1/hooks/capture"): None,
    ("GET", "/openapi.json"): None,
    ("HEAD", "/openapi.json"): None,
    ("GET", "/mcp"): "read",
    ("POST", "/mcp"): "read",
    ("DELETE", "/mcp"): "read",
    ("GET", "/mcp/sse"): "read",
    ("POST", "/mcp/messages/"): "read",
    ("GET", "/mcp/schema"): "read",
}
"""What each route asks for. A route that is added has no row here, and the first test below says so."""
SHARED = {("MOUNT", "/mcp"), ("ANY", "/mcp"), ("WEBSOCKET", "/mcp/ws")}
"""Routes of the mounted MCP app, whose methods stand in the table one by one; the WebSocket has a test of its own."""


@pytest.fixture
def guarded(connect: Callable[..., TestClient]) -> TestClient:
    return connect(security_jwt_enabled=True, security_secret=SECRET)


def routes_of(app: Any) -> set[tuple[str, str]]:
    """Return method and path of every route of an app, however deep its routers lie."""
    found: set[tuple[str, str]] = set()
    for route in app.routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            found |= routes_of(inner)
        elif isinstance(route, WebSocketRoute | Mount):
            found.add(("MOUNT" if isinstance(route, Mount) else "WEBSOCKET", route.path))
        else:
            found |= {(method, route.path) for method in route.methods or {"ANY"}}
    return found


def call(client: TestClient, method: str, path: str, token: str | None) -> int:
    concrete = path
    for name in ("{source}", "{id}", "{ref}", "{model:path}"):
        concrete = concrete.replace(name, "nothing-of-that-name")
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    if path == "/v1/search":
        concrete += "?query=cache"
    if path == "/mcp":
        headers["Accept"] = "text/plain"
    return client.request(method, concrete, headers=headers, json=BODIES.get(path) if method == "POST" else None).status_code


def unsigned() -> str:
    claims = {"sub": "eve", "scope": "admin", "aud": "pincite", "iat": 1, "exp": 9999999999}
    return ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in ({"alg": "none"}, claims)) + "."


def test_every_route_of_the_app_has_its_row(guarded: TestClient) -> None:
    assert routes_of(guarded.app) - SHARED == {row for row in ROUTES if not row[1].startswith("/mcp")}


def test_a_route_that_nobody_gave_a_row_is_noticed(guarded: TestClient) -> None:
    before = routes_of(guarded.app)
    router = APIRouter()
    router.add_api_route("/v1/surprise", lambda: None, methods=["PUT"])
    guarded.app.include_router(router)  # type: ignore[attr-defined]
    assert routes_of(guarded.app) - before == {("PUT", "/v1/surprise")}


def test_the_document_lists_every_route_that_has_a_row(guarded: TestClient) -> None:
    paths = guarded.get("/openapi.json").json()["paths"]
    listed = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    beside = {row for row in ROUTES if row[1].startswith("/mcp") or row[1] == "/openapi.json"}
    assert listed == {(method, path.replace(":path", "")) for method, path in ROUTES.keys() - beside}


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=" ".join)
def test_the_gate_asks_for_what_the_table_says(method: str, path: str) -> None:
    assert needed(method, path) == ROUTES[method, path]


@pytest.mark.parametrize("kind", ["no token", "wrong", "expired", "wrong audience", "none algorithm", "another secret"])
def test_no_route_but_the_public_ones_answers_without_a_valid_token(guarded: TestClient, mint: Callable[..., str], kind: str) -> None:
    token = {
        "no token": None,
        "wrong": "not.a.token",
        "expired": mint("admin", lifetime=timedelta(seconds=1)),
        "wrong audience": mint("admin", audience="another"),
        "none algorithm": unsigned(),
        "another secret": mint("admin", secret="x" * 64),
    }[kind]
    if kind == "expired":
        import jwt

        long_ago = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())
        claims = {"sub": "ann", "scope": "admin", "aud": "pincite", "iat": long_ago, "exp": long_ago + 60}
        token = jwt.encode(claims, SECRET, algorithm="HS256")
    for (method, path), asked in ROUTES.items():
        if asked is None and path != "/v1/hooks/capture":
            assert call(guarded, method, path, token) == 200, (method, path)
        else:
            assert call(guarded, method, path, token) == 401, (method, path)


@pytest.mark.parametrize("scope", SCOPES)
def test_each_scope_reaches_its_routes_and_no_others(guarded: TestClient, mint: Callable[..., str], scope: str) -> None:
    token = mint(scope)
    for (method, path), asked in ROUTES.items():
        if path == "/mcp/sse":
            continue  # a stream that stands until the client leaves; its tests are the MCP clients'
        status = call(guarded, method, path, token)
        if asked is not None and SCOPES.index(scope) < SCOPES.index(asked):  # type: ignore[arg-type]
            assert status == 403, (method, path)
        elif (method, path) == ("POST", "/v1/sources"):
            assert status == 403, "what is let in and then refused for its address"
        elif path == "/v1/hooks/capture":
            assert status == 401, "the hook asks for a signature, never for a token"
        else:
            assert status not in (401, 403), (method, path)
            assert status < 500, (method, path)


@pytest.mark.parametrize("path", ["/nowhere", "/docs", "/redoc", "/admin", "/mcp/anything", "/v1/", "/ask/", "//ask", "/health/"])
def test_what_nobody_listed_is_behind_the_gate_too(guarded: TestClient, path: str) -> None:
    assert guarded.get(path, follow_redirects=False).status_code == 401


def test_erasing_needs_admin(guarded: TestClient, mint: Callable[..., str]) -> None:
    answers = {
        scope: guarded.delete("/v1/sources/nowhere?purge=true", headers={"Authorization": f"Bearer {mint(scope)}"}).status_code
        for scope in SCOPES
    }
    assert answers == {"read": 403, "write": 403, "admin": 404}


@pytest.mark.parametrize(
    ("own", "body", "status"),
    [
        pytest.param("read", {"scope": "read"}, 200, id="as wide as mine"),
        pytest.param("read", {"scope": "write"}, 403, id="wider than mine"),
        pytest.param("write", {"scope": "read"}, 200, id="narrower"),
        pytest.param("write", {"scope": "read", "subject": "bob"}, 403, id="for another without admin"),
        pytest.param("admin", {"scope": "write", "subject": "bob"}, 200, id="for another by admin"),
        pytest.param("admin", {"scope": "root"}, 422, id="a scope that is none"),
        pytest.param("admin", {"scope": "read", "extra": 1}, 422, id="unknown member"),
    ],
)
def test_a_token_is_never_worth_more_than_the_one_it_was_made_with(
    guarded: TestClient, mint: Callable[..., str], own: str, body: dict[str, str], status: int
) -> None:
    answer = guarded.post("/token", json=body, headers={"Authorization": f"Bearer {mint(own)}"})
    assert answer.status_code == status
    if status == 200:
        made = answer.json()
        assert made["token_type"] == "bearer"
        assert 0 < made["expires_in"] <= 300, "no longer than the one that asked"
        assert guarded.get("/v1/sources", headers={"Authorization": f"Bearer {made['access_token']}"}).status_code == 200


@pytest.mark.parametrize("header", ["Basic YW5uOnB3", "Bearer", "Bearer ", "bearer  ", "Token x", ""])
def test_other_credentials_are_no_token(guarded: TestClient, header: str) -> None:
    answer = guarded.get("/v1/sources", headers={"Authorization": header})
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")


def test_a_token_in_the_address_is_none(guarded: TestClient, mint: Callable[..., str]) -> None:
    assert guarded.get(f"/v1/sources?access_token={mint()}").status_code == 401


def test_a_websocket_without_a_token_is_closed_before_it_opens(guarded: TestClient, mint: Callable[..., str]) -> None:
    for token in ("", "not.a.token", mint("admin", audience="another"), unsigned()):
        headers = {"Host": "127.0.0.1:8000", "Authorization": f"Bearer {token}"}
        with pytest.raises(WebSocketDisconnect) as closed, guarded.websocket_connect("/mcp/ws", headers=headers):
            pass
        assert closed.value.reason == "token"
    headers = {"Host": "127.0.0.1:8000", "Authorization": f"Bearer {mint()}"}
    with guarded.websocket_connect("/mcp/ws", headers=headers) as open_:
        open_.send_json({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert open_.receive_json()["id"] == 1


@pytest.mark.parametrize("blank", [" ", "\t", " \t  "], ids=["space", "tab", "several"])
@pytest.mark.parametrize("name", ["Host", "Origin", "Authorization", "Content-Length"])
def test_white_space_around_a_header_value_is_no_part_of_it(
    connect: Callable[..., TestClient], mint: Callable[..., str], name: str, blank: str
) -> None:
    """RFC 9110 §5.5; some ASGI servers leave it there. A value is neither refused for it nor let through."""
    client = connect(security_jwt_enabled=True, security_secret=SECRET, security_max_body_bytes=1000)
    good = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000", "Authorization": f"Bearer {mint()}", "Content-Length": "2"}
    bad = {"Host": "evil.example", "Origin": "https://evil.example", "Authorization": "Bearer x.y.z", "Content-Length": "100000"}
    statuses = [asgi_status(client, "/v1/sources", good | {name: blank + value + blank}) for value in (good[name], bad[name])]
    assert statuses == [200, {"Host": 421, "Origin": 403, "Authorization": 401, "Content-Length": 413}[name]]


@pytest.mark.parametrize("name", ["Host", "Origin", "Authorization"])
def test_a_header_that_decides_must_not_come_twice(guarded: TestClient, mint: Callable[..., str], name: str) -> None:
    good = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000", "Authorization": f"Bearer {mint()}"}
    assert asgi_status(guarded, "/v1/sources", good) == 200
    assert asgi_status(guarded, "/v1/sources", good, (name, good[name])) in (401, 403, 421)


def asgi_status(client: TestClient, path: str, headers: dict[str, str], *more: tuple[str, str]) -> int:
    """Call the app as an ASGI server does that passes header values on as they came."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(name.lower().encode(), value.encode()) for name, value in (*headers.items(), *more)]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": raw,
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    client.portal.call(client.app, scope, receive, send)  # type: ignore[union-attr]
    return int(sent[0]["status"])
