"""A library whose headers a model writes: kept apart from the text, asked for once, and told the cost of before."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from pincite import Library
from pincite.errors import UsageError
from pincite.serve.cli import main
from pincite.settings import Settings

PAGES = {"a.md": "# Tills\n\nThe till is counted each evening.\n", "b.md": "# Doors\n\nThe door is locked at ten.\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "docs"
    place.mkdir()
    for name, text in PAGES.items():
        (place / name).write_text(text, "utf-8")
    return place


def library(folder: Path, **chosen: object) -> Library:
    return Library(str(folder.parent / "library.db"), settings=Settings(**chosen))  # type: ignore[arg-type]


def test_what_a_model_writes_is_searched_and_never_part_of_the_text(folder: Path, model_server) -> None:
    script = model_server("This document is about: burglary.")
    with library(folder, llm_url=script.url, header_model="m") as held:
        held.add(str(folder), name="docs")
        found = held.search("burglary", score_ratio=0.0)
        assert len(found) == 2
        assert all("burglary" not in passage.text for passage in found)
        assert len(script.asked) == 2
        held.reindex()
        assert held.header_cost() == (0, 0)
        assert len(script.asked) == 2


def test_a_library_made_without_gets_them_by_reindex_and_the_cost_is_told_before(folder: Path, model_server) -> None:
    script = model_server("burglary")
    with library(folder) as held:
        held.add(str(folder))
        assert held.header_cost() == (0, 0)
    with library(folder, llm_url=script.url, header_model="m") as held:
        calls, size = held.header_cost()
        assert (calls, script.asked) == (2, [])
        assert size > 100
        assert held.reindex() == 2
        assert held.search("burglary").passages


def test_a_purge_takes_what_was_written_with_it(folder: Path, model_server) -> None:
    script = model_server("burglary")
    with library(folder, llm_url=script.url, header_model="m") as held:
        held.add(str(folder), name="docs")
        held.remove("docs", purge=True)
    db = sqlite3.connect(folder.parent / "library.db")
    assert db.execute("select count(*) from written").fetchone() == (0,)
    db.close()


def test_a_header_model_without_its_server_is_a_usage_error(folder: Path) -> None:
    with pytest.raises(UsageError, match="llm_url"):
        library(folder, header_model="m")


def test_the_command_tells_the_cost(folder: Path, model_server, capsys, monkeypatch) -> None:
    script = model_server("burglary")
    with library(folder) as held:
        held.add(str(folder))
    monkeypatch.setenv("PINCITE_LLM_URL", script.url)
    monkeypatch.setenv("PINCITE_HEADER_MODEL", "m")
    code = main(["reindex", "--dry-run", "--json", "--store", str(folder.parent / "library.db")])
    told = json.loads(capsys.readouterr().out)
    assert (code, told["requests"], script.asked) == (0, 2, [])


def test_a_summary_of_a_page_without_a_title_is_kept(tmp_path: Path, model_server) -> None:
    (tmp_path / "notes.txt").write_text("The till is counted each evening.\n", "utf-8")
    script = model_server("This document is about: burglary.")
    with library(tmp_path / "x", llm_url=script.url, header_model="m", use_generated_title=False) as held:
        held.add(str(tmp_path / "notes.txt"))
        (page,) = held.held()
        ((_, context),) = held._parts.store.chunks(page.document)
        assert context.header().endswith("titled 'notes.txt'. This document is about: burglary.")
        assert [p.path for p in held.search("burglary")] == ["notes.txt"]


def test_variants_of_terms_are_found_by_the_term_and_stand_in_no_text(folder: Path, model_server) -> None:
    (folder / "a.md").write_text("# Tills\n\nThe cash rejister is counted each evening.\n", "utf-8")
    script = model_server('{"found": [{"term": "POS terminal", "variant": "cash rejister"}]}')
    chosen = {"llm_url": script.url, "header_model": "m", "find_term_variants": True, "get_document_summary": False}
    with library(folder, custom_term_mapping=("POS terminal=till point",), **chosen) as held:
        held.add(str(folder), name="docs")
        assert [p.path for p in held.search("POS terminal")] == ["a.md"]
        assert "POS" not in held.search("POS terminal")[0].text
        assert len(script.asked) == 2
        held.reindex()
        assert held.header_cost() == (0, 0)
        assert len(script.asked) == 2


@pytest.mark.parametrize(
    "chosen", [{}, {"custom_term_mapping": ("a=b",)}, {"header_model": "m", "llm_url": "http://127.0.0.1:9/v1"}], ids=str
)
def test_variants_need_terms_and_a_model(folder: Path, chosen: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="find_term_variants needs"):
        library(folder, find_term_variants=True, **chosen)
