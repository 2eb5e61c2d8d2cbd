"""Asks a site for the files that name its pages.

In: the start page, what robots.txt names, a reader of seed files. Out: pages, and what was left out. Failures are passed over: a seed
file is a hint, and each page that it names is explained by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from pincite import urls
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.rules import SiteRules
from pincite.errors import Refused, SourceError

MAX_FILES = 64


class Named(Protocol):
    """What a seed file names."""

    @property
    def pages(self) -> tuple[str, ...]: ...
    @property
    def files(self) -> tuple[str, ...]: ...


class SeedReader(Protocol):
    """Knows where seed files are and how to read them."""

    LIMIT_BYTES: int

    def is_seed_file(self, url: str) -> bool: ...
    def candidates(self, start: str, sitemaps: tuple[str, ...]) -> tuple[str, ...]: ...
    def read(self, body: bytes, url: str) -> Named: ...


async def gather(
    fetcher: GuardedFetcher,
    rules: SiteRules,
    start: str,
    reader: SeedReader,
    in_scope: Callable[[str], str | None],
    named: Sequence[str] = (),
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the pages within the scope, and those and the seed files outside of it, each once. `named` are what the start page names.

    A start that is a seed file itself is the only one asked for, and its failure is raised.
    """
    host, alone = urlsplit(start).netloc, reader.is_seed_file(start)
    queue, seen = [start] if alone else [*reader.candidates(start, rules.sitemaps(start)), *named], set[str]()
    pages: dict[str, None] = {}
    outside: dict[str, None] = {}
    while queue and len(seen) < MAX_FILES:
        url = queue.pop(0)
        if url in seen:
            continue
        seen.add(url)
        if urlsplit(url).netloc != host:
            outside[url] = None
            continue
        try:
            listed = await _read(fetcher, rules, url, reader)
        except (Refused, SourceError):
            if alone and url == start:
                raise
            continue
        queue += listed.files
        for page in listed.pages:
            try:
                page = urls.canonical(page)
                (pages if in_scope(page) is None else outside)[page] = None
            except ValueError:
                continue
    return tuple(pages), tuple(outside)


async def _read(fetcher: GuardedFetcher, rules: SiteRules, url: str, reader: SeedReader) -> Named:
    await rules.admit(url)
    answer = await fetcher.fetch(url, limit_bytes=reader.LIMIT_BYTES, admit=rules.admit)
    if answer.status != 200:
        raise SourceError(f"{url} answers with status {answer.status}. Nothing was captured.", url=url, rule=f"http {answer.status}")
    if answer.media_type == "text/html":
        raise SourceError(f"{url} is a page, no list of pages.", url=url, rule="wrong type")
    return reader.read(answer.body, answer.final_url)
