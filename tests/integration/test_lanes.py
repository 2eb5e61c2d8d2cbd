"""Pages processed in child processes: the same documents, a bad page costs itself alone, no process is left."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pincite import Library, lane, lanes, processing
from pincite.settings import Settings
from pincite.types import Fetched, PageOutcome, Snapshot, Source, capture_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process ids as POSIX has them")
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAGES = {
    "page.html": (
        "text/html",
        "<html><head><title>Kettle</title></head><body><h1 id=top>Kettle</h1><p>Fill it to the <em>line</em>.</p></body>",
    ),
    "notes.md": ("text/markdown", "# Tea\n\nSteep for *three* minutes.\n\n```python\nbrew(3)\n```\n"),
    "brew.py": ("text/x-python", 'def brew(minutes):\n    """Steep."""\n    return minutes * 60\n'),
    "odd.txt": ("text/plain", "A lone surrogate \udc80 and ünïcode 茶\n"),
}


def snapshot(name: str, media: str, text: str) -> Snapshot:
    body = text.encode("utf-8", "surrogateescape")
    fetched = Fetched(f"http://x.example/{name}", f"http://x.example/{name}", name, 200, (), media, body, AT)
    return Snapshot(capture_of("s", fetched), body)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def comes(what: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("name", PAGES)
def test_a_child_makes_the_same_document_and_chunks_as_this_process(name: str) -> None:
    shot = snapshot(name, *PAGES[name])
    document = processing.LateExtractor().extract(shot)
    with lanes.Lanes(1, "") as beside:
        assert beside.submit(shot).result(60) == (document, processing.LateChunker().chunk(document))


def test_a_page_without_text_comes_back_as_its_reason() -> None:
    with lanes.Lanes(1, "") as beside:
        assert beside.submit(snapshot("empty.html", "text/html", "<p></p>")).result(60) == "empty"


def test_the_user_s_own_rules_hold_in_children_too() -> None:
    rules = "rules:\n  - name: mine\n    main: '#mine'\n"
    shot = snapshot("page.html", "text/html", "<body><p>Around.</p><div id=mine><p>Only this.</p></div></body>")
    expected = processing.extractor_of(rules).extract(shot)
    with lanes.Lanes(1, rules) as beside:
        made = beside.submit(shot).result(60)
    assert not isinstance(made, str)
    assert made[0] == expected


def test_a_page_that_takes_too_long_is_too_complex_and_the_next_is_read() -> None:
    heavy = "<body><main>" + "".join(f"<h2 id=h{n}>Part {n}</h2><p>Words <b>and</b> more words.</p>" for n in range(90_000)) + "</main>"
    with lanes.Lanes(1, "", cpu_s=1.0) as beside:
        assert beside.submit(snapshot("heavy.html", "text/html", heavy)).result(60) == "too complex"
        assert not isinstance(beside.submit(snapshot("notes.md", *PAGES["notes.md"])).result(60), str)


def test_a_killed_child_costs_no_page() -> None:
    shot = snapshot("notes.md", *PAGES["notes.md"])
    with lanes.Lanes(1, "") as beside:
        first = beside.submit(shot).result(60)
        os.kill(beside.alive[0], signal.SIGKILL)
        assert comes(lambda: not beside.alive)
        assert beside.submit(shot).result(60) == first


def test_no_child_is_left_when_the_work_is_done_or_broken_off() -> None:
    with lanes.Lanes(2, "") as beside:
        for future in [beside.submit(snapshot("notes.md", *PAGES["notes.md"])) for _ in range(4)]:
            future.result(60)
        running = beside.alive
        assert running
    assert not any(map(is_running, running))
    heavy = "<body><main>" + "<p>Words <b>and</b> more.</p>" * 60_000
    beside = lanes.Lanes(1, "")
    beside.submit(snapshot("notes.md", *PAGES["notes.md"])).result(60)
    beside.submit(snapshot("heavy.html", "text/html", heavy))
    running = beside.alive
    beside.__exit__(KeyboardInterrupt, None, None)
    assert not any(map(is_running, running))


def test_children_of_a_killed_process_end_by_themselves() -> None:
    program = textwrap.dedent(
        """
        import sys, time
        sys.path[:] = {path!r}
        from tests_lanes import snapshot, PAGES
        from pincite import lanes
        beside = lanes.Lanes(1, "")
        beside.submit(snapshot("notes.md", *PAGES["notes.md"])).result(60)
        print(beside.alive[0], flush=True)
        time.sleep(600)
        """
    ).replace("from tests_lanes import snapshot, PAGES", loader())
    parent = subprocess.Popen([sys.executable, "-c", program.format(path=sys.path)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent:
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
    assert comes(lambda: not is_running(child))


def loader() -> str:
    return (
        "from importlib.util import module_from_spec, spec_from_file_location\n"
        f"spec = spec_from_file_location('tests_lanes', {__file__!r})\n"
        "module = module_from_spec(spec); spec.loader.exec_module(module)\n"
        "snapshot, PAGES = module.snapshot, module.PAGES"
    )


def test_where_no_child_can_be_started_pages_are_processed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(3 * lanes.ALONE):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\nThis is what page {n} says.\n")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-python"))
    with Library(str(tmp_path / "library.db"), settings=Settings(processes=2)) as library:
        report = library.add(str(folder))
        assert (report.fetched, report.documents, dict(report.failed)) == (24, 24, {})


@pytest.mark.parametrize("processes", [1, 3], ids=["in this process", "beside"])
def test_a_library_is_the_same_however_many_processes_made_it(tmp_path: Path, processes: int) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(5 * lanes.ALONE):
        (folder / f"{n:02}.md").write_text(f"# Page {n}\n\nThis is what page {n} says.\n" if n % 7 else "")
    with Library(str(tmp_path / "library.db"), settings=Settings(processes=processes)) as library:
        report = library.add(str(folder))
        assert [(page.outcome, page.reason) for page in report.pages] == [
            ("fetched", "") if n % 7 else ("skipped", "empty") for n in range(5 * lanes.ALONE)
        ]
        assert [held.title for held in map(library.document, sorted_refs(library))] == [f"Page {n}" for n in range(40) if n % 7]
        assert list(library.verify()) == []


def sorted_refs(library: Library) -> Iterator[str]:
    return (held.ref for held in sorted(library.held(), key=lambda held: held.path))


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("true",)


def test_a_child_can_send_nothing_but_values() -> None:
    data = pickle.dumps(Evil())
    with pytest.raises(ValueError, match="no value"):
        lane.receive(BytesIO(len(data).to_bytes(8, "big") + data))


def test_what_was_in_work_comes_out_before_an_interruption(tmp_path: Path) -> None:
    with Library(str(tmp_path / "library.db")) as library:
        shots = [snapshot(f"{n}.md", "text/markdown", f"# Page {n}\n\nText of page {n}.\n") for n in range(3 * lanes.ALONE)]
        with lanes.Lanes(2, "") as beside:
            got: list[str] = []
            flow = lanes.prepared(library._parts, Source("s", "site", "http://x.example/"), {}, interrupted(shots), beside)
            with pytest.raises(KeyboardInterrupt):
                got.extend(item.url for group in flow for item, made in group if made is not None)
    assert got == [shot.capture.url for shot in shots]


def interrupted(shots: list[Snapshot]) -> Iterator[Sequence[PageOutcome]]:
    for shot in shots:
        fetched = Fetched(shot.capture.url, shot.capture.url, shot.capture.path, 200, (), "text/markdown", shot.body, AT)
        yield (PageOutcome(shot.capture.url, "fetched", fetched=fetched),)
    raise KeyboardInterrupt
