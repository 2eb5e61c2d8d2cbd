"""Haystack: a retriever component over a Pincite library.

In: a store's place, a query. Out: `documents`. Needs `haystack-ai`.
"""

from __future__ import annotations

from typing import Any

from pincite.integrations import records

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise ImportError('PinciteRetriever needs Haystack: pip install "pincite[haystack]"') from error


@component
class PinciteRetriever:
    """Finds passages of a Pincite library. `store` None means the user's own library."""

    def __init__(
        self,
        store: str | None = None,
        kind: str = "all",
        source: str | list[str] | None = None,
        version: str | None = None,
        top_k: int = 5,
        score_ratio: float | None = None,
    ) -> None:
        self.store, self.kind, self.source, self.version = store, kind, source, version
        self.top_k, self.score_ratio = top_k, score_ratio

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Return the passages, best first."""
        kind: Any = self.kind
        options = records.options_of(
            kind=kind, source=self.source, version=self.version, max_results=top_k or self.top_k, score_ratio=self.score_ratio
        )
        found = records.find(records.opener(self.store), query, options)
        documents = [Document(id=p.id, content=p.text, meta=records.metadata(p), score=p.score) for p in found]
        return {"documents": documents}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as pipelines store it."""
        return dict(
            default_to_dict(
                self,
                store=self.store,
                kind=self.kind,
                source=self.source,
                version=self.version,
                top_k=self.top_k,
                score_ratio=self.score_ratio,
            )
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PinciteRetriever:
        """Return the component that `to_dict` described."""
        made: PinciteRetriever = default_from_dict(cls, data)
        return made
