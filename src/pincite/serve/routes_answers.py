"""`POST /v1/answers`: a verified answer, whole or as events.

In: a question and its filters. Out: the Answer of the reference; with `Accept: text/event-stream` its sentences first, then the whole.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from pincite.errors import PinciteError
from pincite.serve import errors, examples, problems, schemas, shapes
from pincite.serve.events import answered, event, streamed
from pincite.serve.params import AnswerBody, Nothing
from pincite.serve.service import Service, known
from pincite.types import Answer

if TYPE_CHECKING:
    from pincite.library import Library

PIECE = re.compile(r".+?(?:\n\n+|(?<=[.!?。！？\]])[ \n]+|$)", re.S)


def pieces(markdown: str) -> Iterator[str]:
    """Yield an answer's text in order, about a sentence at a time; together they are the text."""
    for match in PIECE.finditer(markdown):
        yield match.group()


def answers(library: Library, body: AnswerBody, messages: Sequence[tuple[str, str]] = ()) -> Iterator[str | Answer]:
    """Ask the library as the body says; give the printed text as it is verified, and last the answer."""
    known(library, tuple(body.source))
    options = replace(library.answer_options(), notes=body.notes, quotes=body.quotes, style=body.style, model=body.model)
    told = ""
    for item in library.stream(
        messages or [("user", body.question)],
        options=options,
        kind=body.kind,
        source=tuple(body.source) or None,
        version=body.version,
        lang=body.lang,
        max_results=body.max_results,
        score_ratio=body.score_ratio,
        similarity_threshold=body.similarity_threshold,
        max_tokens=body.max_tokens,
        as_of=body.as_of,
        where=body.where,
    ):
        if isinstance(item, str):
            text = ("\n\n" if told else "") + item
            told += text
            yield text
        else:
            yield from pieces(_rest(item.markdown, told))
            yield item


def _rest(markdown: str, told: str) -> str:
    """Return what is still to be printed: after an answer whose order a repair has changed, its notes."""
    if markdown.startswith(told):
        return markdown[len(told) :]
    at = markdown.find("\n[^1]:")
    return "\n" + markdown[at:] if at >= 0 else ""


def answer(library: Library, body: AnswerBody, messages: Sequence[tuple[str, str]] = ()) -> Answer:
    """Ask the library as the body says and return the answer."""
    begun = time.perf_counter()
    *_, made = answers(library, body, messages)
    assert isinstance(made, Answer), "the last thing that a stream gives is the answer"
    return replace(made, ms=(time.perf_counter() - begun) * 1000)


def routes(service: Service) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["answers"])

    @router.post("/v1/answers", response_model=shapes.Answer, summary="Answer with verified footnotes", responses=examples.ANSWER)
    async def post(request: Request, body: AnswerBody, params: Annotated[Nothing, Query()]) -> Response:
        if "text/event-stream" in request.headers.get("accept", ""):
            return streamed(_told(service, body))
        made = await service.answerers.run(lambda library: schemas.answer(answer(library, body)))
        return answered(made, Cache_Control="no-store")

    return router


async def _told(service: Service, body: AnswerBody) -> AsyncIterator[bytes]:
    begun = time.perf_counter()
    try:
        async for item in service.answerers.stream(lambda library: answers(library, body)):
            if isinstance(item, Answer):
                made = replace(item, ms=(time.perf_counter() - begun) * 1000)
                yield event("answer", schemas.answer(made))
            else:
                yield event("text", {"text": item})
    except PinciteError as error:
        yield event("error", errors.problem(error))
    except problems.Problem as error:
        yield event("error", {"status": error.status_code, "detail": error.detail, **error.facts})
