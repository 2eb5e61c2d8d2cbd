"""`pincite add`, killed twenty times while it crawls: it goes on, every page is captured once, and the library is whole."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite import Library

if TYPE_CHECKING:
    from conftest import LocalSite

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")]
KILLS = 20
PAGES = 400


def children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def test_twenty_kills_lose_nothing_and_double_nothing(local: LocalSite, page: Callable[..., bytes], tmp_path: Path) -> None:
    local.answers = {
        f"/{n}": page(*(f"/{m}" for m in (2 * n + 1, 2 * n + 2) if m < PAGES), text=f"Page {n} of the kiln manual.") for n in range(PAGES)
    }
    local.answers["/"] = page("/0", text="Start.")
    store, chance = str(tmp_path / "library.db"), random.Random(20)
    pincite = [sys.executable, "-m", "pincite", "--store", store, "--json", "-q"]
    add = [*pincite, "add", local.url + "/", "--delay", "0", "--no-seeds", "--render", "never", "--max-age", "0"]
    add += ["--allow-private", f"127.0.0.1:{local.port}"]
    environment = os.environ | {"PINCITE_PROCESSES": "2"}
    killed, left = 0, set[int]()
    held: set[str] = set()
    for _ in range(KILLS):
        before, wanted = len(local.hits), chance.randint(1, 60)
        with subprocess.Popen(add, stdout=subprocess.DEVNULL, env=environment) as child:
            while child.poll() is None and len(local.hits) < before + wanted:
                time.sleep(0.005)
            left.update(children_of(child.pid))
            child.kill()
        killed += child.returncode == -signal.SIGKILL
        if Path(store).exists():
            now = captured(store)
            assert now.keys() >= held, "what was captured is gone"
            assert set(now.values()) <= {1}, "a page was captured twice"
            held = set(now)
    assert killed >= KILLS // 2
    assert subprocess.run(add, stdout=subprocess.DEVNULL, env=environment, check=False).returncode == 0
    status = json.loads(subprocess.run([*pincite, "status"], stdout=subprocess.PIPE, check=True).stdout)["sources"][0]
    assert (status["finished"], status["fetched"] + status["unchanged"], status["failed"]) == (True, PAGES + 1, {})
    assert captured(store) == Counter([local.url + "/", *(f"{local.url}/{n}" for n in range(PAGES))])
    assert subprocess.run([*pincite, "verify"], stdout=subprocess.DEVNULL, check=False).returncode == 0
    end = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in left) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]


def captured(store: str) -> Counter[str]:
    """Return how many captures there are of each page."""
    with Library(store, create=False) as library:
        return Counter(capture.url for held in library.held(None) for capture in library._parts.store.captures(held.url))
