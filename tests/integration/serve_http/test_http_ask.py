"""`GET /ask`: the table of its parameters, defaults, errors and shapes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.library import Library
from pincite.serve import ask as asking
from pincite.types import Source

PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        pytest.param("query=cache", {"doc_results", "code_results"}, id="both by default"),
        pytest.param("query=cache&context_type=all", {"doc_results", "code_results"}, id="all"),
        pytest.param("query=cache&context_type=doc", {"doc_results"}, id="doc"),
        pytest.param("query=screenshot&context_type=code", {"code_results"}, id="code"),
        pytest.param("", {"doc_context", "code_context"}, id="whole corpora without a query"),
        pytest.param("query=", {"doc_context", "code_context"}, id="whole corpora with an empty one"),
        pytest.param("context_type=doc", {"doc_context"}, id="whole documentation"),
        pytest.param("context_type=code", {"code_context"}, id="whole code"),
    ],
)
def test_each_key_is_there_only_for_the_type_asked_for(client: TestClient, query: str, keys: set[str]) -> None:
    answer = client.get(f"/ask?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert set(answer.json()) == keys


@pytest.mark.parametrize(
    ("query", "status"),
    [
        pytest.param("context_type=prose", 422, id="unknown type"),
        pytest.param("query=cache&score_ratio=1.5", 422, id="ratio above 1"),
        pytest.param("query=cache&score_ratio=-0.1", 422, id="ratio below 0"),
        pytest.param("query=cache&score_ratio=nan", 422, id="ratio that is no number"),
        pytest.param("query=cache&max_results=0", 422, id="no results wanted"),
        pytest.param("query=cache&max_results=many", 422, id="a word for a number"),
        pytest.param("query=cache&top_k=3", 422, id="unknown parameter"),
        pytest.param("query=cache&as_of=yesterday", 422, id="a time that is none"),
        pytest.param("query=cache&max_tokens=0", 422, id="no tokens"),
        pytest.param("query=cache&source=nowhere", 404, id="unknown source"),
        pytest.param("query=cache&as_of=2001-01-01", 404, id="nothing was held then"),
        pytest.param("query=cache&version=9.9", 404, id="no corpus of that version"),
        pytest.param("context_type=code&source=tidepool-docs", 404, id="no code in that source"),
        pytest.param("query=cache&context_type=code&source=tidepool-docs", 404, id="no code to search"),
    ],
)
def test_a_bad_request_is_a_problem_and_never_a_result(client: TestClient, query: str, status: int) -> None:
    answer = client.get(f"/ask?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert answer.json()["status"] == status
    if status == 404 and "nowhere" not in query:
        assert answer.json()["detail"] == "Context files not found"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_other_methods_are_not_allowed(client: TestClient, method: str) -> None:
    answer = client.request(method, "/ask?query=cache")
    assert (answer.status_code, answer.headers["content-type"], answer.headers["allow"]) == (405, PROBLEM, "GET")


def test_an_empty_library_has_no_context_files(connect: Callable[..., TestClient], tmp_path: Any) -> None:
    answer = connect(store=str(tmp_path / "empty.db")).get("/ask?query=cache")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Context files not found")


def test_a_source_that_is_removed_while_nothing_is_found_is_no_error(own_store: Path) -> None:
    """Whether the library holds anything is asked source by source; one of them was gone by then."""

    class Slow(Library):
        def sources(self) -> tuple[Source, ...]:
            listed = super().sources()
            if any(source.slug == "passing" for source in listed):
                super().remove("passing")
            return listed

    page = own_store.parent / "passing.md"
    page.write_text("# Passing\n\nA page that is soon gone.\n")
    with Slow(str(own_store)) as library:
        library.add(str(page), name="passing")
        assert asking.ask(library, asking.Asked(query="xylophone quagga")) == {"doc_results": [], "code_results": []}


def test_more_than_200_results_are_clamped_not_refused(client: TestClient) -> None:
    assert client.get("/ask?query=cache&max_results=100000").status_code == 200


def test_the_default_ratio_is_a_half_of_the_best_and_the_default_number_20(client: TestClient) -> None:
    usual = client.get("/ask?query=cache entries").json()["doc_results"]
    same = client.get("/ask?query=cache entries&score_ratio=0.5&max_results=20").json()["doc_results"]
    wide = client.get("/ask?query=cache entries&score_ratio=0").json()["doc_results"]
    assert usual == same
    assert len(wide) >= len(usual)
    assert all(hit["score"] >= 0.5 * usual[0]["score"] for hit in usual)


def test_a_documentation_hit_has_its_neighbours_as_labelled_context(client: TestClient) -> None:
    hit = client.get("/ask?query=CacheMode.READ_ONLY never writes&context_type=doc&max_results=1").json()["doc_results"][0]
    assert {neighbour["position"] for neighbour in hit["context"]} <= {"before", "after"}
    assert hit["context"], "a page of several chunks has neighbours"
    assert all(neighbour["text"] not in hit["text"] for neighbour in hit["context"])


@pytest.mark.parametrize(
    ("query", "beginning", "end"),
    [
        pytest.param("launch arguments headless", "def launch_arguments", "return arguments", id="a method"),
        pytest.param("take_screenshot", "def take_screenshot", "return path", id="a function"),
        pytest.param("picture_folder", "@functools.cache\ndef picture_folder", 'return root / "pictures"', id="a decorated function"),
        pytest.param("fill_from_mapping check_value", "def fill_from_mapping", "return self", id="a method longer than a chunk"),
    ],
)
def test_a_code_hit_is_a_whole_function_or_method(client: TestClient, query: str, beginning: str, end: str) -> None:
    hit = client.get("/ask", params={"query": query, "context_type": "code", "max_results": 1}).json()["code_results"][0]
    assert beginning in hit["text"]
    assert end in hit["text"].partition(beginning)[2]


def test_every_text_is_the_slice_that_it_says_it_is(client: TestClient) -> None:
    found = client.get("/ask?query=browser proxy headless cache&score_ratio=0").json()
    hits = found["doc_results"] + found["code_results"]
    assert {hit["kind"] for hit in hits} == {"doc", "code"}
    for hit in hits:
        whole = client.get(f"/v1/snapshots/{hit['ref']}/markdown").text
        assert whole[hit["start"] : hit["end"]] == hit["text"]
        if hit["line"] is not None:
            assert whole.count("\n", 0, hit["start"]) + 1 == hit["line"]


@pytest.mark.parametrize("budget", [50, 120, 400, 2000])
def test_a_token_budget_is_kept_over_both_kinds(client: TestClient, budget: int) -> None:
    from pincite.tokens import estimate

    found = client.get(f"/ask?query=browser proxy headless cache settings&score_ratio=0&max_tokens={budget}").json()
    texts = [text for kind in found.values() for hit in kind for text in (hit["text"], *(n["text"] for n in hit["context"]))]
    assert sum(map(estimate, texts)) <= budget


def test_whole_corpora_come_in_the_file_form_and_hold_every_file(client: TestClient) -> None:
    found = client.get("/ask").json()
    assert found["doc_context"].startswith("# ")
    assert found["doc_context"].splitlines()[0].endswith("Doc Context")
    assert found["code_context"].splitlines()[0].endswith("Code Context")
    assert found["doc_context"].count("## File: ") == 5
    assert found["code_context"].count("## File: ") == 2
    assert "要绕过缓存" in found["doc_context"]
    assert "class BrowserConfig" in found["code_context"]


def test_whole_corpora_are_compressed_when_asked_for_and_carry_a_tag(client: TestClient) -> None:
    with client.stream("GET", "/ask", headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in answer.headers["vary"].lower()
    assert set(json.loads(gzip.decompress(raw))) == {"doc_context", "code_context"}
    again = client.get("/ask", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/ask?query=cache", "/ask", "/v1/search?query=cache", "/v1/sources"])
def test_a_read_is_tagged_and_revalidated(client: TestClient, path: str) -> None:
    first = client.get(path)
    assert first.headers["cache-control"] == "private, no-cache"
    assert client.get(path, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_the_tag_changes_when_the_library_does(connect: Callable[..., TestClient], own_store: Any) -> None:
    client = connect(store=str(own_store))
    before = client.get("/ask?query=proxy")
    ref = before.json()["doc_results"][0]["ref"]
    assert client.post("/v1/marks", json={"ref": ref, "mark": "needs_update"}).status_code == 200
    after = client.get("/ask?query=proxy", headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert after.json()["doc_results"][0]["mark"] == "needs_update"


def test_too_many_requests_say_when_to_come_back(connect: Callable[..., TestClient]) -> None:
    client = connect(rate_limiting_enabled=True, rate_limiting_default_limit="3/minute")
    answers = [client.get("/ask?query=cache", headers={"X-Forwarded-For": f"198.51.100.{i}"}) for i in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[3].headers["retry-after"]) <= 120
    assert answers[3].headers["content-type"] == PROBLEM


def test_a_missing_token_is_asked_for_by_name(connect: Callable[..., TestClient], mint: Callable[..., str]) -> None:
    client = connect(security_jwt_enabled=True, security_secret="tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef")
    refused = client.get("/ask?query=cache")
    assert (refused.status_code, refused.headers["www-authenticate"].split()[0]) == (401, "Bearer")
    assert client.get("/ask?query=cache", headers={"Authorization": f"Bearer {mint()}"}).status_code == 200
