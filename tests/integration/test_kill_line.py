"""The line, killed with SIGKILL 42 times while it adds, adds a changed folder again, reindexes and removes: nothing lost or doubled.

The child counts what it does to the database and the index (statements, writes, what is forced to the disk) and stops at a given one;
then it is killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite import Library

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="SIGKILL of POSIX")]

KILLS = {"add": 12, "readd": 12, "remove": 12, "reindex": 6}
"""Kills in each phase, spread over all that the phase does."""

CHILD = """
import sys
from dataclasses import replace
from pincite import Library
from pincite.chunk.chunker import StructureChunker
from pincite.chunk.sizes import Sizes

phase, place, folder, stop = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
done = 0

def count(frame, event, arg):
    global done
    if event != "c_call" or getattr(arg, "__name__", "") not in CALLS:
        return
    if frame.f_globals.get("__name__", "").startswith(("pincite.store", "pincite.index")):
        done += 1
        if done == stop:
            print("here", frame.f_code.co_qualname, flush=True)
            sys.stdin.readline()

DATABASE = {"execute", "executemany"}
INDEX = {"write", "fsync", "unlink", "argsort"}
CALLS = DATABASE | INDEX
with Library(place) as library:
    sys.setprofile(count)
    if phase == "remove":
        library.remove("docs")
    elif phase == "reindex":
        library._parts = replace(library._parts, chunker=StructureChunker(Sizes(4, 8, 10, 1)))
        library.reindex()
    else:
        library.add(folder)
    sys.setprofile(None)
print("done", done)
"""

Live = Counter[tuple[str, str]]


def page(n: int, version: int) -> str:
    care = f"## Care\n\nOil the gadget{n} twice a year, see edition{version}.\n"
    return f"# Page {n}\n\nThe gadget{n} turns clockwise in edition{version}.\n\n{care}"


def write(folder: Path, version: int) -> None:
    """Version 2 changes every third page, drops page 0 and brings page 70."""
    folder.mkdir(exist_ok=True)
    for n in range(70):
        (folder / f"page{n:02d}.md").write_text(page(n, version if n % 3 == 1 else 1))
    if version == 2:
        (folder / "page00.md").unlink()
        (folder / "page70.md").write_text(page(70, 2))


def run(phase: str, place: Path, folder: Path, stop: int) -> str:
    """Run a phase up to its `stop`-th call and kill it there, or to its end when there are fewer; return the last line said."""
    command = [sys.executable, "-c", CHILD, phase, str(place), str(folder), str(stop)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        said = child.stdout.readline().strip()
        if said.startswith("here"):
            child.kill()
        errors = child.stderr.read()
    assert child.returncode == (-signal.SIGKILL if said.startswith("here") else 0), errors
    return said


def live(library: Library) -> Live:
    """Return (path, text) of all that is held now, through the ids that the index must hold."""
    store = library._parts.store
    return Counter((e.holding.path, e.text) for h in store.holdings() for e in store.entries(h.id))


@dataclass(frozen=True)
class Line:
    """A folder in its second version, a library that holds its first, and what must come of it."""

    folder: Path
    base: Path
    first: Live
    second: Live
    recut: Live
    calls: dict[str, int]


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Line:
    root = tmp_path_factory.mktemp("line")
    folder, base = root / "docs", root / "base"
    base.mkdir()
    write(folder, 1)
    with Library(str(base / "library.db")) as library:
        library.add(str(folder))
        first = live(library)
    write(folder, 2)
    calls = {}
    for phase in KILLS:
        calls[phase] = int(run(phase, prepared(phase, base, root / phase), folder, 0).split()[1])
    with Library(str(root / "add" / "library.db")) as library:
        second = live(library)
    with Library(str(root / "readd" / "library.db")) as library:
        assert live(library) == second
    with Library(str(root / "reindex" / "library.db")) as library:
        recut = live(library)
        assert recut.total() > first.total()
    return Line(folder, base, first, second, recut, calls)


def prepared(phase: str, base: Path, at: Path) -> Path:
    """Return the place of the library that a phase begins with."""
    if phase == "add":
        at.mkdir()
    else:
        shutil.copytree(base, at)
    return at / "library.db"


def sound(library: Library) -> Counter[str]:
    """Check the library and return how often each page is held now."""
    assert list(library.verify()) == []
    held = Counter(h.path for h in library._parts.store.holdings())
    assert max(held.values(), default=1) == 1
    assert max(Counter(library._parts.store.live_ids()).values(), default=1) == 1
    return held


@pytest.mark.parametrize(("phase", "part"), [(phase, part) for phase, kills in KILLS.items() for part in range(kills)])
def test_a_killed_line_is_whole_when_it_is_opened_again(tmp_path: Path, line: Line, phase: str, part: int) -> None:
    place = prepared(phase, line.base, tmp_path / phase)
    stop = 1 + part * (line.calls[phase] - 1) // (KILLS[phase] - 1)
    said = run(phase, place, line.folder, stop)
    assert said.startswith("here"), said
    with Library(str(place)) as library:
        held, now = sound(library), live(library)
        pages = {path for path, _ in line.first}
        if phase == "remove":
            assert now in (line.first, Counter())
        elif phase == "reindex":
            assert set(held) == pages
        elif phase == "readd":
            assert set(held) >= pages - {"page00.md"}
            assert now <= line.first | line.second
            found = library.search("gadget1 edition1 edition2", max_results=50, score_ratio=0.0)
            assert {p.text for p in found} <= {text for _, text in now}
        else:
            assert now <= line.second
    if phase == "reindex":
        assert now <= line.first | line.recut
        assert run(phase, place, line.folder, 0).startswith("done")
    with Library(str(place)) as library:
        if phase == "reindex":
            assert live(library) == line.recut
        elif phase == "remove":
            assert library.remove("docs") == 70 if library.sources() else True
            assert live(library) == Counter()
            assert not library.search("gadget1")
        else:
            library.add(str(line.folder))
            assert live(library) == line.second
            texts = [p.text for p in library.search("gadget4", max_results=50, score_ratio=0.0)]
            assert len(texts) == len(set(texts))
            assert any("edition2" in text for text in texts)
            assert not any("gadget4 turns clockwise in edition1" in text for text in texts)
        sound(library)
