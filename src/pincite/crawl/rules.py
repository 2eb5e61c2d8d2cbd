"""What a site's robots.txt says, fetched once an origin and asked for every URL.

In: URLs. Out: nothing, or Refused (rule `robots`). RFC 9309 §2.3: redirects are followed up to five, 4xx allow everything, 429, 5xx and
failures to answer forbid everything; what was read holds for 24 hours, over several crawls where they share it.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import anyio

from pincite.crawl import robots
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.robots import Robots
from pincite.errors import Refused, SourceError
from pincite.protocols import Clock

TOKEN = "pincite"
LIFETIME = timedelta(hours=24)
FAILURE_LIFETIME = timedelta(minutes=10)
"""How long an origin counts as closed in a crawl after its robots.txt could not be read; the next crawl asks again."""


@dataclass(frozen=True, slots=True)
class Read:
    """What an origin's robots.txt said, and when."""

    found: Robots | SourceError | Refused
    at: datetime

    def holds(self, now: datetime) -> bool:
        """Say whether it need not be asked for again."""
        return now - self.at < (LIFETIME if isinstance(self.found, Robots) else FAILURE_LIFETIME)


def _now() -> datetime:
    return datetime.now(UTC)


class SiteRules:
    """The robots.txt of every origin that a crawl meets."""

    def __init__(
        self, fetcher: GuardedFetcher, *, token: str = TOKEN, clock: Clock = _now, kept: MutableMapping[str, Read] | None = None
    ) -> None:
        self._fetcher = fetcher
        self._token, self._clock = token, clock
        self._kept: MutableMapping[str, Read] = {} if kept is None else kept
        self._failed: dict[str, Read] = {}
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
        found = self._known(url)
        return found.delay_s(self._token) if isinstance(found, Robots) else None

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return the sitemaps that an origin's robots.txt names."""
        found = self._known(url)
        return found.sitemaps if isinstance(found, Robots) else ()

    def _known(self, url: str) -> Robots | SourceError | Refused | None:
        read = self._kept.get(_origin(url))
        return read.found if read is not None else None

    async def _of(self, url: str) -> Robots | SourceError | Refused:
        origin = _origin(url)
        async with self._reading.setdefault(origin, anyio.Lock()):
            read = self._kept.get(origin) or self._failed.get(origin)
            if read is None or not read.holds(self._clock()):
                read = Read(await self._fetched(origin + "/robots.txt"), self._clock())
                (self._kept if isinstance(read.found, Robots) else self._failed)[origin] = read
        return read.found

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
