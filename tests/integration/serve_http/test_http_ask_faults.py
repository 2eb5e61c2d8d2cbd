"""The twenty faults that assistants' context endpoints were found to have. Each test fails on the fault."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient


def asked(client: TestClient, query: str, **parameters: Any) -> dict[str, list[dict[str, Any]]]:
    answer = client.get("/ask", params={"query": query, **parameters})
    assert answer.status_code == 200, answer.text
    found: dict[str, list[dict[str, Any]]] = answer.json()
    return found


@pytest.mark.parametrize(
    ("one", "other"), [("cache", "cache?"), ("cache", "Cache!"), ("take screenshots", '"take" (screenshots)')], ids=["?", "!", "quotes"]
)
def test_01_punctuation_changes_nothing(client: TestClient, one: str, other: str) -> None:
    places = [[(hit["ref"], hit["start"]) for kind in asked(client, q).values() for hit in kind] for q in (one, other)]
    assert places[0] == places[1] != []


@pytest.mark.parametrize(("query", "word"), [("cachemode", "CacheMode"), ("PROXY", "proxy"), ("Browserconfig", "BrowserConfig")])
def test_02_case_and_joined_words_are_found(client: TestClient, query: str, word: str) -> None:
    hits = [hit for kind in asked(client, query).values() for hit in kind]
    assert hits
    assert word in hits[0]["text"]


@pytest.mark.parametrize("query", ["zyxwvutqq", "   ", "\t", "zyxwvutqq qqtuvwxyz"], ids=["unknown", "blank", "tab", "two unknown"])
def test_03_unknown_words_and_blanks_give_nothing(client: TestClient, query: str) -> None:
    assert asked(client, query, score_ratio=0) == {"doc_results": [], "code_results": []}


def test_03_a_chinese_question_finds_the_chinese_page(client: TestClient) -> None:
    hits = asked(client, "如何绕过缓存")["doc_results"]
    assert hits
    assert "绕过缓存" in hits[0]["text"]
    assert all(hit["score"] > 0 for hit in hits)


@pytest.mark.parametrize("query", ["bypass the cache", "rotating proxies", "take a screenshot"])
def test_04_one_result_is_the_best_result(client: TestClient, query: str) -> None:
    many, one = asked(client, query, max_results=20)["doc_results"], asked(client, query, max_results=1)["doc_results"]
    assert len(one) == 1
    assert one[0]["id"] == many[0]["id"]


def test_05_results_are_in_order_of_score(client: TestClient) -> None:
    for kind in asked(client, "browser proxy cache page", score_ratio=0).values():
        scores = [hit["score"] for hit in kind]
        assert scores == sorted(scores, reverse=True)
        assert [hit["rank"] for hit in kind] == list(range(1, len(kind) + 1))


def test_06_a_dotted_name_finds_its_own_section_first(client: TestClient) -> None:
    assert "CacheMode.BYPASS" in asked(client, "CacheMode.BYPASS")["doc_results"][0]["text"]


def test_07_a_class_name_finds_the_class(client: TestClient) -> None:
    assert "class BrowserConfig" in asked(client, "BrowserConfig", context_type="code")["code_results"][0]["text"]


def test_08_a_function_name_finds_the_function(client: TestClient) -> None:
    found = asked(client, "take_screenshot")
    assert "def take_screenshot" in found["code_results"][0]["text"]
    assert "take_screenshot(" in found["doc_results"][0]["text"]


def test_09_a_comment_in_a_fence_is_no_heading_and_no_fence_is_split(client: TestClient) -> None:
    hits = asked(client, "pip install tidepool browsers setup")["doc_results"]
    assert hits[0]["heading"] == ["Installing"]
    for hit in hits:
        assert hit["text"].count("```") % 2 == 0


def test_10_no_result_is_a_whole_long_class_and_decorators_and_module_code_are_kept(client: TestClient) -> None:
    hits = asked(client, "BrowserConfig headless proxy_url launch_arguments fill_from_mapping", context_type="code", score_ratio=0)[
        "code_results"
    ]
    assert not any("def launch_arguments" in hit["text"] and "def fill_from_mapping" in hit["text"] for hit in hits)
    assert "@functools.cache" in asked(client, "picture_folder", context_type="code")["code_results"][0]["text"]
    assert "DEFAULT_TIMEOUT_MS = 45000" in asked(client, "DEFAULT_TIMEOUT_MS", context_type="code")["code_results"][0]["text"]


def test_11_every_result_says_where_it_comes_from_and_how_old_it_is(client: TestClient) -> None:
    found = asked(client, "headless browser proxy")
    for hit in found["doc_results"] + found["code_results"]:
        assert all(hit[name] for name in ("id", "ref", "source", "version", "path", "url", "fetched_at", "snapshot"))
    assert found["doc_results"][0]["heading"]
    assert found["code_results"][0]["symbol"]
    assert found["code_results"][0]["line"] > 0


def test_12_results_are_capped_words_are_not_counted_twice_and_unknown_parameters_are_refused(client: TestClient) -> None:
    once, often = asked(client, "proxy")["doc_results"], asked(client, "proxy proxy proxy proxy")["doc_results"]
    assert [(hit["id"], hit["score"]) for hit in once] == [(hit["id"], hit["score"]) for hit in often]
    assert client.get("/ask?query=proxy&limit=5").status_code == 422


def test_13_without_a_ratio_the_first_three_are_the_best_three(client: TestClient) -> None:
    all_of_them = asked(client, "proxy cache page", score_ratio=0, max_results=200)["doc_results"]
    three = asked(client, "proxy cache page", score_ratio=0, max_results=3)["doc_results"]
    assert [hit["id"] for hit in three] == [hit["id"] for hit in all_of_them[:3]]


@pytest.mark.parametrize("query", ["how do I do this", "what is the", "and or not"])
def test_14_a_question_of_stop_words_gives_no_noise(client: TestClient, query: str) -> None:
    found = asked(client, query)
    assert sum(map(len, found.values())) <= 2


def test_15_every_parameter_has_its_schema_and_its_description(client: TestClient) -> None:
    operation = client.get("/openapi.json").json()["paths"]["/ask"]["get"]
    named = {parameter["name"]: parameter for parameter in operation["parameters"]}
    assert set(named) == {"context_type", "query", "score_ratio", "max_results", "source", "version", "as_of", "max_tokens"}
    assert all(parameter.get("description") or parameter["schema"].get("description") for parameter in named.values())
    assert "Always send `query`" in operation["description"]


def test_16_results_are_json_and_not_json_in_json(client: TestClient) -> None:
    answer = client.get("/ask?query=cache")
    assert isinstance(answer.json()["doc_results"][0], dict)
    assert len(answer.content) < 100_000


def test_17_an_error_is_an_error(client: TestClient) -> None:
    answer = client.get("/ask?query=cache&source=nowhere")
    assert answer.status_code == 404
    assert answer.json()["status"] == 404


def test_18_a_forged_header_does_not_escape_the_limit(connect: Callable[..., TestClient]) -> None:
    client = connect(rate_limiting_enabled=True, rate_limiting_default_limit="2/minute")
    answers = [client.get("/ask?query=cache", headers={"X-Forwarded-For": f"203.0.113.{i}"}) for i in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2].headers["retry-after"]) > 0


def test_19_a_request_builds_no_index(client: TestClient) -> None:
    for query in ("cache", "proxy", "browser"):
        asked(client, query)
    began = time.process_time()
    for _ in range(10):
        asked(client, "how is the cache emptied")
    assert (time.process_time() - began) / 10 < 0.1


def test_20_health_answers_while_searches_run(live: Callable[..., str]) -> None:
    base, stop, errors = live(), threading.Event(), []

    def search() -> None:
        with httpx.Client(base_url=base) as busy:
            while not stop.is_set():
                answer = busy.get("/ask?query=browser proxy cache headless&score_ratio=0")
                if answer.status_code != 200:
                    errors.append(answer.text)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    took = []
    with httpx.Client(base_url=base) as calm:
        for _ in range(40):
            began = time.perf_counter()
            assert calm.get("/health").status_code == 200
            took.append(time.perf_counter() - began)
    stop.set()
    for thread in threads:
        thread.join()
    assert not errors
    assert statistics.median(took) < 0.15
