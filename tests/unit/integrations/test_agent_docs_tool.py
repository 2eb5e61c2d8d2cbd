"""The code-docs tool over an adapter of the caller's."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pincite.integrations.docs_tool import DataType, DocsSearch

URL, OTHER = "https://docs.example.org/", "https://docs.example.net/guide"


@dataclass
class Noting:
    """An adapter that notes what it is asked."""

    added: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    asked: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def add(self, *args: Any, **kwargs: Any) -> None:
        self.added.append((args, kwargs))

    def query(self, *args: Any, **kwargs: Any) -> str:
        self.asked.append((args, kwargs))
        return "what was found"


def test_a_fixed_tool_adds_its_address_once_and_exactly() -> None:
    adapter = Noting()
    tool = DocsSearch(URL, adapter)
    for _ in range(3):
        tool.run("how?")
    assert adapter.added == [((URL,), {"data_type": DataType.DOCS_SITE})]


def test_a_query_reaches_the_adapter_exactly() -> None:
    adapter = Noting()
    answer = DocsSearch(URL, adapter).run("how?")
    assert adapter.asked == [(("how?",), {"similarity_threshold": 0.6, "limit": 5})]
    assert answer == "Relevant Content:\nwhat was found"


def test_values_of_the_call_win_and_none_falls_back_to_the_instance() -> None:
    adapter = Noting()
    tool = DocsSearch(URL, adapter, similarity_threshold=0.3, limit=7)
    tool.run("a", similarity_threshold=0.0, limit=None)
    tool.run("b", similarity_threshold=None, limit=2)
    assert [kwargs for _, kwargs in adapter.asked] == [
        {"similarity_threshold": 0.0, "limit": 7},
        {"similarity_threshold": 0.3, "limit": 2},
    ]


def test_a_dynamic_tool_adds_what_it_is_told_and_not_again_while_fresh() -> None:
    adapter, time = Noting(), [0.0]
    tool = DocsSearch(None, adapter, clock=lambda: time[0], max_age_s=100)
    for _ in range(3):
        tool.run("how?", docs_url=URL)
    tool.run("how?", docs_url=OTHER)
    assert [args[0] for args, _ in adapter.added] == [URL, OTHER]
    time[0] = 101
    tool.run("how?", docs_url=URL)
    assert [args[0] for args, _ in adapter.added] == [URL, OTHER, URL]


def test_a_file_is_compared_at_every_call(tmp_path: Path) -> None:
    adapter = Noting()
    tool = DocsSearch(None, adapter)
    for _ in range(2):
        tool.run("how?", docs_url=str(tmp_path / "a.md"))
    assert len(adapter.added) == 2


def test_a_dynamic_tool_without_an_address_says_what_is_missing() -> None:
    with pytest.raises(ValueError, match="docs_url is required"):
        DocsSearch(None, Noting()).run("how?")


def test_descriptions_are_those_that_agents_know() -> None:
    assert DocsSearch(URL, Noting()).description == f"A tool that can be used to semantic search a query the {URL} Code Docs content."
    assert DocsSearch(None, Noting()).description == "A tool that can be used to semantic search a query from a Code Docs content."


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://docs.example.org/", DataType.DOCS_SITE),
        ("https://example.org/docs/intro", DataType.DOCS_SITE),
        ("https://example.org/blog", DataType.WEBSITE),
        ("/nowhere/notes.md", DataType.FILE),
    ],
    ids=["host", "path", "neither", "file"],
)
def test_docs_in_host_or_path_means_a_documentation_site(address: str, kind: DataType) -> None:
    assert DataType.of(address) is kind
