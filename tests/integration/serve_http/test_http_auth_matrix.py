"""Every route, with every kind of credential. Routes come from the OpenAPI document, so a new one can't be forgotten."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.serve.auth import PUBLIC, SCOPES, needed

SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"
BODIES: dict[str, dict[str, Any]] = {
    "/v1/answers": {"question": "How is the cache emptied?"},
    "/v1/sources": {"location": "ftp://nowhere.invalid/"},
    "/v1/marks": {"ref": "REF-000000", "mark": "keep"},
    "/v1/chat/completions": {"model": "pincite", "messages": [{"role": "user", "content": "How is the cache emptied?"}]},
    "/token": {"scope": "read"},
}


@pytest.fixture
def guarded(connect: Callable[..., TestClient]) -> TestClient:
    return connect(security_jwt_enabled=True, security_secret=SECRET)


def routes(client: TestClient) -> Iterator[tuple[str, str]]:
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            yield method.upper(), path


def call(client: TestClient, method: str, path: str, token: str | None) -> int:
    concrete = path
    for name in ("source", "id", "ref", "model"):
        concrete = concrete.replace("{" + name + "}", "nothing-of-that-name")
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    if concrete.endswith("/search"):
        concrete += "?query=cache"
    return client.request(method, concrete, headers=headers, json=BODIES.get(path) if method == "POST" else None).status_code


def unsigned() -> str:
    claims = {"sub": "eve", "scope": "admin", "aud": "pincite", "iat": 1, "exp": 9999999999}
    return ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in ({"alg": "none"}, claims)) + "."


def test_the_document_lists_every_route_of_the_app(guarded: TestClient) -> None:
    listed = {path for _, path in routes(guarded)}
    assert {"/ask", "/v1/search", "/v1/answers", "/v1/sources", "/v1/jobs/{id}", "/metrics", "/token", "/health", "/ready"} <= listed


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
    for method, path in routes(guarded):
        if path in PUBLIC:
            assert call(guarded, method, path, token) != 403, (method, path)
        else:
            assert call(guarded, method, path, token) == 401, (method, path)


@pytest.mark.parametrize("scope", SCOPES)
def test_each_scope_reaches_its_routes_and_no_others(guarded: TestClient, mint: Callable[..., str], scope: str) -> None:
    token = mint(scope)
    for method, path in routes(guarded):
        asked = needed(method, path)
        status = call(guarded, method, path, token)
        if asked is not None and SCOPES.index(scope) < SCOPES.index(asked):  # type: ignore[arg-type]
            assert status == 403, (method, path)
        else:
            assert status not in (401,) or path in PUBLIC, (method, path)
            assert status < 500, (method, path)
            if (method, path) != ("POST", "/v1/sources"):
                assert status != 403, (method, path)


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
