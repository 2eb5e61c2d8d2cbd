"""The retriever and the tool in the real LangChain."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain_core")

from langchain_core.runnables import RunnableLambda

from pincite.integrations.langchain import PinciteRetriever, pincite_tool


def test_the_retriever_gives_documents_with_their_place(kettle: str) -> None:
    found = PinciteRetriever(store=kettle, k=2).invoke("cron expression")
    assert "cron expression" in found[0].page_content
    assert found[0].metadata["ref"].startswith("REF-")
    assert {"source", "title", "domain", "doc_id"} <= set(found[0].metadata)
    assert len(found) <= 2


def test_it_takes_part_in_a_chain_and_runs_async(kettle: str) -> None:
    chain = PinciteRetriever(store=kettle, kind="code") | RunnableLambda(lambda documents: documents[0].metadata["kind"])
    assert chain.invoke("schedule") == "code"


def test_the_tool_describes_its_arguments_and_answers(kettle: str) -> None:
    tool = pincite_tool(kettle)
    assert tool.name == "search_docs"
    assert tool.args["query"]["description"]
    assert "cron expression" in tool.invoke({"query": "cron expression"})


def test_an_unknown_source_is_told_and_not_raised_to_the_agent(kettle: str) -> None:
    assert "There is no source" in pincite_tool(kettle).invoke({"query": "x", "source": "nobody"})
