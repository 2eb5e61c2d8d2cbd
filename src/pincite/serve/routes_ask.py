"""`GET /ask` and `GET /v1/search`: passages for assistants, and the whole corpora.

In: query parameters. Out: JSON; corpora are streamed file by file, so that neither side holds them whole.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from pincite.errors import SourceError, UsageError
from pincite.serve import ask as asking
from pincite.serve import context_export, examples, problems, schemas, shapes
from pincite.serve.events import encoded
from pincite.serve.params import AskParams, SearchParams
from pincite.serve.reads import read
from pincite.serve.service import KEEP, Service, etag, known, unchanged
from pincite.types import Holding, Kind
from pincite.wiring import now

if TYPE_CHECKING:
    from pincite.library import Library

ABOUT_ASK = """Return passages of documentation and code for a question, best first.

Always send `query`: without one the whole corpora come back, which is very long. Documentation passages carry one neighbour on each side as
labelled `context`; code passages are whole functions or methods. An unknown word gives an empty list, never noise."""


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["search"])
    _ask(router, service)
    _search(router, service)
    return router


def _ask(router: APIRouter, service: Service) -> None:
    @router.get(
        "/ask",
        response_model=shapes.Asked,
        response_model_exclude_none=True,
        summary="Context for assistants",
        description=ABOUT_ASK,
        responses=examples.ASK,
    )
    async def ask(request: Request, params: Annotated[AskParams, Query()]) -> Response:
        asked = asking.Asked(
            context_type=params.context_type,
            query=params.query,
            score_ratio=params.score_ratio,
            max_results=params.max_results,
            source=tuple(params.source),
            version=params.version,
            as_of=params.as_of,
            max_tokens=params.max_tokens,
        )

        def found(library: Library) -> bytes:
            known(library, asked.source)
            return encoded(asking.ask(library, asked))

        def files(library: Library) -> tuple[str, tuple[Holding, ...]]:
            known(library, asked.source)
            return etag(service, library.seq(), request), asking.corpora(library, asked)

        try:
            if asked.query:
                return await read(service, request, found)
            tag, held = await service.readers.run(files)
        except asking.NoCorpus as error:
            raise problems.Problem(404, error.message) from error
        whole = _whole(service, asked, held)
        return unchanged(request, tag) or StreamingResponse(
            whole, media_type="application/json", headers={"ETag": tag, "Cache-Control": KEEP}
        )


def _search(router: APIRouter, service: Service) -> None:
    @router.get("/v1/search", response_model=shapes.Found, summary="Find passages", responses=examples.SEARCH)
    async def search(request: Request, params: Annotated[SearchParams, Query()]) -> Response:
        def look(library: Library) -> bytes:
            known(library, tuple(params.source))
            found = library.search(
                params.query,
                kind=params.kind,
                source=tuple(params.source) or None,
                version=params.version,
                lang=params.lang,
                max_results=params.max_results,
                score_ratio=params.score_ratio,
                similarity_threshold=params.similarity_threshold,
                neighbors=params.neighbors,
                max_tokens=params.max_tokens,
                as_of=params.as_of,
                explain=params.explain,
                where=params.where,
                segments=params.segments,
                preset=params.preset,
            )
            return encoded(schemas.search_result(found))

        return await read(service, request, look)


async def _whole(service: Service, asked: asking.Asked, files: tuple[Holding, ...]) -> AsyncIterator[bytes]:
    """Write `{"doc_context": "…", "code_context": "…"}` piece by piece; each piece is read when the one before has gone out."""
    for i, kind in enumerate(asked.kinds):
        yield b"," if i else b"{"
        yield json.dumps(f"{kind}_context").encode() + b':"'
        async for text in _corpus(service, kind, files):
            yield json.dumps(text, ensure_ascii=False).encode("utf-8", "replace")[1:-1]
        yield b'"'
    yield b"}"


async def _corpus(service: Service, kind: Kind, files: tuple[Holding, ...]) -> AsyncIterator[str]:
    begun = False
    for holding in files:
        page = await service.readers.run(partial(_page, holding=holding))
        if page is None or page.document.kind != kind:
            continue
        if not begun:
            begun = True
            yield context_export.head(_named(files), kind, now())
        for text in context_export.sections([page], kind=kind):
            yield text


def _page(library: Library, holding: Holding) -> context_export.Page | None:
    try:
        return context_export.Page(holding, library.document(holding.ref))
    except (UsageError, SourceError):
        return None


def _named(files: tuple[Holding, ...]) -> str:
    sources = dict.fromkeys(holding.source for holding in files)
    return next(iter(sources)) if len(sources) == 1 else "Library"
