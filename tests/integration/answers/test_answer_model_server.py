"""In: a scripted server over real HTTP. Out: text, or an error that names what went wrong."""

from __future__ import annotations

import json
import socket

import pytest

from pincite.adapters.keys import key_for
from pincite.adapters.openai import Endpoint, OpenAIModel
from pincite.answer.prompt import SCHEMA
from pincite.errors import ModelError, UsageError


def opened(script, **options) -> OpenAIModel:
    options.setdefault("backoff_s", 0.0)
    return OpenAIModel(Endpoint(script.url, "small", **options), sleep=lambda seconds: None)


def failing(model: OpenAIModel, *, stream: bool = False) -> ModelError:
    with pytest.raises(ModelError) as caught:
        list(model.stream("s", "p")) if stream else model.complete("s", "p")
    model.close()
    return caught.value


def test_a_whole_answer_is_returned_at_temperature_zero_without_tools(model_server) -> None:
    script = model_server("hello")
    model = opened(script, key="sk-secret")
    assert model.complete("be short", "say hello", schema=SCHEMA) == "hello"
    (asked,) = script.asked
    assert asked["temperature"] == 0
    assert "tools" not in asked
    assert asked["response_format"]["type"] == "json_schema"
    assert script.headers[0]["authorization"] == "Bearer sk-secret"
    assert model.usage == {"prompt_tokens": 10, "completion_tokens": 5, "calls": 1}
    model.close()


def test_a_stream_comes_in_pieces(model_server) -> None:
    model = opened(model_server("a rather long answer in pieces"))
    pieces = list(model.stream("s", "p"))
    assert "".join(pieces) == "a rather long answer in pieces"
    assert len(pieces) > 2
    model.close()


def test_a_server_without_schemas_is_asked_again_without_one(model_server, raw) -> None:
    script = model_server(raw(400, b'{"error": {"message": "response_format is not supported"}}'), "plain", "plain")
    model = opened(script)
    assert model.complete("s", "p", schema=SCHEMA) == "plain"
    assert model.complete("s", "p", schema=SCHEMA) == "plain"
    assert ["response_format" in a for a in script.asked] == [True, False, False]
    model.close()


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(model_server, raw, status: int) -> None:
    script = model_server(raw(status, b"busy", (("retry-after", "0"),)), raw(status, b"busy"), "at last")
    model = opened(script)
    assert model.complete("s", "p") == "at last"
    assert len(script.asked) == 3
    model.close()


@pytest.mark.parametrize(
    ("status", "body", "rule"),
    [
        pytest.param(401, b'{"error": {"message": "bad key"}}', "unauthorized", id="wrong key"),
        pytest.param(404, b'{"error": {"message": "model small not found"}}', "no_model", id="wrong model"),
        pytest.param(400, b'{"error": {"message": "maximum context length is 2048"}}', "context_too_long", id="context too long"),
        pytest.param(429, b"slow down", "rate_limited", id="rate limit that stays"),
        pytest.param(503, b"busy", "server", id="busy for good"),
        pytest.param(418, b"teapot", "server", id="something else"),
        pytest.param(200, b"<html>not json</html>", "garbage", id="no JSON"),
        pytest.param(200, b'{"choices": []}', "garbage", id="no choice"),
        pytest.param(200, b'{"choices": [{"message": {"content": null}}]}', "garbage", id="no text"),
        pytest.param(200, b"[1, 2]", "garbage", id="a list"),
        pytest.param(200, b'{"choices": [{"message": {"content": "", "refusal": "no"}}]}', "refused", id="refusal"),
        pytest.param(200, b'{"choices": [{"message": {"content": "x"}, "finish_reason": "content_filter"}]}', "refused", id="filter"),
        pytest.param(200, b"x" * 10_000_000, "too_large", id="ten megabytes of nonsense"),
    ],
)
def test_a_failure_has_its_own_name(model_server, raw, status: int, body: bytes, rule: str) -> None:
    assert failing(opened(model_server(raw(status, body)))).rule == rule


@pytest.mark.parametrize(
    ("body", "cut", "rule"),
    [
        pytest.param(b'data: {"choices": [{"delta": {"content": "half"}}]}\n\n', False, "stream_died", id="ends in the middle"),
        pytest.param(b'data: {"choices": [{"delta": {"content": "half"}}]}\n\n', True, "stream_died", id="connection dies"),
        pytest.param(b"data: {broken\n\n", False, "garbage", id="no event"),
        pytest.param(b"data: " + b"y" * 10_000_000, False, "too_large", id="ten megabytes"),
    ],
)
def test_a_stream_that_fails_says_how(model_server, raw, body: bytes, cut: bool, rule: str) -> None:
    assert failing(opened(model_server(raw(200, body, cut=cut))), stream=True).rule == rule


def test_a_redirect_is_not_followed(model_server, raw) -> None:
    other = model_server("elsewhere")
    script = model_server(raw(307, b"", (("location", other.url + "/chat/completions"),)))
    error = failing(opened(script))
    assert "redirect" in error.message
    assert other.asked == []


def test_no_server_is_said_with_its_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = failing(OpenAIModel(Endpoint(f"http://127.0.0.1:{port}/v1", "small", retries=1), sleep=lambda s: None))
    assert error.rule == "no_server"
    assert str(port) in error.message


def test_a_key_is_in_no_message_and_no_representation(model_server, raw) -> None:
    script = model_server(raw(418, json.dumps({"error": {"message": "your key sk-secret is odd"}}).encode()))
    error = failing(opened(script, key="sk-secret"))
    assert "sk-secret" not in error.message
    assert "sk-secret" not in repr(Endpoint(script.url, "small", key="sk-secret"))


def test_a_budget_stops_before_the_next_call(model_server) -> None:
    script = model_server("hello")
    model = opened(script, budget_tokens=12)
    model.complete("s", "p")
    assert failing(model).rule == "budget"
    assert len(script.asked) == 1


def test_time_is_bounded_over_all_retries(model_server, raw) -> None:
    clock = iter(range(0, 10_000, 40))
    script = model_server(raw(503, b"busy"))
    model = OpenAIModel(Endpoint(script.url, "small", timeout_s=100), sleep=lambda s: None, monotonic=lambda: float(next(clock)))
    assert failing(model).rule in ("server", "timeout")
    assert len(script.asked) <= 3


def test_a_url_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        OpenAIModel(Endpoint("localhost:11434", "small"))


def test_a_foreign_key_goes_to_its_own_host_alone() -> None:
    assert key_for("http://127.0.0.1:9/v1", {"OPENAI_API_KEY": "sk-x"}) == ""
    assert key_for("https://api.openai.com/v1", {"OPENAI_API_KEY": "sk-x"}) == "sk-x"
    assert key_for("http://127.0.0.1:9/v1", {"PINCITE_LLM_KEY": "k"}) == "k"
