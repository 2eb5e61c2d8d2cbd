"""A library that is served from a site of our own, for the real frameworks."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pincite import Library, Settings

PAGES = {
    "/docs/": """<html><head><title>Kettle</title></head><body><nav><a href="/docs/descale.html">Descaling</a></nav><main>
<h1>Kettle</h1><p>Kettle boils water on a schedule. It is made of steel, it stands on its own base, and it turns itself off when the water
boils or when somebody lifts it. The lid opens with one hand, and the handle stays cool.</p>
<h2 id="schedules">Schedules</h2><p>Give <code>Kettle.schedule</code> a cron expression.</p>
<pre><code class="language-python">kettle.schedule(
    "0 7 * * *",
)</code></pre>
<table><tr><th>Option</th><th>Meaning</th></tr><tr><td>quiet</td><td>no whistle</td></tr></table></main></body></html>""",
    "/docs/descale.html": """<html><head><title>Descaling</title></head><body><main><h1>Descaling</h1>
<p>Run kettle descale once a month. Café owners descale weekly.</p>
<p>Fill it with vinegar and water in equal parts, let it stand for an hour, boil it, pour it away and rinse it three times. Hard water
leaves more behind than soft water does; a filter in the tap helps against that.</p></main></body></html>""",
}
OTHER = {
    "/docs/": """<html><head><title>Teapot</title></head><body><main><h1>Teapot</h1>
<p>The teapot holds seven cups.</p>
<p>It is made of china, painted by hand, and it must not go into the dishwasher. The spout does not drip. Warm it with hot water before the
tea goes in, and leave the lid on while the tea draws, for four minutes at most.</p></main></body></html>"""
}


@dataclass
class Site:
    """A site of 127.0.0.1 that counts what is fetched."""

    pages: dict[str, str]
    port: int = 0
    seen: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/docs/"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with a site's pages, without a charset in the header."""

    def __init__(self, site: Site, *rest: Any) -> None:
        self.site = site
        super().__init__(*rest)

    def do_GET(self) -> None:
        self.site.seen.append(self.path)
        page = self.site.pages.get(self.path)
        body = (page or "not here").encode()
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html" if page else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *rest: Any) -> None:
        """Say nothing."""


def running(pages: dict[str, str]) -> Iterator[Site]:
    """Serve the pages."""
    site = Site(dict(pages))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, site))
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield site
    server.shutdown()
    thread.join(5)
    server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    yield from running(PAGES)


@pytest.fixture
def other() -> Iterator[Site]:
    yield from running(OTHER)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "library.db")


@pytest.fixture
def kettle(tmp_path: Path, store: str) -> str:
    """Return the place of a library that holds one guide and one module."""
    folder = tmp_path / "kettle"
    folder.mkdir()
    (folder / "guide.md").write_text("# Kettle\n\n## Schedules\n\nGive `Kettle.schedule` a cron expression.\n", "utf-8")
    (folder / "kettle.py").write_text(
        'class Kettle:\n    """Boils water."""\n\n    def schedule(self, cron):\n        return cron\n', "utf-8"
    )
    with Library(settings=Settings(store=store)) as library:
        library.add(str(folder), name="kettle")
    return store
