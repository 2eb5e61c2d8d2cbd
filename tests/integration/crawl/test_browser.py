"""Chromium behind the proxy: what scripts bring is read, and nothing gets out another way."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from pincite.crawl.browser import Renderer, Rendering, executable
from pincite.crawl.http import GuardedFetcher
from pincite.errors import SourceError
from pincite.types import Fetched, Policy

if TYPE_CHECKING:
    from conftest import LocalSite

Page = Callable[..., bytes]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Canary:
    """Counts connections and notes what they ask for."""

    def __init__(self) -> None:
        self.port, self.asked = 0, list[str]()


@pytest.fixture
def canary() -> Iterator[Canary]:
    bird, stop = Canary(), threading.Event()
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        bird.port = listener.getsockname()[1]
        listener.settimeout(0.05)

        def serve() -> None:
            while not stop.is_set():
                with suppress(TimeoutError, OSError):
                    connection, _ = listener.accept()
                    with connection:
                        connection.settimeout(1)
                        bird.asked.append(connection.recv(4096).decode("latin-1").partition("\r\n")[0])
                        connection.sendall(
                            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\nhi"
                        )

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield bird
        stop.set()
        thread.join()


ROUTES = ("img", "iframe", "fetch", "worker", "socket", "beacon", "prefetch", "redirect")


def trap(port: int) -> str:
    """Return a page that tries eight ways to a port of this machine."""
    there = f"http://127.0.0.1:{port}"
    return f"""<!doctype html><html><head><link rel="prefetch" href="{there}/prefetch"></head><body><p>{"A trap. " * 40}</p>
