"""What the OpenAPI document says of answers beside their shape: statuses, media types, an example each.

In: nothing. Out: the `responses` of routes.
"""

from __future__ import annotations

from typing import Any

from pincite.serve import shapes

Responses = dict[int | str, dict[str, Any]]
PROBLEM = "application/problem+json"


def problem(title: str, status: int, detail: str, **headers: str) -> dict[str, Any]:
    """Return one kind of problem."""
    said: dict[str, Any] = {
        "description": title,
        "content": {
            PROBLEM: {
                "schema": {"$ref": "#/components/schemas/Wrong"},
                "example": {"type": "about:blank", "title": title, "status": status, "detail": detail},
            }
        },
    }
    if headers:
        said["headers"] = {name.replace("_", "-"): {"schema": {"type": "string"}, "description": about} for name, about in headers.items()}
    return said


def ok(description: str, example: Any) -> Responses:
    """Return the example of a good answer."""
    return {200: {"description": description, "content": {"application/json": {"example": example}}}}


def as_type(media_type: str, description: str, example: str) -> Responses:
    """Return a good answer that is no JSON."""
    return {200: {"description": description, "content": {media_type: {"schema": {"type": "string"}, "example": example}}}}


EVERY: Responses = {
    400: problem("Bad Request", 400, "There is no source `docs` in this library. Its sources: none yet."),
    403: problem("Forbidden", 403, "This needs the scope `write`; the token grants `read`."),
    413: problem("Content Too Large", 413, "The body has more than 1048576 bytes."),
    421: problem("Misdirected Request", 421, "This server does not answer under that host name."),
    422: problem("Unprocessable Content", 422, "query.max_results: Input should be greater than or equal to 1"),
    429: problem("Too Many Requests", 429, "Too many requests. Try again in 12 s.", Retry_After="Seconds to wait."),
    503: problem(
        "The library cannot be used", 503, "The server is busy or stopping. Try again in a moment.", Retry_After="Seconds to wait."
    ),
}
AUTHENTICATED: Responses = {
    401: problem("Unauthorized", 401, "This needs a token: send `Authorization: Bearer …`.", WWW_Authenticate="What is missing.")
}
MISSING: Responses = {404: problem("Not Found", 404, "Context files not found")}
SAME: Responses = {304: {"description": "The client holds this already.", "headers": {"ETag": {"schema": {"type": "string"}}}}}

READ: Responses = {**SAME}
FIND: Responses = {**SAME, **MISSING}
CHANGE: Responses = {404: MISSING[404], 409: problem("Conflict", 409, "That delivery came before.")}
HOOK: Responses = {401: problem("Unauthorized", 401, "The delivery is not signed by a key of this server, or not in time.")}
BUSY: Responses = {404: problem("There is no library yet", 404, "There is no library at that place.")}
TEXT = as_type("text/markdown", "The document's canonical text.", "# Caching\n\nThe cache is bypassed by …\n")
PAGE = as_type("text/html", "The bytes as they were captured, under a policy that lets nothing run or load.", "<!doctype html>…")
PAGE[200]["content"]["text/plain"] = {"schema": {"type": "string"}}
LLMS: Responses = SAME | MISSING | as_type("text/plain", "Text in the form of llmstxt.org.", "# Pincite\n\n> …\n")
EXPORT: Responses = (
    SAME | MISSING | as_type("text/markdown", "The corpus.", "# Docs Doc Context\n\nGenerated on 2026-11-30\n\n## File: …\n")
)
METRICS = as_type("text/plain", "Prometheus text.", "pincite_http_running 1.0\n")
EVENT = {"type": "object", "properties": {name: {"type": "string"} for name in ("id", "event", "data")}, "required": ["data"]}
EVENTS: Responses = {
    200: {
        "description": "Events `queued`, `started`, `progress`, and last `done`, `failed` or `cancelled`.",
        "content": {"text/event-stream": {"schema": EVENT}},
    }
}

PASSAGE: dict[str, Any] = {
    "id": "psg_4f0c9a6be1d2a7c0b1e3d5f7",
    "rank": 1,
    "score": 11.2,
    "scores": {"lexical": 11.2, "vector": None, "rerank": None},
    "similarity": 0.83,
    "kind": "doc",
    "ref": "REF-7k3m9q",
    "source": "docs-example-org",
    "version": "2.1",
    "path": "https://docs.example.org/cache.html",
    "url": "https://docs.example.org/cache.html#bypass",
    "title": "Caching",
    "heading": ["Caching", "Bypass"],
    "symbol": "CacheMode.BYPASS",
    "paragraph": 1,
    "line": 12,
    "start": 120,
    "end": 181,
    "text": "Set the mode to BYPASS to fetch the page without the cache.\n",
    "context": [],
    "fetched_at": "2026-11-30T12:00:00.123Z",
    "snapshot": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "lang": "en",
    "language": "",
    "mark": "none",
    "drift": "unchecked",
    "flags": [],
}
ASK: Responses = {**ok("Passages by kind, or whole corpora.", {"doc_results": [PASSAGE], "code_results": []}), **SAME, **MISSING}
SEARCH: Responses = {
    **ok("Passages, best first.", {"query": "bypass the cache", "passages": [PASSAGE], "unknown_terms": []}),
    **SAME,
    **MISSING,
}
ANSWER: Responses = MISSING | ok(
    "The answer; with `Accept: text/event-stream` events `text` and, last, `answer` or `error`.",
    {
        "query": "How do I bypass the cache?",
        "markdown": "Set the mode to BYPASS to fetch the page without the cache. [^1]\n\n[^1]: Caching — https://docs.example.org/cache.html#:~:text=Set%20the%20mode",
        "abstained": False,
        "unknown_terms": [],
        "citations": [],
        "dropped": [],
        "intent": "how_to",
        "model": "llama3.2",
        "usage": {},
        "ms": 12.5,
    },
)
ANSWER[200]["content"]["text/event-stream"] = {"schema": EVENT}
MODELS: Responses = ok(
    "A list of models.", {"object": "list", "data": [{"id": "pincite", "object": "model", "created": 0, "owned_by": "pincite"}]}
)
MODEL: Responses = ok("A model.", {"id": "pincite", "object": "model", "created": 0, "owned_by": "pincite"})
CHAT: Responses = ok(
    "A completion; with `stream` its chunks as events.",
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1796040000,
        "model": "pincite",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Set the mode to BYPASS. [^1]"}, "finish_reason": "stop"}],
    },
)
CHAT[200]["content"]["text/event-stream"] = {"schema": EVENT}


def components() -> dict[str, Any]:
    """Return the schemas that are named here and used by no route's body."""
    return {"Wrong": shapes.Wrong.model_json_schema()}
