"""Rerankers: any server with `/rerank` (TEI, llama.cpp, vLLM, Jina, Cohere), fastembed's cross-encoders.

In: a question and texts. Out: one score a text, higher is better. A server is dialled at exactly the configured host and port.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from pincite.adapters.embedders import needed
from pincite.errors import ModelError, UsageError
from pincite.urls import is_web


class ServerReranker:
    """Asks `POST {url}/rerank`; understands `results[].relevance_score` and TEI's bare list with `score`."""

    def __init__(self, url: str, model: str = "", *, key: str = "", timeout_s: float = 30.0) -> None:
        if not is_web(url):
            raise UsageError(f"The reranker's URL {url!r} is no http or https URL.")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout_s, follow_redirects=False, trust_env=False)
        self._url = url.rstrip("/") + "/rerank"
        self._model = model

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return the scores in the order of the texts. Raises ModelError."""
        if not texts:
            return []
        body = {"model": self._model, "query": query, "documents": list(texts), "texts": list(texts), "top_n": len(texts)}
        try:
            answer = self._client.post(self._url, json=body)
        except httpx.HTTPError as error:
            raise ModelError(f"The reranker at {self._url} can't be reached: {error}.", url=self._url, rule="no_server") from error
        if answer.status_code != 200:
            raise ModelError(f"The reranker at {self._url} answered {answer.status_code}.", url=self._url, rule="server")
        try:
            return _scores(answer.json(), len(texts))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ModelError(f"The reranker at {self._url} did not answer with scores.", url=self._url, rule="garbage") from error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _scores(answer: Any, wanted: int) -> list[float]:
    rows: Sequence[Mapping[str, Any]] = answer["results"] if isinstance(answer, dict) else answer
    scores: dict[int, float] = {int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows}
    return [scores[i] for i in range(wanted)]


class FastReranker:
    """A cross-encoder of the `fastembed` package."""

    def __init__(self, model: str = "Xenova/ms-marco-MiniLM-L-6-v2") -> None:
        self._model = needed("fastembed.rerank.cross_encoder", "pincite[rerank]").TextCrossEncoder(model)

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return the scores in the order of the texts."""
        return [float(score) for score in self._model.rerank(query, list(texts))]
