"""The key of a model's server: from the settings or the environment, else from the system's keyring.

In: the server's URL, the environment. Out: the key, or an empty string for a server that wants none. OPENAI_API_KEY goes to OpenAI alone,
and a key of the settings to the host that it was set for.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from urllib.parse import urlsplit

SERVICE = "pincite"


def key_for(url: str, environ: Mapping[str, str]) -> str:
    """Return PINCITE_LLM_KEY, OPENAI_API_KEY for OpenAI's own host, or what the keyring holds for `pincite` and the host."""
    host = urlsplit(url).hostname or ""
    if environ.get("PINCITE_LLM_KEY"):
        return environ["PINCITE_LLM_KEY"]
    if host == "api.openai.com" and environ.get("OPENAI_API_KEY"):
        return environ["OPENAI_API_KEY"]
    return _from_keyring(host)


def key_beside(url: str, own: str, llm_url: str, llm_key: str, environ: Mapping[str, str]) -> str:
    """Return the key of an embedder or reranker: its own, the model's on the same host, or what `key_for` finds there."""
    if own:
        return own
    if urlsplit(url).netloc == urlsplit(llm_url).netloc:
        return llm_key or key_for(url, environ)
    return key_for(url, {name: value for name, value in environ.items() if name != "PINCITE_LLM_KEY"})


def _from_keyring(host: str) -> str:
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return ""
    try:
        return str(keyring.get_password(SERVICE, host) or "")
    except (keyring.errors.KeyringError, RuntimeError):
        return ""
