"""A small library, and our MCP server for it on stdio and HTTP."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pincite import Library, Settings

GUIDE = """# Kettle

Kettle boils water on a schedule.

## Schedules

Give `Kettle.schedule` a cron expression. The schedule is kept when the power fails.

```python
kettle.schedule("0 7 * * *")
```

## Descaling

Run `kettle descale` once a month. Never descale while a schedule is running.
"""
CODE = '''"""The kettle."""


class Kettle:
    """Boils water."""

    def schedule(self, cron: str) -> None:
        """Boil at the times that a cron expression names."""
        self._cron = cron
'''


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the place of a library with one guide and one module."""
    folder = tmp_path_factory.mktemp("kettle")
    docs = folder / "kettle"
    docs.mkdir()
    (docs / "guide.md").write_text(GUIDE, "utf-8")
    (docs / "kettle.py").write_text(CODE, "utf-8")
    (docs / "long.md").write_text("# Long\n\n" + "".join(f"Line {i} says that boiling takes time.\n\n" for i in range(3000)), "utf-8")
    where = str(folder / "library.db")
    with Library(where) as library:
        library.add(str(docs), name="kettle")
    return where


@dataclass
class Serving:
    """A server that runs in a thread."""

    port: int
    app: Any

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def served(app: Any) -> Iterator[Serving]:
    """Serve an ASGI app on a free port of 127.0.0.1."""
    uvicorn = pytest.importorskip("uvicorn")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="critical", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    assert server.started, "the server did not start"
    yield Serving(port, app)
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def server(place: str) -> Iterator[Serving]:
    """Serve the library's MCP app alone, guarded by itself."""
    pytest.importorskip("mcp")
    from pincite.serve import mcp, mcp_http, mcp_mount
    from pincite.serve.mcp_sdk import Guard

    settings = Settings(store=place)
    with mcp_mount.local(lambda: Library(settings=settings), settings) as surface:
        assert isinstance(surface, mcp.Surface)
        yield from served(mcp_http.McpApp(surface, guard=Guard(), limit_bytes=100_000))


@pytest.fixture(scope="session")
def whole(place: str) -> Iterator[Serving]:
    """Serve the whole HTTP app, MCP mounted in it."""
    pytest.importorskip("mcp")
    pytest.importorskip("fastapi")
    from pincite.serve.http import create_app

    settings = Settings(store=place)
    yield from served(create_app(lambda: Library(settings=settings), settings))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder with one page."""
    (tmp_path / "page.md").write_text("# Page\n\nA page about teapots.\n", "utf-8")
    return tmp_path
