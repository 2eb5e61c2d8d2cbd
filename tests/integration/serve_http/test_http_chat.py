"""The chat facade: shapes, the official client, and the requests that chat programs send."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

QUESTION = {"role": "user", "content": "How do I bypass the cache?"}
SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"


def chunks(text: str) -> list[Any]:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_a_completion_holds_the_verified_answer_and_where_each_note_points(client: TestClient) -> None:
    made = client.post("/v1/chat/completions", json={"model": "pincite", "messages": [QUESTION]}).json()
    message = made["choices"][0]["message"]
    assert (made["object"], message["role"], made["choices"][0]["finish_reason"]) == ("chat.completion", "assistant", "stop")
    assert "[^1]:" in message["content"]
    assert made["usage"]["total_tokens"] == made["usage"]["prompt_tokens"] + made["usage"]["completion_tokens"] > 0
    assert message["annotations"]
    for note in message["annotations"]:
        cited = note["url_citation"]
        assert note["type"] == "url_citation"
        assert message["content"][cited["start_index"] : cited["end_index"]].startswith("[^")
        assert cited["url"]
        assert cited["title"]


def test_a_stream_is_the_same_text_in_pieces(client: TestClient) -> None:
    body = {"model": "pincite", "messages": [QUESTION]}
    whole = client.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]
    answer = client.post("/v1/chat/completions", json=body | {"stream": True, "stream_options": {"include_usage": True}})
    told = chunks(answer.text)
    deltas = [chunk["choices"][0]["delta"] for chunk in told if chunk["choices"]]
    assert "".join(delta.get("content") or "" for delta in deltas) == whole["content"]
    assert next(delta["annotations"] for delta in deltas if "annotations" in delta) == whole["annotations"]
    assert [chunk["choices"][0]["finish_reason"] for chunk in told if chunk["choices"]][-1] == "stop"
    assert told[-1]["usage"]["completion_tokens"] > 0
    assert {chunk["object"] for chunk in told} == {"chat.completion.chunk"}
    assert len({chunk["id"] for chunk in told}) == 1


def test_one_source_is_a_model_of_its_own(client: TestClient) -> None:
    names = [model["id"] for model in client.get("/v1/models").json()["data"]]
    assert names == ["pincite", "pincite/tidepool-docs", "pincite/tidepool-code"]
    assert client.get("/v1/models/pincite/tidepool-docs").json()["id"] == "pincite/tidepool-docs"
    made = client.post("/v1/chat/completions", json={"model": "pincite/tidepool-code", "messages": [QUESTION]}).json()
    assert "cache.md" not in made["choices"][0]["message"]["content"]


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize("stream", [False, True])
def test_a_chat_without_a_word_of_the_user_is_asked_for_one(client: TestClient, stream: bool) -> None:
    body = {"model": "pincite", "messages": [{"role": "user", "content": [PICTURE]}], "stream": stream}
    answer = client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 200
    assert "Ask a question" in answer.text


REQUESTS: dict[str, dict[str, Any]] = {
    "open webui, a chat": {
        "stream": True,
        "model": "pincite",
        "messages": [{"role": "system", "content": "You are kind."}, QUESTION],
        "stream_options": {"include_usage": True},
        "temperature": 0.7,
        "top_p": 0.9,
        "frequency_penalty": 0,
        "seed": 42,
        "stop": ["<end>"],
        "max_tokens": 512,
    },
    "open webui, a title": {
        "model": "pincite",
        "messages": [
            {
                "role": "user",
                "content": "### Task:\nWrite a title for this chat.\n<chat_history>\nUSER: cache\n</chat_history>",
            }
        ],
        "stream": False,
        "max_completion_tokens": 1000,
    },
    "open webui, an image": {
        "model": "pincite",
        "stream": True,
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": QUESTION["content"]},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                ],
            }
        ],
    },
    "librechat": {
        "model": "pincite",
        "temperature": 1,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0,
        "user": "65f0c0ffee",
        "stream": True,
        "messages": [
            {"role": "system", "content": "Instructions"},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello. What do you want to know?"},
            {"role": "user", "content": [{"type": "text", "text": QUESTION["content"]}]},
        ],
    },
    "open webui, all that it knows": {
        "model": "pincite",
        "stream": True,
        "messages": [QUESTION],
        "session_id": "a",
        "chat_id": "b",
        "id": "c",
        "background_tasks": {"title_generation": True, "tags_generation": True},
        "features": {"web_search": False, "image_generation": False, "code_interpreter": False},
        "variables": {"{{USER_NAME}}": "Ann"},
        "params": {},
        "tool_ids": [],
        "tool_servers": [],
        "filter_ids": [],
        "files": [],
        "model_item": {"id": "pincite"},
    },
    "parts that are words": {"model": "pincite", "messages": [{"role": "user", "content": [QUESTION["content"]]}]},
    "parts of other kinds": {
        "model": "pincite",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": QUESTION["content"]},
                    {"type": "text", "text": None},
                    {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
                    {"type": "file", "file": {"file_id": "f"}},
                    {},
                ],
            }
        ],
    },
    "a long history": {
        "model": "pincite",
        "messages": [{"role": r, "content": "word " * 40} for _ in range(400) for r in ("user", "assistant")] + [QUESTION],
    },
    "tools on offer": {
        "model": "pincite",
        "messages": [QUESTION, {"role": "assistant", "content": None, "tool_calls": []}, QUESTION],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "response_format": {"type": "text"},
    },
}


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_of_chat_programs_are_understood(client: TestClient, name: str) -> None:
    answer = client.post("/v1/chat/completions", json=REQUESTS[name])
    assert answer.status_code == 200, answer.text
    assert chunks(answer.text) if REQUESTS[name].get("stream") else answer.json()["choices"]


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        pytest.param({"model": "gpt-9", "messages": [QUESTION]}, 404, "not_found_error", id="unknown model"),
        pytest.param({"model": "pincite/nowhere", "messages": [QUESTION]}, 404, "not_found_error", id="unknown source"),
        pytest.param({"model": "pincite", "messages": []}, 422, "invalid_request_error", id="no messages"),
        pytest.param({"model": "pincite", "messages": [QUESTION], "n": 2}, 422, "invalid_request_error", id="two answers"),
        pytest.param({"messages": [QUESTION]}, 422, "invalid_request_error", id="no model"),
    ],
)
def test_errors_are_problems_that_chat_clients_read_too(client: TestClient, body: dict[str, Any], status: int, kind: str) -> None:
    answer = client.post("/v1/chat/completions", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["error"]["type"] == kind
    assert answer.json()["error"]["message"] == answer.json()["detail"]


def test_a_message_that_is_no_text_is_refused_and_no_server_error(client: TestClient) -> None:
    body = b'{"model": "pincite", "messages": [{"role": "user", "content": "bypass \\ud800 it"}]}'
    answer = client.post("/v1/chat/completions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["type"] == "invalid_request_error"


needs_openai = pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="needs the openai client: pip install openai")


@pytest.fixture
def official(live: Callable[..., str], mint: Callable[..., str]) -> Iterator[Callable[..., Any]]:
    import openai

    base = live(security_jwt_enabled=True, security_secret=SECRET)
    opened: list[Any] = []

    def make(key: str | None = None) -> Any:
        opened.append(openai.OpenAI(base_url=base + "/v1", api_key=key or mint(), max_retries=0, timeout=20))
        return opened[-1]

    yield make
    for client in opened:
        client.close()


@needs_openai
def test_the_official_client_gets_an_answer(official: Callable[..., Any]) -> None:
    made = official().chat.completions.create(model="pincite", messages=[QUESTION])
    assert "[^1]" in made.choices[0].message.content
    assert made.choices[0].message.annotations[0].url_citation.url
    assert next(model.id for model in official().models.list()) == "pincite"


@needs_openai
def test_the_official_client_streams(official: Callable[..., Any]) -> None:
    stream = official().chat.completions.create(model="pincite", messages=[QUESTION], stream=True, stream_options={"include_usage": True})
    told = list(stream)
    assert "[^1]" in "".join(chunk.choices[0].delta.content or "" for chunk in told if chunk.choices)
    assert told[-1].usage.total_tokens > 0


@needs_openai
def test_the_official_client_is_told_of_a_wrong_model_and_of_a_missing_token(official: Callable[..., Any]) -> None:
    import openai

    with pytest.raises(openai.NotFoundError, match="gpt-9"):
        official().chat.completions.create(model="gpt-9", messages=[QUESTION])
    with pytest.raises(openai.AuthenticationError):
        official("not-a-token").chat.completions.create(model="pincite", messages=[QUESTION])


@needs_openai
def test_a_stream_cancelled_in_the_middle_leaves_the_server_well(official: Callable[..., Any]) -> None:
    client = official()
    for _ in range(5):
        stream = client.chat.completions.create(model="pincite", messages=[QUESTION], stream=True)
        next(iter(stream))
        stream.close()
    assert client.chat.completions.create(model="pincite", messages=[QUESTION]).choices[0].message.content
