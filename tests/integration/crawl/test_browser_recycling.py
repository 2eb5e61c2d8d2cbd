"""Browsers come to an end: after their budget of pages, with their crawl, and with a process that is killed; traces on demand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from pincite import Library
from pincite.crawl.browser import Renderer, Rendering
from pincite.crawl.credentials import Credentials, given
from pincite.crawl.http import GuardedFetcher
from pincite.errors import SourceError
from pincite.settings import Settings
from pincite.types import Policy

if TYPE_CHECKING:
    from conftest import LocalSite, Request

Page = Callable[..., bytes]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads the list of processes"),
]
SCRIPTED = "<!doctype html><body><div id=root></div><script>root.innerHTML = '<p>' + 'Text that a script brings. '.repeat(20)</script>"
CHILD = """
import sys
from pincite import Library, Policy
Library(sys.argv[1]).add(sys.argv[2], policy=Policy(delay_s=0, timeout_s=20, allow_private=(sys.argv[3],), render="always", seeds=False))
"""


def below(top: int) -> dict[int, str]:
    """Return the processes below one, with their command lines; those that only wait to be noticed by their parent are left out."""
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            state, parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(name)] = int(parent)
    found, last = set[int](), {top}
    while last:
        last = {pid for pid, parent in parents.items() if parent in last}
        found |= last
    lines = {}
    for pid in found:
        with suppress(OSError):
            lines[pid] = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    return lines


def browsers() -> set[int]:
    """Return the main processes of this process's browsers."""
    return {pid for pid, line in below(os.getpid()).items() if "--headless" in line and "--type=" not in line}


def comes(what: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_a_browser_ends_after_its_budget_of_pages(local: LocalSite, answer: Page) -> None:
    local.answers = {f"/{n}": answer(SCRIPTED) for n in range(7)}
    policy = Policy(timeout_s=20, allow_private=(f"127.0.0.1:{local.port}",))
    seen: list[frozenset[int]] = []

    async def render_all() -> None:
        async with (
            GuardedFetcher(policy, user_agent="", clock=lambda: datetime.now(UTC)) as fetcher,
            Renderer(policy, agent=fetcher.agent, how=Rendering(pages=3)) as renderer,
        ):
            for n in range(7):
                page = await renderer.render(await fetcher.fetch(f"{local.url}/{n}"))
                assert b"a script brings" in page.body
                seen.append(frozenset(browsers()))

    before = browsers()
    anyio.run(render_all)
    alive = [found - before for found in seen]
    assert all(len(found) == 1 for found in alive)
    assert [alive[0] == found for found in alive] == [True, True, True, False, False, False, False]
    assert len(set(alive)) == 3
    assert comes(lambda: browsers() <= before)


def test_no_browser_outlives_a_killed_crawl(local: LocalSite, answer: Page, tmp_path: Path) -> None:
    links = "".join(f"<a href=/{n}>{n}</a>" for n in range(40))
    local.answers = {f"/{n}": answer(SCRIPTED) for n in range(40)} | {"/": answer(SCRIPTED + links)}
    command = [sys.executable, "-c", CHILD, str(tmp_path / "library.db"), local.url + "/", f"127.0.0.1:{local.port}"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as child:
        assert comes(lambda: len(local.hits) > 6 and any("--headless" in line for line in below(child.pid).values()), 60)
        family = below(child.pid)
        child.send_signal(signal.SIGKILL)
    alive = lambda: [pid for pid in family if Path(f"/proc/{pid}/stat").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text()]  # noqa: E731
    assert any("--headless" in line for line in family.values())
    assert comes(lambda: not alive()), {pid: family[pid][:100] for pid in alive()}


def test_a_trace_of_each_rendered_page_is_written_on_demand(local: LocalSite, answer: Page, tmp_path: Path) -> None:
    local.answers = {"/": answer(SCRIPTED + "<a href=/b>b</a>"), "/b": answer(SCRIPTED + "<!-- b -->")}
    traces = tmp_path / "traces"
    with Library(str(tmp_path / "library.db"), settings=Settings(browser_trace=str(traces))) as library:
        policy = Policy(delay_s=0, timeout_s=20, allow_private=(f"127.0.0.1:{local.port}",), seeds=False)
        assert library.add(local.url + "/", policy=policy).fetched == 2
    found = sorted(traces.iterdir())
    assert len(found) == 2
    assert all(zipfile.is_zipfile(path) for path in found)


def test_a_rendered_page_gets_the_given_cookies_and_no_header(local: LocalSite, answer: Page) -> None:
    def private(request: Request) -> list[bytes]:
        return [answer(SCRIPTED if "session=s3cret" in request.headers.get("cookie", "") else "<p>Log in.</p>", connection="close")]

    local.answers = {"/": private}
    place, allowed = local.url + "/", (f"127.0.0.1:{local.port}",)
    policy = Policy(timeout_s=20, allow_private=allowed)
    cookies = given(place, (), '[{"domain": "127.0.0.1", "name": "session", "value": "s3cret"}]', allowed)
    header = given(place, ("Cookie: session=s3cret",), "", allowed)

    async def render(credentials: Credentials) -> bytes | SourceError:
        async with (
            GuardedFetcher(policy, user_agent="", clock=lambda: datetime.now(UTC), credentials=credentials) as fetcher,
            Renderer(policy, agent=fetcher.agent, credentials=credentials) as renderer,
        ):
            try:
                return (await renderer.render(await fetcher.fetch(place))).body
            except SourceError as error:
                return error

    opened, refused = anyio.run(render, cookies), anyio.run(render, header)
    assert isinstance(opened, bytes)
    assert b"a script brings" in opened
    assert isinstance(refused, SourceError)
    assert refused.rule == "render"
    assert "s3cret" not in str(refused)
