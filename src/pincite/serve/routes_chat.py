"""The chat facade: a library as a model of any OpenAI-compatible client.

In: chat-completions requests. Out: the verified answer to the newest question, footnotes in the text, `annotations[].url_citation` beside
it. Shapes: OpenAI's API reference of `/v1/chat/completions` and `/v1/models`. Sampling options are accepted and change nothing.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from pincite.errors import PinciteError, UsageError
from pincite.serve import examples, problems
from pincite.serve.events import answered, encoded, streamed
from pincite.serve.params import AnswerBody, Nothing
from pincite.serve.routes_answers import answer, answers
from pincite.serve.service import Service
from pincite.tokens import estimate
from pincite.types import Answer, digest

MODEL = "pincite"
LONGEST = 10_000
TURNS = 40
NO_QUESTION = "Ask a question in words; the answer comes from the library, with its sources."


class Message(BaseModel):
    """A message of the conversation. Only its text is read."""

    model_config = ConfigDict(extra="ignore")
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any] | str] | None = None

    def text(self) -> str:
        """Return the words, images and files left out."""
        if isinstance(self.content, str):
            return self.content
        parts = (part if isinstance(part, str) else part.get("text") for part in self.content or ())
        return "\n".join(part for part in parts if isinstance(part, str))


class StreamOptions(BaseModel):
    """How a stream ends."""

    model_config = ConfigDict(extra="ignore", strict=True)
    include_usage: bool = False


class ChatBody(BaseModel):
    """`POST /v1/chat/completions`. What clients send beside these is listed, so that anything else is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)
    messages: list[Message] = Field(min_length=1, max_length=1000, examples=[[{"role": "user", "content": "How do I bypass the cache?"}]])
    model: str = Field(max_length=200, examples=[MODEL])
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = 1
    audio: Any = None
    background_tasks: Any = None
    best_of: Any = None
    chat_id: Any = None
    chat_template_kwargs: Any = None
    conversationId: Any = None
    enable_thinking: Any = None
    features: Any = None
    files: Any = None
    filter_ids: Any = None
    format: Any = None
    frequency_penalty: Any = None
    function_call: Any = None
    functions: Any = None
    guided_json: Any = None
    id: Any = None
    include_reasoning: Any = None
    instructions: Any = None
    keep_alive: Any = None
    logit_bias: Any = None
    logprobs: Any = None
    max_completion_tokens: Any = None
    max_tokens: Any = None
    metadata: Any = None
    min_p: Any = None
    mirostat: Any = None
    modalities: Any = None
    model_item: Any = None
    models: Any = None
    num_ctx: Any = None
    num_predict: Any = None
    options: Any = None
    parallel_tool_calls: Any = None
    params: Any = None
    parentMessageId: Any = None
    plugins: Any = None
    prediction: Any = None
    presence_penalty: Any = None
    promptPrefix: Any = None
    prompt_cache_key: Any = None
    prompt_cache_retention: Any = None
    provider: Any = None
    reasoning: Any = None
    reasoning_effort: Any = None
    repeat_last_n: Any = None
    repeat_penalty: Any = None
    repetition_penalty: Any = None
    response_format: Any = None
    route: Any = None
    safety_identifier: Any = None
    seed: Any = None
    service_tier: Any = None
    session_id: Any = None
    stop: Any = None
    store: Any = None
    suffix: Any = None
    system: Any = None
    temperature: Any = None
    think: Any = None
    thinking: Any = None
    title: Any = None
    tool_choice: Any = None
    tool_ids: Any = None
    tool_servers: Any = None
    tools: Any = None
    top_k: Any = None
    top_logprobs: Any = None
    top_p: Any = None
    transforms: Any = None
    typical_p: Any = None
    user: Any = None
    variables: Any = None
    verbosity: Any = None
    web_search_options: Any = None

    def turns(self) -> list[tuple[str, str]]:
        """Return what the user and the assistant said, up to the user's newest words; empty where the user said nothing."""
        said = [(str(m.role), m.text().strip()[:LONGEST]) for m in self.messages if m.role in ("user", "assistant") and m.text().strip()]
        while said and said[-1][0] != "user":
            said.pop()
        return said[-TURNS:]


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["chat"])

    @router.get("/v1/models", summary="The models of the facade", responses=examples.MODELS)
    async def models(params: Annotated[Nothing, Query()]) -> Response:
        slugs = await service.readers.run(lambda library: [source.slug for source in library.sources()])
        return answered({"object": "list", "data": [_model(name) for name in (MODEL, *(f"{MODEL}/{slug}" for slug in slugs))]})

    @router.get("/v1/models/{model:path}", summary="One model", responses=examples.MODEL | examples.FIND)
    async def model(model: str, params: Annotated[Nothing, Query()]) -> Response:
        await _sources(service, model)
        return answered(_model(model))

    @router.post("/v1/chat/completions", summary="Chat with the library", responses=examples.CHAT | examples.FIND)
    async def completions(body: ChatBody, params: Annotated[Nothing, Query()]) -> Response:
        sources = await _sources(service, body.model)
        turns = body.turns()
        try:
            asked = AnswerBody(question=turns[-1][1] if turns else NO_QUESTION, source=sources)
        except ValidationError as error:
            raise UsageError("The last message can't be read as a question: it holds what is no text.") from error
        if not turns:
            return _unasked(body, asked)
        if body.stream:
            return streamed(_streamed(service, body, asked, turns))
        made = await service.answerers.run(lambda library: answer(library, asked, turns))
        return answered(_completion(body, asked, made), Cache_Control="no-store")

    return router


