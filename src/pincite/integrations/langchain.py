"""LangChain: a retriever and a tool over a Pincite library.

In: a store's place. Out: `Document`s with their metadata; text. Needs `langchain-core`.
"""

from __future__ import annotations

from typing import Any

from pincite.integrations import functions, records

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import BaseTool, StructuredTool
except ImportError as error:
    raise ImportError('PinciteRetriever needs LangChain: pip install "pincite[langchain]"') from error


class PinciteRetriever(BaseRetriever):
    """Finds passages of a Pincite library. `store` None means the user's own library."""

    store: str | None = None
    kind: records.Kind = "all"
    source: str | list[str] | None = None
    version: str | None = None
    k: int = 5
    score_ratio: float | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        options = records.options_of(
            kind=self.kind, source=self.source, version=self.version, max_results=self.k, score_ratio=self.score_ratio
        )
        found = records.find(records.opener(self.store), query, options)
        return [Document(page_content=passage.text, metadata=records.metadata(passage), id=passage.id) for passage in found]


def pincite_tool(store: str | None = None, **options: Any) -> BaseTool:
    """Return a tool that agents search a library with; `options` are those of `StructuredTool.from_function`."""
    search = functions.functions(store)[0] if store else functions.search_docs
    return StructuredTool.from_function(search, parse_docstring=True, **options)
