"""Libraries that can't be used as they are, and commands that are cut short: a clear error, the right exit code, nothing lost.

In: files, a local site, a cap on sizes, signals. Out: exit codes, messages, and libraries that still verify.
"""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

HTML = "<!doctype html><title>{0}</title><main><h1 id=top>{0}</h1><p>{1}</p></main>"
WORDS = "The harbour master keeps a ledger of every vessel that enters the basin, and reads it aloud at noon. "


def test_read_only_library_can_be_asked_but_not_added_to(call: Any, tmp_path: Path, guide: Path, child: Any) -> None:
    assert call("add", "guide").code == 0
    holding = tmp_path / "held"
    holding.mkdir()
    for file in tmp_path.glob("library*"):
        file.rename(holding / file.name)
    for place in (*holding.rglob("*"), holding):
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        store = ("--store", str(holding / "library.db"))
        found = child("search", "bypass the cache", *store, limited=True)
        asked = child("ask", "How do I bypass the cache?", *store, limited=True)
        added = child("add", "guide", *store, limited=True)
    finally:
        for place in (holding, *holding.rglob("*")):
            place.chmod(0o755 if place.is_dir() else 0o644)
    assert (found.code, asked.code) == (0, 0), found.err + asked.err
    assert "[^1]" in asked.out
    assert added.code == 3
    assert "library.db" in added.said


def test_locked_library_says_so(call: Any, tmp_path: Path, guide: Path) -> None:
    assert call("add", "guide").code == 0
    (guide / "more.md").write_text("# More\n\nAnother page with its own words.\n")
    holder = sqlite3.connect(tmp_path / "library.db", isolation_level=None)
    try:
        holder.execute("BEGIN IMMEDIATE")
        assert call("search", "bypass the cache").code == 0
        ran = call("add", "guide")
    finally:
        holder.close()
    assert ran.code == 4
    assert "locked" in ran.said
    assert call("add", "guide").code == 0


def test_library_of_a_newer_version_is_left_alone(call: Any, tmp_path: Path, guide: Path) -> None:
    assert call("add", "guide").code == 0
    holder = sqlite3.connect(tmp_path / "library.db")
    holder.execute("PRAGMA user_version = 9999")
    holder.close()
    for command in (("search", "cache"), ("add", "guide"), ("status",)):
        ran = call(*command)
        assert ran.code == 4
        assert "newer" in ran.said


@pytest.mark.parametrize(
    "content", [b"just a text file, long enough to be no header\n" * 9, b"SQLite format 3\0" + b"x" * 4096], ids=["text", "torn"]
)
def test_file_that_is_no_library_is_not_touched(call: Any, tmp_path: Path, content: bytes, guide: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(content)
    for command in (("search", "cache"), ("add", "guide")):
        ran = call(*command, "--store", "notes.txt")
        assert ran.code == 4
        assert "notes.txt" in ran.said
    assert (tmp_path / "notes.txt").read_bytes() == content


def test_database_of_another_program_is_not_touched(call: Any, tmp_path: Path, guide: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE people (name TEXT)")
    other.close()
    before = (tmp_path / "other.db").read_bytes()
    for command in (("search", "cache"), ("add", "guide")):
        assert call(*command, "--store", "other.db").code == 4
    assert (tmp_path / "other.db").read_bytes() == before


def test_command_that_reads_makes_no_library(call: Any, tmp_path: Path) -> None:
    ran = call("search", "cache")
    assert ran.code == 4
    assert "pincite add" in ran.said
    assert list(tmp_path.iterdir()) == []


def test_disk_that_fills_is_an_error_and_loses_nothing(call: Any, tmp_path: Path, guide: Path, child: Any) -> None:
    assert call("add", "guide").code == 0
    many = tmp_path / "many"
    many.mkdir()
    for number in range(60):
        (many / f"{number}.md").write_text(f"# Page {number}\n\n" + " ".join(f"w{number * i % 9973}" for i in range(400)) + ".\n")
    size = (tmp_path / "library.db").stat().st_size
    full = child("add", "many", bytes_at_most=size + 100_000)
    assert full.code == 4
    assert full.said
    assert call("verify").code == 0
    assert call("search", "bypass the cache").code == 0
    assert call("add", "many").code == 0
    assert call("verify").code == 0


def test_ctrl_c_keeps_what_was_captured_and_status_says_what_is_missing(call: Any, site: Any) -> None:
    links = "".join(f'<a href="/p{n}">p{n}</a> ' for n in range(60))
    site.html("/", HTML.format("Start", WORDS * 4 + links))
    for number in range(60):
        site.html(f"/p{number}", HTML.format(f"Page {number}", WORDS * 4 + f"number {number}"))
    command = [sys.executable, "-m", "pincite", "add", site.url, "--allow-private", site.address, "--name", "site"]
    slow = ["--delay", "0.1", "--concurrency", "1"]
    running = subprocess.Popen([*command, *slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(site.served) < 25 and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "pincite status" in err
    assert "Traceback" not in err
    report = json.loads(call("status", "site", "--json").out)["sources"][0]
    assert report["fetched"] > 0
    assert report["missing"] > 0
    assert report["finished"] is False
    assert call("verify").code == 0
    done = json.loads(call("add", site.url, "--allow-private", site.address, "--name", "site", "--json").out)
    assert (done["fetched"] + done["unchanged"] + sum(done["skipped"].values()), done["finished"], done["missing"]) == (61, True, 0)
    assert call("verify").code == 0


def test_unknown_code_is_named_and_a_near_one_offered(call: Any, guide: Path) -> None:
    ref = json.loads(call("add", "guide", "--json").out)["pages"][0]["ref"]
    wrong = ref[:-1] + ("0" if ref[-1] != "0" else "1")
    ran = call("show", wrong)
    assert ran.code == 2
    assert wrong in ran.said
    assert ref in ran.err
    assert call("show", ref.upper()).code == 0
