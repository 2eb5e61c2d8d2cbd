"""The OpenAPI document: complete, with examples that fit, and kept by the server under generated requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.serve import examples, shapes

SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def test_the_document_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["info"]["title"] == "Pincite"


def test_every_operation_says_its_errors_as_problems(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert set(answer["content"]) == {"application/problem+json"}, (method, path, status)


def test_reads_of_passages_and_answers_have_examples_that_fit_their_shape(document: dict[str, Any]) -> None:
    for path, method, shape in (("/ask", "get", shapes.Asked), ("/v1/search", "get", shapes.Found), ("/v1/answers", "post", shapes.Answer)):
        example = document["paths"][path][method]["responses"]["200"]["content"]["application/json"]["example"]
        shape.model_validate(example, strict=True)
    shapes.Passage.model_validate(examples.PASSAGE, strict=True)


def test_no_body_takes_members_that_nobody_listed(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Body"):
            assert schema["additionalProperties"] is False, name


def test_security_is_told_where_tokens_are_asked_for(connect: Callable[..., TestClient]) -> None:
    guarded = connect(security_jwt_enabled=True, security_secret=SECRET).get("/openapi.json").json()["paths"]
    assert guarded["/ask"]["get"]["security"] == [{"bearer": ["read"]}]
    assert guarded["/v1/sources"]["post"]["security"] == [{"bearer": ["write"]}]
    assert "security" not in guarded["/health"]["get"]
