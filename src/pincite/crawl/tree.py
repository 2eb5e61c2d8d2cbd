"""Files on disk as pages: one file, a folder, a glob, a context file, or HTML given on the spot.

In: a source and what the library holds of it. Out: what is wanted, then what became of each page, then the pages that are gone.
Files are always read and compared; their digests decide what changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import PurePath
from typing import Protocol

from pincite import globs, urls
from pincite.crawl import kinds
from pincite.crawl.walk import Root, Unreadable, reason_of
from pincite.errors import SourceError, UsageError
from pincite.protocols import Clock
from pincite.types import Capture, Fetched, Kind, PageOutcome, Source, Wanted, snapshot_id


class Section(Protocol):
    """One file inside a context file."""

    @property
    def path(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def kind(self) -> Kind: ...


Split = Callable[[str], Sequence[Section]]
Flow = Iterator[Wanted | PageOutcome]


def pages(source: Source, known: Mapping[str, Capture], *, clock: Clock, split: Split) -> Flow:
    """Yield the pages of a local source; those in `known` that are no more come last, skipped as `gone`.

    Raises UsageError when there is nothing to add, SourceError (rule `missing`, `permission` …) when the source itself can't be read.
    """
    seen: set[str] = set()
    for item in _flow(source, known, clock, split):
        seen.update(item.urls if isinstance(item, Wanted) else (item.url,))
        yield item
    for url in known:
        if url not in seen:
            yield PageOutcome(url, "skipped", "gone")


def selected(items: Flow, only: frozenset[str]) -> Flow:
    """Yield of a flow what belongs to the given URLs."""
    for item in items:
        if isinstance(item, Wanted):
            yield Wanted(tuple(url for url in item.urls if url in only))
        elif item.url in only:
            yield item


def _flow(source: Source, known: Mapping[str, Capture], clock: Clock, split: Split) -> Flow:
    if source.kind == "raw":
        return _raw(source, clock)
    if source.kind == "context":
        return _context(source, clock, split)
    if source.kind == "file":
        folder, name = os.path.split(source.location)
        return _files(source, folder, clock, known, lambda path: path == name, one=name)
    if source.kind == "glob":
        root = _glob_root(source.location)
        return _files(source, root, clock, known, _globbed(source.location, root))
    include, exclude = ([globs.within(p, rooted=True) for p in found] for found in (source.policy.include, source.policy.exclude))
    return _files(
        source,
        source.location,
        clock,
        known,
        lambda path: (not include or any(p.search("/" + path) for p in include)) and not any(p.search("/" + path) for p in exclude),
    )


def _raw(source: Source, clock: Clock) -> Flow:
    body = source.location.removeprefix("raw:").encode("utf-8", "surrogateescape")
    url = "raw:" + snapshot_id(body).removeprefix("sha256:")[:16]
    yield Wanted((url,))
    yield PageOutcome(url, "fetched", fetched=_fetched(url, "raw.html", body, "text/html; charset=utf-8", clock()))


def _context(source: Source, clock: Clock, split: Split) -> Flow:
    folder, name = os.path.split(source.location)
    with _opened(folder) as root:
        body, status = _named(root, name, source)
    found = split(body.decode("utf-8-sig", "surrogateescape"))
    if not found:
        raise UsageError(f"{source.location} is a context file without sections, so there is nothing to add.")
    base, times = urls.file_url(PurePath(source.location)), dict[str, int]()
    named = []
    for section in found:
        times[section.path] = nth = times.get(section.path, 0) + 1
        named.append((urls.with_fragment(base, section.path + (f"~{nth}" if nth > 1 else "")), section))
    yield Wanted(tuple(url for url, _ in named))
    for url, section in named:
        held = section.body.encode("utf-8", "surrogateescape")
        media = kinds.media_type_of("." + section.language if section.language else section.path, held) + "; charset=utf-8"
        yield PageOutcome(url, "fetched", fetched=_fetched(url, section.path, held, media, clock(), status.st_mtime, section.kind))


def _files(
    source: Source, folder: str, clock: Clock, known: Mapping[str, Capture], wanted: Callable[[str], bool], one: str | None = None
) -> Flow:
    lost: list[PageOutcome] = []
    with _opened(folder) as root:
        paths = [one] if one else list(root.files(wanted, lambda path, why: lost.append(PageOutcome(_url(folder, path), "failed", why))))
        if not paths and not lost and not known:
            raise UsageError(f"{source.location} holds no file to add: what is there is hidden, ignored or filtered out.")
        yield Wanted(tuple(_url(folder, path) for path in paths) + tuple(item.url for item in lost))
        yield from lost
        for path in paths:
            page = _page(root, path, source, clock, named=one is not None)
            left = page.reason in ("empty", "missing") and page.url in known
            yield replace(page, outcome="skipped", reason="gone") if left else page


def _page(root: Root, path: str, source: Source, clock: Clock, *, named: bool) -> PageOutcome:
    """Read one file. A file that the user named is failed where one found in a folder is skipped."""
    url = _url(root.path, path)
    if kinds.is_opaque(path):
        return PageOutcome(url, "failed" if named else "skipped", "wrong type")
    try:
        body, status = root.read(path, source.policy.limit_bytes)
    except Unreadable as error:
        skipped = error.reason in ("outside root", "wrong type", "link loop") and not named
        return PageOutcome(url, "skipped" if skipped else "failed", error.reason)
    if not body.strip() and not named:
        return PageOutcome(url, "skipped", "empty")
    if kinds.is_binary(body):
        return PageOutcome(url, "failed" if named else "skipped", "binary")
    return PageOutcome(url, "fetched", fetched=_fetched(url, path, body, kinds.media_type_of(path, body), clock(), status.st_mtime))


def _named(root: Root, name: str, source: Source) -> tuple[bytes, os.stat_result]:
    try:
        return root.read(name, source.policy.limit_bytes)
    except Unreadable as error:
        raise SourceError(f"Can't read {source.location}: {error.reason}.", url=source.location, rule=error.reason) from error


def _opened(folder: str) -> Root:
    try:
        return Root(folder)
    except OSError as error:
        rule = reason_of(error)
        raise SourceError(f"Can't open the folder {folder}: {rule}.", url=folder, rule=rule) from error


def _fetched(
    url: str, path: str, body: bytes, content_type: str, at: datetime, changed: float | None = None, kind: Kind | None = None
) -> Fetched:
    headers = [("content-type", content_type)]
    if changed is not None:
        headers.append(("last-modified", format_datetime(datetime.fromtimestamp(max(changed, 0), UTC), usegmt=True)))
    media_type = content_type.partition(";")[0]
    return Fetched(url, url, path, 200, tuple(headers), media_type, body, at, renderer="file", kind=kind)


def _url(folder: str, path: str) -> str:
    return urls.file_url(PurePath(os.path.join(folder, *path.split("/"))))


def _glob_root(pattern: str) -> str:
    steps = pattern.replace(os.sep, "/").split("/")
    fixed = next((i for i, step in enumerate(steps[:-1]) if re.search(r"[*?\[]", step)), len(steps) - 1)
    return os.path.realpath("/".join(steps[:fixed]) or "/")


def _globbed(pattern: str, root: str) -> Callable[[str], bool]:
    steps = pattern.replace(os.sep, "/").split("/")
    fixed = next((i for i, step in enumerate(steps[:-1]) if re.search(r"[*?\[]", step)), len(steps) - 1)
    whole = globs.whole("/".join(steps[fixed:]))
    return lambda path: whole.match(path) is not None
