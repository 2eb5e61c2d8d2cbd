"""Any OpenAI-compatible server as a `Model`: Ollama, llama.cpp, vLLM, LM Studio, OpenAI and the others' compatible endpoints.

In: a base URL that the operator configured, a model's name, texts. Out: text, whole or as it comes. Dials that one host and port and
follows no redirect; no environment proxy is read. Every failure is a `ModelError` whose `rule` names it: no_server, unauthorized,
no_model, context_too_long, refused, rate_limited, server, garbage, too_large, stream_died, cut_off, timeout, budget. Keys are sent to the
configured host alone and appear in no message.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from pincite.errors import ModelError, UsageError
from pincite.urls import is_web

LIMIT_BYTES: Final = 4 * 1024 * 1024
"""A longer answer than this is nonsense: about a million tokens."""
_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_SCHEMA_HINTS: Final = ("response_format", "json_schema", "schema", "grammar", "guided")
_LONG_HINTS: Final = (
    "context length",
    "context_length",
    "context window",
    "context size",
    "too long",
    "maximum context",
    "exceeds the available",
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers and how patient a caller is. `key` is never shown."""

    url: str
    model: str
    key: str = ""
    timeout_s: float = 120.0
    """For one call with all its retries."""
    retries: int = 3
    backoff_s: float = 0.5
    budget_tokens: int | None = None
    """Tokens, asked and answered, that this model may use in all."""

    def __repr__(self) -> str:
        return f"Endpoint(url={self.url!r}, model={self.model!r}, key={'***' if self.key else ''!r})"


