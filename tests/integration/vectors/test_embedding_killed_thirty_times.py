"""A library killed with SIGKILL 30 times while it embeds: index and vectors equal the store, and no text that was kept is embedded again.

The child counts its calls of the embedder and of SQLite and what it writes to the index, stops at a given one, and is killed there. The
library that it begins with is built once and copied.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from pincite import Library
from pincite.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="SIGKILL of POSIX")]

PAGES, CHANGED = 150, 70
KILLS = {"embed": 18, "change": 12}
"""Kills while all is embedded for the first time, and while a changed folder is added and embedded; spread over all calls."""

CHILD = """
import json, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pincite import Library
from pincite.settings import Settings

phase, place, folder, stop = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
done = calls = texts = 0

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        global texts
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        texts += len(asked)
        rows = [[1.0 + text.count(letter) for letter in "abcdefgh"] for text in asked]
        body = json.dumps({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        return None

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()

STEPS = {"execute", "executemany", "write", "fsync", "unlink"}
OURS = ("pincite.store", "pincite.index")

def count(frame, event, arg):
    global done, calls
    if event == "call":
        embeds = frame.f_code.co_name == "embed" and frame.f_globals.get("__name__") == "pincite.adapters.embedders"
        calls += embeds
        counted = embeds
    else:
        counted = event == "c_call" and getattr(arg, "__name__", "") in STEPS and frame.f_globals.get("__name__", "").startswith(OURS)
    if counted:
        done += 1
        if done == stop:
            print("here", flush=True)
            sys.stdin.readline()

url = f"http://127.0.0.1:{server.server_address[1]}/v1"
with Library(place, settings=Settings(embed_url=url, embed_model="letters", processes=1)) as library:
    sys.setprofile(count)
    if phase == "embed":
        library.embed()
    else:
        library.add(folder)
    sys.setprofile(None)
print("done", done, calls, texts, flush=True)
"""


@dataclass(frozen=True)
class Base:
    """A folder, libraries that each phase begins with, and how many calls a phase makes."""

    folder: Path
    places: dict[str, Path]
    calls: dict[str, int]


def write(folder: Path, version: int) -> None:
    folder.mkdir(exist_ok=True)
    for n in range(PAGES):
        edition = version if n < CHANGED else 1
        (folder / f"page{n:03}.md").write_text(f"# Gadget {n}\n\nThe gadget{n} of edition{edition} turns clockwise.\n", "utf-8")


def run(phase: str, place: Path, folder: Path, stop: int) -> list[str]:
    """Run a phase and kill it at its `stop`-th call, or let it end with 0; return the last line said."""
    command = [sys.executable, "-c", CHILD, phase, str(place), str(folder), str(stop)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        said = child.stdout.readline().split()
        if said == ["here"]:
            child.kill()
        errors = child.stderr.read()
    assert child.returncode == (-signal.SIGKILL if said == ["here"] else 0), errors
    return said


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    root = tmp_path_factory.mktemp("embedded")
    folder, places = root / "docs", {phase: root / phase for phase in KILLS}
    write(folder, 1)
    places["embed"].mkdir()
    with Library(str(places["embed"] / "library.db"), settings=Settings(processes=1)) as library:
        library.add(str(folder))
    calls = {}
    shutil.copytree(places["embed"], places["change"])
    said = run("embed", places["change"] / "library.db", folder, 0)
    assert said[2:] == ["3", str(PAGES)], "three batches"
    calls["embed"] = int(said[1])
    write(folder, 2)
    shutil.copytree(places["change"], root / "whole")
    said = run("change", root / "whole" / "library.db", folder, 0)
    assert said[2:] == ["2", str(CHANGED)], "only what changed is embedded"
    calls["change"] = int(said[1])
    return Base(folder, places, calls)


def rows(place: Path, question: str) -> Counter[str]:
    db = sqlite3.connect(place)
    found = Counter(str(row[0]) for row in db.execute(question))
    db.close()
    return found


@pytest.mark.parametrize(("phase", "part"), [(phase, part) for phase, kills in KILLS.items() for part in range(kills)])
def test_killed_while_it_embeds_index_and_vectors_equal_the_store(tmp_path: Path, base: Base, phase: str, part: int) -> None:
    place = tmp_path / "copy" / "library.db"
    shutil.copytree(base.places[phase], place.parent)
    stop = 1 + part * (base.calls[phase] - 1) // (KILLS[phase] - 1)
    assert run(phase, place, base.folder, stop) == ["here"]
    kept = rows(place, "select count(*) from vectors")
    with Library(str(place)) as library:
        assert list(library.verify()) == [], "sound before anything is done again"
    said = run("change", place, base.folder, 0) if phase == "change" else run("embed", place, base.folder, 0)
    whole = PAGES + (CHANGED if phase == "change" else 0)
    assert int(said[3]) == whole - int(next(iter(kept))), "what was kept is not embedded again, what was not is"
    with Library(str(place)) as library:
        assert list(library.verify()) == []
        wanted = Counter(library._parts.store.live_ids())
    points = rows(Path(f"{place}.index") / "vectors.db", "select id from point")
    assert points == wanted
    assert set(points.values()) == {1}
