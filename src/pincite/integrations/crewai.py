"""CrewAI: the code-docs search tool over a Pincite library.

In: a documentation address, at construction or in each call. Out: text that begins `Relevant Content:`. Needs `crewai`, no key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.integrations import docs_tool, tool_config
from pincite.integrations.docs_tool import COLLECTION, LIMIT, THRESHOLD, DataType, DocsSearch, LibraryAdapter, default_place

try:
    from crewai.tools import BaseTool
    from pydantic import BaseModel, ConfigDict, Field, PrivateAttr
except ImportError as error:
    raise ImportError('CodeDocsSearchTool needs CrewAI: pip install "pincite[crewai]"') from error

__all__ = ["CodeDocsSearchTool", "CodeDocsSearchToolSchema", "DataType", "FixedCodeDocsSearchToolSchema"]


class FixedCodeDocsSearchToolSchema(BaseModel):
    """What a tool that is fixed to one address is told in a call."""

    search_query: str = Field(..., description=docs_tool.SEARCH_QUERY)


class CodeDocsSearchToolSchema(FixedCodeDocsSearchToolSchema):
    """What a tool without an address of its own is told in a call."""

    docs_url: str = Field(..., description=docs_tool.DOCS_URL)


class CodeDocsSearchTool(BaseTool):
    """Searches code documentation: one site given at construction, or one named in each call."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str = docs_tool.NAME
    description: str = docs_tool.DESCRIPTION
    args_schema: type[BaseModel] = CodeDocsSearchToolSchema
    summarize: bool = False
    similarity_threshold: float = THRESHOLD
    limit: int = LIMIT
    collection_name: str = COLLECTION
    config: Mapping[str, Any] | None = None
    adapter: Any = None
    _search: DocsSearch = PrivateAttr()

    def __init__(self, docs_url: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if self.adapter is None:
            place = default_place(self.config, self.collection_name)
            self.adapter = LibraryAdapter(place, collection_name=self.collection_name, config=self.config, summarize=self.summarize)
        else:
            tool_config.read(self.config)
        self._search = DocsSearch(docs_url, self.adapter, similarity_threshold=self.similarity_threshold, limit=self.limit)
        if docs_url is not None:
            self.description = self._search.description
            self.args_schema = FixedCodeDocsSearchToolSchema
            self._generate_description()

    def add(self, docs_url: str) -> None:
        """Take a documentation site in."""
        self._search.add(docs_url)

    def _run(
        self, search_query: str, docs_url: str | None = None, similarity_threshold: float | None = None, limit: int | None = None
    ) -> str:
        self._search.similarity_threshold, self._search.limit = self.similarity_threshold, self.limit
        return self._search.run(search_query, docs_url, similarity_threshold, limit)
