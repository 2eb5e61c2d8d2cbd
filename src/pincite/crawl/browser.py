"""Rendering with Chromium behind the filtering proxy (extra `browser`).

In: a fetched page whose text only scripts bring. Out: the same page, its body the serialised DOM, the response beside it.
The browser has no other way out than the proxy: loopback is not bypassed, names are not resolved, workers, QUIC and WebRTC are shut.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import anyio

from pincite.crawl import page_scripts
from pincite.crawl.addresses import target
from pincite.crawl.credentials import Credentials
from pincite.crawl.proxy import FilteringProxy
from pincite.errors import SourceError, UsageError
from pincite.types import Fetched, Policy, digest

PAGES_PER_BROWSER = 100
SETTLE_S = 5.0
"""The longest wait for the network to fall silent after a page was loaded."""
SCROLLS = 20
BLOCKED = frozenset({"image", "media", "font"})
FLAGS = (
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--no-pings", "--dns-prefetch-disable"),
    *("--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp"),
    *("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@dataclass(frozen=True, slots=True)
class Rendering:
    """How pages are rendered. `wait_for` is a CSS selector; `trace` a folder that gets a browser trace of each page."""

    wait_for: str | None = None
    blocked: frozenset[str] = BLOCKED
    trace: str | None = None
    pages: int = PAGES_PER_BROWSER
    """After so many pages a browser is closed and the next one started."""


class Renderer:
    """Renders pages one after the other. Use it as an async context manager; the browser starts with the first page."""

    def __init__(
        self,
        policy: Policy,
        *,
        agent: str,
        how: Rendering | None = None,
        admit: Callable[[str], Awaitable[None]] | None = None,
        credentials: Credentials | None = None,
    ) -> None:
        self._credentials = credentials or Credentials("")
        self._policy, self._agent, self._how = policy, agent, how or Rendering()
        self._proxy = FilteringProxy(policy, admit=admit)
        self._stack = AsyncExitStack()
        self._lock = anyio.Lock()
        self._playwright: Any = None
        self._browser: Any = None
        self._pages = 0
        self._guarded = False

    async def __aenter__(self) -> Self:
        """Open the proxy that is the browser's one way out. A machine that refuses it still crawls; then nothing is rendered."""
        if self._policy.render != "never":
            with suppress(OSError):
                await self._stack.enter_async_context(self._proxy)
                self._guarded = True
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with anyio.CancelScope(shield=True), anyio.move_on_after(15):
            await self._close()
            if self._playwright is not None:
                await self._playwright.stop()
        await self._stack.__aexit__(kind, error, trace)

    @property
    def refused(self) -> list[tuple[str, str]]:
        """Return what pages asked for and did not get: URL and rule."""
        return self._proxy.refused

    async def render(self, fetched: Fetched) -> Fetched:
        """Return the page as its scripts made it. Raises SourceError (rule `render`), UsageError when there is no browser.

        Cookies that were given go along. Headers can't, for a browser sends them to whatever the page names, so a page that was opened with
        them is not rendered.
        """
        at = target(fetched.final_url, self._policy.allow_private)
        if self._credentials.headers_for(at):
            raise SourceError(f"{fetched.final_url} is opened by a header, which a browser can't be given.", url=fetched.url, rule="render")
        async with self._lock:
            await self._open()
            self._pages += 1
            errors = importlib.import_module("playwright.async_api").Error
            context = None
            try:
                with anyio.fail_after(self._policy.timeout_s + 10):
                    context = await self._context()
                    if held := self._credentials.cookies_for(at):
                        await context.add_cookies([{"name": name, "value": value, "url": at.origin} for name, value in held.items()])
                    html, final = await self._page(context, fetched)
            except (errors, TimeoutError) as error:
                first = str(error).partition("\n")[0][:200] or "time-out"
                raise SourceError(f"{fetched.final_url} could not be rendered: {first}", url=fetched.url, rule="render") from error
            finally:
                if context is not None:
                    with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                        await context.close()
        body = html.encode("utf-8", "replace")[: self._policy.limit_bytes]
        kept = [(k, v) for k, v in fetched.headers if k.lower() != "content-type"]
        headers = (*kept, ("content-type", "text/html; charset=utf-8"))
        return replace(fetched, body=body, headers=headers, final_url=final, renderer="browser", response_body=fetched.body)

    async def _open(self) -> None:
        if self._browser is not None and (self._pages >= self._how.pages or not self._browser.is_connected()):
            await self._close()
        if self._browser is None:
            self._browser, self._pages = await self._launched(), 0

    async def _launched(self) -> Any:
        try:
            api = importlib.import_module("playwright.async_api")
        except ImportError:
            raise UsageError("Rendering needs a browser: install it with `pip install 'pincite[browser]'`.") from None
        if not self._guarded:
            raise UsageError("Rendering needs a port on 127.0.0.1 for its filtering proxy, and this machine opened none.")
        if self._playwright is None:
            self._playwright = await api.async_playwright().start()
        try:
            return await self._playwright.chromium.launch(
                executable_path=executable(),
                headless=True,
                chromium_sandbox=hasattr(os, "geteuid") and os.geteuid() != 0,
                proxy={
                    "server": self._proxy.server,
                    "username": self._proxy.user,
                    "password": self._proxy.password,
                    "bypass": "<-loopback>",
                },
                args=list(FLAGS),
            )
        except api.Error as error:
            raise UsageError(
                "No Chromium could be started: install the system's `chromium`, or run `playwright install chromium`."
            ) from error

    async def _context(self) -> Any:
        context = await self._browser.new_context(service_workers="block", user_agent=self._agent, accept_downloads=False)
        await context.add_init_script(page_scripts.OPEN_SHADOWS)
        blocked = self._how.blocked

        async def route(intercepted: Any) -> None:
            if intercepted.request.resource_type in blocked or page_scripts.is_tracker(intercepted.request.url):
                await intercepted.abort()
            else:
                await intercepted.continue_()

        if blocked:
            await context.route("**/*", route)
        if self._how.trace:
            await context.tracing.start(screenshots=False, snapshots=True)
        return context

    async def _page(self, context: Any, fetched: Fetched) -> tuple[str, str]:
        api = importlib.import_module("playwright.async_api")
        page = await context.new_page()
        await page.goto(fetched.final_url, wait_until="domcontentloaded", timeout=self._policy.timeout_s * 1000)
        await _patiently(page.wait_for_load_state("networkidle", timeout=SETTLE_S * 1000), api.TimeoutError)
        if self._how.wait_for:
            await page.wait_for_selector(self._how.wait_for, timeout=self._policy.timeout_s * 1000)
        await _scrolled(page)
        await page.evaluate(page_scripts.DROP_BANNERS)
        for frame in page.frames[1:]:
            await _inlined(frame, api.Error)
        html = await page.evaluate(page_scripts.SERIALISE)
        if self._how.trace:
            await context.tracing.stop(path=os.path.join(self._how.trace, trace_name(fetched.url)))
        return str(html), str(page.url)

    async def _close(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.close()


def trace_name(url: str) -> str:
    """Return the name of the file that gets a page's trace: readable, and of this URL alone."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", url.partition("://")[2])[:80].strip("-.")
    return f"{plain}-{digest(url)[:8]}.zip"


def executable() -> str | None:
    """Return the system's Chromium, or None for Playwright's own."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


async def _patiently(waiting: Awaitable[Any], times_up: type[Exception]) -> None:
    """Wait, but take what is there when the time is up."""
    try:
        await waiting
    except times_up:
        return


async def _scrolled(page: Any) -> None:
    """Scroll down while the page grows, for content that loads when it comes into view."""
    height = 0
    for _ in range(SCROLLS):
        now = await page.evaluate(
            "() => { window.scrollTo(0, document.documentElement.scrollHeight); return document.documentElement.scrollHeight }"
        )
        if now <= height:
            return
        height = now
        await page.wait_for_timeout(250)


async def _inlined(frame: Any, errors: type[Exception]) -> None:
    """Put a frame's own text where the frame stands, so that the serialised page holds it."""
    try:
        html = await frame.evaluate(page_scripts.SERIALISE_BODY)
        element = await frame.frame_element()
        await element.evaluate(page_scripts.REPLACE_FRAME, html)
    except errors:
        return
