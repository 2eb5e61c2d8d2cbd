"""What assistants take whole: `llms.txt`, `llms-full.txt`, pages as Markdown, and corpora in the `## File:` form.

In: query parameters. Out: text, streamed page by page, so that neither side holds a corpus whole. Pages that ask for no copies
(`noarchive`) are left out, or refused, for whoever is not on this machine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from pincite.errors import SourceError, UsageError
from pincite.library import Library
from pincite.serve import context_export, examples
from pincite.serve.ask import NO_CORPUS
from pincite.serve.auth import Principal
from pincite.serve.context_export import Page
from pincite.serve.params import ExportParams, Nothing
from pincite.serve.problems import Problem
from pincite.serve.routes_library import archived, copyable, found, kept_back
from pincite.serve.service import KEEP, Caller, Service, etag, known, unchanged
from pincite.types import Holding
from pincite.wiring import now

NAME = "Pincite"
AT_ONCE = 16
"""Pages that a reader looks up before it takes the next call."""
Empty = Annotated[Nothing, Query()]
Writing = Callable[[Page, Page | None], str]
"""What a page adds to a text, given the page before it."""


def routes(service: Service) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["corpora"])

    @router.get("/llms.txt", summary="A list of the pages", responses=examples.LLMS, response_class=Response)
    async def llms(request: Request, params: Empty, caller: Caller) -> Response:
        listed = partial(context_export.listed, link=partial(page_address, request))
        return await _text(service, request, ExportParams(format="llms-txt"), caller, listed, "text/plain")

    @router.get("/llms-full.txt", summary="All pages in one text", responses=examples.LLMS, response_class=Response)
    async def full(request: Request, params: Empty, caller: Caller) -> Response:
        return await _text(service, request, ExportParams(format="llms-full"), caller, _whole, "text/plain")

    @router.get("/v1/export", summary="Write a corpus", responses=examples.EXPORT, response_class=Response)
    async def export(request: Request, params: Annotated[ExportParams, Query()], caller: Caller) -> Response:
        writing: dict[str, Writing] = {"context": partial(_section, params), "llms-txt": context_export.listed, "llms-full": _whole}
        return await _text(service, request, params, caller, writing[params.format], "text/markdown")

    @router.get("/r/{ref}.md", summary="A page as Markdown", responses=examples.TEXT | examples.FIND, response_class=Response)
    async def page(request: Request, ref: str, params: Empty, caller: Caller) -> Response:
        def look(library: Library) -> tuple[str, bytes]:
            flags = found(lambda: library.capture(ref)).flags
            page = found(lambda: context_export.page_of(library, ref))
            copyable((*flags, *page.document.flags), caller)
            return page.document.id, context_export.markdown(page).lstrip("\n").encode("utf-8", "replace")

        id, text = await service.readers.run(look)
        return archived(request, f"{id}.md", text, "text/markdown", "utf-8")

    return router


def page_address(request: Request, page: Page) -> str:
    """Return where this server gives the page's Markdown, from the root of the host, so that it holds behind a proxy too."""
    return f"{request.scope.get('root_path', '')}/r/{page.holding.ref}.md"


def _section(params: ExportParams, page: Page, before: Page | None) -> str:
    return "".join(context_export.sections([page], kind=params.kind))


def _whole(page: Page, before: Page | None) -> str:
    return context_export.markdown(page)


async def _text(service: Service, request: Request, params: ExportParams, caller: Principal, write: Writing, media_type: str) -> Response:
    """Answer with a head and what each page adds, or 304, or 404 where the corpus would be empty."""

    def look(library: Library) -> tuple[str, tuple[Holding, ...]]:
        tag = etag(service, library.seq(), request)
        if unchanged(request, tag):
            return tag, ()
        known(library, (params.source,) if params.source else ())
        return tag, context_export.files(library, source=params.source, as_of=params.as_of)

    tag, files = await service.readers.run(look)
    if (same := unchanged(request, tag)) is not None:
        return same
    pages = _pages(service, files, params, caller)
    first = await anext(pages, None)
    if first is None:
        raise Problem(404, NO_CORPUS)
    name = params.name or params.source or NAME
    head = context_export.head(name, params.kind, now()) if params.format == "context" else context_export.title(name, params.format)

    async def parts() -> AsyncIterator[bytes]:
        yield (head + write(first, None)).encode("utf-8", "replace")
        before = first
        async for page in pages:
            yield write(page, before).encode("utf-8", "replace")
            before = page

    return StreamingResponse(
        parts(), media_type=media_type, headers={"ETag": tag, "Cache-Control": KEEP, "X-Content-Type-Options": "nosniff"}
    )


def _flags(library: Library, page: Page) -> tuple[str, ...]:
    return (*library.capture(page.holding.ref).flags, *page.document.flags)


async def _pages(service: Service, files: tuple[Holding, ...], params: ExportParams, caller: Principal) -> AsyncIterator[Page]:
    kind = params.kind if params.format == "context" else None

    def read(library: Library, part: tuple[Holding, ...]) -> list[Page]:
        pages = []
        for holding in part:
            try:
                page = Page(holding, library.document(holding.ref))
                if (kind is None or page.document.kind == kind) and not kept_back(_flags(library, page), caller):
                    pages.append(page)
            except (UsageError, SourceError):
                continue
        return pages

    for i in range(0, len(files), AT_ONCE):
        for page in await service.readers.run(partial(read, part=files[i : i + AT_ONCE])):
            yield page
