"""LlamaIndex: a retriever over a Pincite library.

In: a store's place. Out: nodes with scores and metadata. Needs `llama-index-core`.
"""

from __future__ import annotations

from pincite.integrations import records
from pincite.types import Passage

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError('PinciteRetriever needs LlamaIndex: pip install "pincite[llamaindex]"') from error


class PinciteRetriever(BaseRetriever):
    """Finds passages of a Pincite library. `store` None means the user's own library."""

    def __init__(
        self,
        store: str | None = None,
        *,
        kind: records.Kind = "all",
        source: str | list[str] | None = None,
        version: str | None = None,
        similarity_top_k: int = 5,
        score_ratio: float | None = None,
    ) -> None:
        self._store = store
        self._options = records.options_of(kind=kind, source=source, version=version, max_results=similarity_top_k, score_ratio=score_ratio)
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = records.find(records.opener(self._store), query_bundle.query_str, self._options)
        return [NodeWithScore(node=_node(passage), score=passage.score) for passage in found]


def _node(passage: Passage) -> TextNode:
    return TextNode(
        id_=passage.id,
        text=passage.text,
        metadata=records.metadata(passage),
        start_char_idx=passage.start,
        end_char_idx=passage.end,
        excluded_embed_metadata_keys=list(records.metadata(passage)),
        excluded_llm_metadata_keys=["id", "doc_id", "snapshot", "score", "similarity", "start", "end"],
    )
