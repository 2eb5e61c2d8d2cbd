"""What holds for every test: sockets reach 127.0.0.1 alone, and tests whose browser or database is missing are left out with a line.

With `CI` set a missing browser or database is a failure.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("pincite", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("ci", settings.get_profile("pincite"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "pincite")

LOOPBACK = ("127.0.0.1", "localhost")
LEFT_OUT: Counter[str] = Counter()


def browser_missing() -> str:
    """Say what to install for the tests with a browser, or nothing."""
    if importlib.util.find_spec("playwright") is None:
        return "pip install playwright && playwright install chromium"
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = any(map(shutil.which, names)) or list(Path.home().glob(".cache/ms-playwright/chromium*"))
    return "" if found else "apt-get install chromium, or playwright install chromium"


def database_missing() -> str:
    """Say what to install for the tests with PostgreSQL, or nothing."""
    found = shutil.which("pg_ctl") or list(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return "" if found else "apt-get install postgresql"


NEEDS = {"browser": browser_missing, "database": database_missing}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out, or with CI fail, a test whose browser or database is missing."""
    for marker, missing in NEEDS.items():
        if item.get_closest_marker(marker) and (advice := missing()):
            if os.environ.get("CI"):
                pytest.fail(f"needs a {marker}: {advice}", pytrace=False)
            LEFT_OUT[f"{marker} ({advice})"] += 1
            pytest.skip(f"needs a {marker}: {advice}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many tests were left out and how to run them."""
    for need, count in LEFT_OUT.items():
        terminalreporter.write_line(f"left out: {count} tests that need a {need}")


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close the network: names other than localhost don't resolve, other addresses can't be dialled."""
    connect, connect_ex, resolve = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def vetted(sock: socket.socket, address: Any) -> Any:
        if sock.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise AssertionError(f"a test dialled {address}")
        return address

    def guarded_resolve(host: Any, *rest: Any, **more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in (*LOOPBACK, None, ""):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve(host, *rest, **more)

    monkeypatch.setattr(socket.socket, "connect", lambda sock, address: connect(sock, vetted(sock, address)))
    monkeypatch.setattr(socket.socket, "connect_ex", lambda sock, address: connect_ex(sock, vetted(sock, address)))
    monkeypatch.setattr(socket, "getaddrinfo", guarded_resolve)
