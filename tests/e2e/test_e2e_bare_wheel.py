"""The wheel alone, in an environment of its own, does the main job with the network closed.

In: a wheel built from this tree. Out: what its `pincite` prints. The sockets of the child are closed by a `sitecustomize` that we write.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLOSED = """
import socket
def refused(*_, **__):
    raise OSError(101, "Network is unreachable")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refused
"""
PAGE = "# Cache\n\n## Bypass the cache\n\nPass `cache=False` to a call to bypass the cache. The page is then fetched again.\n"
Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """Build the wheel, install it alone, close the sockets, and return a way to call its `pincite`."""
    place = tmp_path_factory.mktemp("bare")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(place / "dist"), str(ROOT)], check=True, timeout=600)
    (wheel,) = (place / "dist").glob("pincite-*.whl")
    venv.create(place / "env", with_pip=True)
    python = next(p for p in (place / "env" / "bin" / "python", place / "env" / "Scripts" / "python.exe") if p.exists())
    subprocess.run([str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", str(wheel)], check=True, timeout=900)
    (place / "closed").mkdir()
    (place / "closed" / "sitecustomize.py").write_text(CLOSED)
    (place / "guide").mkdir()
    (place / "guide" / "cache.md").write_text(PAGE)

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(place / "closed"), "PINCITE_STORE": str(place / "library.db")}
        command = [str(python), "-m", "pincite", *arguments]
        return subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
        )

    return call


@pytest.mark.slow
def test_bare_wheel_adds_searches_and_asks_with_sockets_closed(installed: Call) -> None:
    added = installed("add", "guide", "--json")
    assert added.returncode == 0, added.stderr
    assert json.loads(added.stdout)["fetched"] == 1
    found = json.loads(installed("search", "bypass the cache", "--json").stdout)["passages"][0]
    assert found["path"] == "cache.md"
    assert PAGE[found["start"] : found["end"]] == found["text"]
    answer = json.loads(installed("ask", "How do I bypass the cache?", "--json").stdout)
    assert "[^1]" in answer["markdown"]
    assert "cache=False" in answer["citations"][0]["quote"]["text"]
    assert installed("verify").returncode == 0


@pytest.mark.slow
def test_bare_wheel_says_that_a_site_cannot_be_reached_when_sockets_are_closed(installed: Call) -> None:
    ran = installed("add", "https://docs.example.org/")
    assert ran.returncode == 4
    assert "Traceback" not in ran.stderr
    assert "docs.example.org" in ran.stderr
