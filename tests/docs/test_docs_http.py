"""The page on HTTP lists the routes and parameters that the server has."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pincite.library import Library
from pincite.serve.auth import needed
from pincite.serve.http import create_app
from pincite.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "http.md").read_text("utf-8")


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    settings = Settings(store=str(tmp_path / "library.db"))
    return create_app(partial(Library, settings=settings), settings).openapi()


def test_page_lists_every_route_with_its_scope(document: dict[str, Any]) -> None:
    listed = set(re.findall(r"^\| `([A-Z]+) (/\S*)` \| (\w+) \|", PAGE, flags=re.M))
    routes = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    scopes = {(method, path): "signature" if "hooks" in path else needed(method, path) or "public" for method, path in routes}
    assert listed == {(method, path, scope) for (method, path), scope in scopes.items()}


def test_page_lists_every_parameter_of_ask_with_its_default(document: dict[str, Any]) -> None:
    table = PAGE.partition("## `GET /ask`")[2].partition("\n## ")[0]
    rows = [[cell.strip(" `") for cell in line.split("|")] for line in table.splitlines() if line.startswith("| `")]
    listed = {row[1]: row[2] for row in rows}
    known = {p["name"]: p["schema"].get("default") for p in document["paths"]["/ask"]["get"]["parameters"]}
    assert listed == {name: "" if default in (None, []) else str(default) for name, default in known.items()}