<img src="{there}/img"><iframe src="{there}/iframe"></iframe>
<script>
fetch('{there}/fetch').catch(() => 0);
new Worker(URL.createObjectURL(new Blob([`fetch('{there}/worker').catch(() => 0)`], {{type: 'text/javascript'}})));
new WebSocket('ws://127.0.0.1:{port}/socket');
navigator.sendBeacon('{there}/beacon', 'x');
fetch('/redirect', {{mode: 'no-cors'}}).catch(() => 0);
</script></body></html>"""


def set_trap(local: LocalSite, canary: Canary, answer: Page) -> None:
    local.answers = {
        "/": answer(trap(canary.port)),
        "/redirect": answer(b"", "302 Found", location=f"http://127.0.0.1:{canary.port}/redirect"),
    }


async def rendered(url: str, how: Rendering | None = None) -> tuple[Fetched, list[tuple[str, str]]]:
    policy = Policy(timeout_s=20, allow_private=(url.removeprefix("http://").partition("/")[0],))
    async with GuardedFetcher(policy, user_agent="", clock=lambda: datetime.now(UTC)) as fetcher:
        static = await fetcher.fetch(url)
        async with Renderer(policy, agent=fetcher.agent, how=how) as renderer:
            try:
                return await renderer.render(static), list(renderer.refused)
            except SourceError:
                return static, list(renderer.refused)


def test_no_route_out_of_a_page_reaches_a_port_that_was_not_allowed(local: LocalSite, canary: Canary, answer: Page) -> None:
    set_trap(local, canary, answer)
    page, refused = anyio.run(rendered, local.url + "/", Rendering(blocked=frozenset()))
    assert canary.asked == []
    assert b"A trap." in page.body
    assert {rule for _, rule in refused} == {"address"}
    assert len(refused) >= 6


def test_a_page_that_sends_its_browser_elsewhere_gets_nowhere(local: LocalSite, canary: Canary, answer: Page) -> None:
    local.answers = {
        "/": answer(f"<!doctype html><p>{'A trap. ' * 40}</p><script>setTimeout(() => location = '/away', 300)</script>"),
        "/away": answer(b"", "302 Found", location=f"http://127.0.0.1:{canary.port}/redirect"),
    }
    _, refused = anyio.run(rendered, local.url + "/")
    assert canary.asked == []
    assert {rule for _, rule in refused} == {"address"}


def test_without_the_guard_all_eight_routes_reach_it(local: LocalSite, canary: Canary, answer: Page) -> None:
    async def unguarded() -> None:
        from playwright.async_api import async_playwright

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=executable(), chromium_sandbox=os.geteuid() != 0)
            page = await browser.new_page()
            await page.goto(local.url + "/", wait_until="networkidle")
            await page.wait_for_timeout(1500)
            await browser.close()

    set_trap(local, canary, answer)
    anyio.run(unguarded)
    assert {route for route in ROUTES if any(f"/{route} " in line for line in canary.asked)} == set(ROUTES)


SCRIPTED: dict[str, tuple[str, str, bytes]] = {
    "text that a script writes": ("<div id=app></div><script>app.textContent = 'Written by a script'</script>", "", b"Written by a script"),
    "an open shadow tree": (
        "<x-a>light</x-a><script>customElements.define('x-a', class extends HTMLElement {"
        "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<p>shade <slot></slot></p>' }})</script>",
        "",
        b"<p>shade light</p>",
    ),
    "a closed shadow tree": (
        "<div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = '<p>closed shade</p>'</script>",
        "",
        b"<p>closed shade</p>",
    ),
    "a frame of the same site": ("<iframe src=/frame></iframe>", "", b"text of the frame"),
    "what comes when scrolled to": (
        "<div style='height:3000px'></div><p id=end>end</p><script>new IntersectionObserver((e) => e[0].isIntersecting && "
        "(end.textContent = 'loaded late')).observe(end)</script>",
        "",
        b"loaded late",
    ),
    "what a selector waits for": (
        "<div id=app></div><script>setTimeout(() => app.innerHTML = '<p class=ready>ready</p>', 1200)</script>",
        ".ready",
        b">ready<",
    ),
}


@pytest.mark.parametrize(("html", "wait_for", "found"), SCRIPTED.values(), ids=SCRIPTED)
def test_what_scripts_bring_is_read(local: LocalSite, answer: Page, html: str, wait_for: str, found: bytes) -> None:
    local.answers = {"/": answer(f"<!doctype html><body>{html}</body>"), "/frame": answer("<p>text of the frame</p>")}
    page, _ = anyio.run(rendered, local.url + "/", Rendering(wait_for=wait_for or None))
    assert found in page.body
    assert page.renderer == "browser"
    assert page.response_body is not None
    assert b"<script" not in page.body


def test_a_consent_banner_is_not_part_of_the_page(local: LocalSite, answer: Page) -> None:
    banner = "<div style='position:fixed;bottom:0'>We use cookies. <button>Accept</button></div>"
    local.answers = {"/": answer(f"<!doctype html><body><p>The cookie recipe stays.</p>{banner}</body>")}
    page, _ = anyio.run(rendered, local.url + "/")
    assert b"recipe" in page.body
    assert b"We use cookies" not in page.body


def test_browsers_are_closed_when_the_crawl_ends(local: LocalSite, answer: Page) -> None:
    before = _browsers()
    local.answers = {"/": answer("<!doctype html><p>x</p>")}
    anyio.run(rendered, local.url + "/")
    assert _browsers() <= before


def _browsers() -> int:
    """Count this process's descendants of the browser kind; other users of the machine may have theirs."""
    parents: dict[int, int] = {}
    browsers = set()
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()) if os.path.isdir("/proc") else ():
        with suppress(OSError):
            parents[pid] = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"chrom" in line and b"--headless" in line:
                browsers.add(pid)
    return sum(os.getpid() in _ancestors(pid, parents) for pid in browsers)


def _ancestors(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while pid in parents:
        pid = parents[pid]
        yield pid


def test_a_crawl_renders_the_pages_that_need_it_and_follows_what_scripts_link_to(local: LocalSite, answer: Page, tmp_path: Path) -> None:
    from pincite import Library

    text = "Written by a script, and long enough to be a page that can be cited by its words. " * 4
    script = f"root.innerHTML = '<h1>Kiln</h1><p>{text}</p><a href=/next>next</a>'"
    plain = "<html><h1>Next</h1><p>" + "A page that needs no script to be read at all. " * 8
    local.answers = {"/": answer(f"<!doctype html><body><div id=root></div><script>{script}</script>"), "/next": answer(plain)}
    with Library(str(tmp_path / "library.db")) as library:
        report = library.add(local.url + "/", policy=Policy(delay_s=0, timeout_s=20, allow_private=(f"127.0.0.1:{local.port}",)))
        assert report.fetched == 2
        captures = {page.url.removeprefix(local.url): library.capture(page.ref) for page in report.pages if page.ref}
    assert captures["/"].renderer == "browser"
    assert captures["/"].response is not None
    assert captures["/next"].renderer == "static"
