"""A crawl that is killed anywhere goes on where it was: every page once, nothing lost, the library whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite import Library, Policy

if TYPE_CHECKING:
    from conftest import LocalSite

PAGES = 24
CHILD = """
import sys
from pincite import Library, Policy
store, url, host, stop = sys.argv[1:]
seen = 0
def told(page):
    global seen
    seen += 1
    if seen == int(stop):
        print("here", flush=True)
        sys.stdin.read()
Library(store).add(url, policy=Policy(delay_s=0, allow_private=(host,), seeds=False, render="never"), progress=told)
"""


def test_what_the_budget_left_over_is_taken_up_by_the_next_add(local: LocalSite, page: Callable[..., bytes], tmp_path: Path) -> None:
    local.answers = {f"/{n}": page(text=f"Page {n} says how clay is fired.") for n in range(5)}
    local.answers["/"] = page(*local.answers, text="Start.")
    with Library(str(tmp_path / "library.db")) as library:
        policy = Policy(delay_s=0, allow_private=(f"127.0.0.1:{local.port}",), seeds=False, render="never", max_pages=3)
        first = library.add(local.url + "/", policy=policy)
        assert (first.fetched, dict(first.skipped)) == (3, {"budget": 3})
        second = library.add(local.url + "/", policy=replace(policy, max_pages=100))
        assert (second.fetched, second.unchanged, dict(second.skipped)) == (3, 3, {})


def test_a_refresh_processes_exactly_the_page_that_was_edited(local: LocalSite, page: Callable[..., bytes], tmp_path: Path) -> None:
    local.answers = {f"/{n}": page(text=f"Page {n} says how clay is fired.") for n in range(5)}
    local.answers["/"] = page(*local.answers, text="Start.")
    with Library(str(tmp_path / "library.db")) as library:
        policy = Policy(delay_s=0, allow_private=(f"127.0.0.1:{local.port}",), seeds=False, render="never")
        name = library.add(local.url + "/", policy=policy).source
        same = library.refresh(name)
        assert (same.fetched, same.unchanged, same.documents, same.chunks) == (0, 6, 0, 0)
        local.answers["/3"] = page(text="Page 3 says how glass is blown.")
        del local.answers["/4"]
        edited = library.refresh(name)
        assert [p.url for p in edited.pages if p.outcome == "fetched"] == [local.url + "/3"]
        assert (edited.documents, edited.unchanged, edited.removed) == (1, 4, 1)
        assert list(library.verify()) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
def test_ctrl_c_ends_a_crawl_at_once_and_keeps_what_was_captured(local: LocalSite, page: Callable[..., bytes], tmp_path: Path) -> None:
    def hang(_: object) -> Iterator[bytes]:
        time.sleep(4)
        yield b""

    local.answers = {"/": page("/1", "/hang", text="Start."), "/1": page(text="One."), "/hang": hang}
    store = str(tmp_path / "library.db")
    command = [sys.executable, "-m", "pincite", "--store", store, "-v", "add", local.url + "/", "--delay", "0", "--no-seeds"]
    command += ["--allow-private", f"127.0.0.1:{local.port}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert any("/1" in line for line in child.stderr)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        child.wait(timeout=10)
        assert time.monotonic() - began < 4
        assert "Traceback" not in child.stderr.read()
    assert child.returncode == 130
    with Library(store) as library:
        (report,) = library.status().values()
        assert report is not None
        assert not report.finished
        assert {p.url for p in report.pages if p.outcome == "fetched"} == {local.url + "/", local.url + "/1"}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("stops", [(1, 5), (12, 30)], ids=["early", "late"])
def test_a_killed_crawl_goes_on(local: LocalSite, page: Callable[..., bytes], tmp_path: Path, stops: tuple[int, ...]) -> None:
    text = "Page {} of the kiln manual, which says how clay is fired. "
    local.answers = {f"/{n}": page(f"/{2 * n + 1}", f"/{2 * n + 2}", text=text.format(n) * 3) for n in range(PAGES)}
    local.answers["/"] = page("/0", text="Start. " * 20)
    store, host = str(tmp_path / "library.db"), f"127.0.0.1:{local.port}"
    for stop in stops:
        command = [sys.executable, "-c", CHILD, store, local.url + "/", host, str(stop)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"PYTHONWARNINGS": "ignore"}
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() in (b"here\n", b"")
            child.kill()
    with Library(store) as library:
        report = library.add(local.url + "/", policy=Policy(delay_s=0, allow_private=(host,), seeds=False, render="never"))
        assert report.fetched + report.unchanged == PAGES + 1
        assert report.finished
        assert list(library.verify()) == []
        captures = [p.url for p in library.status(report.source)[report.source].pages if p.outcome in ("fetched", "unchanged")]  # type: ignore[union-attr]
        assert len(captures) == len(set(captures)) == PAGES + 1
