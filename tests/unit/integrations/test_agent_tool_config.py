"""The `config` of agent tools."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.integrations import tool_config

OPENAI = {"provider": "openai", "config": {"model": "text-embedding-3-small"}}
GOOGLE = {"provider": "google", "config": {"model": "models/embedding-001", "task_type": "retrieval_document"}}


def test_nothing_at_all_means_the_default_store_and_no_model() -> None:
    chosen = tool_config.read(None)
    assert (chosen.vectordb, chosen.embedding, chosen.llm) == ("", None, None)


@pytest.mark.parametrize("provider", ["chromadb", "qdrant", "builtin", "pgvector"])
def test_each_known_vector_store_is_accepted(provider: str) -> None:
    assert tool_config.read({"vectordb": {"provider": provider, "config": {"path": "x"}}}).vectordb == provider


def test_an_unknown_vector_store_is_a_value_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"`weaviate` is not supported.*chromadb, qdrant, builtin, pgvector"):
        tool_config.read({"vectordb": {"provider": "weaviate"}})


@pytest.mark.parametrize("key", ["embedding_model", "embedder"])
def test_the_present_and_the_older_key_mean_the_same(key: str) -> None:
    chosen = tool_config.read({key: GOOGLE}).embedding
    assert chosen is not None
    assert (chosen.provider, chosen.model, chosen.task_type) == ("google", "models/embedding-001", "retrieval_document")


@pytest.mark.parametrize("provider", ["ollama", "openai", "google", "anthropic"])
def test_each_provider_of_language_models_is_accepted(provider: str) -> None:
    chosen = tool_config.read({"llm": {"provider": provider, "config": {"model": "m", "temperature": 0.5}}}).llm
    assert chosen is not None
    assert chosen.provider == provider


def test_a_compatible_server_needs_its_address() -> None:
    with pytest.raises(ValueError, match="openai-compatible needs `base_url`"):
        tool_config.read({"llm": {"provider": "openai-compatible", "config": {"model": "m"}}})
    chosen = tool_config.read({"llm": {"provider": "openai-compatible", "config": {"model": "m", "base_url": "http://localhost:1"}}}).llm
    assert chosen is not None


@pytest.mark.parametrize(
    ("config", "provider"),
    [
        ({"embedder": {"provider": "ollama", "config": {"modle": "x"}}}, "ollama"),
        ({"llm": {"provider": "anthropic", "config": {"nope": 1}}}, "anthropic"),
        ({"embedding_model": {"provider": "google", "config": {"model": 3}}}, "google"),
        ({"embedding_model": {"provider": "voyager"}}, "voyager"),
    ],
    ids=["ollama", "anthropic", "google", "unknown"],
)
def test_an_error_speaks_of_the_chosen_provider(config: dict[str, Any], provider: str) -> None:
    with pytest.raises(ValueError, match=provider) as caught:
        tool_config.read(config)
    told = str(caught.value).split("Supported:")[0]
    assert not [name for name in ("openai", "google", "ollama", "anthropic") if name != provider and name in told]


@pytest.mark.parametrize(
    "config",
    [
        [],
        {"vector_db": {}},
        {"vectordb": 3},
        {"vectordb": {"config": {}}},
        {"llm": {"provider": "openai", "config": []}},
        {"llm": {"provider": "openai", "extra": 1}},
        {"embedder": OPENAI, "embedding_model": OPENAI},
    ],
    ids=["no mapping", "unknown key", "number", "no provider", "list", "extra", "both forms"],
)
def test_what_cannot_be_understood_is_a_value_error(config: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        tool_config.read(config)


def test_a_key_is_never_part_of_what_is_printed() -> None:
    chosen = tool_config.read({"llm": {"provider": "openai", "config": {"model": "m", "api_key": "very-secret"}}})
    assert "very-secret" not in repr(chosen)
