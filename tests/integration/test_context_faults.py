"""The faults of the contextual chunkers that Pincite replaces; each is a test here or, where it says so, elsewhere.

| fault | test |
|---|---|
| page and line numbers that drift | `test_01_*` |
| text rewritten by term mapping, doubled notes, terms inside each other's notes | `test_02_*`, `test_library_terms.py` |
| a document lost when the second store fails | `test_03_*`, `test_library_vectors.py`, `test_no_room_for_the_index.py` |
| re-adding a changed document skipped | `test_04_*` |
| a default changed by one call | `test_05_*` |
| filters ignored | `test_06_*`, `test_library_narrowed.py` |
| a lone good chunk returning nothing | `test_07_*`, `test_retrieve_segments.py` |
| `wordsParagraph` glue | `test_08_*` |
| ids with `/` refused | `test_09_*` |
| failures swallowed, duplicates counted as success | `test_10_*` |
| a summary without a title dropped | `answers/test_library_headers.py` |
| a core that needs a vendor, or the network, to import | `test_12_*`, `test_e2e_bare_wheel.py` |

Those of the context endpoint, 1 to 20, are `serve_http/test_http_ask_faults.py`, one test or more for each number.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite import Library
from pincite.settings import Settings

Opened = Callable[..., Library]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "guide").mkdir(parents=True)
    (folder / "guide/till.md").write_text(
        "# Tills\n\nThe till is counted each evening.\n\n## Locks\n\nThe till is locked at ten.\n", "utf-8"
    )
    (folder / "door.md").write_text("# Doors\n\nThe brass door closes by itself.\n", "utf-8")
    return folder


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    def of(**chosen: object) -> Library:
        return Library(str(tmp_path / "library.db"), settings=Settings(processes=1, **chosen))  # type: ignore[arg-type]

    return of


def test_01_the_line_is_that_of_the_file_after_it_grew_above(docs: Path, opened: Opened) -> None:
    page = docs / "guide/till.md"
    with opened() as library:
        for added in ("", "# New\n\nSomething before, of\ntwo lines.\r\n\r\n", "\n\n\n"):
            page.write_bytes(added.encode() + page.read_bytes())
            library.add(str(docs))
            found = library.search("till locked at ten", score_ratio=0.0)[0]
            text = page.read_bytes().decode()
            assert found.line is not None
            line = text.count("\n", 0, text.index("## Locks")) + 1
            assert line <= found.line <= line + 2
            assert text[found.start : found.end] == found.text


@pytest.mark.parametrize("times", [1, 3])
def test_02_terms_stand_in_no_text_however_often_a_page_is_added(docs: Path, opened: Opened, times: int) -> None:
    mapping = ("cash register=till|counter", "counter=desk|counted", "desk of the evening=evening")
    pages = {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in docs.rglob("*.md")}
    with opened(custom_term_mapping=mapping) as library:
        for _ in range(times):
            library.add(str(docs))
            library.reindex()
        assert {p.path for p in library.search("cash register")} == {"guide/till.md"}
        for holding in library.held():
            assert library.document(holding.ref).text == pages[holding.path]
            for _, context in library._parts.store.chunks(holding.document):
                assert len(context.terms) == len(set(context.terms))
                assert set(context.terms) <= {"cash register", "counter", "desk of the evening"}
        assert all(p.text in pages[p.path] for p in library.search("till evening", score_ratio=0.0))


def test_03_a_document_is_kept_and_found_when_the_vectors_can_not_be_made(docs: Path, opened: Opened, caplog) -> None:
    pytest.importorskip("numpy")
    with opened(embed_url="http://127.0.0.1:9/v1", embed_model="nobody") as library:
        report = library.add(str(docs))
        assert (report.fetched, dict(report.failed)) == (2, {})
        assert "reindex --embed" in caplog.text, "and it is said"
        assert [p.path for p in library.search("brass door")] == ["door.md"]
        assert list(library.verify()) == []


def test_04_a_changed_document_takes_the_place_of_the_old_one(docs: Path, opened: Opened) -> None:
    with opened() as library:
        library.add(str(docs))
        (docs / "door.md").write_text("# Doors\n\nThe copper gate slides open.\n", "utf-8")
        report = library.add(str(docs))
        assert (report.fetched, report.unchanged, report.documents) == (1, 1, 1)
        assert [p.path for p in library.search("copper gate")] == ["door.md"]
        assert library.search("brass").passages == ()


def test_05_what_one_call_asks_for_is_not_the_next_ones_default(docs: Path, opened: Opened) -> None:
    with opened() as library:
        library.add(str(docs))
        before = library.search("till door evening brass", explain=True)
        library.search(
            "till", max_results=1, score_ratio=1.0, segments=True, preset="find_all", kind="code", version=">9", where="kind = code"
        )
        library.ask("till", max_results=1)
        assert library.search("till door evening brass", explain=True) == before


@pytest.mark.parametrize("segments", [False, True])
@pytest.mark.parametrize(
    "how",
    [{"kind": "code"}, {"lang": "ja"}, {"version": "7"}, {"version": ">1"}, {"where": "path = nowhere/*"}, {"where": "mark = expired"}],
    ids=str,
)
def test_06_a_filter_that_nothing_passes_gives_nothing(docs: Path, opened: Opened, how: dict[str, str], segments: bool) -> None:
    with opened() as library:
        library.add(str(docs))
        assert library.search("till", segments=segments).passages
        found = library.search("till", segments=segments, **how)  # type: ignore[arg-type]
        assert found.passages == ()
        assert library.ask("till", **how).abstained


@pytest.mark.parametrize("preset", ["balanced", "precision", "find_all"])
def test_07_a_lone_good_chunk_is_returned(docs: Path, opened: Opened, preset: str) -> None:
    with opened() as library:
        library.add(str(docs))
        found = library.search("brass door", segments=True, preset=preset)  # type: ignore[arg-type]
        assert [p.path for p in found] == ["door.md"]


def test_08_paragraphs_and_headings_are_not_glued(tmp_path: Path, opened: Opened) -> None:
    page = (
        "<html><title>Words</title><body><main><h1>Few words</h1><p>Many words</p><p>Paragraph two</p><h2>Then</h2><p>More words</p></main>"
    )
    (tmp_path / "page.html").write_text(page, "utf-8")
    with opened() as library:
        library.add(str(tmp_path / "page.html"))
        for segments in (False, True):
            for passage in library.search("words", segments=segments, score_ratio=0.0):
                assert "wordsParagraph" not in passage.text
                assert "wordsMany" not in passage.text
                assert library.document(passage.ref).text[passage.start : passage.end] == passage.text


def test_09_slashes_in_names_and_paths_are_no_hindrance(docs: Path, opened: Opened) -> None:
    with opened() as library:
        name = library.add(str(docs), name="team/guide", version="2/1").source
        found = library.search("till", source=name, version="2/1")
        assert {p.path for p in found} == {"guide/till.md"}
        assert library.passage(found[0].id).holding.path == "guide/till.md"
        assert library.remove(name) == 2


def test_10_failures_are_told_and_what_is_there_already_is_no_success(docs: Path, opened: Opened) -> None:
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    with opened() as library:
        first = library.add(str(docs))
        assert first.fetched == 2
        assert sum(first.failed.values()) == 1
        told = [page for page in first.pages if page.outcome == "failed"]
        assert [page.url.rsplit("/", 1)[-1] for page in told] == ["broken.pdf"]
        assert all(page.reason for page in told)
        again = library.add(str(docs))
        assert (again.fetched, again.unchanged, again.documents, again.chunks) == (0, 2, 0, 0)


NO_VENDOR = """
import importlib.abc, socket, sys

class Nobody(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"openai", "chromadb", "qdrant_client", "psycopg", "fastembed", "torch", "anthropic", "crewai"}:
            raise ImportError(name)

def refused(*_, **__):
    raise OSError("no network")

sys.meta_path.insert(0, Nobody())
socket.socket.connect = refused
socket.getaddrinfo = refused
from pincite import Library
with Library(sys.argv[1]) as library:
    library.add(sys.argv[2])
    print(library.search("brass door")[0].path, len(library.ask("Which door closes by itself?").citations))
"""


def test_12_no_vendor_and_no_network_is_needed(docs: Path, tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-c", NO_VENDOR, str(tmp_path / "library.db"), str(docs)], capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stdout) == (0, "door.md 1\n"), made.stderr
