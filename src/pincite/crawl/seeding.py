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

    def candidates(self, start: str, sitemaps: tuple[str, ...]) -> tuple[str, ...]: ...
    def read(self, body: bytes, url: str) -> Named: ...


async def gather(
    fetcher: GuardedFetcher, rules: SiteRules, start: str, reader: SeedReader, in_scope: Callable[[str], str | None]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the pages within the scope, and those and the seed files outside of it, each once."""
    host = urlsplit(start).netloc
    queue, seen = list(reader.candidates(start, rules.sitemaps(start))), set[str]()
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
        named = await _read(fetcher, rules, url, reader)
        if named is None:
            continue
        queue += named.files
        for page in named.pages:
            try:
                page = urls.canonical(page)
                (pages if in_scope(page) is None else outside)[page] = None
            except ValueError:
                continue
    return tuple(pages), tuple(outside)


async def _read(fetcher: GuardedFetcher, rules: SiteRules, url: str, reader: SeedReader) -> Named | None:
    try:
        await rules.admit(url)
        answer = await fetcher.fetch(url, limit_bytes=reader.LIMIT_BYTES, admit=rules.admit)
    except (Refused, SourceError):
        return None
    if answer.status != 200 or answer.media_type == "text/html":
        return None
    return reader.read(answer.body, answer.final_url)
