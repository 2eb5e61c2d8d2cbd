"""The `config` of agent tools: which vector store and models it names, in the present and the older form.

In: the mapping that a tool was made with. Out: `ToolConfig`, checked. An error speaks of the provider that was chosen, never of another.
`tool_models` turns it into the settings of a library.

Present form: `{"vectordb": {"provider", "config"}, "embedding_model": {"provider", "config"}}`. Older: `{"llm": …, "embedder": …}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pincite.errors import UsageError

VECTORDBS = ("chromadb", "qdrant", "builtin", "pgvector")
EMBEDDERS = ("ollama", "openai", "openai-compatible", "google", "google-generativeai", "google-vertex", "azure")
LLMS = (*EMBEDDERS, "anthropic")
SAME = {"google-generativeai": "google", "google-vertex": "google", "azure": "openai-compatible"}
MODEL_KEYS = frozenset(
    {
        "model",
        "model_name",
        "base_url",
        "api_base",
        "url",
        "api_key",
        "task_type",
        "title",
        "dimensions",
        "temperature",
        "top_p",
        "stream",
        "max_tokens",
        "timeout",
        "deployment_name",
        "deployment_id",
        "api_version",
        "project_id",
        "region",
        "location",
        "keep_alive",
        "vertexai",
    }
)
NEEDED = {"openai-compatible": ("base_url", "api_base", "url")}
"""Providers that can't be reached without one of these keys."""


class ConfigError(UsageError, ValueError):
    """A tool's `config` can't be understood."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that a tool was told to use. `options` are the provider's own, `api_key` left out of any text."""

    provider: str
    model: str = ""
    task_type: str = ""
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), repr=False)


@dataclass(frozen=True, slots=True)
class ToolConfig:
    """What a tool's `config` says, defaults filled in."""

    vectordb: str = ""
    """Empty: Chroma where it is installed, else the built-in one."""
    vectordb_options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    embedding: ModelChoice | None = None
    llm: ModelChoice | None = None


def read(config: Mapping[str, Any] | None) -> ToolConfig:
    """Return the configuration. Raises ConfigError, which is a ValueError too."""
    if config is None:
        return ToolConfig()
    if not isinstance(config, Mapping):
        raise ConfigError(f"config is a {type(config).__name__}; it must be a mapping.")
    known = {"vectordb", "embedding_model", "embedder", "llm"}
    unknown = sorted(set(map(str, config)) - known)
    if unknown:
        raise ConfigError(f"config has the unknown key `{unknown[0]}`. Known: {', '.join(sorted(known))}.")
    if config.get("embedding_model") is not None and config.get("embedder") is not None:
        raise ConfigError("config has both `embedding_model` and `embedder`; they mean the same, give one.")
    store, options = _vectordb(config.get("vectordb"))
    embedding = "embedding_model" if config.get("embedding_model") is not None else "embedder"
    return ToolConfig(store, options, _model(config.get(embedding), embedding, EMBEDDERS), _model(config.get("llm"), "llm", LLMS))


def _vectordb(given: Any) -> tuple[str, Mapping[str, Any]]:
    if given is None:
        return ToolConfig().vectordb, MappingProxyType({})
    provider, options = _parts(given, "vectordb")
    if provider not in VECTORDBS:
        raise ConfigError(f"vectordb: the provider `{provider}` is not supported. Supported: {', '.join(VECTORDBS)}.")
    return provider, options


def _model(given: Any, where: str, providers: tuple[str, ...]) -> ModelChoice | None:
    if given is None:
        return None
    provider, options = _parts(given, where)
    if provider not in providers:
        raise ConfigError(f"{where}: the provider `{provider}` is not supported. Supported: {', '.join(providers)}.")
    unknown = sorted(set(options) - MODEL_KEYS)
    if unknown:
        raise ConfigError(f"{where}: {provider} has no option `{unknown[0]}`.")
    chosen = SAME.get(provider, provider)
    needed = NEEDED.get(provider, ())
    if needed and not any(options.get(name) for name in needed):
        raise ConfigError(f"{where}: {provider} needs `{needed[0]}`, the address of its server.")
    model = options.get("model") or options.get("model_name") or ""
    task = options.get("task_type") or ""
    if not isinstance(model, str) or not isinstance(task, str):
        raise ConfigError(f"{where}: `model` and `task_type` of {provider} are texts.")
    return ModelChoice(chosen, model, task, options)


def _parts(given: Any, where: str) -> tuple[str, Mapping[str, Any]]:
    if isinstance(given, str):
        return given.strip().lower(), MappingProxyType({})
    if not isinstance(given, Mapping):
        raise ConfigError(f"{where} is a {type(given).__name__}; it must be a mapping with `provider` and `config`.")
    unknown = sorted(set(map(str, given)) - {"provider", "config"})
    if unknown:
        raise ConfigError(f"{where} has the unknown key `{unknown[0]}`. Known: provider, config.")
    provider, options = given.get("provider"), given.get("config")
    if not isinstance(provider, str) or not provider.strip():
        raise ConfigError(f"{where} names no provider.")
    if options is not None and not isinstance(options, Mapping):
        raise ConfigError(f"{where}: the config of {provider} must be a mapping.")
    return provider.strip().lower(), MappingProxyType(dict(options or {}))
