"""The user's own words for things: found by either word, in the text neither changed nor added."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import Library
from pincite.settings import Settings

MAP = ("garbage collection=GC|cyclic collector",)
PAGES = {
    "a.md": "# Memory\n\nThe cyclic collector frees what nobody holds.\n",
    "b.md": "# Waste\n\nGarbage collection is on Mondays.\n",
    "c.md": "# Tills\n\nThe till is counted each evening.\n",
}


@pytest.fixture
def library(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text, "utf-8")
    with Library(str(tmp_path / "library.db"), settings=Settings(custom_term_mapping=MAP)) as held:
        held.add(str(tmp_path / "docs"))
        yield held


@pytest.mark.parametrize("question", ["GC", "garbage collection", "What does the cyclic collector do?"])
def test_alias_and_term_find_the_same_pages(library: Library, question: str) -> None:
    found = library.search(question, score_ratio=0.0)
    assert {passage.path for passage in found} == {"a.md", "b.md"}
    assert all(passage.text in PAGES[passage.path] for passage in found)


def test_the_answer_quotes_the_page_as_it_is(library: Library) -> None:
    answer = library.ask("What does the cyclic collector free?")
    assert any("cyclic collector frees" in citation.quote for citation in answer.citations)
    assert library.search("GC").query == "GC"


def test_an_alias_that_stands_nowhere_is_answered_by_its_term(library: Library) -> None:
    answer = library.ask("On which day is GC?")
    assert not answer.abstained
    assert any("Mondays" in citation.quote for citation in answer.citations)
