"""What a site's robots.txt says, fetched once an origin and asked for every URL.

In: URLs. Out: nothing, or Refused (rule `robots`). RFC 9309 §2.3: redirects are followed up to five, 4xx allow everything, 429, 5xx and
failures to answer forbid everything; what was read holds for 24 hours, longer than a crawl.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import anyio

from pincite.crawl import robots
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.robots import Robots
from pincite.errors import Refused, SourceError

TOKEN = "pincite"


class SiteRules:
    """The robots.txt of every origin that a crawl meets."""

    def __init__(self, fetcher: GuardedFetcher, *, token: str = TOKEN) -> None:
        self._fetcher = fetcher
        self._token = token
        self._read: dict[str, Robots | SourceError | Refused] = {}
        self._reading: dict[str, anyio.Lock] = {}

    async def admit(self, url: str) -> None:
        """Pass where robots.txt lets us. Raises Refused (rule `robots`), or SourceError when the host itself can't be reached."""
        if urlsplit(url).path == "/robots.txt":
            return
        found = await self._of(url)
        if isinstance(found, Robots):
            if not found.allows(self._token, url):
                raise Refused(f"{url} is closed to crawlers by the site's robots.txt.", url=url, rule="robots")
        elif isinstance(found, Refused) or found.rule in ("dns", "connect", "tls", "timeout"):
            raise type(found)(found.message.replace(_origin(url) + "/robots.txt", url), url=url, rule=found.rule)
        else:
            raise Refused(
                f"{url}: robots.txt can't be read ({found.message}), so the site counts as closed for now.", url=url, rule="robots"
            )

    def delay_s(self, url: str) -> float | None:
        """Return the crawl delay of an origin whose rules were read, in seconds."""
        found = self._read.get(_origin(url))
        return found.delay_s(self._token) if isinstance(found, Robots) else None

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return the sitemaps that an origin's robots.txt names."""
        found = self._read.get(_origin(url))
        return found.sitemaps if isinstance(found, Robots) else ()

    async def _of(self, url: str) -> Robots | SourceError | Refused:
        origin = _origin(url)
        async with self._reading.setdefault(origin, anyio.Lock()):
            if origin not in self._read:
                self._read[origin] = await self._fetched(origin + "/robots.txt")
        return self._read[origin]

    async def _fetched(self, url: str) -> Robots | SourceError | Refused:
        try:
            answer = await self._fetcher.fetch(url, limit_bytes=robots.LIMIT_BYTES)
        except SourceError as error:
            return Robots() if error.rule == "redirects" else error
        except Refused as error:
            return error
        if answer.status == 429 or answer.status >= 500:
            return SourceError(f"status {answer.status}", url=url, rule="status")
        return robots.parse(answer.body) if answer.status < 300 else Robots()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
