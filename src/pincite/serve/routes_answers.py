"""`POST /v1/answers`: a verified answer, whole or as events.

In: a question and its filters. Out: the Answer of the reference; with `Accept: text/event-stream` its sentences first, then the whole.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from pincite.errors import PinciteError
from pincite.serve import errors, examples, schemas, shapes
from pincite.serve.events import answered, event, streamed
from pincite.serve.params import AnswerBody, Nothing
from pincite.serve.service import Service
from pincite.types import Answer, AskOptions

if TYPE_CHECKING:
    from pincite.library import Library

PIECE = re.compile(r".+?(?:\n\n+|(?<=[.!?。！？\]])[ \n]+|$)", re.S)


def pieces(markdown: str) -> Iterator[str]:
    """Yield an answer's text in order, about a sentence at a time; together they are the text."""
    for match in PIECE.finditer(markdown):
        yield match.group()


def answer(library: Library, body: AnswerBody) -> Answer:
    """Ask the library as the body says."""
    settings = library.settings
    options = AskOptions(
        notes=body.notes,
        quotes=body.quotes,
        passages=settings.answer_passages,
        passage_chars=settings.passage_chars,
        floor=settings.answer_floor,
        style=body.style,
        model=body.model,
    )
    return library.ask(
        body.question,
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
    )


def routes(service: Service) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["answers"])

    @router.post("/v1/answers", response_model=shapes.Answer, summary="Answer with verified footnotes", responses=examples.ANSWER)
    async def answers(request: Request, body: AnswerBody, params: Annotated[Nothing, Query()]) -> Response:
        if "text/event-stream" in request.headers.get("accept", ""):
            return streamed(_told(service, body))
        made = await service.answerers.run(lambda library: schemas.answer(answer(library, body)))
        return answered(made, Cache_Control="no-store")

    return router


async def _told(service: Service, body: AnswerBody) -> AsyncIterator[bytes]:
    try:
        made = await service.answerers.run(lambda library: schemas.answer(answer(library, body)))
    except PinciteError as error:
        yield event("error", errors.problem(error))
        return
    for text in pieces(made["markdown"]):
        yield event("text", {"text": text})
    yield event("answer", made)