async def _sources(service: Service, model: str) -> list[str]:
    """Return the sources that a model's name restricts to: none for `pincite`, one for `pincite/<source>`."""
    if model == MODEL:
        return []
    slug = model.removeprefix(MODEL + "/")
    known = await service.readers.run(lambda library: [source.slug for source in library.sources()])
    if model == slug or slug not in known:
        names = ", ".join(f"`{MODEL}/{name}`" for name in known[:10])
        raise problems.Problem(
            404, f"There is no model `{model}`. Use `{MODEL}`" + (f", or one source: {names}." if names else "."), code="model_not_found"
        )
    return [slug]


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "pincite"}


def url_citations(made: Answer) -> list[dict[str, Any]]:
    """Return one `url_citation` for each place where the text points at a note; indices count characters of the text."""
    notes = []
    body = made.markdown.partition("\n[^1]:")[0]
    for citation in made.citations:
        mark, at = f"[^{citation.n}]", -1
        while (at := body.find(mark, at + 1)) >= 0:
            place = {"start_index": at, "end_index": at + len(mark)}
            url = citation.deep_link or citation.capture.url
            notes.append({"type": "url_citation", "url_citation": {**place, "url": url, "title": citation.title or citation.capture.path}})
    return sorted(notes, key=lambda note: note["url_citation"]["start_index"])


def _unasked(body: ChatBody, asked: AnswerBody) -> Response:
    """Answer a chat without a word of the user, such as one with a picture alone."""
    made = Answer(query="", markdown=NO_QUESTION, abstained=True, intent="none")
    return streamed(_told(body, asked, made)) if body.stream else answered(_completion(body, asked, made), Cache_Control="no-store")


def _usage(body: ChatBody, made: Answer) -> dict[str, int]:
    prompt, completion = sum(estimate(m.text()) for m in body.messages), estimate(made.markdown)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _completion(body: ChatBody, asked: AnswerBody, made: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": made.markdown, "refusal": None, "annotations": url_citations(made)}
    return {
        **_head(asked, body, "chat.completion"),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": _usage(body, made),
    }


def _head(asked: AnswerBody, body: ChatBody, kind: str) -> dict[str, Any]:
    created = int(time.time())
    return {"id": "chatcmpl-" + digest(asked.question, created)[:24], "object": kind, "created": created, "model": body.model}


async def _streamed(service: Service, body: ChatBody, asked: AnswerBody, turns: list[tuple[str, str]]) -> AsyncIterator[bytes]:
    head = _head(asked, body, "chat.completion.chunk")
    yield _chunk(head, {"role": "assistant", "content": ""})
    try:
        async for item in service.answerers.stream(lambda library: answers(library, asked, turns)):
            if isinstance(item, Answer):
                for part in _ending(head, body, item):
                    yield part
            else:
                yield _chunk(head, {"content": item})
    except PinciteError as error:
        said = {"message": error.message, "type": "server_error", "param": None, "code": error.rule}
        yield b"data: " + encoded({"error": said}) + b"\n\n"


async def _told(body: ChatBody, asked: AnswerBody, made: Answer) -> AsyncIterator[bytes]:
    head = _head(asked, body, "chat.completion.chunk")
    yield _chunk(head, {"role": "assistant", "content": made.markdown})
    for part in _ending(head, body, made):
        yield part


def _chunk(head: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> bytes:
    return b"data: " + encoded({**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]}) + b"\n\n"


def _ending(head: dict[str, Any], body: ChatBody, made: Answer) -> Iterator[bytes]:
    yield _chunk(head, {"annotations": url_citations(made)})
    yield _chunk(head, {}, "stop")
    if body.stream_options and body.stream_options.include_usage:
        yield b"data: " + encoded({**head, "choices": [], "usage": _usage(body, made)}) + b"\n\n"
    yield b"data: [DONE]\n\n"
