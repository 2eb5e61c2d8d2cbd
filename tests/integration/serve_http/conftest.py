"""A small library about an invented product, Tidepool, and apps over it.

The pages are ours. They hold what the questions of the tests need: an enumeration with a member in code marks, a class, a function whose
call has an open bracket, a fence with `#` comments, a page in Chinese, a class too long for one chunk.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from pincite.library import Library
from pincite.serve.auth import Tokens
from pincite.serve.http import create_app
from pincite.settings import Settings

SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"
HOOK_SECRET = "tidepool-hooks-are-signed-with-this-one-0123456789"

DOCS = {
    "cache.md": """# Caching pages

Tidepool keeps what it has read in a cache on disk, so that a second visit costs nothing.

## Choosing a mode

Set `CacheMode.BYPASS` in the run settings to fetch a page again without reading the cache or writing to it.

`CacheMode.ENABLED` reads and writes. `CacheMode.READ_ONLY` never writes an entry.

## Emptying the cache

Call `clear_cache()` to throw away every stored entry. Entries older than thirty days are dropped at start.
""",
    "proxy.md": """# Proxies

All requests can go through a proxy. Give its address as `proxy_url` when the browser starts.

## Rotating

A list of proxies is used in turn, one for each request, and a proxy that fails three times is left out.
""",
    "screenshots.md": """# Screenshots

Pictures of a page are taken with `take_screenshot(page, path)` once it has settled.

The picture is a PNG file. Its width follows the window.
""",
    "install.md": """# Installing

Everything comes in one package:

```bash
# first the package itself
pip install tidepool
# then the browsers that it drives
tidepool setup
```

Afterwards `tidepool doctor` says whether all is well.
""",
    "zh.md": """# 缓存模式

要绕过缓存,请在运行设置中使用旁路模式。这样每次都会重新抓取页面,而不会读取已保存的内容。

## 清空缓存

调用清空函数会删除所有条目。
""",
}
LONG = "\n".join(f"        self.fields[{i}] = check_value(values[{i}], limit={i * 7})" for i in range(120))
CODE = {
    "tidepool/config.py": f'''"""Settings of the browser and of a run."""

from dataclasses import dataclass

DEFAULT_TIMEOUT_MS = 45000


@dataclass
class BrowserConfig:
    """How the browser is started."""

    headless: bool = True
    proxy_url: str | None = None

    def launch_arguments(self) -> list[str]:
        """Return the arguments that the browser is started with."""
        arguments = ["--mute-audio"]
        if self.headless:
            arguments.append("--headless")
        return arguments

    def fill_from_mapping(self, values):
        """Copy every value of a mapping into its field."""
{LONG}
        return self
''',
    "tidepool/shots.py": '''"""Pictures of pages."""

import functools


@functools.cache
def picture_folder(root):
    """Return the folder that pictures are kept in."""
    return root / "pictures"


def take_screenshot(page, path):
    """Take a picture of a page once it has settled."""
    page.wait_until_settled()
    data = page.capture(format="png")
    path.write_bytes(data)
    return path
''',
}


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


@pytest.fixture(scope="session")
def tidepool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library's file; tests that change it use a copy."""
    root = tmp_path_factory.mktemp("tidepool")
    with Library(str(root / "library.db")) as library:
        library.add(str(written(root / "docs", DOCS)), name="tidepool-docs", version="1.4")
        library.add(str(written(root / "code", CODE)), name="tidepool-code", version="1.4")
    return root / "library.db"


@pytest.fixture
def settings(tidepool: Path) -> Settings:
    return Settings(store=str(tidepool), rate_limiting_enabled=False, security_hook_secret=HOOK_SECRET)


def client_of(settings: Settings, **options: Any) -> TestClient:
    app = create_app(partial(Library, settings=settings), settings)
    return TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False, **options)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with client_of(settings) as made:
        yield made


@pytest.fixture
def connect(settings: Settings) -> Iterator[Callable[..., TestClient]]:
    """Opens clients of apps with other settings."""
    opened: list[TestClient] = []

    def make(**changed: Any) -> TestClient:
        from dataclasses import replace

        made = client_of(replace(settings, **changed))
        made.__enter__()
        opened.append(made)
        return made

    yield make
    for made in opened:
        made.__exit__(None, None, None)


@pytest.fixture
def own_store(tmp_path: Path) -> Path:
    """A library of this test's own, with the documentation only."""
    with Library(str(tmp_path / "library.db")) as library:
        library.add(str(written(tmp_path / "docs", DOCS)), name="tidepool-docs", version="1.4")
    return tmp_path / "library.db"


def token(scope: str = "read", *, lifetime: timedelta = timedelta(minutes=5), secret: str = SECRET, audience: str = "pincite") -> str:
    clock = lambda: datetime.now(UTC)  # noqa: E731
    return Tokens(secret.encode(), audience=audience, clock=clock).mint("ann", scope, lifetime)  # type: ignore[arg-type]


@pytest.fixture
def mint() -> Callable[..., str]:
    return token


@pytest.fixture
def live(settings: Settings) -> Iterator[Callable[..., str]]:
    """Starts real servers on loopback and gives their addresses."""
    from dataclasses import replace

    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def start(**changed: Any) -> str:
        chosen = replace(settings, **changed)
        app = create_app(partial(Library, settings=chosen), chosen)
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, timeout_graceful_shutdown=2)
        bound = config.bind_socket()
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        running.append((server, thread))
        deadline = time.monotonic() + 20
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.started
        return f"http://127.0.0.1:{bound.getsockname()[1]}"

    yield start
    for server, thread in running:
        server.should_exit = True
        thread.join(20)