class OpenAIModel:
    """A chat model behind `POST {url}/chat/completions`, asked at temperature 0, without tools."""

    def __init__(
        self, endpoint: Endpoint, *, sleep: Callable[[float], None] = time.sleep, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        if not is_web(endpoint.url):
            raise UsageError(f"The model's URL {endpoint.url!r} is no http or https URL. Example: http://127.0.0.1:11434/v1")
        self._at = endpoint
        self._sleep = sleep
        self._now = monotonic
        self._takes_schema = True
        self._used = {"prompt_tokens": 0, "completion_tokens": 0, "calls": 0}
        headers = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._client = httpx.Client(headers=headers, follow_redirects=False, trust_env=False, timeout=endpoint.timeout_s)
        self._url = endpoint.url.rstrip("/") + "/chat/completions"

    @property
    def name(self) -> str:
        """The model's name, as the server knows it."""
        return self._at.model

    @property
    def usage(self) -> Mapping[str, int]:
        """Tokens and calls so far, as the server told them; estimated at four characters a token where it did not."""
        return dict(self._used)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def complete(self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024) -> str:
        """Return the model's whole text. Raises ModelError."""
        return "".join(self._answered(system, prompt, schema, max_tokens, stream=False))

    def stream(self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024) -> Iterator[str]:
        """Yield the model's text as it comes. Raises ModelError, also in the middle: what came before stays unfinished."""
        yield from self._answered(system, prompt, schema, max_tokens, stream=True)

    def _answered(self, system: str, prompt: str, schema: Mapping[str, Any] | None, max_tokens: int, *, stream: bool) -> Iterator[str]:
        self._within_budget(len(system) + len(prompt))
        deadline = self._now() + self._at.timeout_s
        attempt = 0
        while True:
            body = self._body(system, prompt, schema if self._takes_schema else None, max_tokens, stream=stream)
            begun = False
            try:
                for piece in self._once(body, deadline, stream=stream):
                    begun = True
                    yield piece
                return
            except _NoSchema:
                self._takes_schema = False
            except _Again as again:
                attempt += 1
                wait = again.wait_s if again.wait_s is not None else self._at.backoff_s * 2 ** (attempt - 1)
                if begun or attempt > self._at.retries or self._now() + wait > deadline:
                    raise again.error from again.__cause__
                self._sleep(wait)

    def _body(self, system: str, prompt: str, schema: Mapping[str, Any] | None, max_tokens: int, *, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._at.model,
            "messages": [{"role": "system", "content": _text(system)}, {"role": "user", "content": _text(prompt)}],
            "temperature": 0,
            "max_tokens": max_tokens,
            "stream": stream,
        }
        if schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)}}
        return body

    def _once(self, body: Mapping[str, Any], deadline: float, *, stream: bool) -> Iterator[str]:
        self._used["calls"] += 1
        left = max(0.1, deadline - self._now())
        try:
            with self._client.stream("POST", self._url, json=body, timeout=httpx.Timeout(left, connect=min(left, 10.0))) as response:
                if response.status_code != 200:
                    raise self._refusal(response, "response_format" in body)
                lines = self._bounded(response, deadline)
                yield from self._events(lines, body) if stream else self._message(lines, body)
        except httpx.ConnectError as error:
            raise _Again(self._error(f"No server answers at {self._at.url}. Start it, or correct --llm-url.", "no_server")) from error
        except httpx.TimeoutException as error:
            raise self._error(f"The model did not answer within {self._at.timeout_s:g} s.", "timeout") from error
        except httpx.HTTPError as error:
            raise _Again(self._error(f"The connection to the model broke: {type(error).__name__}.", "stream_died")) from error

    def _bounded(self, response: httpx.Response, deadline: float) -> Iterator[bytes]:
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > LIMIT_BYTES:
                raise self._error(f"The model sent more than {LIMIT_BYTES} bytes; that is no answer.", "too_large")
            if self._now() > deadline:
                raise self._error(f"The model was not done within {self._at.timeout_s:g} s.", "timeout")
            yield piece

    def _message(self, pieces: Iterator[bytes], body: Mapping[str, Any]) -> Iterator[str]:
        answer = self._loaded(b"".join(pieces))
        choice = _choice(answer)
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise self._error("The model's server sent something that is no chat completion.", "garbage")
        self._stopped(choice.get("finish_reason"), message.get("refusal"))
        text = _text(message.get("content"))
        if text is None:
            called = ", but called a tool that was not offered" if message.get("tool_calls") else ""
            raise self._error(f"The model's server sent a message without text{called}.", "garbage")
        self._count(answer.get("usage"), body, len(text))
        yield text

    def _events(self, pieces: Iterator[bytes], body: Mapping[str, Any]) -> Iterator[str]:
        """Read server-sent events: `data: {json}` lines up to `data: [DONE]`; a server that does not stream sends the whole message."""
        said, usage, reason, called = 0, None, None, False
        plain: list[bytes] = []
        done = events = False
        for line in _lines(pieces):
            if not line.startswith(b"data:"):
                plain += () if events else (line,)
                continue
            events, data = True, line[5:].strip()
            if data == b"[DONE]":
                done = True
                break
            event = self._loaded(data)
            usage = event.get("usage") or usage
            choice = _choice(event) or {}
            delta = choice.get("delta") if isinstance(choice, dict) else None
            piece = _text((delta or {}).get("content") or "") if isinstance(delta, dict | None) else None
            if not isinstance(choice, dict) or piece is None:
                raise self._error("The model's stream holds something that is no event, or a piece that is no text.", "garbage")
            self._stopped(choice.get("finish_reason"), (delta or {}).get("refusal"))
            reason, called = choice.get("finish_reason") or reason, called or bool((delta or {}).get("tool_calls"))
            if piece:
                said += len(piece)
                yield piece
        if not events and b"".join(plain).lstrip()[:1] == b"{":
            yield from self._message(iter((b"\n".join(plain),)), body)
            return
        if not done and reason is None:
            whole = "nothing" if not (events or any(plain)) else "a page and no stream" if not events else ""
            raise self._error(f"The model's server sent {whole}." if whole else "The model's stream ended in the middle.", "stream_died")
        self._count(usage, body, said)
        if reason == "length":
            raise self._error("The model's answer was cut off: it has more tokens than an answer of this style may have.", "cut_off")
        if called and not said:
            raise self._error("The model called a tool, and none was offered.", "garbage")

    def _loaded(self, data: bytes) -> dict[str, Any]:
        """Return an object of JSON. Raises ModelError: garbage for what is none, server for one that tells of a failure."""
        try:
            told = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._error("The model's server sent something that is no JSON.", "garbage") from error
        if not isinstance(told, dict):
            raise self._error("The model's server sent something that is no chat completion.", "garbage")
        if told.get("error") and not told.get("choices"):
            raise self._error(f"The model's server failed: {self._words(told)}", "server")
        return told

    def _stopped(self, reason: object, refusal: object) -> None:
        if reason == "content_filter" or (isinstance(refusal, str) and refusal):
            raise self._error("The model refused to answer.", "refused")

    def _refusal(self, response: httpx.Response, with_schema: bool) -> Exception:
        detail = self._detail(response)
        status, low = response.status_code, detail.lower()
        if with_schema and status in (400, 404, 415, 422, 500, 501) and any(h in low for h in _SCHEMA_HINTS):
            return _NoSchema()
        if status in (401, 403):
            return self._error("The model's server wants another key. Set PINCITE_LLM_KEY, or store one in the keyring.", "unauthorized")
        if status in (400, 413, 422) and any(h in low for h in _LONG_HINTS):
            return self._error(f"The question and its passages are too long for {self.name}. Ask with fewer passages.", "context_too_long")
        if status == 404 or (status == 400 and "model" in low):
            return self._error(f"The server at {self._at.url} has no model {self.name!r}: {detail}", "no_model")
        if status in _AGAIN:
            rule = "rate_limited" if status == 429 else "server"
            return _Again(self._error(f"The model's server answered {status}: {detail}", rule), _retry_after(response))
        if 300 <= status < 400:
            return self._error("The model's server redirects; only the configured address is dialled. Correct --llm-url.", "server")
        return self._error(f"The model's server answered {status}: {detail}", "server")

    def _detail(self, response: httpx.Response) -> str:
        """Return the server's own words of a response."""
        body = b""
        for piece in response.iter_bytes():
            body += piece
            if len(body) > 4096:
                break
        try:
            return self._words(json.loads(body))
        except (ValueError, RecursionError):
            return self._words(body.decode("utf-8", "replace"))

    def _words(self, told: object) -> str:
        """Return what a server says of a failure, short, on one line, with the key taken out."""
        error = told.get("error", told) if isinstance(told, dict) else told
        text = " ".join(str(error.get("message", error) if isinstance(error, dict) else error).split())[:200]
        return text.replace(self._at.key, "***") if self._at.key else text

    def _count(self, usage: object, body: Mapping[str, Any], said: int) -> None:
        asked = sum(len(m["content"]) for m in body["messages"]) // 4
        told = usage if isinstance(usage, dict) else {}
        for name, guess in (("prompt_tokens", asked), ("completion_tokens", said // 4)):
            value = told.get(name)
            self._used[name] += value if isinstance(value, int) and value >= 0 else guess

    def _within_budget(self, chars: int) -> None:
        spent = self._used["prompt_tokens"] + self._used["completion_tokens"]
        if self._at.budget_tokens is not None and spent + chars // 4 > self._at.budget_tokens:
            raise self._error(f"The budget of {self._at.budget_tokens} tokens is used up ({spent} so far).", "budget")

    def _error(self, message: str, rule: str) -> ModelError:
        return ModelError(message, url=self._at.url, rule=rule)


class _Again(Exception):
    """A failure that may pass when tried again; `error` is what it is when it does not."""

    def __init__(self, error: ModelError, wait_s: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait_s = wait_s


class _NoSchema(Exception):
    """The server does not take a JSON schema."""


def _choice(told: Mapping[str, Any]) -> object:
    """Return the first answer of several, None where there is none yet."""
    choices = told.get("choices") or []
    if not isinstance(choices, list):
        return choices
    return next((c for c in choices if not isinstance(c, dict) or c.get("index", 0) in (0, None)), None)


def _text(content: object) -> str | None:
    """Return a message's text, also of one in parts; None where it has none. Half a surrogate pair is no character."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type", "text") == "text"]
        content = "".join(part for part in parts if isinstance(part, str))
    return content.encode("utf-8", "replace").decode("utf-8") if isinstance(content, str) else None


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Cut bytes at line ends of any kind."""
    held = b""
    for piece in pieces:
        whole = held + piece
        kept = whole[-1:] == b"\r"
        *lines, held = (whole[:-1] if kept else whole).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        held += b"\r" if kept else b""
        yield from lines
    if held.strip():
        yield held.rstrip(b"\r")


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else None
