"""Attacks that peers' servers fell for, and what ours answers. The advisories are named by their public ids."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

PROBLEM = "application/problem+json"
POSTS = {
    "/v1/answers": {"question": "How is the cache emptied?"},
    "/v1/sources": {"location": "https://docs.example.org/"},
    "/v1/marks": {"ref": "REF-000000", "mark": "keep"},
    "/v1/chat/completions": {"model": "pincite", "messages": [{"role": "user", "content": "cache"}]},
    "/token": {"scope": "read"},
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("name", ["hooks", "js", "js_code", "extra_args", "callback_url", "output_path", "__class__"])
def test_no_body_takes_code_arguments_or_paths(client: TestClient, path: str, name: str) -> None:
    """CVE-2026-26216: code in a parameter of the crawl was run. Ours knows its members and refuses any other."""
    answer = client.post(path, json=POSTS[path] | {name: {"on_page": "import os"}})
    assert (answer.status_code, answer.headers["content-type"]) == (422, PROBLEM)
    assert name in answer.json()["detail"]


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "/etc/passwd",
        "../../etc/passwd",
        "~/.ssh",
        "raw:<script>alert(1)</script>",
        "view-source:https://example.org/",
        "data:text/html,x",
        "javascript:alert(1)",
        "ftp://example.org/",
        "gopher://127.0.0.1:70/",
        "git@github.com:a/b.git",
        "C:\\Windows\\win.ini",
        "\\\\server\\share",
        "*.md",
        " ",
    ],
)
def test_only_web_addresses_are_added_over_http(client: TestClient, location: str) -> None:
    """CVE-2026-26217: local files were read through `file:` addresses."""
    answer = client.post("/v1/sources", json={"location": location})
    assert (answer.status_code, answer.headers["content-type"]) == (403, PROBLEM)
    assert answer.json()["rule"] == "permission"


def test_a_local_folder_is_added_only_under_a_configured_root(connect: Callable[..., TestClient], own_store: Path, tmp_path: Path) -> None:
    root = tmp_path / "allowed"
    (root / "inside").mkdir(parents=True)
    (root / "inside" / "a.md").write_text("# A\n\nSome words about tides.\n")
    (root / "way-out").symlink_to(tmp_path / "docs")
    client = connect(store=str(own_store), security_local_roots=(str(root),))
    statuses = {
        place: client.post("/v1/sources", json={"location": place}).status_code
        for place in (
            str(root / "inside"),
            str(root / "way-out"),
            str(root / ".." / "docs"),
            str(tmp_path / "docs"),
            f"file://{root}/inside",
            "inside",
        )
    }
    assert list(statuses.values()) == [202, 403, 403, 403, 403, 403]


@pytest.mark.parametrize("path", ["/metrics", "/v1/sources", "/ask?query=cache", "/v1/models", "/v1/jobs/job_1", "/token"])
def test_figures_jobs_and_models_are_behind_the_same_gate(connect: Callable[..., TestClient], path: str) -> None:
    """GHSA-365w-hqf6-vxfg and CVE-2026-45667: monitoring and embedding routes stood open."""
    client = connect(security_jwt_enabled=True, security_secret="x" * 64)
    assert client.get(path).status_code == 401


def test_names_of_sources_and_errors_are_json_and_never_markup(client: TestClient) -> None:
    """GHSA-365w-hqf6-vxfg: addresses and errors were shown unescaped."""
    answer = client.get("/v1/sources/<img src=x onerror=alert(1)>")
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
        "127.0.0.1@evil.example",
        "[::1",
        "0.0.0.0",
        "127.0.0.1/x",
    ],
)
@pytest.mark.parametrize("path", ["/ask?query=cache", "/health", "/v1/sources", "/openapi.json"])
def test_a_rebound_host_name_is_turned_away_on_every_route(client: TestClient, path: str, host: str) -> None:
    """CVE-2025-66416: a page could reach a loopback server through a name that it controls."""
    answer = client.get(path, headers={"Host": host})
    assert (answer.status_code, answer.headers["content-type"]) == (421, PROBLEM)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:9999", "localhost:8000", "LOCALHOST", "[::1]:8000", "localhost."])
def test_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8000.evil.example", ""])
@pytest.mark.parametrize("path", ["/ask?query=cache", "/health"])
def test_a_foreign_origin_is_refused(client: TestClient, path: str, origin: str) -> None:
    answer = client.get(path, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["rule"]) == (403, "origin")


def test_listed_origins_and_hosts_are_let_in(connect: Callable[..., TestClient]) -> None:
    client = connect(security_allowed_origins=("https://chat.example.org",), security_allowed_hosts=("docs.example.org",))
    answer = client.get("/health", headers={"Origin": "https://chat.example.org", "Host": "docs.example.org"})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://chat.example.org")
    asked = {
        "Origin": "https://chat.example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "Authorization",
    }
    assert client.options("/v1/answers", headers=asked).status_code == 200
    assert client.get("/health", headers={"Origin": "http://127.0.0.1:8000", "Host": "127.0.0.1:8000"}).status_code == 200


def test_a_thousand_malformed_bodies_crash_nothing(client: TestClient) -> None:
    """CVE-2025-53366: one malformed request ended the server."""
    chance = random.Random(20261130)
    seeds = [
        b'{"question": "x"',
        b"[]",
        b"null",
        b'"text"',
        b'{"question": 1}',
        b'{"question": {}}',
        b"\xff\xfe",
        b'{"messages": []}',
        b"{" * 300,
    ]
    paths = list(POSTS)
    for i in range(1000):
        seed = bytearray(chance.choice(seeds) + chance.randbytes(chance.randrange(8)))
        for _ in range(chance.randrange(4)):
            seed[chance.randrange(len(seed))] = chance.randrange(256)
        kind = chance.choice(["application/json", "text/plain", "multipart/form-data", "application/json; charset=utf-16", ""])
        answer = client.post(paths[i % len(paths)], content=bytes(seed), headers={"Content-Type": kind})
        assert 400 <= answer.status_code < 500, (bytes(seed), kind, answer.status_code)
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("sized", [True, False], ids=["with a length", "in chunks"])
def test_a_body_over_the_cap_is_refused(connect: Callable[..., TestClient], sized: bool) -> None:
    client = connect(security_max_body_bytes=10_000)
    body = b'{"question": "' + b"x" * 20_000 + b'"}'
    content = body if sized else (body[i : i + 1000] for i in range(0, len(body), 1000))
    answer = client.post("/v1/answers", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (413, PROBLEM)


def test_an_error_tells_no_path_and_no_stack(connect: Callable[..., TestClient], tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is no library" * 100)
    answer = connect(store=str(tmp_path / "broken.db")).get("/ask?query=cache")
    assert answer.status_code == 503
    assert "Traceback" not in answer.text
    assert str(tmp_path) not in answer.text


@pytest.mark.parametrize("query", ["' or 1=1 --", "a:b AND (c", '"unclosed', "x" * 9_999, "\u202e\u0000", "*", "a:[1 TO 2]", "😀" * 500])
def test_a_question_is_words_and_never_a_query_language(client: TestClient, query: str) -> None:
    assert client.get("/ask", params={"query": query}).status_code == 200
