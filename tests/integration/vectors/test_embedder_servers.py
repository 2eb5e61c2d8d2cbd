"""Embedders behind a server: what they send, and what becomes of each bad answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pincite.adapters.embedders import GoogleEmbedder, ServerEmbedder
from pincite.adapters.keys import key_beside
from pincite.errors import ModelError


@dataclass
class Server:
    url: str = ""
    status: int = 200
    answer: Any = None
    asked: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            told.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            count = len(body.get("input", body.get("requests", ())))
            usual: dict[str, Any] = {"data": [{"index": n, "embedding": [n, 1.0]} for n in reversed(range(count))]}
            if "requests" in body:
                usual = {"embeddings": [{"values": [n, 1.0]} for n in range(count)]}
            answer = usual if told.answer is None else told.answer
            sent = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(told.status)
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            return None

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{httpd.server_address[1]}/v1"
    yield told
    httpd.shutdown()
    httpd.server_close()
    thread.join()


def test_vectors_come_in_the_order_of_the_texts_whatever_the_servers_order(server: Server) -> None:
    embedder = ServerEmbedder(server.url, "m", key="geheim")
    assert embedder.embed(["a", "b", "c"]) == [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    path, headers, body = server.asked[0]
    assert (path, headers["authorization"], body) == ("/v1/embeddings", "Bearer geheim", {"model": "m", "input": ["a", "b", "c"]})


def test_many_texts_go_in_batches(server: Server) -> None:
    assert len(ServerEmbedder(server.url, "m").embed([str(n) for n in range(150)])) == 150
    assert [len(body["input"]) for _, _, body in server.asked] == [64, 64, 22]


def test_google_is_told_what_each_text_is_for(server: Server) -> None:
    embedder = GoogleEmbedder(server.url, "models/gemini-embedding-001", "retrieval_document", key="geheim")
    embedder.embed(["a page"])
    embedder.embed(["a question"], query=True)
    (path, headers, page), (_, _, question) = server.asked
    assert path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert headers["x-goog-api-key"] == "geheim"
    assert page["requests"][0] == {
        "model": "models/gemini-embedding-001",
        "content": {"parts": [{"text": "a page"}]},
        "taskType": "RETRIEVAL_DOCUMENT",
    }
    assert question["requests"][0]["taskType"] == "RETRIEVAL_QUERY"


@pytest.mark.parametrize(
    "make", [lambda url: ServerEmbedder(url, "m"), lambda url: GoogleEmbedder(url, "m", "t")], ids=["server", "google"]
)
@pytest.mark.parametrize(
    ("status", "answer", "rule"),
    [
        (401, {}, "unauthorized"),
        (500, {}, "server"),
        (200, b"<html>", "garbage"),
        (200, {"data": "x", "embeddings": "x"}, "garbage"),
        (200, {"data": [], "embeddings": []}, "garbage"),
        (200, {"data": [{"index": 0, "embedding": ["x"]}], "embeddings": [{"values": ["x"]}]}, "garbage"),
        (200, b'{"data": [{"index": 0, "embedding": [NaN]}], "embeddings": [{"values": [NaN]}]}', "garbage"),
    ],
    ids=["key", "broken", "no JSON", "no list", "too few", "no numbers", "not finite"],
)
def test_a_bad_answer_has_its_own_name(server: Server, make: Any, status: int, answer: Any, rule: str) -> None:
    server.status, server.answer = status, answer
    with pytest.raises(ModelError) as failed:
        make(server.url).embed(["a"])
    assert failed.value.rule == rule


@pytest.mark.parametrize(
    ("url", "own", "key"),
    [
        ("https://embed.example.org/v1", "own", "own"),
        ("https://llm.example.org/v1", "", "llm"),
        ("https://embed.example.org/v1", "", ""),
        ("https://api.openai.com/v1", "", "sk-openai"),
    ],
    ids=["its own", "the same host", "another host", "OpenAI"],
)
def test_a_models_key_goes_to_no_other_host(url: str, own: str, key: str) -> None:
    environ = {"PINCITE_LLM_KEY": "llm", "OPENAI_API_KEY": "sk-openai"}
    assert key_beside(url, own, "https://llm.example.org/v1", "llm", environ) == key
