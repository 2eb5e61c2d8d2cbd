"""Extraction without a library: files, folders and URLs as documents, in several processes where there are many.

In: paths and URLs. Out: (relative path, document or the reason why there is none), and documents as Markdown, text or JSON.
"""

from __future__ import annotations

import gzip
import mimetypes
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal

from pincite import urls, wiring
from pincite.errors import PinciteError, SourceError, UsageError
from pincite.serve import schemas
from pincite.settings import Settings
from pincite.types import Document, Fetched, PageOutcome, Policy, Snapshot, Span, capture_of

Form = Literal["markdown", "text", "json"]
ENDINGS = {"markdown": ".md", "text": ".txt", "json": ".json"}
MANY = 8
"""Files from which on it pays to start processes."""


@dataclass(frozen=True, slots=True)
class Page:
    """One input: a file and its path below what was named."""

    file: str
    path: str


@dataclass(frozen=True, slots=True)
class Printed:
    """One input's output, or the reason why there is none."""

    path: str
    text: str = ""
    reason: str = ""
    warning: str = ""
    """What of the page may be missing from the text."""


def pages(place: str) -> list[Page]:
    """Return a file, or the files below a folder in order; hidden ones and symbolic links are left out. Raises SourceError."""
    top = Path(place)
    if top.is_file():
        return [Page(str(top), top.name)]
    if not top.is_dir():
        raise SourceError(f"There is no file or folder {place}.", rule="missing")
    found = []
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(folder, name)
            if not name.startswith(".") and not file.is_symlink():
                found.append(Page(str(file), file.relative_to(top).as_posix()))
    return found


def read(page: Page, limit_bytes: int) -> Snapshot:
    """Return the file's bytes as a snapshot, unpacked where it ends in `.gz`. Raises SourceError."""
    opened = gzip.open if page.file.endswith(".gz") else open
    try:
        with opened(page.file, "rb") as stream:
            body: bytes = stream.read(limit_bytes + 1)
    except (OSError, EOFError) as error:
        raise SourceError(f"Can't read {page.file}: {error}.", rule="unreadable") from error
    if len(body) > limit_bytes:
        raise SourceError(f"{page.file} holds more than {limit_bytes} bytes.", rule="too large")
    path = page.path.removesuffix(".gz")
    url = urls.file_url(Path(page.file.removesuffix(".gz")).absolute())
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    fetched = Fetched(url, url, path, 200, (), media_type, body, wiring.now(), renderer="file")
    return Snapshot(capture_of("extract", fetched), body)


def printed(page: Page, *, form: Form, ids: bool, settings: Settings, policy: Policy) -> Printed:
    """Extract one file. Runs in a process of its own where there are many."""
    try:
        snapshot = replace(read(page, settings.limit_bytes), selector=policy.selector, exclude_selector=policy.exclude_selector)
        document = wiring.extractor(settings).extract(snapshot)
        return Printed(page.path, shown(document, form, ids=ids), warning=document.warning)
    except UsageError:
        raise
    except PinciteError as error:
        return Printed(page.path, reason=error.message)


def local(found: list[Page], form: Form, *, ids: bool, settings: Settings, policy: Policy) -> Iterator[Printed]:
    """Yield each file's output, in order."""
    work = partial(printed, form=form, ids=ids, settings=settings, policy=policy)
    if len(found) < MANY:
        yield from map(work, found)
        return
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(work, found, chunksize=max(1, min(16, len(found) // 16)))


def remote(url: str, settings: Settings, policy: Policy, form: Form, *, ids: bool) -> Printed:
    """Fetch one page through the guard and extract it. Raises Refused or SourceError."""
    source = wiring.resolve(url, name=None, version="", policy=policy, now=wiring.now())
    for group in wiring.flow(source, {}, settings, wiring.now):
        for item in group:
            if not isinstance(item, PageOutcome) or item.reason == "redirect":
                continue
            if item.fetched is None:
                return Printed(url, reason=item.reason)
            capture = capture_of(source.slug, item.fetched)
            snapshot = Snapshot(capture, item.fetched.body, policy.selector, policy.exclude_selector)
            document = wiring.extractor(settings).extract(snapshot)
            return Printed(url, shown(document, form, ids=ids), warning=document.warning)
    raise SourceError(f"{url} gave no page.", url=url)


def shown(document: Document, form: Form, *, ids: bool) -> str:
    """Return a document in one of the forms."""
    if form == "json":
        return schemas.dumps(schemas.document(document))
    if form == "text":
        return document.visible(Span(0, len(document.text)))
    return with_ids(document) if ids else document.text


def with_ids(document: Document) -> str:
    """Return the canonical text with each heading's own id behind it, as `## Title {#id}`."""
    anchors = {section.span.start: section.anchor for section in document.sections if section.anchor and section.kind != "root"}
    parts, at = [], 0
    for block in document.blocks:
        anchor = anchors.get(block.span.start)
        if anchor is None or block.kind not in ("heading", "term"):
            continue
        first_line = document.text.find("\n", block.span.start, block.span.end)
        end = block.span.end if first_line < 0 else first_line
        parts += [document.text[at:end], f" {{#{anchor}}}"]
        at = end
    return "".join(parts) + document.text[at:]


def target(out: Path, path: str, form: Form) -> Path:
    """Return where a page's output goes: its path less `.html` or `.htm`, and `.gz`, plus the form's ending."""
    bare = PurePosixPath(path.removesuffix(".gz"))
    stem = bare.with_suffix("") if bare.suffix.lower() in (".html", ".htm", ".xhtml", ENDINGS[form]) else bare
    return out / (str(stem) + ENDINGS[form])
