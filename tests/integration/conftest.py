"""A library of its own, a local site that misbehaves, and commands in this process or a child's.

In: nothing. Out: fixtures for the tests of the command line.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pincite.serve.cli import main

PAGE = "# Cache\n\n## Bypass the cache\n\nPass `cache=False` to a call to bypass the cache. The page is then fetched again.\n"


@dataclass
class Site:
    """A local site whose pages are functions of the request handler."""

    pages: dict[str, Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=dict)
    served: list[str] = field(default_factory=list)
    address: str = ""

    @property
    def url(self) -> str:
        """The site's root."""
        return f"http://{self.address}/"

    def html(self, path: str, body: str, content_type: str = "text/html; charset=utf-8", encoding: str = "utf-8") -> None:
        """Let a path answer with a page."""

        def answer(request: BaseHTTPRequestHandler) -> None:
            data = body.encode(encoding)
            request.send_response(200)
            request.send_header("Content-Type", content_type)
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)

        self.pages[path] = answer


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve on a free port of 127.0.0.1."""
    made = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.served.append(self.path)
            try:
                made.pages.get(self.path, lambda request: request.send_error(404))(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.address = f"127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """What stands on stderr, after seeing that it is a message for people."""
        assert self.err.strip()
        assert "Traceback" not in self.err
        return self.err


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process, in a folder and library of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_STORE", str(tmp_path / "library.db"))
    monkeypatch.setenv("PINCITE_DELAY_S", "0")

    def ran(*arguments: str) -> Ran:
        code = main(arguments)
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return ran


def in_child(*arguments: str, limited: bool = False, bytes_at_most: int = 0) -> Ran:
    """Run a command in a process of its own, without root's right to pass over permissions, or with a cap on the size of files."""

    def before() -> None:
        if limited and os.geteuid() == 0:
            libc = ctypes.CDLL(None, use_errno=True)
            for capability in (1, 2):
                if libc.prctl(24, capability, 0, 0, 0):
                    raise OSError(ctypes.get_errno(), "can't drop a capability")
        if bytes_at_most:
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_at_most, bytes_at_most))

    command = [sys.executable, "-m", "pincite", *arguments]
    ran = subprocess.run(command, preexec_fn=before, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture
def child() -> Callable[..., Ran]:
    """Give `in_child` to a test."""
    return in_child


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    """Make a folder with one page."""
    folder = tmp_path / "guide"
    folder.mkdir()
    (folder / "cache.md").write_text(PAGE, "utf-8")
    return folder
