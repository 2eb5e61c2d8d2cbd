"""The retriever in the real LlamaIndex."""

from __future__ import annotations

import pytest

pytest.importorskip("llama_index.core")

from pincite import Library
from pincite.integrations.llamaindex import PinciteRetriever


def test_the_retriever_gives_nodes_that_are_slices_of_their_page(kettle: str) -> None:
    found = PinciteRetriever(kettle, similarity_top_k=3).retrieve("cron expression")
    assert found
    assert found[0].score is not None
    with Library(kettle) as library:
        for node in found:
            text = library.document(node.metadata["ref"]).text
            assert text[node.node.start_char_idx : node.node.end_char_idx] == node.node.get_content()
    assert {"source", "title", "domain", "doc_id"} <= set(found[0].metadata)
