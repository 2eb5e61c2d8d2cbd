"""`prune`, `backup` and `restore` through the command line: nothing goes without a word, nothing cited goes at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.library import Library
from pincite.serve.cli import main

Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A library whose one page was captured three times."""
    place, page = str(tmp_path / "library.db"), tmp_path / "notes" / "kiln.md"
    page.parent.mkdir()
    with Library(place) as library:
        for degrees in (1100, 1240, 1280):
            page.write_text(f"# Kiln\n\nFire the kiln to {degrees} degrees.\n")
            library.add(str(page.parent), name="notes")
    return place


@pytest.fixture
def run(store: str, capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*arguments: str) -> tuple[int, Any]:
        code = main(["--store", store, "--json", *arguments])
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    return go


def old_captures(store: str) -> int:
    with Library(store, create=False) as library:
        return library.prune(rehearse=True)[0]


def test_a_dry_run_of_prune_counts_and_erases_nothing(run: Run, store: str) -> None:
    code, told = run("prune", "--dry-run")
    assert (code, told["captures"], told["erased"]) == (0, 2, False)
    assert old_captures(store) == 2


def test_prune_without_a_word_from_the_user_erases_nothing(run: Run, store: str) -> None:
    assert run("prune")[0] == 2
    assert old_captures(store) == 2


def test_prune_keeps_the_latest_capture_and_what_is_cited(run: Run, store: str) -> None:
    with Library(store) as library:
        (old, *_) = library._parts.store.captures((held := next(library.held())).url)[1:]
        library.mark(old.ref, "keep", why="for the record")
    code, told = run("prune", "--yes")
    assert (code, told["captures"], told["erased"]) == (0, 1, True)
    with Library(store) as library:
        assert b"1240" in library.body(old.ref)
        assert b"1280" in library.body(held.ref)
        assert list(library.verify()) == []
    assert run("prune", "--yes")[1]["captures"] == 0


def test_a_backup_put_back_is_the_library_as_it_was(run: Run, store: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    code, told = run("backup", copy)
    assert (code, told["bytes"]) == (0, Path(copy).stat().st_size)
    with Library(store) as library:
        before = [held.ref for held in library.held()]
        library.remove("notes", purge=True)
    assert run("restore", copy)[0] == 2
    code, told = run("restore", copy, "--yes")
    assert (code, told["sources"]) == (0, 1)
    with Library(store) as library:
        assert [held.ref for held in library.held()] == before
        assert library.search("kiln degrees")[0].text.endswith("1280 degrees.")
        assert list(library.verify()) == []


def test_a_backup_is_restored_where_there_was_no_library(run: Run, tmp_path: Path) -> None:
    copy, new = str(tmp_path / "copy.db"), str(tmp_path / "elsewhere" / "new.db")
    run("backup", copy)
    assert main(["--store", new, "restore", copy]) == 0
    with Library(new, create=False) as library:
        assert [source.slug for source in library.sources()] == ["notes"]


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (lambda path, store: None, 2),
        (lambda path, store: path.write_bytes(b"no store at all"), 4),
        (lambda path, store: path.write_bytes(b""), 4),
    ],
    ids=["missing", "another file", "empty"],
)
def test_what_is_no_backup_changes_nothing(run: Run, store: str, tmp_path: Path, made: Callable[..., object], code: int) -> None:
    copy = tmp_path / "copy.db"
    made(copy, store)
    assert run("restore", str(copy), "--yes")[0] == code
    with Library(store) as library:
        assert list(library.verify()) == []
        assert len(list(library.held())) == 1


def test_a_backup_never_overwrites_a_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_bytes(b"mine")
    assert run("backup", str(target))[0] == 4
    assert target.read_bytes() == b"mine"
    assert run("restore", str(tmp_path / "library.db"), "--yes")[0] == 2
