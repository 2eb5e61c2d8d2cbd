"""An agent tool's `config` -> the settings of its library: which embedder, which vector store, which model writes summaries.

In: a checked `ToolConfig`, the collection's name, the settings that it changes. Out: settings. Providers are reached at their
OpenAI-compatible addresses; Google's embedder with a `task_type` at its own.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pincite.integrations.tool_config import ConfigError, ModelChoice, ToolConfig
from pincite.settings import Settings
from pincite.types import digest

OLLAMA = "http://localhost:11434/v1"
ADDRESSES = {
    "ollama": OLLAMA,
    "openai": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta/openai",
    "anthropic": "https://api.anthropic.com/v1",
}
EMBEDDING_MODELS = {"ollama": "nomic-embed-text", "openai": "text-embedding-3-small", "google": "gemini-embedding-001"}
STORES = {"chromadb": "chroma", "qdrant": "qdrant", "pgvector": "pgvector", "builtin": "builtin"}


def settings_for(config: ToolConfig, collection: str, base: Settings) -> Settings:
    """Return the settings with what the config names. Raises ConfigError for a model without a name.

    Without an `embedding_model` words alone are searched, and no vector store is asked for anything. Where no `vectordb` is named, Chroma
    is used when it is installed, else the built-in one. Each collection and model has vectors of its own.
    """
    made = base
    if config.llm is not None:
        made = replace(made, llm_url=_address(config.llm), model=_named(config.llm, {}), llm_key=_key(config.llm))
    if config.embedding is None:
        return made
    choice, model = config.embedding, _named(config.embedding, EMBEDDING_MODELS)
    kind = STORES[config.vectordb] if config.vectordb else ("chroma" if importlib.util.find_spec("chromadb") else "builtin")
    name = f"{collection}-{digest(f'{choice.provider} {model}').removeprefix('sha256:')[:8]}"
    return replace(
        made,
        embed_url=_address(choice),
        embed_model=model,
        embed_task=choice.task_type,
        embed_key=_key(choice),
        vectors=kind,
        vectors_url=_place(config.vectordb_options),
        vectors_collection=str(config.vectordb_options.get("collection_name") or name),
    )


def _address(choice: ModelChoice) -> str:
    given = next((str(choice.options[name]) for name in ("base_url", "api_base", "url") if choice.options.get(name)), "")
    address = given or ADDRESSES.get(choice.provider, "")
    if choice.provider != "ollama":
        return address
    parts = urlsplit(address)
    path = "/v1" if parts.path.rstrip("/") in ("", "/api", "/api/embeddings", "/api/embed", "/api/generate", "/api/chat") else parts.path
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _named(choice: ModelChoice, usual: Mapping[str, str]) -> str:
    model = choice.model or usual.get(choice.provider, "")
    if not model:
        raise ConfigError(f"{choice.provider} needs `model`, the model's name.")
    return model.removeprefix("models/")


def _key(choice: ModelChoice) -> str:
    return str(choice.options.get("api_key") or "")


def _place(options: Mapping[str, Any]) -> str:
    """Return a vector server's address, or the folder of a local one."""
    for name in ("url", "connection_string", "dsn", "path", "persist_directory", "dir", "location"):
        if options.get(name):
            return str(options[name])
    if not options.get("host"):
        return ""
    host, port = str(options["host"]), options.get("port")
    scheme = "https" if options.get("ssl") or options.get("https") else "http"
    return f"{scheme}://{host}:{port}" if port else f"{scheme}://{host}"
