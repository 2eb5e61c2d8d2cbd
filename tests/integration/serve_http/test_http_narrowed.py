"""Version ranges, filters and segments over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pincite import Library


@pytest.fixture
def client(connect: Callable[..., TestClient], tmp_path: Path) -> TestClient:
    for name, version in (("one", "1.4"), ("two", "2.1")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"# Caching\n\nEdition {name} keeps pages for a day.\n", "utf-8")
        with Library(str(tmp_path / "library.db")) as library:
            library.add(str(tmp_path / name), name=name, version=version)
    return connect(store=str(tmp_path / "library.db"))


@pytest.mark.parametrize(
    ("params", "sources"),
    [
        ({"version": ">=2,<3"}, {"two"}),
        ({"version": "1.4"}, {"one"}),
        ({"where": "version < 2"}, {"one"}),
        ({"where": "source = one or source = two"}, {"one", "two"}),
        ({"segments": "true", "preset": "find_all", "version": ">2"}, {"two"}),
        ({"version": ">=9"}, set()),
    ],
    ids=str,
)
def test_search_is_narrowed(client: TestClient, params: dict[str, str], sources: set[str]) -> None:
    found = client.get("/v1/search", params={"query": "pages kept for a day", "score_ratio": "0", **params})
    assert found.status_code == 200
    assert {p["source"] for p in found.json()["passages"]} == sources


def test_ask_takes_a_range_with_and_without_a_query(client: TestClient) -> None:
    found = client.get("/ask", params={"query": "pages kept", "version": ">=2", "context_type": "doc"}).json()
    assert {p["source"] for p in found["doc_results"]} == {"two"}
    whole = client.get("/ask", params={"version": ">=2", "context_type": "doc"}).json()["doc_context"]
    assert "Edition two" in whole
    assert "Edition one" not in whole


@pytest.mark.parametrize("params", [{"version": ">="}, {"where": "colour = red"}], ids=str)
def test_what_can_not_be_read_is_the_callers_error(client: TestClient, params: dict[str, str]) -> None:
    assert 400 <= client.get("/v1/search", params={"query": "pages", **params}).status_code < 500


def test_answers_are_narrowed_too(client: TestClient) -> None:
    body = {"question": "Which edition keeps pages for a day?", "where": "source = two"}
    made = client.post("/v1/answers", json=body).json()
    assert {c["source"]["slug"] for c in made["citations"]} == {"two"}
