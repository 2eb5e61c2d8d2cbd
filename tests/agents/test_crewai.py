"""The code-docs search tool in the real CrewAI."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("crewai")

from crewai.tools import BaseTool

from pincite import Library, Settings
from pincite.integrations.crewai import CodeDocsSearchTool, DataType
from pincite.integrations.docs_tool import LibraryAdapter, Place

URL = "https://docs.example.org/"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "CHROMA_OPENAI_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


class Noting:
    """An adapter that notes what it is asked."""

    def __init__(self) -> None:
        self.added: list[Any] = []
        self.asked: list[Any] = []

    def add(self, *args: Any, **kwargs: Any) -> None:
        self.added.append((args, kwargs))

    def query(self, *args: Any, **kwargs: Any) -> str:
        self.asked.append((args, kwargs))
        return "found"


@pytest.fixture
def adapter(store: str, tmp_path: Path, site: Any, other: Any) -> Callable[..., LibraryAdapter]:
    private = (f"127.0.0.1:{site.port}", f"127.0.0.1:{other.port}")
    settings = Settings(store=store, allow_private=private, delay_s=0.0)
    place = Place(lambda: Library(settings=settings), private, settings.max_age_s, (tmp_path.resolve(),))
    return lambda **more: LibraryAdapter(place, **more)


def test_it_is_a_tool_of_the_framework_and_needs_no_key() -> None:
    tool = CodeDocsSearchTool()
    assert isinstance(tool, BaseTool)
    assert (tool.summarize, tool.similarity_threshold, tool.limit, tool.collection_name) == (False, 0.6, 5, "rag_tool_collection")


def test_a_fixed_tool_asks_for_the_question_alone() -> None:
    adapter = Noting()
    tool = CodeDocsSearchTool(URL, adapter=adapter)
    assert set(tool.args_schema.model_fields) == {"search_query"}
    assert f"A tool that can be used to semantic search a query the {URL} Code Docs content." in tool.description
    assert adapter.added == [((URL,), {"data_type": DataType.DOCS_SITE})]
    assert tool.run(search_query="how?") == "Relevant Content:\nfound"
    assert tool.run(search_query="how?") == "Relevant Content:\nfound"
    assert len(adapter.added) == 1
    assert adapter.asked[0] == (("how?",), {"similarity_threshold": 0.6, "limit": 5})


def test_a_dynamic_tool_asks_for_the_address_in_each_call() -> None:
    adapter = Noting()
    tool = CodeDocsSearchTool(adapter=adapter)
    fields = tool.args_schema.model_fields
    assert fields["docs_url"].is_required()
    assert fields["docs_url"].description == "Mandatory docs_url path you want to search"
    tool.run(search_query="how?", docs_url=URL)
    tool.run(search_query="why?", docs_url=URL)
    assert adapter.added == [((URL,), {"data_type": DataType.DOCS_SITE})]


def test_values_of_the_instance_hold_where_the_call_gives_none() -> None:
    adapter = Noting()
    tool = CodeDocsSearchTool(URL, adapter=adapter, similarity_threshold=0.2, limit=9)
    tool._run("how?", similarity_threshold=None, limit=None)
    tool._run("how?", similarity_threshold=0.9, limit=1)
    assert [kwargs for _, kwargs in adapter.asked] == [
        {"similarity_threshold": 0.2, "limit": 9},
        {"similarity_threshold": 0.9, "limit": 1},
    ]


@pytest.mark.parametrize("config", [{"vectordb": {"provider": "weaviate"}}, {"llm": {"provider": "nobody"}}], ids=["store", "model"])
def test_a_configuration_that_is_not_supported_is_a_value_error(config: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not supported"):
        CodeDocsSearchTool(config=config)


def test_the_whole_site_is_read_and_cited(site: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    tool = CodeDocsSearchTool(site.url, adapter=adapter())
    fetched = list(site.seen)
    answer = tool.run(search_query="kettle descale once a month")
    assert answer.startswith("Relevant Content:\n")
    assert "Run kettle descale once a month. Café owners descale weekly." in answer
    assert re.search(r"REF-[0-9a-z]{6}", answer)
    assert site.seen == fetched, "a question fetches nothing"


def test_code_is_kept_in_one_piece_and_tables_stay(site: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    tool = CodeDocsSearchTool(site.url, adapter=adapter(), similarity_threshold=0.0)
    answer = tool.run(search_query="Kettle.schedule cron expression")
    assert 'kettle.schedule(\n    "0 7 * * *",\n)' in answer
    assert re.search(r"\|\s*quiet\s*\|\s*no whistle\s*\|", tool.run(search_query="quiet option no whistle"))


def test_a_known_and_fresh_site_is_not_fetched_again_by_another_tool(site: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    CodeDocsSearchTool(site.url, adapter=adapter())
    fetched = list(site.seen)
    again = CodeDocsSearchTool(adapter=adapter())
    assert "once a month" in again.run(search_query="kettle descale once a month", docs_url=site.url)
    assert site.seen == fetched


def test_pages_of_one_site_never_answer_for_another(site: Any, other: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    kettle = CodeDocsSearchTool(site.url, adapter=adapter(), similarity_threshold=0.0)
    teapot = CodeDocsSearchTool(other.url, adapter=adapter(), similarity_threshold=0.0)
    both = CodeDocsSearchTool(adapter=adapter(), similarity_threshold=0.0)
    assert "teapot" not in kettle.run(search_query="how many cups does the teapot hold").lower()
    assert "seven cups" in teapot.run(search_query="how many cups does the teapot hold")
    assert "seven cups" in both.run(search_query="cups", docs_url=other.url)
    assert "seven cups" not in both.run(search_query="cups", docs_url=site.url)


def test_after_a_change_the_old_value_is_never_returned(tmp_path: Path, adapter: Callable[..., LibraryAdapter]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Limits\n\nThe limit is 17 requests.\n", "utf-8")
    tool = CodeDocsSearchTool(adapter=adapter(), similarity_threshold=0.0)
    assert "17" in tool.run(search_query="limit requests", docs_url=str(page))
    page.write_text("# Limits\n\nThe limit is 23 requests.\n", "utf-8")
    answer = tool.run(search_query="limit requests", docs_url=str(page))
    assert "23" in answer
    assert "17" not in answer


def test_a_threshold_of_one_asks_for_all_of_the_question(site: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    tool = CodeDocsSearchTool(site.url, adapter=adapter(), similarity_threshold=1.0)
    assert tool.run(search_query="zebra descale") == "Relevant Content:\n"


def test_summarize_gives_a_verified_answer(site: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    tool = CodeDocsSearchTool(site.url, adapter=adapter(summarize=True))
    assert "[^1]" in tool.run(search_query="How often must I run kettle descale?")


def test_a_site_that_cannot_be_read_says_so(site: Any, adapter: Callable[..., LibraryAdapter]) -> None:
    with pytest.raises(ValueError, match=re.escape(f"Unable to fetch documentation from {site.url}missing")):
        CodeDocsSearchTool(site.url + "missing", adapter=adapter())


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://169.254.169.254/", "ftp://example.org/"])
def test_an_unsafe_address_is_blocked_in_both_modes(url: str, adapter: Callable[..., LibraryAdapter]) -> None:
    with pytest.raises(ValueError, match="Blocked unsafe URL"):
        CodeDocsSearchTool(url, adapter=adapter())
    with pytest.raises(ValueError, match="Blocked unsafe URL"):
        CodeDocsSearchTool(adapter=adapter())._run("how?", docs_url=url)
