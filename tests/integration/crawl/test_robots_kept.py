"""How long what robots.txt said holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import anyio
import pytest

from pincite.crawl.http import GuardedFetcher
from pincite.crawl.rules import Read, SiteRules
from pincite.errors import Refused
from pincite.types import Policy

if TYPE_CHECKING:
    from conftest import LocalSite

START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "after", "asked"),
    [
        ("200 OK", timedelta(hours=23, minutes=59), 1),
        ("200 OK", timedelta(hours=24), 2),
        ("404 Not Found", timedelta(hours=23), 1),
        ("503 Busy", timedelta(minutes=9), 1),
        ("503 Busy", timedelta(minutes=10), 2),
    ],
    ids=["a day", "more than a day", "none there", "a failure", "a failure, later"],
)
def test_robots_txt_is_asked_for_again_when_its_time_is_over(
    local: LocalSite, answer: Callable[..., bytes], status: str, after: timedelta, asked: int
) -> None:
    local.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /x\n", status, content_type="text/plain")
    now = [START]

    async def ask() -> None:
        policy = Policy(timeout_s=5, allow_private=(f"127.0.0.1:{local.port}",))
        async with GuardedFetcher(policy, user_agent="", clock=lambda: now[0]) as fetcher:
            rules = SiteRules(fetcher, clock=lambda: now[0])
            for moment in (START, START, START + after):
                now[0] = moment
                try:
                    await rules.admit(local.url + "/a")
                except Refused:
                    assert status.startswith("503")

    anyio.run(ask)
    assert local.paths().count("/robots.txt") == asked


@pytest.mark.parametrize(("status", "asked"), [("200 OK", 1), ("503 Busy", 2)], ids=["what was read", "a failure"])
def test_the_next_crawl_takes_over_what_was_read_and_no_failure(
    local: LocalSite, answer: Callable[..., bytes], status: str, asked: int
) -> None:
    local.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /x\n", status, content_type="text/plain")
    kept: dict[str, Read] = {}

    async def crawl() -> None:
        policy = Policy(timeout_s=5, allow_private=(f"127.0.0.1:{local.port}",))
        async with GuardedFetcher(policy, user_agent="", clock=lambda: START) as fetcher:
            with pytest.raises(Refused):
                await SiteRules(fetcher, clock=lambda: START, kept=kept).admit(local.url + "/x")

    anyio.run(crawl)
    anyio.run(crawl)
    assert local.paths().count("/robots.txt") == asked
